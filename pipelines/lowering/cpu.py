"""From linalg on tensors to LLVM for a CPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.passes.lowering.buffers.call_lapack import CallLapack
from torch_refine.passes.lowering.buffers.collapse_copies import CollapseCopies
from torch_refine.passes.lowering.buffers.hoist_asserts import HoistAsserts
from torch_refine.passes.lowering.buffers.hoist_index_loads import HoistIndexLoads
from torch_refine.passes.lowering.buffers.log_updates import LogUpdates
from torch_refine.passes.lowering.buffers.mark_noalias import MarkNoalias
from torch_refine.passes.lowering.buffers.plan_memory import PlanMemory
from torch_refine.passes.lowering.buffers.prefetch_operands import PrefetchOperands
from torch_refine.passes.lowering.buffers.promote_kernel_buffers import PromoteKernelBuffers
from torch_refine.passes.lowering.buffers.scans_to_loops import ScansToLoops
from torch_refine.passes.lowering.buffers.sort_by_merging import SortByMerging
from torch_refine.passes.lowering.buffers.sort_by_radix import SortByRadix
from torch_refine.passes.lowering.buffers.sum_in_blocks import SumInBlocks
from torch_refine.passes.lowering.buffers.update_in_place import UpdateInPlace
from torch_refine.passes.lowering.fusion.batch_matmul_to_contract import BatchMatmulToContract
from torch_refine.passes.lowering.fusion.carry_in_place import CarryInPlace
from torch_refine.passes.lowering.fusion.channels_last import ChannelsLast
from torch_refine.passes.lowering.fusion.erase_unused_generics import EraseUnusedGenerics
from torch_refine.passes.lowering.fusion.fill_borders import FillBorders
from torch_refine.passes.lowering.fusion.fold_complex_parts import FoldComplexParts
from torch_refine.passes.lowering.fusion.fold_transposes import FoldTransposes
from torch_refine.passes.lowering.fusion.fuse_concats import FuseConcats
from torch_refine.passes.lowering.fusion.hoist_constant_expressions import HoistConstantExpressions
from torch_refine.passes.lowering.fusion.hold_broadcast_operands import HoldBroadcastOperands
from torch_refine.passes.lowering.fusion.legalize_convolution_operands import (
    LegalizeConvolutionOperands,
)
from torch_refine.passes.lowering.fusion.narrow_contractions import NarrowContractions
from torch_refine.passes.lowering.fusion.narrow_convolutions import NarrowConvolutions
from torch_refine.passes.lowering.fusion.outline_contractions import OutlineContractions
from torch_refine.passes.lowering.fusion.pointwise_convolutions_to_matmul import (
    PointwiseConvolutionsToMatmul,
)
from torch_refine.passes.lowering.fusion.reduce_innermost import ReduceInnermost
from torch_refine.passes.lowering.fusion.rematerialize_cheap_ops import RematerializeCheapOps
from torch_refine.passes.lowering.fusion.simplify_reshapes import SimplifyReshapes
from torch_refine.passes.lowering.fusion.sink_expand_shapes import SinkExpandShapes
from torch_refine.passes.lowering.fusion.sum_in_parts import SumInParts
from torch_refine.passes.lowering.fusion.tile_scatters import TileScatters
from torch_refine.passes.lowering.fusion.write_into_slices import WriteIntoSlices
from torch_refine.passes.lowering.kernels.collapse_contiguous_dimensions import (
    CollapseContiguousDimensions,
)
from torch_refine.passes.lowering.kernels.fission_asserts import FissionAsserts
from torch_refine.passes.lowering.kernels.outline_kernels import OutlineKernels
from torch_refine.passes.lowering.kernels.pack_contractions import PackContractions
from torch_refine.passes.lowering.kernels.pack_convolutions import PackConvolutions
from torch_refine.passes.lowering.kernels.parallelize_kernels import ParallelizeKernels
from torch_refine.passes.lowering.kernels.schedule_kernels import ScheduleKernels
from torch_refine.passes.lowering.kernels.set_cpu_target import SetCpuTarget
from torch_refine.passes.lowering.kernels.set_schedules import SetSchedules
from torch_refine.passes.lowering.linalg.accumulate_in_f32 import AccumulateInF32
from torch_refine.passes.lowering.linalg.check_sizes import CheckSizes
from torch_refine.passes.lowering.linalg.expand_float8 import ExpandFloat8
from torch_refine.passes.lowering.linalg.guard_integer_division import GuardIntegerDivision
from torch_refine.passes.lowering.llvm.attach_noalias import AttachNoalias
from torch_refine.passes.lowering.llvm.check_allocations import CheckAllocations
from torch_refine.passes.lowering.llvm.disable_unrolling import DisableUnrolling
from torch_refine.passes.lowering.llvm.disable_vectorization import DisableVectorization
from torch_refine.passes.lowering.llvm.emit_c_interface import EmitCInterface
from torch_refine.passes.lowering.llvm.freeze_float_to_int import FreezeFloatToInt
from torch_refine.passes.lowering.llvm.lower_asserts import LowerAsserts
from torch_refine.passes.lowering.llvm.lower_vectors import LowerVectors
from torch_refine.passes.lowering.llvm.mark_noinline import MarkNoinline
from torch_refine.passes.lowering.llvm.move_halves_as_integers import MoveHalvesAsIntegers
from torch_refine.passes.lowering.llvm.pack_c_interface import PackCInterface
from torch_refine.passes.lowering.llvm.set_fastmath_flags import SetFastmathFlags
from torch_refine.passes.lowering.llvm.track_allocations import TrackAllocations
from torch_refine.passes.lowering.llvm.use_cpu_target import UseCpuTarget
from torch_refine.passes.lowering.llvm.widen_bool_vectors import WidenBoolVectors
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.arithmetic import plain_arithmetic
from torch_refine.pipelines.lowering.memory import to_memory
from torch_refine.pipelines.lowering.to_linalg import (
    FUNCTION,
    MODULE,
    TorchToLinalgPipeline,
    upstream,
)
from torch_refine.pipelines.pipeline import StagedPipeline

# The elements of a row that a selection of the first ones compares at once.
_COMPARED = 16


@dataclass
class TorchToCpuPipeline(StagedPipeline):
    """Lower a program to the llvm dialect for a CPU: the host's, or one by name."""

    name: ClassVar[str] = "torch-to-cpu-pipeline"

    opt_level: int = option(
        3, "0 fuses and schedules nothing, which compiles fastest", choices=(0, 1, 2, 3)
    )
    threads: int = option(1, "the number of OpenMP threads of large kernels")
    fast_math: bool = option(False, "relax floating-point semantics; see set-fastmath-flags")
    separate_buffers: bool = option(False, "allocate each buffer separately, without padding")
    cpu: str = option("host", "the target processor; see set-cpu-target")
    features: str = option("", "features to add to it and to remove; see set-cpu-target")
    schedules: str = option("", "a file with schedules of contractions; see set-schedules")

    def stages(self) -> dict[str, tuple[Element, ...]]:
        """Stages up to linalg, and:

        - `fusion`: fused, before schedules of contractions are chosen;
        - `packing`: constant expressions are hoisted into a function of their own;
        - `code`: the llvm dialect.
        """
        return {
            **TorchToLinalgPipeline(self.extra_library, lapack=True).stages(),
            "fusion": self.to_fused(),
            "packing": self.pack(),
            "code": self.to_code(),
        }

    def to_fused(self) -> tuple[Element, ...]:
        """Check, choose layouts and fuse."""
        checks = (
            OurPass(SetCpuTarget(self.cpu, self.features), MODULE),
            OurPass(ExpandFloat8(), MODULE),
            *self.fuse_parts(),
            OurPass(GuardIntegerDivision(), MODULE),
            OurPass(CheckSizes(), MODULE),
            OurPass(ScansToLoops(), MODULE),
        )
        if self.opt_level == 0:
            return (*checks, *plain_copies())
        return (
            *checks,
            OurPass(NarrowConvolutions(), MODULE),
            OurPass(ChannelsLast(), MODULE),
            OurPass(PointwiseConvolutionsToMatmul(), MODULE),
            *upstream(MODULE, "canonicalize", "cse"),
            OurPass(NarrowContractions(), MODULE),
            OurPass(LegalizeConvolutionOperands(), MODULE),
            OurPass(HoistConstantExpressions(), MODULE),
            *plain_copies(),
            OurPass(SimplifyReshapes(), MODULE),
            *upstream(MODULE, "canonicalize"),
            OurPass(BatchMatmulToContract(), MODULE),
            *fuse(),
            # Unused results are gone: maxima had indices.
            OurPass(AccumulateInF32(maxima=True), MODULE),
            OurPass(SumInParts(), MODULE),
            OurPass(FoldTransposes(), MODULE),
            OurPass(TileScatters(), MODULE),
        )

    def fuse_parts(self) -> tuple[Element, ...]:
        """Fuse what concatenations join."""
        if self.opt_level == 0:
            return ()
        return OurPass(FoldComplexParts(), MODULE), OurPass(FuseConcats(), MODULE)

    def pack(self) -> tuple[Element, ...]:
        """Pack operands of contractions; packing of constants is hoisted, too."""
        if self.opt_level == 0:
            return ()
        return (
            OurPass(SetSchedules(self.schedules), MODULE),
            OurPass(PackConvolutions(), MODULE),
            OurPass(PackContractions(), MODULE),
            # An operand of several contractions is packed once.
            *upstream(MODULE, "cse"),
            OurPass(HoistConstantExpressions(), MODULE),
            OurPass(FillBorders(), MODULE),
            OurPass(WriteIntoSlices(), MODULE),
            OurPass(CarryInPlace(), MODULE),
        )

    def to_code(self) -> tuple[Element, ...]:
        """Kernels, buffers, loops, LLVM."""
        return (
            OurPass(OutlineKernels(), MODULE),
            OurPass(CallLapack(), MODULE),
            OurPass(FissionAsserts(), MODULE),
            *self.collapse(),
            *self.parallelize(),
            *self.schedule(),
            *bufferize(self.separate_buffers),
            *self.to_loops(),
            *self.to_threads(),
            *to_llvm(self.fast_math),
        )

    def collapse(self) -> tuple[Element, ...]:
        """Collapse dimensions."""
        if self.opt_level == 0:
            return ()
        return (
            OurPass(CollapseContiguousDimensions(), MODULE),
            # What an op reads and writes must be one value, or bufferization copies it.
            *upstream(MODULE, "cse"),
        )

    def parallelize(self) -> tuple[Element, ...]:
        """Distribute kernels over threads."""
        return () if self.threads < 2 else (OurPass(ParallelizeKernels(self.threads), MODULE),)

    def to_threads(self) -> tuple[Element, ...]:
        """Lower parallel loops to OpenMP."""
        if self.threads < 2:
            return ()
        return upstream(
            MODULE, "scf-forall-to-parallel", f"convert-scf-to-openmp{{num-threads={self.threads}}}"
        )

    def schedule(self) -> tuple[Element, ...]:
        """Tile and vectorize, if enabled."""
        return () if self.opt_level == 0 else (OurPass(ScheduleKernels(), MODULE),)

    def prefetch(self) -> tuple[Element, ...]:
        """Insert prefetches."""
        return () if self.opt_level == 0 else (OurPass(PrefetchOperands(), MODULE),)

    def to_loops(self) -> tuple[Element, ...]:
        """Lower remaining linalg ops to loops."""
        return (
            OurPass(SortByRadix(self.threads), MODULE),
            OurPass(SortByMerging(_COMPARED), MODULE),
            OurPass(ScansToLoops(), MODULE),
            # Copies of arguments are loops like any other.
            *upstream(MODULE, "convert-bufferization-to-memref"),
            OurPass(CollapseCopies(), MODULE),
            *upstream(FUNCTION, "tm-tensor-to-loops", "refback-munge-memref-copy"),
            # Copies that bufferization inserted.
            OurPass(OutlineKernels(), MODULE),
            *self.schedule(),
            *upstream(FUNCTION, "convert-linalg-to-loops"),
            OurPass(SumInBlocks(), MODULE),
            OurPass(HoistAsserts(), MODULE),
            OurPass(HoistIndexLoads(), MODULE),
            *self.prefetch(),
        )


