"""`torch-refine-opt`: command-line handling and error reporting."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress

from torch_refine.pipelines.parsing import PipelineError
from torch_refine.tool import output
from torch_refine.tool.general_options import UsageError
from torch_refine.tool.options import help_text, parse
from torch_refine.tool.run import Run
from torch_refine.tool.sources import InputError
from torch_refine.tool.supervisor import INTERRUPTED

_TRACEBACK = "TORCH_REFINE_TRACEBACK"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit code is 0 on success, 130 after Ctrl-C."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(words)
    except (UsageError, InputError, PipelineError, output.OutputError) as error:
        return _error(str(error))
    except BrokenPipeError:
        # The reader closed the pipe.
        return 1
    except OSError as error:
        return _error(f"cannot write to standard error: {error.strerror}")
    except KeyboardInterrupt:
        return INTERRUPTED
    except RecursionError:
        return _error("the program is nested too deeply")
    except MemoryError:
        return _error("out of memory")
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        command = shlex.join(["torch-refine-opt", *words])
        said = " ".join(str(error).split())
        return _error(
            f"internal error: {type(error).__name__}: {said} "
            f"(a defect of torch-refine; {_TRACEBACK}=1 shows where)\n"
            f"note: to reproduce: {command}"
        )


def _run(words: list[str]) -> int:
    options, passes = parse(words)
    text = None
    if options.help:
        text = help_text()
    elif options.version:
        from torch_refine.tool.versions import versions_text

        text = versions_text()
    elif options.list_passes:
        from torch_refine.tool.listing import describe_passes

        text = describe_passes(with_options=False)
    elif options.show_dialects:
        from torch_refine.dialect.dialects import registered

        # As mlir-opt prints them.
        text = f"Available Dialects: {','.join(registered())}\n"
    if text is not None:
        output.write("-", text.encode())
        return 0
    return Run(options, passes, words).run()


def _error(text: str) -> int:
    """Print an error, if possible; returns the exit code."""
    # Without stderr, `print` would use standard output.
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"torch-refine-opt: error: {text}", file=sys.stderr, flush=True)
    return 1
