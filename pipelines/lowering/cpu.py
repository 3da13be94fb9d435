"""From linalg on tensors to LLVM for a processor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.passes.lowering.batch_matmul_to_contract import BatchMatmulToContract
from torch_refine.passes.lowering.channels_last import ChannelsLast
from torch_refine.passes.lowering.check_allocations import CheckAllocations
from torch_refine.passes.lowering.check_sizes import CheckSizes
from torch_refine.passes.lowering.coalesce_loops import CoalesceLoops
from torch_refine.passes.lowering.duplicate_indices import DuplicateIndices
from torch_refine.passes.lowering.emit_c_interface import EmitCInterface
from torch_refine.passes.lowering.erase_unused_generics import EraseUnusedGenerics
from torch_refine.passes.lowering.fill_borders import FillBorders
from torch_refine.passes.lowering.fission_asserts import FissionAsserts
from torch_refine.passes.lowering.fold_transposes import FoldTransposes
from torch_refine.passes.lowering.freeze_float_to_int import FreezeFloatToInt
from torch_refine.passes.lowering.guard_integer_division import GuardIntegerDivision
from torch_refine.passes.lowering.hide_products import HideProducts
from torch_refine.passes.lowering.hoist_asserts import HoistAsserts
from torch_refine.passes.lowering.keep_functions_apart import KeepFunctionsApart
from torch_refine.passes.lowering.lower_asserts import LowerAsserts
from torch_refine.passes.lowering.lower_vectors import LowerVectors
from torch_refine.passes.lowering.merge_dimensions import MergeDimensions
from torch_refine.passes.lowering.narrow_products import NarrowProducts
from torch_refine.passes.lowering.outline_kernels import OutlineKernels
from torch_refine.passes.lowering.pack_c_interface import PackCInterface
from torch_refine.passes.lowering.pack_convolutions import PackConvolutions
from torch_refine.passes.lowering.pack_products import PackProducts
from torch_refine.passes.lowering.plan_workspace import PlanWorkspace
from torch_refine.passes.lowering.prefetch_operands import PrefetchOperands
from torch_refine.passes.lowering.prepare_state import PrepareState
from torch_refine.passes.lowering.promote_kernel_buffers import PromoteKernelBuffers
from torch_refine.passes.lowering.reduce_innermost import ReduceInnermost
from torch_refine.passes.lowering.relax_floats import RelaxFloats
from torch_refine.passes.lowering.schedule_kernels import ScheduleKernels
from torch_refine.passes.lowering.set_cpu_target import SetCpuTarget
from torch_refine.passes.lowering.set_schedules import SetSchedules
from torch_refine.passes.lowering.share_kernels import ShareKernels
from torch_refine.passes.lowering.simplify_reshapes import SimplifyReshapes
from torch_refine.passes.lowering.sort_by_merging import SortByMerging
from torch_refine.passes.lowering.track_allocations import TrackAllocations
from torch_refine.passes.lowering.use_cpu_target import UseCpuTarget
from torch_refine.passes.lowering.widen_bool_vectors import WidenBoolVectors
from torch_refine.passes.lowering.write_into_slices import WriteIntoSlices
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.arithmetic import plain_arithmetic
from torch_refine.pipelines.lowering.memory import to_memory
from torch_refine.pipelines.lowering.to_linalg import (
    FUNCTION,
    MODULE,
    TorchToLinalgPipeline,
    upstream,
)
from torch_refine.pipelines.pipeline import Pipeline


@dataclass
class TorchToCpuPipeline(Pipeline):
    """Lower a program to the llvm dialect, for a processor: the host's, or one by name."""

    name: ClassVar[str] = "torch-to-cpu-pipeline"

    opt_level: int = option(
        3, "0 fuses and schedules nothing, which compiles fastest", choices=(0, 1, 2, 3)
    )
    threads: int = option(1, "how many threads share the work of large kernels, through OpenMP")
    fast_math: bool = option(False, "round as is fastest; see relax-floats")
    separate_buffers: bool = option(
        False, "each buffer is allocated by itself and is as large as what it holds"
    )
    cpu: str = option("host", "the processor that runs it; see set-cpu-target")
    features: str = option("", "features to add to it and to take away; see set-cpu-target")
    schedules: str = option("", "a file with schedules of contractions; see set-schedules")

    def elements(self) -> tuple[Element, ...]:
        """Linalg, fusion, buffers, loops, LLVM."""
        return (
            *TorchToLinalgPipeline(self.extra_library).elements(),
            *self.to_tiles(),
            OurPass(OutlineKernels(), MODULE),
            OurPass(FissionAsserts(), MODULE),
            *self.coalesce(),
            *self.share(),
            *self.schedule(),
            *bufferize(self.separate_buffers),
            *self.to_loops(),
            *self.to_threads(),
            *to_llvm(self.fast_math),
        )

    def linalg_steps(self) -> int:
        """How many of the elements it takes to linalg on tensors."""
        return len(TorchToLinalgPipeline(self.extra_library).elements())

    def search_steps(self) -> int:
        """How many of the elements it takes until schedules of contractions are set."""
        if self.opt_level == 0:
            return self.tile_steps()
        place = next(
            place
            for place, each in enumerate(self.to_tiles())
            if isinstance(each, OurPass) and isinstance(each.instance, SetSchedules)
        )
        return self.linalg_steps() + place

    def tile_steps(self) -> int:
        """How many of the elements it takes until what is prepared is known."""
        return self.linalg_steps() + len(self.to_tiles())

    def to_tiles(self) -> tuple[Element, ...]:
        """Fuse, and pack operands of products; what that makes of the state alone is prepared."""
        checks = (
            OurPass(SetCpuTarget(self.cpu, self.features), MODULE),
            OurPass(GuardIntegerDivision(), MODULE),
            OurPass(CheckSizes(), MODULE),
        )
        if self.opt_level == 0:
            return (*checks, *plain_copies())
        return (
            *checks,
            OurPass(ChannelsLast(), MODULE),
            *upstream(MODULE, "canonicalize", "cse"),
            OurPass(NarrowProducts(), MODULE),
            OurPass(PrepareState(), MODULE),
            *plain_copies(),
            OurPass(SimplifyReshapes(), MODULE),
            *upstream(MODULE, "canonicalize"),
            OurPass(BatchMatmulToContract(), MODULE),
            *fuse(),
            OurPass(FoldTransposes(), MODULE),
            OurPass(SetSchedules(self.schedules), MODULE),
            OurPass(PackConvolutions(), MODULE),
            OurPass(PackProducts(), MODULE),
            # What is packed for several products is packed once.
            *upstream(MODULE, "cse"),
            OurPass(PrepareState(), MODULE),
            OurPass(FillBorders(), MODULE),
            OurPass(WriteIntoSlices(), MODULE),
        )

    def coalesce(self) -> tuple[Element, ...]:
        """Fewer and longer loops."""
        return () if self.opt_level == 0 else (OurPass(CoalesceLoops(), MODULE),)

    def share(self) -> tuple[Element, ...]:
        """Parts for each thread."""
        return () if self.threads < 2 else (OurPass(ShareKernels(self.threads), MODULE),)

    def to_threads(self) -> tuple[Element, ...]:
        """What is shared is computed at the same time."""
        if self.threads < 2:
            return ()
        return upstream(
            MODULE, "scf-forall-to-parallel", f"convert-scf-to-openmp{{num-threads={self.threads}}}"
        )

    def schedule(self) -> tuple[Element, ...]:
        """Tiles and vectors, or neither."""
        return () if self.opt_level == 0 else (OurPass(ScheduleKernels(), MODULE),)

    def prefetch(self) -> tuple[Element, ...]:
        """Loops ask for what they will read."""
        return () if self.opt_level == 0 else (OurPass(PrefetchOperands(), MODULE),)

    def to_loops(self) -> tuple[Element, ...]:
        """What linalg is left becomes loops."""
        return (
            OurPass(SortByMerging(), MODULE),
            # What is copied to own it is copied by loops like anything else.
            *upstream(MODULE, "convert-bufferization-to-memref"),
            *upstream(FUNCTION, "tm-tensor-to-loops", "refback-munge-memref-copy"),
            # Copies that came with the buffers.
            OurPass(OutlineKernels(), MODULE),
            *self.schedule(),
            *upstream(FUNCTION, "convert-linalg-to-loops"),
            OurPass(HoistAsserts(), MODULE),
            *self.prefetch(),
        )


