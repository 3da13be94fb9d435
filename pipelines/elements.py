"""The elements of a parsed pipeline."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeAlias

from torch_refine.passes.base import Pass


@dataclass(frozen=True)
class OurPass:
    """A pass of this package, on the ops that the anchors select (`builtin.module`,
    `func.func`)."""

    instance: Pass
    anchors: tuple[str, ...]

    @property
    def name(self) -> str:
        """The pass's flag."""
        return self.instance.name

    def __str__(self) -> str:
        parts: list[str] = []
        for each in fields(self.instance):
            value = getattr(self.instance, each.name)
            if each.name == self.instance.free_option:
                parts += value.split(",") if value else []
            elif value != each.default:
                shown = str(value).lower() if isinstance(value, bool) else value
                parts.append(f"{each.name.replace('_', '-')}={shown}")
        options = f"{{{' '.join(parts)}}}" if parts else ""
        return _nested(self.anchors, f"{self.name}{options}")


@dataclass(frozen=True)
class UpstreamPass:
    """A pass of upstream MLIR or of the wheel, as the text `cse` or `inline{max-iterations=2}`.

    `is_verified`: the IR is verified after it whatever the runner's options say.
    """

    text: str
    anchors: tuple[str, ...]
    is_verified: bool = False

    @property
    def name(self) -> str:
        """The pass's flag."""
        return self.text.partition("{")[0]

    def __str__(self) -> str:
        return _nested(self.anchors, self.text)


@dataclass(frozen=True)
class Repeat:
    """Elements that are repeated while they change the program, at most `limit` times."""

    elements: tuple[Element, ...]
    limit: int

    def __str__(self) -> str:
        return ",".join(map(str, self.elements))


Element: TypeAlias = OurPass | UpstreamPass | Repeat


def _nested(anchors: tuple[str, ...], text: str) -> str:
    """Wrap text in its anchors, without the outermost, which is that of the whole pipeline."""
    for anchor in reversed(anchors[1:]):
        text = f"{anchor}({text})"
    return text


def pipeline_text(elements: tuple[Element, ...]) -> str:
    """The pipeline as `--pass-pipeline` takes it."""
    return f"builtin.module({','.join(map(str, elements))})"