def plain_copies() -> tuple[Element, ...]:
    """Lower padding and concatenation to copies."""
    return upstream(FUNCTION, "refback-generalize-tensor-pad", "refback-generalize-tensor-concat")


def fuse() -> tuple[Element, ...]:
    """Fuse elementwise ops."""
    return (
        OurPass(SinkExpandShapes(), MODULE),
        *upstream(FUNCTION, "canonicalize"),
        OurPass(OutlineContractions(), MODULE),
        OurPass(RematerializeCheapOps(), MODULE),
        *upstream(
            FUNCTION,
            # Unit dimensions would hide that iteration spaces are the same.
            "linalg-fold-unit-extent-dims",
            "canonicalize",
        ),
        OurPass(HoldBroadcastOperands(), MODULE),
        *upstream(FUNCTION, "linalg-fuse-elementwise-ops"),
        OurPass(EraseUnusedGenerics(), MODULE),
        # Fusion created `tensor.dim` ops of results, each of which is a use.
        *upstream(MODULE, "resolve-ranked-shaped-type-result-dims"),
        *upstream(FUNCTION, "canonicalize", "cse", "linalg-fuse-elementwise-ops"),
        OurPass(EraseUnusedGenerics(), MODULE),
        *upstream(FUNCTION, "canonicalize", "cse"),
        *upstream(MODULE, "inline"),
        # Fusion moved reshapes in front of the last ops.
        OurPass(SinkExpandShapes(), MODULE),
        *upstream(FUNCTION, "canonicalize"),
        OurPass(ReduceInnermost(), MODULE),
    )