def plain_copies() -> tuple[Element, ...]:
    """Padding and concatenation become copies."""
    return upstream(FUNCTION, "refback-generalize-tensor-pad", "refback-generalize-tensor-concat")


def fuse() -> tuple[Element, ...]:
    """Fewer and larger loops."""
    return (
        OurPass(MergeDimensions(), MODULE),
        *upstream(FUNCTION, "canonicalize"),
        OurPass(HideProducts(), MODULE),
        OurPass(DuplicateIndices(), MODULE),
        *upstream(
            FUNCTION,
            # Kept dimensions of size 1 would hide that loops are the same.
            "linalg-fold-unit-extent-dims",
            "canonicalize",
            "linalg-fuse-elementwise-ops",
        ),
        OurPass(EraseUnusedGenerics(), MODULE),
        # Fusion asked for sizes of results that are not known; each question counted as a use.
        *upstream(MODULE, "resolve-ranked-shaped-type-result-dims"),
        *upstream(FUNCTION, "canonicalize", "cse", "linalg-fuse-elementwise-ops"),
        OurPass(EraseUnusedGenerics(), MODULE),
        *upstream(FUNCTION, "canonicalize", "cse"),
        *upstream(MODULE, "inline"),
        # Fusion moved reshapes in front of what is computed last.
        OurPass(MergeDimensions(), MODULE),
        *upstream(FUNCTION, "canonicalize"),
        OurPass(ReduceInnermost(), MODULE),
    )


def bufferize(separate: bool = False) -> tuple[Element, ...]:
    """Tensors become memory, which is freed where it is not used any longer.

    A function's results are owned by its caller. Separate buffers are neither on the stack nor
    parts of a workspace, so that an allocator that guards what it hands out sees each of them.
    """
    return (
        *to_memory(aligned=not separate),
        *upstream(FUNCTION, "buffer-loop-hoisting"),
        *(() if separate else (OurPass(PromoteKernelBuffers(), MODULE),)),
        *upstream(MODULE, "buffer-deallocation-pipeline"),
        *(() if separate else (OurPass(PlanWorkspace(), MODULE),)),
    )


def to_llvm(fast_math: bool = False) -> tuple[Element, ...]:
    """Loops and memory become the llvm dialect."""
    return (
        OurPass(LowerVectors(), MODULE),
        OurPass(WidenBoolVectors(), MODULE),
        *((OurPass(RelaxFloats(fast_math=True), MODULE),) if fast_math else ()),
        OurPass(CheckAllocations(), MODULE),
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
        OurPass(TrackAllocations(), MODULE),
        OurPass(KeepFunctionsApart(), MODULE),
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
        OurPass(FreezeFloatToInt(), MODULE),
        OurPass(PackCInterface(), MODULE),
        OurPass(UseCpuTarget(), MODULE),
    )
