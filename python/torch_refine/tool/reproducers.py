"""Reproducers in mlir-opt's format: a module with a pipeline as a resource."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from torch_refine.dialect.bindings import ir
from torch_refine.pipelines.elements import OurPass, UpstreamPass
from torch_refine.tool import output
from torch_refine.tool.sources import InputError, Source

_RESOURCE = """
{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: {pipeline},
      disable_threading: true,
      verify_each: {verify_each}
    }}
  }}
#-}}
"""
_REPRODUCER = re.compile(r"^ *mlir_reproducer: *\{(.*?)^ *\}", re.MULTILINE | re.DOTALL)
_PIPELINE = re.compile(r'\bpipeline: *"((?:[^"\\]|\\.)*)"')
_VERIFY_EACH = re.compile(r"\bverify_each: *(true|false)\b")
_ESCAPED = re.compile(r"\\([0-9A-Fa-f]{2}|.)")


@dataclass(frozen=True)
class Reproducer:
    """The text of a pipeline, and whether to verify after each pass."""

    pipeline: str
    verify_each: bool


def reproducer_of(source: Source) -> Reproducer | None:
    """The reproducer in a text, None without one; raises InputError for bytecode."""
    if source.is_bytecode:
        raise InputError(f"{source.name}: a reproducer is read from text, and this is bytecode")
    # The last one: earlier matches may be in the text of a constant.
    carried = _REPRODUCER.findall(source.text)[-1:]
    pipeline = _PIPELINE.search(carried[0]) if carried else None
    if pipeline is None:
        return None
    verify_each = _VERIFY_EACH.search(carried[0])
    return Reproducer(
        _ESCAPED.sub(lambda each: _unescaped(each[1]), pipeline[1]),
        verify_each is not None and verify_each[1] == "true",
    )


def _unescaped(text: str) -> str:
    return chr(int(text, 16)) if len(text) == 2 else text


def write_reproducer(path: str, module: ir.Operation, reproducer: Reproducer) -> None:
    """Write a module with the pipeline to run on it; raises OutputError."""
    quoted = '"' + reproducer.pipeline.replace("\\", "\\\\").replace('"', '\\"') + '"'
    resource = _RESOURCE.format(
        pipeline=quoted, verify_each="true" if reproducer.verify_each else "false"
    )
    text = str(module.get_asm(assume_verified=True)).rstrip("\n")
    output.check_writable(path)
    output.write(path, f"{text}\n{resource}".encode())


@dataclass
class CrashReproducer:
    """Keeps a reproducer in a file while passes run; it remains after a failure or crash.

    With `local` it has the running pass and the IR before it, otherwise the whole pipeline.
    """

    path: str
    whole: Reproducer
    local: bool

    def begin(self, module: ir.Operation) -> None:
        """Called before all passes."""
        write_reproducer(self.path, module, self.whole)

    def end(self) -> None:
        """Called after all passes."""
        Path(self.path).unlink(missing_ok=True)

    def before(self, element: OurPass | UpstreamPass, module: ir.Operation) -> None:
        """Called before a pass."""
        if self.local:
            text = f"{element.anchors[0]}({element})"
            write_reproducer(self.path, module, Reproducer(text, self.whole.verify_each))

    def after(self, element: OurPass | UpstreamPass, module: ir.Operation, failed: bool) -> None:
        """Called after a pass."""
