"""From tensors to memory."""

from __future__ import annotations

from torch_refine.passes.lowering.copy_strided_casts import CopyStridedCasts
from torch_refine.passes.lowering.drop_copied_results import DropCopiedResults
from torch_refine.passes.lowering.read_only_arguments import ReadOnlyArguments
from torch_refine.passes.lowering.restrict_tensors import RestrictTensors
from torch_refine.passes.lowering.sink_buffer_reads import SinkBufferReads
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.to_linalg import FUNCTION, MODULE, upstream


def to_memory(aligned: bool = True) -> tuple[Element, ...]:
    """Tensors become memory, of which nothing is freed yet.

    Functions take and return memory that lies row by row from its beginning. An aligned buffer
    starts where a cache line does, somewhere inside of what is allocated for it.
    """
    alignment = "" if aligned else " buffer-alignment=0"
    return (
        *upstream(FUNCTION, "tm-tensor-bufferize"),
        OurPass(SinkBufferReads(), MODULE),
        OurPass(RestrictTensors(), MODULE),
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
    )
