"""Run tests with copies of the package, each in a process that is forked from this one.

A script that imports nothing of the package. Its words are modules that are imported before it
forks, as they take long and are not mutated. Reads a request as JSON per line: `overlay`, the
folder of the copy; `unit`, the words of a test (`nearby.py`); `seconds`, how much processor time
it may take; `log`, where its output goes. Answers each with a line: `code`, the
exit code, None if it took too long; and `seconds`, the processor time that it took.
"""

import json
import math
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

# What a mutant may allocate, so that one that never ends does not take all memory.
_BYTES = 8 << 30
# What waits instead of computing may take so many times as long, and so much more.
_TIMES, _MORE_SECONDS = 20, 60


def run_unit(unit: list[str]) -> int:
    """Run a test in this process; its exit code."""
    kind, *words = unit
    if kind == "lit":
        sys.argv = ["lit", "-q", "-j1", *words]
        import_module("lit.main").main()
        return 0
    if kind == "functions":
        from torch_refine.build_tools.check_functions import main as check_functions

        return min(check_functions(words), 1)
    import pytest

    cache = f"cache_dir={os.environ['PYTHONPATH']}/pytest"
    return int(pytest.main(["-q", "-x", "-o", cache, "--hypothesis-seed=0", *words]))


def in_child(request: dict[str, Any]) -> NoReturn:
    """What the forked process does; it never returns."""
    code = 1
    try:
        os.setsid()
        log = os.open(request["log"], os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        nothing = os.open(os.devnull, os.O_RDWR)
        for number, handle in ((0, nothing), (1, log), (2, log)):
            os.dup2(handle, number)
        resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
        seconds = math.ceil(request["seconds"])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        overlay = request["overlay"]
        os.environ["PYTHONPATH"] = overlay
        os.environ["TORCH_REFINE_CACHE"] = "0"
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.path.join(overlay, "hypothesis")
        # Tests start processes, which would each compile the sources anew.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        sys.path.insert(0, overlay)
        code = run_unit(request["unit"])
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(bool(ending.code))
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def processor_seconds(process: int) -> float:
    """What a process and those that it has waited for have taken so far; 0 if nothing tells."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Fork, wait, and end what takes too long; the exit code and the processor time."""
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        in_child(request)
    done = 0
    code = None
    while not done:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if time.monotonic() - start > _TIMES * request["seconds"] + _MORE_SECONDS:
            break
        if not done and processor_seconds(child) > request["seconds"]:
            break
        time.sleep(0.02)
    if done:
        code = os.waitstatus_to_exitcode(status)
    # Processes that the test started are in its group.
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not done:
        _, _, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    # The signals of the limit.
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        code = None
    return {"code": code, "seconds": seconds}


def main() -> None:
    """Answer requests until there are no more."""
    for name in sys.argv[1:]:
        import_module(name)
    if "torch" in sys.modules:
        # Threads do not survive a fork.
        sys.modules["torch"].set_num_threads(1)
    assert "torch_refine" not in sys.modules
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(run(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