def bufferize(separate: bool = False) -> tuple[Element, ...]:
    """Bufferize, and free buffers after their last use.

    Results of a function are owned by its caller. Separate buffers are neither on the stack nor
    parts of a workspace, so that an allocator with guards sees each of them.
    """
    return (
        *to_memory(aligned=not separate),
        OurPass(UpdateInPlace(), MODULE),
        *upstream(FUNCTION, "buffer-loop-hoisting"),
        *(() if separate else (OurPass(PromoteKernelBuffers(), MODULE),)),
        *upstream(MODULE, "buffer-deallocation-pipeline"),
        *(() if separate else (OurPass(PlanMemory(), MODULE),)),
        OurPass(LogUpdates(), MODULE),
    )


def to_llvm(fast_math: bool = False) -> tuple[Element, ...]:
    """Lower loops and memrefs to the llvm dialect."""
    return (
        OurPass(LowerVectors(), MODULE),
        OurPass(WidenBoolVectors(), MODULE),
        *((OurPass(SetFastmathFlags(fast_math=True), MODULE),) if fast_math else ()),
        OurPass(CheckAllocations(), MODULE),
        OurPass(MarkNoalias(), MODULE),
        *plain_arithmetic(),
        *upstream(
            MODULE,
            "convert-bufferization-to-memref",
            "expand-strided-metadata",
            "lower-affine",
            "convert-scf-to-cf",
        ),
        OurPass(LowerAsserts(), MODULE),
        *upstream(FUNCTION, "convert-math-to-llvm"),
        *upstream(MODULE, "convert-vector-to-llvm{reassociate-fp-reductions}"),
        *upstream(MODULE, "convert-math-to-libm", "finalize-memref-to-llvm"),
        OurPass(EmitCInterface(), MODULE),
        *upstream(
            MODULE,
            "convert-func-to-llvm",
        ),
        OurPass(AttachNoalias(), MODULE),
        OurPass(TrackAllocations(), MODULE),
        OurPass(MarkNoinline(), MODULE),
        *upstream(MODULE, "inline"),
        *upstream(
            MODULE,
            "convert-cf-to-llvm",
            "convert-complex-to-llvm",
            "convert-arith-to-llvm",
            "convert-index-to-llvm",
            "convert-openmp-to-llvm",
            "convert-ub-to-llvm",
            "reconcile-unrealized-casts",
        ),
        OurPass(DisableUnrolling(), MODULE),
        OurPass(DisableVectorization(), MODULE),
        OurPass(FreezeFloatToInt(), MODULE),
        OurPass(MoveHalvesAsIntegers(), MODULE),
        OurPass(PackCInterface(), MODULE),
        OurPass(UseCpuTarget(), MODULE),
    )
