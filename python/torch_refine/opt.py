"""The entry point of `torch-refine-opt`."""

from torch_refine.tool.main import main

__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main())
