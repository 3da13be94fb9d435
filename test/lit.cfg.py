"""The lit suite: every .mlir file here is run through the tool and checked by filecheck."""

import os
import sys
from pathlib import Path

import lit.formats

config.name = "torch-refine"  # noqa: F821  (lit provides `config`)
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir"]  # noqa: F821
config.excludes = ["Inputs", "networks"]  # noqa: F821
config.test_source_root = str(Path(__file__).parent)  # noqa: F821
config.test_exec_root = str(Path(__file__).parent.parent / "build" / "lit")  # noqa: F821

# The tool and filecheck stand beside the Python that runs lit.
tools = str(Path(sys.executable).parent)
config.environment["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])  # noqa: F821
# The package that is tested, where it is not the one that is installed there; how memory is filled.
for name in ("PYTHONPATH", "GLIBC_TUNABLES"):
    if name in os.environ:
        config.environment[name] = os.environ[name]  # noqa: F821
