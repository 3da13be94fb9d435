"""The GPU pipelines: generated code assembles and has the expected structure."""

import re

import gpu_assembly
import pytest
import torch
from codegen_cases import CASES, HALF_CASES, Case
from function_module import Function
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
from torch_refine.build_tools.code.assembling import AssemblerError, assemble, ptxas
from torch_refine.build_tools.gpu_kernels.drawing import drawn
from torch_refine.build_tools.gpu_kernels.programs import Calls
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.gpu.code.binaries import assembly_in
from torch_refine.passes.lowering.gpu.code.older_llvm import for_older_llvm
from torch_refine.pipelines.parsing import parse_flag
from torch_refine.pipelines.runner import RunFailure, Runner

needs_ptxas = pytest.mark.skipif(
    ptxas() is None, reason="the package nvidia-cuda-nvcc-cu12, which has ptxas, is not installed"
)
BY_NAME = {case.name: case for case in (*CASES, *HALF_CASES)}
# All cases are assembled for all chips by `make check-gpu`.
SKIPPED = ("ResNet-18 224x224", "encoder layer 128x256", "encoder layer 128x256, bf16")
ROWS = "softmax 1000x1023"
PRODUCT = "linear+relu, dynamic batch"
HALF = "linear+relu 512x1024x1024, bf16"
PROGRAM = """
func.func @main(%arg0: !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,5],f32> {
  %0 = torch.aten.FUNCTION %arg0 : !torch.vtensor<[3,5],f32> -> !torch.vtensor<[3,5],f32>
  return %0 : !torch.vtensor<[3,5],f32>
}
"""


@needs_ptxas
@pytest.mark.parametrize(
    ("name", "chip"),
    [
        *((name, "sm_90") for name in BY_NAME),
        *((name, "sm_80") for name in BY_NAME if name not in SKIPPED),
    ],
)
@pytest.mark.seeded_part(12)
def test_ptx_assembles(name, chip):
    found = gpu_assembly.assemble_case(BY_NAME[name], chip)
    assert found.wrong == ""
    assert found.kernels > 0
    assert found.spilled == 0
    assert found.shared <= 48 * 1024


@needs_ptxas
@pytest.mark.parametrize("number", [2, 5, 9, 13, 16, 317])
def test_drawn_programs_assemble(number):
    """Number 317 computes log_softmax before a dimension of size 1."""
    program = drawn(3, number)
    case = Case(program.name, lambda: (Calls(program.function), program.make()), 1.0)
    found = gpu_assembly.assemble_case(case, "sm_90a")
    assert found.wrong == ""
    assert found.kernels > 0


@pytest.mark.parametrize(
    "name", [ROWS, PRODUCT, "conv2d 64x57x57, 64 3x3", "encoder layer 128x256", HALF]
)
def test_amdgcn_becomes_an_object(name):
    found = gpu_assembly.assemble_case(BY_NAME[name], "gfx942")
    assert found.wrong == ""
    assert found.kernels > 0


def _sum_of(count, size):
    """A program that adds tensors of four dimensions in one kernel."""
    tensor = f"!torch.vtensor<[{size},2,3,4],f32>"
    lines = ["%one = torch.constant.int 1"]
    for index in range(1, count):
        before = f"%sum{index - 1}" if index > 1 else "%arg0"
        lines.append(
            f"%sum{index} = torch.aten.add.Tensor {before}, %arg{index}, %one "
            f": {tensor}, {tensor}, !torch.int -> {tensor}"
        )
    arguments = ", ".join(f"%arg{index}: {tensor}" for index in range(count))
    lines.append(f"return %sum{count - 1} : {tensor}")
    body = "\n  ".join(lines)
    return ir.Module.parse(
        f"func.func @main({arguments}) -> {tensor} {{\n  {body}\n}}", new_context()
    )


@needs_ptxas
@pytest.mark.parametrize("chip", ["sm_70", "sm_90"])
@pytest.mark.parametrize("size", ["5", "?"])
def test_kernels_may_have_many_parameters(chip, size):
    """60 tensors of four dimensions take 5,368 bytes; before PTX 8.1 the limit was 4,352."""
    module = _sum_of(60, size)
    _run(module, "torch-to-nvgpu-pipeline", f"chip={chip}")
    (text,) = assembly_in(module.operation)
    assert ".version 8.1" in text
    assert assemble(text, chip, ptxas())
    module = _sum_of(40, size)
    _run(module, "torch-to-nvgpu-pipeline", f"chip={chip}")
    (text,) = assembly_in(module.operation)
    assert ".version 8.1" not in text, "older drivers take what they can"
    assert assemble(text, chip, ptxas())


