"""All passes by their flags; a pass is in the file that its flag names, and loaded when used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar

from torch_refine.passes.base import Pass

_Class = TypeVar("_Class")


class Registry(Mapping[str, type[_Class]]):
    """Classes by name, from `module:Class`; a module is imported when its class is asked for.

    Refining a program uses a dozen passes, and loading the others would be a quarter of the tool's
    start-up.
    """

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> type[_Class]:
        module, _, owner = self._places[name].partition(":")
        found: type[_Class] = getattr(import_module(module), owner)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


# In the order of their documentation.
_FLAGS = {
    "torch_refine.passes": (
        "torch-refine-types",
        "torch-reify-shape-calculations",
        "torch-reify-dtype-calculations",
        "torch-simplify-shape-calculations",
        "torch-simplify-dtype-calculations",
        "torch-drop-abstract-interp-calculations",
        "torch-refine-public-return",
        "torch-fold-static-info-casts",
        "torch-erase-tensor-types",
        "torch-verify-backend-contract",
        "torch-convert-onnx-operators",
        "torch-verify-onnx-converted",
    ),
    "torch_refine.passes.lowering": (
        "torch-make-value-semantic",
        "channels-last",
        "torch-fold-empty-tensors",
        "torch-compute-in-f32",
        "torch-assert-guards",
        "torch-convert-runtime-asserts",
        "torch-assert-squeezed-sizes",
        "torch-drop-shape-notes",
        "torch-compute-scalars-as-python",
        "torch-match-scalars",
        "torch-widen-convolutions",
        "torch-views-to-tensor",
        "torch-draw-from-seed",
        "torch-decompose-data-dependent-sizes",
        "torch-lower-data-dependent-sizes",
        "torch-verify-lowerable",
        "torch-verify-lowered",
        "insert-bounds-checks",
        "drop-zero-asserts",
        "keep-bools",
        "keep-empty-sizes",
        "crop-before-padding",
        "merge-batches",
        "batch-matmul-to-contract",
        "keep-nans",
        "accumulate-in-f32",
        "fold-empty-loops",
        "floor-divide-integers",
        "guard-integer-division",
        "check-sizes",
        "check-operand-sizes",
        "bound-shift-amounts",
        "trim-windows",
        "hide-products",
        "duplicate-indices",
        "erase-unused-generics",
        "simplify-reshapes",
        "merge-dimensions",
        "reduce-innermost",
        "fold-transposes",
        "fill-borders",
        "write-into-slices",
        "read-only-arguments",
        "restrict-tensors",
        "sink-buffer-reads",
        "copy-strided-casts",
        "drop-copied-results",
        "pack-convolutions",
        "set-schedules",
        "narrow-products",
        "pack-products",
        "outline-kernels",
        "fission-asserts",
        "coalesce-loops",
        "schedule-kernels",
        "share-kernels",
        "plan-workspace",
        "prepare-state",
        "promote-kernel-buffers",
        "sort-by-merging",
        "hoist-asserts",
        "prefetch-operands",
        "widen-bool-vectors",
        "lower-vectors",
        "approximate-math",
        "relax-floats",
        "narrow-in-steps",
        "check-allocations",
        "lower-asserts",
        "track-allocations",
        "freeze-float-to-int",
        "emit-c-interface",
        "keep-functions-apart",
        "pack-c-interface",
        "set-cpu-target",
        "use-cpu-target",
    ),
    "torch_refine.passes.lowering.gpu": (
        "unfold-convolutions",
        "outline-products",
        "schedule-gpu-kernels",
        "multiply-in-warps",
        "load-tiles-wide",
        "place-tile-buffers",
        "copy-constants-to-gpu",
        "reduce-across-threads",
        "map-loops-to-gpu",
        "keep-sums-in-registers",
        "trap-on-asserts",
        "scalarize-math",
        "native-math",
        "merge-gpu-modules",
        "allocate-on-gpu",
        "generate-gpu-code",
        "gpu-launch-to-loops",
        "launch-through-driver",
    ),
}


def _place(room: str, flag: str) -> str:
    words = flag.removeprefix("torch-").split("-")
    return f"{room}.{'_'.join(words)}:{''.join(word.capitalize() for word in words)}"


PASSES: Registry[Pass] = Registry(
    {flag: _place(room, flag) for room, flags in _FLAGS.items() for flag in flags}
)
