"""From tensors to memrefs."""

from __future__ import annotations

from torch_refine.passes.lowering.buffers.copy_strided_casts import CopyStridedCasts
from torch_refine.passes.lowering.buffers.drop_copied_results import DropCopiedResults
from torch_refine.passes.lowering.buffers.mark_restrict import MarkRestrict
from torch_refine.passes.lowering.buffers.read_only_arguments import ReadOnlyArguments
from torch_refine.passes.lowering.buffers.simplify_copies import SimplifyCopies
from torch_refine.passes.lowering.buffers.sink_buffer_reads import SinkBufferReads
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.to_linalg import FUNCTION, MODULE, upstream

# Upstream's alignment of buffers.
_LINE = 64


def to_memory(aligned: bool = True) -> tuple[Element, ...]:
    """Bufferize, without deallocation.

    Memrefs in function signatures are contiguous with offset 0. An aligned buffer starts at a cache
    line, somewhere inside of its allocation.
    """
    alignment = "" if aligned else " buffer-alignment=0"
    return (
        *upstream(FUNCTION, "tm-tensor-bufferize"),
        OurPass(SinkBufferReads(_LINE if aligned else 0), MODULE),
        OurPass(MarkRestrict(), MODULE),
        OurPass(ReadOnlyArguments(), MODULE),
        *upstream(MODULE, "eliminate-empty-tensors"),
        *upstream(FUNCTION, "empty-tensor-to-alloc-tensor"),
        *upstream(
            MODULE,
            "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
            f"function-boundary-type-conversion=identity-layout-map{alignment}}}",
        ),
        OurPass(CopyStridedCasts(), MODULE),
        *upstream(MODULE, "canonicalize", "cse"),
        OurPass(DropCopiedResults(), MODULE),
        *upstream(MODULE, "drop-equivalent-buffer-results", "canonicalize"),
        OurPass(SimplifyCopies(), MODULE),
    )
