"""Prepare the exported library for the abstract interpreter.

    python -m torch_refine.build_tools.prepare_library [--check]

Decodes every function of `library.mlir` once and writes `library.programs`, which is read without
parsing IR. `--check` fails if the committed file differs. Needs no PyTorch.
"""

from __future__ import annotations

import sys

from torch_refine.abstract_interpreter.running.decoder import decode
from torch_refine.abstract_interpreter.running.library import PROGRAMS
from torch_refine.abstract_interpreter.running.programs import prepare_all
from torch_refine.dialect.bindings import ir, new_context, operations
from torch_refine.dialect.library import LIBRARY
from torch_refine.dialect.tensor_type import Types


def prepared(text: str) -> str:
    """The prepared form of an exported library."""
    context = new_context()
    types = Types(context)
    module = ir.Module.parse(text, context)
    programs = {
        ir.StringAttr(function.attributes["sym_name"]).value: decode(
            function.regions[0].blocks[0], types
        )
        for function in operations(module.body)
    }
    return prepare_all(programs)


def main(arguments: list[str]) -> int:
    """Write the prepared library, or compare it with `--check`; returns the exit code."""
    new = prepared(LIBRARY.read_text(encoding="utf-8"))
    if "--check" in arguments:
        fresh = PROGRAMS.exists() and PROGRAMS.read_text(encoding="utf-8") == new
        if not fresh:
            print(f"{PROGRAMS.name} is stale: run `make library`", file=sys.stderr)
        return int(not fresh)
    # Running processes have the old file mapped, so it is replaced, not overwritten.
    written = PROGRAMS.with_suffix(".new")
    written.write_text(new, encoding="utf-8")
    written.replace(PROGRAMS)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