def test_more_parameters_than_a_kernel_may_have_are_an_error():
    module = _sum_of(380, "5")
    state = RunState()
    with pytest.raises(RunFailure):
        Runner(state).run(
            parse_flag("torch-to-nvgpu-pipeline", "", module.context), module.operation
        )
    (error,) = state.diagnostics.reported
    assert "a kernel takes 33528 bytes of parameters, and PTX allows 32764" in str(error)


@needs_ptxas
def test_the_assembler_refuses_what_is_wrong():
    with pytest.raises(AssemblerError, match="nonsense"):
        assemble(".version 7.8\n.target sm_90\n.address_size 64\nnonsense", "sm_90", ptxas())


def _run(module, flag, options=""):
    state = RunState()
    Runner(state, verify_each=True).run(parse_flag(flag, options, module.context), module.operation)
    return state


def _launches(name, last="keep-accumulators-in-registers"):
    """A case after the passes that create launches."""
    module = gpu_assembly.module_of(BY_NAME[name])
    elements = parse_flag("torch-to-nvgpu-pipeline", "", module.context)
    end = [element.name for element in elements if hasattr(element, "name")].index(last) + 1
    Runner(verify_each=True).run(elements[:end], module.operation)
    return module


def _ops(module, name):
    return [op for op in walk(module.operation) if op.name == name]


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        (lambda x, i, y: x.index_copy(2, i, y), ((1, 3, 64, 8), (1,), (1, 3, 1, 8))),
        (lambda x, i, y: x.index_add(0, i, y), ((64, 8), (100,), (100, 8))),
        (lambda x, i, y: x.index_put((i,), y), ((64, 8), (100,), (100, 8))),
        (lambda x, i, y: x.scatter_reduce(0, i, y, "prod"), ((64,), (100,), (100,))),
        (lambda x: x.cumsum(-1), ((64, 1000),)),
        (lambda x: x.cummax(0)[0], ((64, 1000),)),
    ],
)
def test_no_thread_writes_all_elements(function, inputs):
    tensors = [torch.randn(size) for size in inputs]
    if len(inputs) > 1:
        tensors[1] = torch.arange(inputs[1][0]) % 64
    module = import_for_lowering(
        export_program(Function(function), tuple(tensors), {}, None)
    ).module
    state = _run(module, "torch-to-nvgpu-pipeline")
    assert "single-thread launches" not in state.statistics["map-loops-to-gpu"]


def test_a_block_computes_a_row():
    module = _launches(ROWS)
    (launch,) = _ops(module, "gpu.launch")
    blocks = launch.operands[0].owner
    assert ir.IntegerAttr(blocks.attributes["value"]).value == 1000
    # Two reductions of the numbers of a warp, and one barrier for each.
    assert len(_ops(module, "gpu.shuffle")) == 2 * 5
    assert len(_ops(module, "gpu.barrier")) == 2
    assert "memref<8xf32, #gpu.address_space<workgroup>>" in str(module)
    # The row is read once: 1023 numbers by 256 threads.
    memory = [str(op.operands[0].type) for op in _ops(module, "memref.load")]
    assert sum("workgroup" not in each for each in memory) == 4


def _ptx(function, *inputs):
    """The PTX of a function."""
    module = import_for_lowering(export_program(Function(function), inputs, {}, None)).module
    _run(module, "torch-to-nvgpu-pipeline")
    (text,) = assembly_in(module.operation)
    return text


def test_sums_and_products_of_bf16_are_rounded():
    def function(x, w, b):
        return nn.functional.gelu(x * w + b)

    text = _ptx(function, *(torch.randn(size).bfloat16() for size in ((64, 1024), 1024, 1024)))
    # Two at a time, of eight that a thread computes.
    assert len(re.findall(r"mul\.rn\.bf16x2", text)) == 4
    assert len(re.findall(r"add\.rn\.bf16x2", text)) == 4
    assert len(re.findall(r"ex2\.approx\.f32", text)) == 8


def test_a_warp_computes_a_short_row():
    text = _ptx(lambda x: torch.softmax(x, -1), torch.randn(5000, 64))
    assert "bar.sync" not in text
    assert (
        len(re.findall(r"ld\.global", text)) == len(re.findall(r"ld\.global\.v4\.b32", text)) == 2
    )
    # Groups of eight threads.
    assert len(re.findall(r"shfl\.sync\.bfly", text)) == 2 * 3


def test_16_bytes_are_loaded_and_stored_at_a_time():
    half = torch.randn(4096, 1024).bfloat16()
    for function in (lambda x: torch.relu(x * 2 + 1), lambda x: torch.softmax(x, -1)):
        text = _ptx(function, half)
        assert set(re.findall(r"(?:ld|st)\.global\S*", text)) == {
            "ld.global.v4.b32",
            "st.global.v4.b32",
        }
        assert re.search(r"(cvt|mul|add|fma)\.rn\.bf16", text), "instructions round"


