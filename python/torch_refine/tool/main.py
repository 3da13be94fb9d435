"""`torch-refine-opt`: command-line handling and error reporting."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress

from torch_refine.dialect.diagnostics import Diagnostic
from torch_refine.pipelines.parsing import PipelineError
from torch_refine.tool import output
from torch_refine.tool.general_options import UsageError
from torch_refine.tool.messages import as_json, json_text
from torch_refine.tool.options import PassFlag, help_text, parse
from torch_refine.tool.run import Run
from torch_refine.tool.sources import InputError
from torch_refine.tool.supervisor import INTERRUPTED

_TRACEBACK = "TORCH_REFINE_TRACEBACK"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit code is 0 on success, 130 after Ctrl-C."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = None
    try:
        options, passes = parse(words)
        return _run(options, passes, words)
    except (UsageError, InputError, PipelineError, output.OutputError) as error:
        return _error(str(error), options)
    except BrokenPipeError:
        # The reader closed the pipe.
        return 1
    except OSError as error:
        return _error(f"cannot write to standard error: {error.strerror}", options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except RecursionError:
        return _error("the program is nested too deeply", options)
    except MemoryError:
        return _error("out of memory", options)
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        command = shlex.join(["torch-refine-opt", *words])
        said = " ".join(str(error).split())
        return _error(
            f"internal error: {type(error).__name__}: {said} "
            f"(a defect of torch-refine; {_TRACEBACK}=1 shows where)",
            options,
            f"to reproduce: {command}",
        )


def _run(options: Namespace, passes: list[PassFlag], words: list[str]) -> int:
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


def _error(text: str, options: Namespace | None, note: str = "") -> int:
    """Print an error, if possible; returns the exit code. Without options, it is text."""
    if options is not None and as_json(options):
        notes = (Diagnostic("note", note),) if note else ()
        text = json_text(Diagnostic("error", text, notes=notes))
    else:
        text = f"torch-refine-opt: error: {text}" + (f"\nnote: {note}" if note else "")
    # Without stderr, `print` would use standard output.
    if sys.stderr is not None:
        with suppress(OSError):
            print(text, file=sys.stderr, flush=True)
    return 1
