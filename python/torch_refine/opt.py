"""The entry point of `torch-refine-opt`."""

import sys

from torch_refine.tool.main import main as run_tool
from torch_refine.tool.supervisor import supervise


def main() -> int:
    """Run the tool with the command-line arguments; returns its exit code."""
    words = sys.argv[1:]
    return supervise(lambda: run_tool(words))


__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main())