@needs_ptxas
@pytest.mark.parametrize("length", [64, 1023, 1024, 4096, 16384])
def test_rows_are_kept_in_registers(length):
    """Rows of f64 take most of them."""
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        x = torch.randn(300, length, dtype=dtype)
        text = _ptx(lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:]), x)
        (kernel,) = assemble(text, "sm_90", ptxas())
        assert kernel.spilled == 0


def test_a_product_guards_its_edges_and_keeps_sums_in_registers():
    module = _launches(PRODUCT)
    (launch,) = _ops(module, "gpu.launch")
    # The number of blocks depends on the batch size and is never zero.
    assert launch.operands[0].owner.name == "arith.maxui"
    steps = [
        op
        for op in _ops(module, "scf.for")
        if "vector<4x4xf32>" in str(op.results and op.results[0].type)
    ]
    outer = [op for op in steps if any(inner.name == "gpu.barrier" for inner in walk(op))]
    assert len(outer) == 1, "the sums go around the loop over tiles as a value"
    names = [op.name for op in outer[0].regions[0].blocks[0].operations]
    # Load both tiles, wait, compute, wait.
    assert names.count("gpu.barrier") == 2
    after = list(outer[0].parent.regions[0].blocks[0].operations)
    following = [op.operation.name for op in after[after.index(outer[0].opview) + 1 :]]
    # Sums are written, with a barrier before other threads read them.
    assert following.index("vector.transfer_write") < following.index("gpu.barrier")


def test_vectors_are_loaded_where_numbers_lie_side_by_side():
    module = gpu_assembly.module_of(BY_NAME["gelu(x*w+b) 4096x1024"])
    _run(module, "torch-to-nvgpu-pipeline")
    (text,) = assembly_in(module.operation)
    assert len(re.findall(r"ld\.global\.v4", text)) == 3
    assert "st.global.v4" in text


@pytest.mark.parametrize(("chip", "has_them"), [("sm_90", True), ("sm_80", True), ("sm_75", False)])
def test_tensor_cores_multiply_halves(chip, has_them):
    module = gpu_assembly.module_of(BY_NAME[HALF])
    _run(module, "torch-to-nvgpu-pipeline", f"chip={chip}")
    (text,) = assembly_in(module.operation)
    assert ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32" in text) == has_them
    # Eight elements per load; for f32 four, without transposing them on load, and once before the
    # loop, which loads for its next iteration.
    wide = re.findall(r"ld\.global\.(v4\.b\d+)", text)
    assert wide == (["v4.b32"] * 2 if has_them else ["v4.b16"] * 2)


class _Scores(nn.Module):
    def forward(self, queries, keys):
        return queries @ keys.transpose(-1, -2)


def _large_linear():
    return nn.Sequential(nn.Linear(1024, 4096), nn.GELU())


BY_WARPGROUPS = {
    "matmul": lambda: (Function(torch.matmul), (torch.zeros(4096, 512), torch.zeros(512, 4096))),
    "linear+gelu": lambda: (_large_linear(), (torch.zeros(2048, 1024),)),
    "batch": lambda: (_Scores(), (torch.zeros(6, 256, 128), torch.zeros(6, 512, 128))),
}


def _half_case(name, dtype, dynamic=False):
    def make():
        model, inputs = BY_WARPGROUPS[name]()
        return model.to(dtype), tuple(each.to(dtype) for each in inputs)

    def rows():
        return ({0: torch.export.Dim("batch", min=2, max=8192)},)

    return Case(name, make, 0, rows if dynamic else None)


@needs_ptxas
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", BY_WARPGROUPS)
def test_warpgroups_multiply_large_halves(name, dtype):
    found = gpu_assembly.assemble_case(_half_case(name, dtype), "sm_90a")
    assert found.wrong == ""
    assert (found.kernels, found.spilled) == (1, 0)
    # A block of three warpgroups shares 64 Ki registers, and its shared memory is dynamic.
    assert found.registers <= 168
    assert found.shared == 0


@needs_ptxas
def test_warpgroups_multiply_any_number_of_rows():
    found = gpu_assembly.assemble_case(_half_case("linear+gelu", torch.float16, True), "sm_90a")
    assert (found.wrong, found.kernels, found.spilled) == ("", 1, 0)


class _Attention(nn.Module):
    def __init__(self, is_causal):
        super().__init__()
        self.is_causal = is_causal

    def forward(self, query, key, value):
        return scaled_dot_product_attention(query, key, value, is_causal=self.is_causal)


