"""Whether processes have ended."""

import time
from pathlib import Path


def is_gone(process):
    """Whether a process ended, though nobody may have asked for its exit code."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


def wait_until(condition):
    """Wait for a condition, at most for 20 s."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
