"""Tables of the measurements, for the terminal and for a document."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import rich.table
from measure import (
    DIRECT,
    FAKE,
    IN_PROCESS,
    OPT,
    OPT_ALONE,
    PARSE,
    PEER,
    PEER_OPT,
    REIFIED,
    SIMPLIFY,
    TOOLS,
    WAYS,
    Figure,
    Result,
    Way,
)

MEASURED_IN_MEMORY = (PARSE, DIRECT, REIFIED, PEER)
_NOTHING = "-"


@dataclass(frozen=True)
class Table:
    """A table, its title, and a line that explains it; figures follow the first column."""

    title: str
    explanation: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def for_terminal(self) -> rich.table.Table:
        """The table as rich prints it."""
        table = rich.table.Table(title=self.title, caption=self.explanation, min_width=60)
        for index, column in enumerate(self.columns):
            table.add_column(column, justify="right" if index else "left", no_wrap=not index)
        for row in self.rows:
            table.add_row(*row)
        return table

    def for_markdown(self) -> str:
        """The table under a heading."""
        lines = [f"## {self.title}", "", self.explanation, ""]
        rule = ("---", *("---:" for _ in self.columns[1:]))
        lines += [f"| {' | '.join(cells)} |" for cells in (self.columns, rule, *self.rows)]
        return "\n".join(lines) + "\n"


def significant(value: float) -> str:
    """A positive number with three significant digits, without an exponent."""
    decimals = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{round(value, decimals):,.{max(0, decimals)}f}"


def shown(figure: Figure | None, unit: str = "", scale: float = 1) -> str:
    """A figure with its bound and unit, divided by a scale; a dash for None."""
    if figure is None:
        return _NOTHING
    bound = f"{figure.bound} " if figure.bound else ""
    return f"{bound}{significant(figure.value / scale)}{unit}"


def tables(results: list[Result]) -> list[Table]:
    """All tables, the most important ones first."""
    return [
        _table(
            "Time",
            "Median time of the passes alone, in process; for parse only, of parsing.",
            results,
            {way.title: _seconds(way) for way in IN_PROCESS},
        ),
        _table(
            "Ratios of times",
            "Time of one way divided by that of the other.",
            results,
            {
                f"{way.title} / {other.title}": _time_ratio(way, other)
                for way, other in (
                    (PEER, DIRECT),
                    (REIFIED, DIRECT),
                    (SIMPLIFY, DIRECT),
                    (FAKE, DIRECT),
                    (DIRECT, PARSE),
                    (PEER, PARSE),
                )
            },
        ),
        _table(
            "Time per operation",
            "Nanoseconds per operation of the file, constants included.",
            results,
            {way.title: _nanoseconds(way) for way in IN_PROCESS},
        ),
        *_scaling_tables(results),
        _table(
            "Whole processes",
            "Start, read the file, refine, verify after each pass, write the result: "
            "`torch-refine-opt --torch-refinement-pipeline FILE -o OUT`, and `torch-mlir-opt`.",
            results,
            {way.title: _seconds(way) for way in TOOLS}
            | {
                f"{way.title} / {other.title}": _time_ratio(way, other)
                for way, other in ((OPT, OPT_ALONE), (PEER_OPT, OPT))
            },
        ),
        _table(
            "Peak memory",
            "MiB of a whole process: imports, parsing, and refinement.",
            results,
            {way.title: _memory(way) for way in MEASURED_IN_MEMORY}
            | {f"{way.title} / {PARSE.title}": _memory_ratio(way) for way in (DIRECT, PEER)},
        ),
        _table(
            "Complete values",
            "Tensor values with a shape and a dtype, of all after the passes; "
            "torch-mlir also removes operations. FakeTensor counts the nodes of PyTorch's graph.",
            results,
            {("erased file" if way == PARSE else way.title): _complete(way) for way in IN_PROCESS},
        ),
        _table(
            "Repetitions",
            "The number of measurements.",
            results,
            {way.title: _repetitions(way) for way in WAYS},
        ),
    ]


Cell = Callable[[Result], str]


def _table(title: str, explanation: str, results: list[Result], cells: dict[str, Cell]) -> Table:
    """A table with a row per program; `cells` maps the other columns to their cells."""
    rows = tuple(
        (
            result.program.name,
            f"{result.program.operations:,}",
            *(cell(result) for cell in cells.values()),
        )
        for result in results
    )
    return Table(title, explanation, ("program", "ops", *cells), rows)


def _seconds(way: Way) -> Cell:
    return lambda result: "failed" if _error(result, way) else shown(result.seconds(way), " s")


def _error(result: Result, way: Way) -> str | None:
    return result.measured[way.name].error


def _time_ratio(way: Way, other: Way) -> Cell:
    return lambda result: shown(result.time_ratio(way, other), "x")


def _nanoseconds(way: Way) -> Cell:
    return lambda result: shown(result.nanoseconds_per_operation(way))


def _memory(way: Way) -> Cell:
    return lambda result: shown(result.peak_memory(way), scale=2**20)


def _memory_ratio(way: Way) -> Cell:
    return lambda result: shown(result.memory_ratio(way, PARSE), "x")


def _repetitions(way: Way) -> Cell:
    return lambda result: str(result.measured[way.name].repetitions)


def _complete(way: Way) -> Cell:
    def cell(result: Result) -> str:
        found = result.measured[way.name].complete
        return _NOTHING if found is None else f"{found[0]:,} of {found[1]:,}"

    return cell


def encoders(results: list[Result]) -> list[Result]:
    """The results of the encoders, the smallest first."""
    found = [result for result in results if result.program.name.startswith("encoder-")]
    return sorted(found, key=lambda result: result.program.operations)


def growth(results: list[Result], way: Way) -> Figure | None:
    """The time per operation on the largest encoder over that on the smallest."""
    found = encoders(results)
    if len(found) < 2:
        return None
    largest, smallest = (each.nanoseconds_per_operation(way) for each in (found[-1], found[0]))
    return largest.over(smallest) if largest is not None and smallest is not None else None


def _scaling_tables(results: list[Result]) -> list[Table]:
    """How time per operation grows with the size of the encoder, if there is more than one size."""
    found = encoders(results)
    if len(found) < 2:
        return []
    sizes = [f"{each.program.operations:,}" for each in found]
    return [
        Table(
            "Scaling",
            "Time per operation on the largest encoder over that on the smallest; 1x is linear.",
            ("way", f"from {sizes[0]} to {sizes[-1]} ops"),
            tuple((way.title, shown(growth(results, way), "x")) for way in IN_PROCESS),
        )
    ]


def errors(results: list[Result]) -> list[str]:
    """A line for each failure."""
    return [
        f"{way.title} on {result.program.name} failed: {_error(result, way)}"
        for result in results
        for way in WAYS
        if _error(result, way)
    ]
