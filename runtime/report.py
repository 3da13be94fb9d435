"""Which operators of a program run in PyTorch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OperatorReport:
    """An operator that PyTorch runs.

    `count` is how many of the program's calls there are, `share` its part of the time of all calls
    of the program so far, None before the first; `sources` are the model's lines.
    """

    name: str
    count: int
    reason: str
    sources: tuple[str, ...]
    share: float | None


@dataclass(frozen=True)
class Report:
    """Where the operators of a program run.

    `compiled` of them run in `parts` compiled parts; those of `in_pytorch` do not. The shares are
    of the time of `calls` calls, None before the first.
    """

    compiled: int
    parts: int
    in_pytorch: tuple[OperatorReport, ...] = ()
    calls: int = 0
    compiled_share: float | None = None

    def __str__(self) -> str:
        number = sum(each.count for each in self.in_pytorch)
        total = self.compiled + number
        lines = [f"{self.compiled} of {total} operators are compiled, in {_counted(self.parts)}"]
        if self.compiled_share is not None:
            lines[0] += f", which take {self.compiled_share:.1%} of the time of {self.calls} calls"
        for each in self.in_pytorch:
            time = "" if each.share is None else f"{each.share:.1%} of the time, "
            lines.append(f"  {each.name}: {time}{each.count} in PyTorch: {each.reason}")
            lines += [f"    at {source}" for source in each.sources]
        return "\n".join(lines)


def _counted(parts: int) -> str:
    return "1 part" if parts == 1 else f"{parts} parts"
