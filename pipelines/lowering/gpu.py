"""From linalg on tensors to the assembly of a GPU, and a host program that launches it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.passes.lowering.buffers.sort_by_merging import SortByMerging
from torch_refine.passes.lowering.fusion.batch_matmul_to_contract import BatchMatmulToContract
from torch_refine.passes.lowering.fusion.carry_in_place import CarryInPlace
from torch_refine.passes.lowering.fusion.narrow_contractions import NarrowContractions
from torch_refine.passes.lowering.fusion.simplify_reshapes import SimplifyReshapes
from torch_refine.passes.lowering.fusion.sink_expand_shapes import SinkExpandShapes
from torch_refine.passes.lowering.gpu.code.allow_approximations import AllowApproximations
from torch_refine.passes.lowering.gpu.code.approximate_gelu import ApproximateGelu
from torch_refine.passes.lowering.gpu.code.chips import (
    AMD,
    NVIDIA,
    has_tensor_cores,
    has_warpgroups,
)
from torch_refine.passes.lowering.gpu.code.extend_bf16_in_place import ExtendBf16InPlace
from torch_refine.passes.lowering.gpu.code.generate_gpu_code import GenerateGpuCode
from torch_refine.passes.lowering.gpu.code.merge_gpu_modules import MergeGpuModules
from torch_refine.passes.lowering.gpu.code.native_math import NativeMath
from torch_refine.passes.lowering.gpu.code.prefetch_tiles import PrefetchTiles
from torch_refine.passes.lowering.gpu.code.scalarize_math import ScalarizeMath
from torch_refine.passes.lowering.gpu.code.trap_on_asserts import TrapOnAsserts
from torch_refine.passes.lowering.gpu.code.use_approximate_instructions import (
    UseApproximateInstructions,
)
from torch_refine.passes.lowering.gpu.contractions_to_mma_sync import ContractionsToMmaSync
from torch_refine.passes.lowering.gpu.convolutions_to_img2col import ConvolutionsToImg2col
from torch_refine.passes.lowering.gpu.host.allocate_on_gpu import AllocateOnGpu
from torch_refine.passes.lowering.gpu.host.copy_constants_to_gpu import CopyConstantsToGpu
from torch_refine.passes.lowering.gpu.keep_accumulators_in_registers import (
    KeepAccumulatorsInRegisters,
)
from torch_refine.passes.lowering.gpu.keep_rows_in_registers import KeepRowsInRegisters
from torch_refine.passes.lowering.gpu.load_tiles_wide import LoadTilesWide
from torch_refine.passes.lowering.gpu.map_loops_to_gpu import MapLoopsToGpu
from torch_refine.passes.lowering.gpu.outline_gpu_contractions import OutlineGpuContractions
from torch_refine.passes.lowering.gpu.parallelize_scans import ParallelizeScans
from torch_refine.passes.lowering.gpu.parallelize_scatters import ParallelizeScatters
from torch_refine.passes.lowering.gpu.place_tile_buffers import PlaceTileBuffers
from torch_refine.passes.lowering.gpu.reductions.accumulate_in_registers import (
    AccumulateInRegisters,
)
from torch_refine.passes.lowering.gpu.reductions.few_rows_to_reductions import FewRowsToReductions
from torch_refine.passes.lowering.gpu.reductions.reduce_across_threads import ReduceAcrossThreads
from torch_refine.passes.lowering.gpu.reductions.split_contractions import SplitContractions
from torch_refine.passes.lowering.gpu.reductions.split_reductions import SplitReductions
from torch_refine.passes.lowering.gpu.schedule_gpu_kernels import ScheduleGpuKernels
from torch_refine.passes.lowering.gpu.warpgroups.attention_to_warpgroups import (
    AttentionToWarpgroups,
)
from torch_refine.passes.lowering.gpu.warpgroups.contractions_to_warpgroups import (
    ContractionsToWarpgroups,
)
from torch_refine.passes.lowering.gpu.warpgroups.outline_gpu_attention import OutlineGpuAttention
from torch_refine.passes.lowering.kernels.outline_kernels import OutlineKernels
from torch_refine.passes.lowering.linalg.accumulate_in_f32 import AccumulateInF32
from torch_refine.passes.lowering.linalg.check_sizes import CheckSizes
from torch_refine.passes.lowering.linalg.expand_float8 import ExpandFloat8
from torch_refine.passes.lowering.linalg.guard_integer_division import GuardIntegerDivision
from torch_refine.passes.lowering.llvm.freeze_float_to_int import FreezeFloatToInt
from torch_refine.passes.lowering.llvm.lower_vectors import LowerVectors
from torch_refine.passes.lowering.llvm.widen_bool_vectors import WidenBoolVectors
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.arithmetic import functions_in_f32, plain_arithmetic
from torch_refine.pipelines.lowering.cpu import fuse, plain_copies
from torch_refine.pipelines.lowering.memory import to_memory
from torch_refine.pipelines.lowering.to_linalg import (
    FUNCTION,
    MODULE,
    TorchToLinalgPipeline,
    upstream,
)
from torch_refine.pipelines.pipeline import Pipeline

GPU_MODULE = ("builtin.module", "gpu.module")


@dataclass
class TorchToNvgpuPipeline(Pipeline):
    """Lower a program to PTX for an NVIDIA GPU, and a host program that launches its kernels."""

    name: ClassVar[str] = "torch-to-nvgpu-pipeline"

    chip: str = option("sm_90", "the chip to generate code for", choices=NVIDIA)

    def elements(self) -> tuple[Element, ...]:
        """Linalg, loops on blocks and threads, the nvvm dialect, PTX."""
        return (
            *TorchToLinalgPipeline(self.extra_library).elements(),
            *linalg_to_launches(has_tensor_cores(self.chip), has_warpgroups(self.chip)),
            *outline(),
            *nvidia_kernels(self.chip),
        )


@dataclass
class TorchToAmdgpuPipeline(Pipeline):
    """Lower a program to amdgcn assembly, and a host program that launches its kernels."""

    name: ClassVar[str] = "torch-to-amdgpu-pipeline"

    chip: str = option("gfx942", "the chip to generate code for", choices=AMD)

    def elements(self) -> tuple[Element, ...]:
        """Linalg, loops on blocks and threads, the rocdl dialect, assembly."""
        return (
            *TorchToLinalgPipeline(self.extra_library).elements(),
            *linalg_to_launches(),
            *outline(is_nvidia=False),
            *upstream(MODULE, f"rocdl-attach-target{{chip={self.chip}}}"),
            *prepare_kernels(),
            *upstream(
                GPU_MODULE, VECTORS, f"convert-gpu-to-rocdl{{chipset={self.chip}}}", *TO_LLVM
            ),
            OurPass(FreezeFloatToInt(), MODULE),
            OurPass(GenerateGpuCode(self.chip), MODULE),
        )


# Before the GPU conversions, which would give vectors the alignment of scalars. Only the schedules
# create vectors, and their loads are aligned to the size of a vector.
VECTORS = "convert-vector-to-llvm{use-vector-alignment}"
TO_LLVM = (
    "convert-arith-to-llvm",
    "convert-index-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
)


def nvidia_kernels(chip: str) -> tuple[Element, ...]:
    """Lower kernels to PTX."""
    return (
        *upstream(MODULE, f"nvvm-attach-target{{chip={chip}}}"),
        *prepare_kernels(),
        *upstream(GPU_MODULE, VECTORS, "convert-nvgpu-to-nvvm", "convert-gpu-to-nvvm", *TO_LLVM),
        OurPass(FreezeFloatToInt(), MODULE),
        OurPass(GenerateGpuCode(chip), MODULE),
    )


def linalg_to_launches(tensor_cores: bool = False, warpgroups: bool = False) -> tuple[Element, ...]:
    """Linalg on tensors as a host program that launches kernels."""
    return (
        OurPass(ExpandFloat8(), MODULE),
        OurPass(GuardIntegerDivision(asserts=False), MODULE),
        OurPass(CheckSizes(), MODULE),
        *plain_copies(),
        *(narrow_for_tensor_cores() if tensor_cores else ()),
        *fuse(),
        # Before, reshapes of the row would be folded into the reductions.
        OurPass(FewRowsToReductions(), MODULE),
        OurPass(SinkExpandShapes(), MODULE),
        *upstream(FUNCTION, "canonicalize"),
        # Unused results are gone: maxima had indices.
        OurPass(AccumulateInF32(maxima=True), MODULE),
        OurPass(ConvolutionsToImg2col(), MODULE),
        OurPass(CarryInPlace(), MODULE),
        *((OurPass(OutlineGpuAttention(), MODULE),) if warpgroups else ()),
        OurPass(SplitContractions(), MODULE),
        OurPass(AllowApproximations(), MODULE),
        OurPass(ApproximateGelu(), MODULE),
        OurPass(SplitReductions(), MODULE),
        OurPass(OutlineGpuContractions(), MODULE),
        OurPass(OutlineKernels(aligned=True), MODULE),
        OurPass(ScheduleGpuKernels(tensor_cores, warpgroups), MODULE),
        *bufferize(),
        *map_to_gpu(),
    )


def narrow_for_tensor_cores() -> tuple[Element, ...]:
    """Let contractions take 16-bit floats as they are, and keep their batch dimensions apart."""
    return (
        OurPass(NarrowContractions(tensor_cores=True), MODULE),
        OurPass(SimplifyReshapes(), MODULE),
        *upstream(MODULE, "canonicalize"),
        OurPass(BatchMatmulToContract(), MODULE),
    )


def outline(is_nvidia: bool = True) -> tuple[Element, ...]:
    """Outline kernels into modules."""
    return (
        *simplify_arithmetic(is_nvidia),
        # Conversions of constants become constants, which are sunk; roundings of others stay.
        *upstream(FUNCTION, "sccp"),
        *upstream(MODULE, "gpu-launch-sink-index-computations", "gpu-kernel-outlining"),
        OurPass(MergeGpuModules(), MODULE),
        OurPass(AllocateOnGpu(), MODULE),
    )


def bufferize() -> tuple[Element, ...]:
    """Bufferize."""
    return (
        *to_memory(),
        OurPass(PlaceTileBuffers(), MODULE),
        OurPass(CopyConstantsToGpu(), MODULE),
        *upstream(FUNCTION, "buffer-loop-hoisting"),
        *upstream(MODULE, "buffer-deallocation-pipeline"),
    )


def map_to_gpu() -> tuple[Element, ...]:
    """Map all loops to launches."""
    return (
        OurPass(AttentionToWarpgroups(), MODULE),
        OurPass(ContractionsToWarpgroups(), MODULE),
        OurPass(ContractionsToMmaSync(), MODULE),
        OurPass(LoadTilesWide(), MODULE),
        OurPass(SortByMerging(), MODULE),
        OurPass(ParallelizeScatters(), MODULE),
        OurPass(ParallelizeScans(), MODULE),
        *upstream(MODULE, "convert-bufferization-to-memref"),
        *upstream(
            FUNCTION,
            "tm-tensor-to-loops",
            "refback-munge-memref-copy",
            "linalg-generalize-named-ops",
        ),
        OurPass(KeepRowsInRegisters(), MODULE),
        OurPass(ReduceAcrossThreads(), MODULE),
        OurPass(AccumulateInRegisters(), MODULE),
        *upstream(FUNCTION, "convert-linalg-to-parallel-loops", "lower-affine"),
        *upstream(MODULE, "canonicalize", "cse"),
        OurPass(MapLoopsToGpu(), MODULE),
        *upstream(FUNCTION, "bubble-down-memory-space-casts", "canonicalize", "cse"),
        OurPass(KeepAccumulatorsInRegisters(), MODULE),
        *upstream(MODULE, "canonicalize", "cse"),
        OurPass(PrefetchTiles(), MODULE),
        *upstream(MODULE, "canonicalize", "cse"),
    )


def simplify_arithmetic(is_nvidia: bool) -> tuple[Element, ...]:
    """Expand arithmetic of kernels to what GPUs support."""
    return (
        OurPass(TrapOnAsserts(), MODULE),
        OurPass(LowerVectors(), MODULE),
        OurPass(WidenBoolVectors(), MODULE),
        OurPass(ScalarizeMath(), MODULE),
        *functions_in_f32(),
        OurPass(ExtendBf16InPlace(), MODULE),
        *((OurPass(UseApproximateInstructions(), MODULE),) if is_nvidia else ()),
        # Powers with a constant are multiplications.
        *upstream(FUNCTION, "math-expand-ops{ops=fpowi}"),
        *plain_arithmetic(expand_roundings=False, vector_functions=False),
        OurPass(NativeMath(), MODULE),
    )


def prepare_kernels() -> tuple[Element, ...]:
    """Lower control flow and views of memrefs for the conversions of kernels."""
    return upstream(GPU_MODULE, "expand-strided-metadata", "lower-affine", "convert-scf-to-cf")
