"""Sums stay in registers: no innermost loop of a contraction reads or writes a vector on the stack.

Code for AVX2, AVX-512 and NEON is generated on any machine.
"""

import platform

import pytest
import torch_refine
from torch_refine.build_tools.code.inner_loops import InnerLoop, inner_loops, main, object_for
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.passes.lowering.kernels.contractions.tiles import tile_of
from torch_refine.passes.lowering.kernels.targets.named import named
from torch_refine.runtime.disassembly import disassemble

MATMUL = """
!a = !torch.vtensor<[{rows},{depth}],f32>
!b = !torch.vtensor<[{depth},{columns}],f32>
!c = !torch.vtensor<[{rows},{columns}],f32>
func.func @main(%a: !a, %b: !b) -> !c {{
  %0 = torch.aten.mm %a, %b : !a, !b -> !c
  return %0 : !c
}}
"""
BYTES = """
!a = !torch.vtensor<[64,771],si8>
!b = !torch.vtensor<[771,512],si8>
!c = !torch.vtensor<[64,512],si32>
func.func @main(%a: !a, %b: !b) -> !c {
  %0 = torch.aten._int_mm %a, %b : !a, !b -> !c
  return %0 : !c
}
"""
CONVOLUTION = """
func.func @main(%a: !torch.vtensor<[1,64,{size},{size}],f32>, %b: !torch.vtensor<[64,64,3,3],f32>) -> !torch.vtensor<[1,64,{size},{size}],f32> {{
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %one = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct : () -> !torch.list<int>
  %0 = torch.aten.convolution %a, %b, %none, %one, %one, %one, %false, %zero, %int1 : !torch.vtensor<[1,64,{size},{size}],f32>, !torch.vtensor<[64,64,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,64,{size},{size}],f32>
  return %0 : !torch.vtensor<[1,64,{size},{size}],f32>
}}
"""  # noqa: E501
RUNNING_SUM = """
!t = !torch.vtensor<[512,1024],f32>
func.func @main(%a: !t) -> !t {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.cumsum %a, %int1, %none : !t, !torch.int, !torch.none -> !t
  return %0 : !t
}
"""
ATTENTION = """
!t = !torch.vtensor<[1,8,1024,64],f32>
func.func @main(%q: !t, %k: !t, %v: !t) -> !t {
  %none = torch.constant.none
  %zero = torch.constant.float 0.0
  %false = torch.constant.bool false
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %v, %none, %zero, %false, %none, %false : !t, !t, !t, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !t
  return %0 : !t
}
"""  # noqa: E501
DEPTHWISE = """
func.func @main(%a: !torch.vtensor<[1,96,{size},{size}],f32>, %b: !torch.vtensor<[96,1,3,3],f32>) -> !torch.vtensor<[1,96,{size},{size}],f32> {{
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int96 = torch.constant.int 96
  %one = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %zero = torch.prim.ListConstruct : () -> !torch.list<int>
  %0 = torch.aten.convolution %a, %b, %none, %one, %one, %one, %false, %zero, %int96 : !torch.vtensor<[1,96,{size},{size}],f32>, !torch.vtensor<[96,1,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,96,{size},{size}],f32>
  return %0 : !torch.vtensor<[1,96,{size},{size}],f32>
}}
"""  # noqa: E501
PROGRAMS = {
    "attention": ATTENTION,
    "matmul 1024": MATMUL.format(rows=1024, columns=1024, depth=1024),
    "matmul odd": MATMUL.format(rows=1000, columns=1023, depth=999),
    "matmul dynamic": MATMUL.format(rows="?", columns=1024, depth=1024),
    "matmul 3": MATMUL.format(rows=3, columns=1024, depth=1024),
    "conv 56": CONVOLUTION.format(size=56),
    "conv 57": CONVOLUTION.format(size=57),
}
CPUS = ("x86-64-v3", "x86-64-v4", "icelake-server", "znver5", "armv8-a")


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_sum_is_spilled(name, cpu):
    loops = inner_loops(disassemble(object_for(PROGRAMS[name], named(cpu))))
    assert loops, "a contraction has a loop of multiply-adds"
    assert {loop.spills for loop in loops} == {0}, loops