@needs_ptxas
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("size", [64, 128])
def test_warpgroups_compute_attention_in_registers(size, is_causal):
    inputs = (torch.zeros(2, 4, 512, size, dtype=torch.bfloat16),) * 3
    case = Case("attention", lambda: (_Attention(is_causal), inputs), 0)
    found = gpu_assembly.assemble_case(case, "sm_90a")
    assert (found.wrong, found.kernels, found.spilled) == ("", 1, 0)
    assert found.registers <= 168


@pytest.mark.parametrize(("chip", "has_them"), [("sm_90a", True), ("sm_90", False)])
def test_warpgroups_are_those_of_one_chip(chip, has_them):
    module = gpu_assembly.module_of(_half_case("batch", torch.float16))
    _run(module, "torch-to-nvgpu-pipeline", f"chip={chip}")
    (text,) = assembly_in(module.operation)
    assert re.search(r"^\.target (\w+)", text, re.MULTILINE)[1] == chip
    assert ("wgmma.mma_async" in text) == has_them
    assert ("mma.sync" in text) != has_them
    # Dynamic shared memory has no size in the assembly.
    assert bool(re.search(r"^\.extern \.shared .*\[\];", text, re.MULTILINE)) == has_them


@needs_ptxas
def test_functions_of_a_library():
    """PTX uses libdevice of the same package; without AMD's device library there is an error."""
    context = gpu_assembly.module_of(BY_NAME[ROWS]).context
    module = ir.Module.parse(PROGRAM.replace("FUNCTION", "asinh"), context)
    _run(module, "torch-to-nvgpu-pipeline")
    assert ".entry" in assembly_in(module.operation)[0]
    module = ir.Module.parse(PROGRAM.replace("FUNCTION", "asinh"), context)
    state = RunState()
    with pytest.raises(RunFailure):
        Runner(state).run(parse_flag("torch-to-amdgpu-pipeline", "", context), module.operation)
    assert "no library for gfx942 has the function __ocml_asinh_f32" in str(
        state.diagnostics.reported[0]
    )


@pytest.mark.parametrize(
    ("flag", "options"),
    [("torch-to-nvgpu-pipeline", "chip=sm_80"), ("torch-to-amdgpu-pipeline", "chip=gfx90a")],
)
def test_the_tool_shows_every_step(opt, flag, options):
    done = opt(
        f"--{flag}={options}",
        "--mlir-print-ir-after-all",
        input=PROGRAM.replace("FUNCTION", "relu"),
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"gpu.launch_func +@kernels::", done.stdout)
    assert options.partition("=")[2] in done.stdout
    for step in ("map-loops-to-gpu", "merge-gpu-modules", "generate-gpu-code"):
        assert f"IR Dump After {step}" in done.stderr


def test_a_chip_that_is_not_known(opt):
    done = opt("--torch-to-nvgpu-pipeline=chip=gfx942", input=PROGRAM.replace("FUNCTION", "relu"))
    assert done.returncode != 0
    assert "chip is sm_70 or" in done.stderr


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("store float f0x3F8CCCCD, ptr %1", "store float 0x3FF19999A0000000, ptr %1"),
        ("store float -inf, ptr %1", "store float 0xFFF0000000000000, ptr %1"),
        ("store double +inf, ptr %1", "store double 0x7FF0000000000000, ptr %1"),
        ("store half f0x3C00, ptr %1", "store half 0xH3C00, ptr %1"),
        ("store bfloat -inf, ptr %1", "store bfloat 0xRFF80, ptr %1"),
        ("%3 = fadd float %1, f0x00000001", "%3 = fadd float %1, 0x36A0000000000000"),
        ("%3 = fcmp oeq float %1, +inf", "%3 = fcmp oeq float %1, 0x7FF0000000000000"),
        ("store float f0x7FC00001, ptr %1", "store float 0x7FF8000020000000, ptr %1"),
        ("%3 = fadd float %1, 1.000000e-03", "%3 = fadd float %1, 0x3F50624DE0000000"),
        ("store float 1.000000e+00, ptr %1", "store float 0x3FF0000000000000, ptr %1"),
        ("store <2 x half> splat (half 1.000000e-01)", "store <2 x half> splat (half 0xH2E66)"),
        ("store bfloat -1.000000e-01, ptr %1", "store bfloat 0xRBDCD, ptr %1"),
        ("store double 1.000000e-03, ptr %1", "store double 1.000000e-03, ptr %1"),
        ("call void @inf(i32 1)", "call void @inf(i32 1)"),
        ('@s = constant [4 x i8] c"-inf"', '@s = constant [4 x i8] c"-inf"'),
    ],
)
def test_constants_as_an_older_llvm_reads_them(new, old):
    assert for_older_llvm(new) == old
