"""All passes, one line each; a pass is in the file that its flag names."""

from __future__ import annotations

from torch_refine.passes.base import Pass
from torch_refine.passes.drop_abstract_interp_calculations import DropAbstractInterpCalculations
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from torch_refine.passes.fold_static_info_casts import FoldStaticInfoCasts
from torch_refine.passes.lowering.accumulate_in_f32 import AccumulateInF32
from torch_refine.passes.lowering.approximate_math import ApproximateMath
from torch_refine.passes.lowering.channels_last import ChannelsLast
from torch_refine.passes.lowering.compute_in_f32 import ComputeInF32
from torch_refine.passes.lowering.crop_before_padding import CropBeforePadding
from torch_refine.passes.lowering.drop_shape_notes import DropShapeNotes
from torch_refine.passes.lowering.drop_zero_asserts import DropZeroAsserts
from torch_refine.passes.lowering.emit_c_interface import EmitCInterface
from torch_refine.passes.lowering.fold_empty_loops import FoldEmptyLoops
from torch_refine.passes.lowering.fold_empty_tensors import FoldEmptyTensors
from torch_refine.passes.lowering.gpu.allocate_on_gpu import AllocateOnGpu
from torch_refine.passes.lowering.gpu.copy_constants_to_gpu import CopyConstantsToGpu
from torch_refine.passes.lowering.gpu.generate_gpu_code import GenerateGpuCode
from torch_refine.passes.lowering.gpu.gpu_launch_to_loops import GpuLaunchToLoops
from torch_refine.passes.lowering.gpu.keep_sums_in_registers import KeepSumsInRegisters
from torch_refine.passes.lowering.gpu.launch_through_driver import LaunchThroughDriver
from torch_refine.passes.lowering.gpu.map_loops_to_gpu import MapLoopsToGpu
from torch_refine.passes.lowering.gpu.merge_gpu_modules import MergeGpuModules
from torch_refine.passes.lowering.gpu.native_math import NativeMath
from torch_refine.passes.lowering.gpu.outline_products import OutlineProducts
from torch_refine.passes.lowering.gpu.place_tile_buffers import PlaceTileBuffers
from torch_refine.passes.lowering.gpu.reduce_across_threads import ReduceAcrossThreads
from torch_refine.passes.lowering.gpu.scalarize_math import ScalarizeMath
from torch_refine.passes.lowering.gpu.schedule_gpu_kernels import ScheduleGpuKernels
from torch_refine.passes.lowering.gpu.trap_on_asserts import TrapOnAsserts
from torch_refine.passes.lowering.gpu.unfold_convolutions import UnfoldConvolutions
from torch_refine.passes.lowering.hide_products import HideProducts
from torch_refine.passes.lowering.keep_bools import KeepBools
from torch_refine.passes.lowering.keep_empty_sizes import KeepEmptySizes
from torch_refine.passes.lowering.keep_functions_apart import KeepFunctionsApart
from torch_refine.passes.lowering.keep_nans import KeepNans
from torch_refine.passes.lowering.lower_asserts import LowerAsserts
from torch_refine.passes.lowering.lower_vectors import LowerVectors
from torch_refine.passes.lowering.make_value_semantic import MakeValueSemantic
from torch_refine.passes.lowering.narrow_in_steps import NarrowInSteps
from torch_refine.passes.lowering.outline_kernels import OutlineKernels
from torch_refine.passes.lowering.pack_convolutions import PackConvolutions
from torch_refine.passes.lowering.pack_products import PackProducts
from torch_refine.passes.lowering.plan_workspace import PlanWorkspace
from torch_refine.passes.lowering.prefetch_operands import PrefetchOperands
from torch_refine.passes.lowering.prepare_state import PrepareState
from torch_refine.passes.lowering.promote_kernel_buffers import PromoteKernelBuffers
from torch_refine.passes.lowering.relax_floats import RelaxFloats
from torch_refine.passes.lowering.restrict_tensors import RestrictTensors
from torch_refine.passes.lowering.schedule_kernels import ScheduleKernels
from torch_refine.passes.lowering.share_kernels import ShareKernels
from torch_refine.passes.lowering.trim_windows import TrimWindows
from torch_refine.passes.lowering.use_full_vectors import UseFullVectors
from torch_refine.passes.lowering.verify_lowerable import VerifyLowerable
from torch_refine.passes.lowering.verify_lowered import VerifyLowered
from torch_refine.passes.refine_public_return import RefinePublicReturn
from torch_refine.passes.refine_types import RefineTypes
from torch_refine.passes.reify_dtype_calculations import ReifyDtypeCalculations
from torch_refine.passes.reify_shape_calculations import ReifyShapeCalculations
from torch_refine.passes.simplify_dtype_calculations import SimplifyDtypeCalculations
from torch_refine.passes.simplify_shape_calculations import SimplifyShapeCalculations
from torch_refine.passes.verify_backend_contract import VerifyBackendContract

_ALL: tuple[type[Pass], ...] = (
    RefineTypes,
    ReifyShapeCalculations,
    ReifyDtypeCalculations,
    SimplifyShapeCalculations,
    SimplifyDtypeCalculations,
    DropAbstractInterpCalculations,
    RefinePublicReturn,
    FoldStaticInfoCasts,
    EraseTensorTypes,
    VerifyBackendContract,
    MakeValueSemantic,
    ChannelsLast,
    FoldEmptyTensors,
    ComputeInF32,
    DropShapeNotes,
    VerifyLowerable,
    VerifyLowered,
    DropZeroAsserts,
    KeepBools,
    KeepEmptySizes,
    CropBeforePadding,
    KeepNans,
    AccumulateInF32,
    FoldEmptyLoops,
    TrimWindows,
    HideProducts,
    RestrictTensors,
    PackConvolutions,
    PackProducts,
    OutlineKernels,
    ScheduleKernels,
    ShareKernels,
    PlanWorkspace,
    PrepareState,
    PromoteKernelBuffers,
    PrefetchOperands,
    LowerVectors,
    ApproximateMath,
    RelaxFloats,
    NarrowInSteps,
    LowerAsserts,
    EmitCInterface,
    KeepFunctionsApart,
    UseFullVectors,
    UnfoldConvolutions,
    OutlineProducts,
    ScheduleGpuKernels,
    PlaceTileBuffers,
    CopyConstantsToGpu,
    ReduceAcrossThreads,
    MapLoopsToGpu,
    KeepSumsInRegisters,
    TrapOnAsserts,
    ScalarizeMath,
    NativeMath,
    MergeGpuModules,
    AllocateOnGpu,
    GenerateGpuCode,
    GpuLaunchToLoops,
    LaunchThroughDriver,
)

PASSES: dict[str, type[Pass]] = {each.name: each for each in _ALL}