@pytest.mark.parametrize("cpu", [cpu for cpu in CPUS if named(cpu).vector_bits == 512])
@pytest.mark.parametrize("size", [28, 56, 57])
def test_no_element_of_a_depthwise_convolution_is_spilled(size, cpu):
    """For AVX2 elements of the image are: fewer rows without spills are not faster."""
    loops = inner_loops(disassemble(object_for(DEPTHWISE.format(size=size), named(cpu))))
    assert loops, "a convolution has a loop of multiply-adds"
    assert {loop.spills for loop in loops} == {0}, loops


@pytest.mark.skipif(platform.machine() != "x86_64", reason="compiles for processors of x86-64")
@pytest.mark.parametrize(
    ("name", "cpu"),
    [
        ("matmul 1024", "x86-64-v3"),
        # With 16 registers, the constants of attention's exp are on the stack.
        *(("attention", cpu) for cpu in ("skylake-avx512", "icelake-server", "znver5")),
    ],
)
def test_no_sum_is_spilled_where_threads_share_the_work(name, cpu):
    """By the LLVM that compiles programs; the functions of threads have more pointers at hand."""
    module = ir.Module.parse(PROGRAMS[name], new_context())
    program = torch_refine.compile(module, threads=2, cpu=cpu)
    loops = inner_loops(program.ir("asm"))
    assert loops, "a contraction has a loop of multiply-adds"
    assert {loop.spills for loop in loops} == {0}, loops


@pytest.mark.parametrize(
    ("cpu", "instruction"),
    [("x86-64-v3", "vpmaddwd"), ("cascadelake", "vpdpbusd"), ("neoverse-n1", "sdot")],
)
def test_bytes_are_multiplied_in_groups(cpu, instruction):
    assembly = disassemble(object_for(BYTES, named(cpu)))
    assert f" {instruction} " in assembly
    loops = inner_loops(assembly)
    assert loops, "a contraction has a loop of multiply-adds"
    assert {loop.spills for loop in loops} == {0}, loops


@pytest.mark.skipif(platform.machine() != "x86_64", reason="compiles for processors of x86-64")
@pytest.mark.parametrize("cpu", ["icelake-server", "znver5"])
def test_elements_at_any_addresses_are_loaded_one_by_one(cpu):
    """The next elements of four rows: to gather them takes five times longer on some processors."""
    module = ir.Module.parse(RUNNING_SUM, new_context())
    assembly = torch_refine.compile(module, cpu=cpu).ir("asm")
    assert " vaddpd " in assembly
    assert "gather" not in assembly


@pytest.mark.parametrize("cpu", CPUS)
def test_the_largest_tile_fills_the_registers(cpu):
    target = named(cpu)
    tile = tile_of(1024, 1024, 32, target)
    sums = tile.rows * tile.columns // target.lanes(32)
    assert sums > target.vector_registers * 0.7
    loops = inner_loops(disassemble(object_for(PROGRAMS["matmul 1024"], target)))
    assert max(loop.multiply_adds for loop in loops) % sums == 0


def test_a_spill_is_seen():
    text = """f:
       0: vmovups ymm0, ymmword ptr [rax]
       4: vmovaps ymm1, ymmword ptr [rsp + 0x20]
       a: vfmadd231ps ymm1, ymm0, ymmword ptr [rcx]
      10: vmovaps ymmword ptr [rsp + 0x20], ymm1
      16: jne 0x4
      18: ret
"""
    assert inner_loops(text) == [InnerLoop("f", 4, 1, 2)]


def test_of_nested_loops_the_inner_one_is_taken():
    text = """f:
       0: vfmadd231ps zmm1, zmm0, zmm2
       6: vfmadd231ps zmm1, zmm0, zmm2
       c: jne 0x6
      10: jne 0x0
"""
    assert inner_loops(text) == [InnerLoop("f", 2, 1, 0)]


def test_the_command_prints_the_loops(tmp_path, capsys):
    path = tmp_path / "module.mlir"
    path.write_text(PROGRAMS["matmul 3"])
    assert main([str(path), "--cpu", "x86-64-v3"]) == 0
    assert "multiply-adds, 0 spills" in capsys.readouterr().out
    assert main([str(path), "--cpu", "nothing"]) == 2
    assert main([str(tmp_path / "none.mlir")]) == 2
