"""All passes by flag; a pass is in the file named like its flag, and is loaded lazily."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar

from torch_refine.passes.base import Pass

_Class = TypeVar("_Class")


class Registry(Mapping[str, type[_Class]]):
    """Classes by name, from `module:Class`; a module is imported on first use.

    Refining a program uses a dozen passes; loading all would take a quarter of the tool's start-up
    time.
    """

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> type[_Class]:
        module, _, owner = self._places[name].partition(":")
        try:
            found = import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            raise RuntimeError(f"the registry lists {name}, but there is no {module}") from None
        if not hasattr(found, owner):
            raise RuntimeError(f"the registry lists {name}, but {module} has no class {owner}")
        cls: type[_Class] = getattr(found, owner)
        return cls

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


# In pipeline order, which is that of the documentation.
_FLAGS = {
    "torch_refine.passes.symbolic_shapes": (
        "torch-name-symbolic-inputs",
        "torch-specialize-symbols",
    ),
    "torch_refine.passes": (
        "torch-refine-types",
        "torch-reify-shape-calculations",
        "torch-reify-dtype-calculations",
        "torch-simplify-shape-calculations",
        "torch-simplify-dtype-calculations",
        "torch-drop-abstract-interp-calculations",
        "torch-decompose-ops",
        "torch-refine-public-return",
        "torch-fold-static-info-casts",
        "torch-erase-tensor-types",
        "torch-insert-error-guards",
        "torch-verify-backend-contract",
    ),
    "torch_refine.passes.shape_functions": ("torch-extract-shape-functions",),
    "torch_refine.passes.onnx": (
        "torch-convert-onnx-operators",
        "torch-verify-onnx-converted",
    ),
    "torch_refine.passes.lowering.torch": (
        "torch-make-value-semantic",
        "torch-decompose-data-dependent-sizes",
        "torch-promote-operands",
        "torch-verify-lowerable",
        "torch-compute-in-f32",
        "torch-compute-scalars-as-python",
        "torch-strip-symbolic-shapes",
        "torch-views-to-tensor",
        "torch-lower-data-dependent-sizes",
        "torch-lower-recurrences",
        "torch-lower-grouped-mm",
        "torch-draw-from-seed",
        "torch-verify-lowered",
    ),
    "torch_refine.passes.lowering.torch.assertions": (
        "torch-assert-cast-sizes",
        "torch-assert-squeezed-sizes",
        "torch-assert-convolved-channels",
        "torch-assert-guards",
        "torch-convert-runtime-asserts",
    ),
    "torch_refine.passes.lowering.torch.constants": (
        "torch-fold-empty-tensors",
        "torch-fold-complex-views",
        "torch-split-complex-literals",
    ),
    "torch_refine.passes.lowering.torch.linear_algebra": ("torch-lower-linear-algebra",),
    "torch_refine.passes.lowering.elements": (
        "torch-lower-element-functions",
        "torch-lower-bit-casts",
        "torch-lower-logcumsumexp",
        "torch-lower-running-extremes",
        "torch-lower-index-reduce",
        "torch-lower-element-scatters",
    ),
    "torch_refine.passes.lowering.linalg": (
        "crop-before-padding",
        "insert-bounds-checks",
        "propagate-nans",
        "accumulate-in-f32",
        "fold-empty-loops",
        "trim-windows",
        "keep-empty-sizes",
        "batch-matmul-to-matmul",
        "check-operand-sizes",
        "extract-from-sources",
        "expand-float8",
        "guard-integer-division",
        "check-sizes",
    ),
    "torch_refine.passes.lowering.fusion": (
        "narrow-convolutions",
        "channels-last",
        "pointwise-convolutions-to-matmul",
        "narrow-contractions",
        "legalize-convolution-operands",
        "hoist-constant-expressions",
        "simplify-reshapes",
        "batch-matmul-to-contract",
        "sink-expand-shapes",
        "outline-contractions",
        "hold-broadcast-operands",
        "rematerialize-cheap-ops",
        "erase-unused-generics",
        "reduce-innermost",
        "sum-in-parts",
        "fold-transposes",
        "tile-scatters",
        "fold-complex-parts",
        "fuse-concats",
        "fill-borders",
        "write-into-slices",
        "carry-in-place",
    ),
    "torch_refine.passes.lowering.kernels": (
        "set-cpu-target",
        "set-schedules",
        "pack-convolutions",
        "pack-contractions",
        "outline-kernels",
        "fission-asserts",
        "collapse-contiguous-dimensions",
        "parallelize-kernels",
        "schedule-kernels",
    ),
    "torch_refine.passes.lowering.buffers": (
        "sink-buffer-reads",
        "mark-restrict",
        "read-only-arguments",
        "copy-strided-casts",
        "call-lapack",
        "collapse-copies",
        "drop-copied-results",
        "simplify-copies",
        "update-in-place",
        "log-updates",
        "promote-kernel-buffers",
        "plan-memory",
        "mark-noalias",
        "sort-by-radix",
        "sort-by-merging",
        "scans-to-loops",
        "sum-in-blocks",
        "hoist-asserts",
        "hoist-index-loads",
        "prefetch-operands",
    ),
    "torch_refine.passes.lowering.llvm": (
        "lower-vectors",
        "widen-bool-vectors",
        "set-fastmath-flags",
        "check-allocations",
        "call-vector-functions",
        "approximate-math",
        "convert-in-steps",
        "keep-roundings",
        "expand-bf16-roundings",
        "lower-asserts",
        "emit-c-interface",
        "attach-noalias",
        "track-allocations",
        "mark-noinline",
        "disable-unrolling",
        "disable-vectorization",
        "freeze-float-to-int",
        "move-halves-as-integers",
        "pack-c-interface",
        "use-cpu-target",
    ),
    "torch_refine.passes.lowering.gpu": (
        "convolutions-to-img2col",
        "outline-gpu-contractions",
        "schedule-gpu-kernels",
        "place-tile-buffers",
        "contractions-to-mma-sync",
        "load-tiles-wide",
        "parallelize-scatters",
        "parallelize-scans",
        "keep-rows-in-registers",
        "map-loops-to-gpu",
        "keep-accumulators-in-registers",
    ),
    "torch_refine.passes.lowering.gpu.reductions": (
        "few-rows-to-reductions",
        "split-contractions",
        "split-reductions",
        "reduce-across-threads",
        "accumulate-in-registers",
    ),
    "torch_refine.passes.lowering.gpu.warpgroups": (
        "outline-gpu-attention",
        "attention-to-warpgroups",
        "contractions-to-warpgroups",
    ),
    "torch_refine.passes.lowering.gpu.code": (
        "allow-approximations",
        "approximate-gelu",
        "prefetch-tiles",
        "trap-on-asserts",
        "scalarize-math",
        "extend-bf16-in-place",
        "use-approximate-instructions",
        "native-math",
        "merge-gpu-modules",
        "generate-gpu-code",
    ),
    "torch_refine.passes.lowering.gpu.host": (
        "copy-constants-to-gpu",
        "allocate-on-gpu",
        "launch-through-driver",
    ),
    "torch_refine.passes.lowering.gpu_emulation": ("gpu-launch-to-loops",),
}


# Flags of release 0.1, accepted until the next release.
RENAMED = {
    "torch-match-scalars": "torch-promote-operands",
    "torch-drop-shape-notes": "torch-strip-symbolic-shapes",
    "keep-nans": "propagate-nans",
    "merge-batches": "batch-matmul-to-matmul",
    "narrow-products": "narrow-contractions",
    "prepare-state": "hoist-constant-expressions",
    "hide-products": "outline-contractions",
    "merge-dimensions": "sink-expand-shapes",
    "pack-products": "pack-contractions",
    "coalesce-loops": "collapse-contiguous-dimensions",
    "share-kernels": "parallelize-kernels",
    "plan-workspace": "plan-memory",
    "restrict-tensors": "mark-restrict",
    "relax-floats": "set-fastmath-flags",
    "keep-functions-apart": "mark-noinline",
    "multiply-in-warps": "contractions-to-mma-sync",
    "outline-products": "outline-gpu-contractions",
    "unfold-convolutions": "convolutions-to-img2col",
    "keep-sums-in-registers": "keep-accumulators-in-registers",
}


def _place(room: str, flag: str) -> str:
    words = flag.removeprefix("torch-").split("-")
    return f"{room}.{'_'.join(words)}:{''.join(word.capitalize() for word in words)}"


PASSES: Registry[Pass] = Registry(
    {flag: _place(room, flag) for room, flags in _FLAGS.items() for flag in flags}
)
