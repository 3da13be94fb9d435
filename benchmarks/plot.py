"""The plot: time of each way by size of the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from measure import DIRECT, FAKE, IN_PROCESS, PARSE, PEER, REIFIED, SIMPLIFY, Figure, Result, Way
from tables import encoders

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which are distinguishable with colour blindness; markers are in print.
_STYLES = {
    PARSE: ("#000000", "s"),
    DIRECT: ("#0072B2", "o"),
    REIFIED: ("#56B4E9", "D"),
    SIMPLIFY: ("#CC79A7", "P"),
    PEER: ("#D55E00", "^"),
    FAKE: ("#009E73", "v"),
}


def plot(results: list[Result], file: Path) -> None:
    """Write the plot as a PNG: encoders by size on the left, other programs on the right.

    Raises ImportError without matplotlib, which the extra `benchmark` installs.
    """
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    others = [result for result in results if result not in encoders(results)]
    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(11, 4.8), width_ratios=(3, 2), layout="constrained"
    )
    _plot_encoders(left, encoders(results))
    _plot_others(right, others)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    file.parent.mkdir(parents=True, exist_ok=True)
    # Without the version of matplotlib, so that the same figures give the same file.
    figure.savefig(file, dpi=150, metadata={"Software": None})
    pyplot.close(figure)


def _plot_encoders(axes: Axes, results: list[Result]) -> None:
    """Time by operations, both logarithmic, with a guide for linear time."""
    for way in IN_PROCESS:
        colour, marker = _STYLES[way]
        points = [(result.program.operations, result.seconds(way)) for result in results]
        known = [(size, figure) for size, figure in points if figure is not None]
        exact = [(size, figure.value) for size, figure in known if not figure.bound]
        sizes, seconds = [size for size, _ in exact], [value for _, value in exact]
        axes.plot(sizes, seconds, color=colour, marker=marker, label=way.title)
        for size, figure in known:
            if figure.bound:
                _plot_bound(axes, way, size, figure.value, figure)
    _plot_guide(axes, results)
    axes.set(xscale="log", yscale="log", xlabel="operations in the file", ylabel="time in seconds")
    axes.set_title("Transformer encoders")
    sizes = [result.program.operations for result in results]
    axes.set_xticks(sizes, [_size(result) for result in results])
    axes.minorticks_off()
    axes.margins(0.1)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(alpha=0.3)


def _plot_guide(axes: Axes, results: list[Result]) -> None:
    """A dashed line of linear time through the first time of the direct pass."""
    start = results[0].seconds(DIRECT) if results else None
    if start is None:
        return
    sizes = [result.program.operations for result in results]
    times = [start.value * size / sizes[0] for size in sizes]
    axes.plot(sizes, times, color="#777777", linestyle="--", linewidth=1, label="linear")


def _plot_others(axes: Axes, results: list[Result]) -> None:
    """A row of points for each program."""
    for way in IN_PROCESS:
        colour, marker = _STYLES[way]
        for row, result in enumerate(results):
            figure = result.seconds(way)
            if figure is None:
                continue
            if figure.bound:
                _plot_bound(axes, way, figure.value, row, figure)
            else:
                axes.plot(
                    figure.value, row, color=colour, marker=marker, markersize=9, linestyle=""
                )
    axes.set_yticks(range(len(results)), [_label(result) for result in results])
    axes.set(xscale="log", xlabel="time in seconds", ylim=(len(results) - 0.5, -0.5))
    axes.margins(x=0.1)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_title("Other programs")
    axes.grid(alpha=0.3)


def _plot_bound(axes: Axes, way: Way, x: float, y: float, figure: Figure) -> None:
    """A hollow marker with the time after which a measurement was aborted."""
    colour, marker = _STYLES[way]
    axes.plot(x, y, color=colour, marker=marker, markerfacecolor="none", markersize=9)
    axes.annotate(
        f"> {figure.value:g} s", (x, y), (0, 9),
        textcoords="offset points", ha="center", color=colour,
    )  # fmt: skip


def _size(result: Result) -> str:
    layers = result.program.name.rpartition("-")[2]
    return f"{result.program.operations:,}\n({layers} layers)"


def _label(result: Result) -> str:
    return f"{result.program.name}\n{result.program.operations:,} ops"
