"""The plot: our time divided by inductor's, a bar per case and level."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from codegen_report import Measured

# Powers of two: half the time, twice the time.
TICKS = tuple(2.0**power for power in range(-6, 7))
_REACHED, _MISSED = "#2a7f62", "#c8553d"
# The widest level first.
_OPACITIES = (1.0, 0.5)


def limits(ratios: Sequence[float]) -> tuple[float, float]:
    """The limits of an axis that contains all ratios, and 1/2 to 2 at least."""
    return min(0.5, *ratios) / 1.1, max(2.0, *ratios) * 1.1


def plot(results: Sequence[Measured], path: Path) -> None:
    """Bars of our time divided by inductor's, starting at 1, with targets as marks."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.patches import Patch

    cases = [times.case for times in results[0].found][::-1]
    places = {case.name: place for place, case in enumerate(cases)}
    height = 0.8 / len(results)
    size = (8, 0.36 * len(cases) * max(1.0, 0.7 * len(results)) + 1.2)
    figure, axes = pyplot.subplots(figsize=size)
    shown = [case.wanted for case in cases]
    for index, measured in enumerate(results):
        for times in measured.found:
            if times.ratio is None:
                continue
            place = places[times.case.name] + 0.4 - height * (index + 0.5)
            shown.append(times.ratio)
            axes.barh(
                place,
                times.ratio - 1.0,
                height,
                left=1.0,
                color=_REACHED if times.is_reached else _MISSED,
                alpha=_OPACITIES[index],
            )
            axes.text(
                1.01,
                place,
                f"{times.ratio:.2f}",
                transform=axes.get_yaxis_transform(),
                verticalalignment="center",
                fontsize=10 if len(results) == 1 else 7,
            )
    axes.set_yticks(range(len(cases)), list(places))
    (marks,) = axes.plot(
        [case.wanted for case in cases],
        range(len(cases)),
        "k|",
        markersize=14,
        label="wanted at most",
    )
    levels = [
        Patch(color=_REACHED, alpha=opacity, label=measured.level)
        for measured, opacity in zip(results, _OPACITIES, strict=False)
    ]
    axes.axvline(1.0, color="grey", linewidth=0.8)
    low, high = limits(shown)
    axes.set_xscale("log", base=2)
    axes.set_xlim(low, high)
    axes.set_ylim(-0.6, len(cases) - 0.4)
    ticks = [tick for tick in TICKS if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_xlabel("our time / inductor's, logarithmic (left of 1 is faster)")
    axes.legend(handles=[marks, *(levels if len(levels) > 1 else [])], loc="lower right")
    figure.tight_layout()
    # Without the version of matplotlib, so that the same figures give the same file.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
