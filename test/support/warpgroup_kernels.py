"""Kernels of one contraction and its epilogue, as `schedule-gpu-kernels` gets them, and results."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch_refine.dialect.bindings import ir, new_context, operations
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.lowering.gpu.schedule_gpu_kernels import ScheduleGpuKernels
from torch_refine.passes.lowering.gpu.warpgroups.attention_to_warpgroups import (
    AttentionToWarpgroups,
)
from torch_refine.passes.lowering.gpu.warpgroups.contractions_to_warpgroups import (
    ContractionsToWarpgroups,
)
from torch_refine.passes.lowering.kernels.outlining import KERNEL as KERNEL_KIND
from torch_refine.passes.program import symbol_name
from torch_refine.pipelines.elements import OurPass
from torch_refine.pipelines.lowering.gpu import TorchToNvgpuPipeline, bufferize
from torch_refine.pipelines.lowering.to_linalg import MODULE
from torch_refine.pipelines.runner import Runner
from warpgroup_interpreter import Machine, Memory, function_of
from warpgroup_memory import FLOATS, rounded

KERNEL = "kernel"


@dataclass(frozen=True)
class Epilogue:
    """An elementwise op on the sums `%sum`: further operands, and what it computes.

    `operands` are pairs of the dimensions of each (letters as in a case's operands) and its
    element type; in `body` they are `%a0`, `%a1`, and `%r` is the result. `compute` does the same
    in f64.
    """

    operands: tuple[tuple[str, str], ...]
    body: str
    compute: object
    captured: str = ""


@dataclass(frozen=True)
class Case:
    """A contraction: operands by the letters of their dimensions, in order.

    `m` and `n` are rows and columns, `k` is summed, and others are batch dimensions. Those in
    `dynamic` have no static size. `sums` are the dimensions of the result, and `loops` the loops,
    in order; `body` is `float` for 16-bit floats with sums in f32, `same` for sums of the same
    element type, and `integer`.
    """

    left: str
    right: str
    sizes: dict[str, int]
    element: str = "f16"
    epilogue: Epilogue | None = None
    result: str = "f32"
    dynamic: str = ""
    sums: str = ""
    loops: str = ""
    body: str = "float"

    def __post_init__(self):
        batch = "".join(sorted({*self.left, *self.right} - set("mnk")))
        object.__setattr__(self, "sums", self.sums or f"{batch}mn")
        object.__setattr__(self, "loops", self.loops or f"{self.sums}k")


_FLOAT_BODY = """
      %x = arith.extf %a : E to f32
      %y = arith.extf %b : E to f32
      %z = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %z : f32
      linalg.yield %s : f32"""
_SAME_BODY = """
      %z = arith.MULTIPLY %a, %b : E
      %s = arith.ADD %sum, %z : E
      linalg.yield %s : E"""


def text_of(case):
    """The module of a case: a kernel, and a program that calls it."""
    loops = case.loops
    is_narrow = case.body == "float"
    sum_type = "f32" if is_narrow else case.element
    left, right = (_type(case, each, case.element) for each in (case.left, case.right))
    sums = _type(case, case.sums, sum_type)
    others = [] if case.epilogue is None else case.epilogue.operands
    types = [left, right, *(_type(case, dims, element) for dims, element in others)]
    out = sums if case.epilogue is None else _type(case, case.sums, case.result)
    arguments = ", ".join(f"%p{at}: {type}" for at, type in enumerate([*types, out]))
    names = ", ".join(f"%p{at}" for at in range(len(types) + 1))
    body = _FLOAT_BODY
    if not is_narrow:
        suffix = "i" if case.body == "integer" else "f"
        body = _SAME_BODY.replace("MULTIPLY", f"mul{suffix}").replace("ADD", f"add{suffix}")
    zero = "0" if case.body == "integer" else "0.0"
    kinds = ", ".join('"parallel"' if each in case.sums else '"reduction"' for each in loops)
    start, target = ("", f"%p{len(types)}") if case.epilogue is None else _empty(case, sums)
    lines = [
        f"func.func @main({arguments}) -> {out} {{",
        f"  %r = call @{KERNEL}({names}) : ({', '.join([*types, out])}) -> {out}",
        f"  return %r : {out}",
        "}",
        f"func.func private @{KERNEL}({arguments}) -> {out} "
        'attributes {torch_refine.kernel = "product"} {',
        f"  %zero = arith.constant {zero} : {sum_type}",
        start,
        f"  %filled = linalg.fill ins(%zero : {sum_type}) outs({target} : {sums}) -> {sums}",
        f"  %sums = linalg.generic {{indexing_maps = [{_map(loops, case.left)}, "
        f"{_map(loops, case.right)}, {_map(loops, case.sums)}], iterator_types = [{kinds}], "
        f"torch_refine.product}} ins(%p0, %p1 : {left}, {right}) "
        f"outs(%filled : {sums}) {{",
        f"    ^bb0(%a: {case.element}, %b: {case.element}, %sum: {sum_type}):"
        + body.replace("E", case.element),
        f"  }} -> {sums}",
    ]
    found = "%sums"
    if case.epilogue is not None:
        lines += _epilogue(case, types, out, sums)
        found = "%result"
    return "\n".join([*lines, f"  return {found} : {out}", "}"])


def _empty(case, sums):
    """Ops that create a tensor for the sums, and its name."""
    lines, sizes = [], []
    for letter in case.sums:
        if letter not in case.dynamic:
            continue
        place = 0 if letter in case.left else 1
        owner = (case.left, case.right)[place]
        lines.append(f"  %i{letter} = arith.constant {owner.index(letter)} : index")
        type = _type(case, owner, case.element)
        lines.append(f"  %d{letter} = tensor.dim %p{place}, %i{letter} : {type}")
        sizes.append(f"%d{letter}")
    lines.append(f"  %empty = tensor.empty({', '.join(sizes)}) : {sums}")
    return "\n".join(lines), "%empty"


def _epilogue(case, types, out, sums):
    epilogue, dims = case.epilogue, case.sums
    places = [dims, *(each for each, _ in epilogue.operands), dims]
    indexing = ", ".join(_map(dims, each) for each in places)
    parallel = ", ".join('"parallel"' for _ in dims)
    names = ["%sums", *(f"%p{at}" for at in range(2, len(types)))]
    given = [f"%a{at}: {element}" for at, (_, element) in enumerate(epilogue.operands)]
    return [
        epilogue.captured,
        f"  %result = linalg.generic {{indexing_maps = [{indexing}], "
        f"iterator_types = [{parallel}]}} ins({', '.join(names)} : "
        f"{', '.join([sums, *types[2:]])}) outs(%p{len(types)} : {out}) {{",
        f"    ^bb0({', '.join(['%sum: f32', *given, f'%out: {case.result}'])}):",
        epilogue.body.replace("R", case.result),
        f"      linalg.yield %r : {case.result}",
        f"  }} -> {out}",
    ]


def _type(case, dims, element):
    sizes = ["?" if each in case.dynamic else str(case.sizes[each]) for each in dims]
    return f"tensor<{'x'.join([*sizes, element])}>"


def _map(loops, dims):
    names = ", ".join(loops)
    return f"affine_map<({names}) -> ({', '.join(dims)})>"


def kernel_in(module):
    """The kernel of a module."""
    (kernel,) = (
        op for op in operations(module.operation.regions[0].blocks[0]) if symbol_name(op) == KERNEL
    )
    return kernel


def lowered(case):
    """The module of a case after `contractions-to-warpgroups`."""
    module = ir.Module.parse(text_of(case), new_context())
    elements = (
        OurPass(ScheduleGpuKernels(tensor_cores=True, warpgroups=True), MODULE),
        *bufferize(),
        OurPass(ContractionsToWarpgroups(), MODULE),
    )
    Runner(verify_each=True).run(elements, module.operation)
    assert "gpu.launch" in str(kernel_in(module)), "warpgroups do not compute this"
    return module


def values_of(case, seed=0):
    """Random operands, and memory for the result, as f64 arrays by element type."""
    generator = np.random.default_rng(seed)
    given = [(case.left, case.element), (case.right, case.element)]
    given += [] if case.epilogue is None else case.epilogue.operands
    return [
        Memory(
            rounded(generator.standard_normal([case.sizes[each] for each in dims]), element),
            element,
        )
        for dims, element in given
    ]


def expected(case, values):
    """The result of a case in f64."""
    left, right, *others = (
        torch.from_numpy(np.asarray(each.values, np.float64)) for each in values
    )
    sums = torch.einsum(f"{case.left},{case.right}->{case.sums}", left, right)
    if case.epilogue is None:
        return sums.numpy()
    dims = case.sums
    spread = []
    for (own, _), each in zip(case.epilogue.operands, others, strict=True):
        spread.append(each.reshape([case.sizes[d] if d in own else 1 for d in dims]))
    return case.epilogue.compute(sums, *spread).numpy()


def check(case, module, sizes=None, seed=0):
    """Run the kernel of a module, and compare every element of its result with f64."""
    given = case if sizes is None else replace(case, sizes={**case.sizes, **sizes})
    values = values_of(given, seed)
    element = case.result if case.epilogue is not None else "f32"
    wanted = expected(given, values)
    result = Memory(np.full(wanted.shape, np.nan, rounded(0, element).dtype), element)
    machine = Machine(seed)
    machine.run(kernel_in(module), [*values, result])
    assert (result.stores == 1).all(), "each element is stored once"
    rtol = {"f32": 1e-5, "f16": 2e-3, "bf16": 1.6e-2}[element]
    # Sums of depth products of normal numbers.
    atol = rtol * np.sqrt(given.sizes["k"])
    np.testing.assert_allclose(np.float64(result.values), wanted, rtol=rtol, atol=atol)
    return machine


def run_program(model, inputs, dynamic_shapes=None, change=None):
    """The result of a model whose code for a GPU is kernels of warpgroups, perhaps changed ones."""
    program = import_for_lowering(export_program(model.eval(), inputs, {}, dynamic_shapes))
    elements = TorchToNvgpuPipeline(chip="sm_90a").elements()
    names = [element.name for element in elements]
    end = max(names.index(each.name) for each in (ContractionsToWarpgroups, AttentionToWarpgroups))
    Runner(verify_each=True).run(elements[: end + 1], program.module.operation)
    module = program.module
    if change is not None:
        module = ir.Module.parse(change(str(module)), new_context())
    functions = {
        symbol_name(op): op
        for op in operations(module.operation.regions[0].blocks[0])
        if op.name == "func.func"
    }
    (main,) = (op for op in functions.values() if KERNEL_KIND not in op.attributes)
    host = _Host(functions)
    block = main.regions[0].blocks[0]
    for argument, tensor in zip(block.arguments, [*program.state, *inputs], strict=True):
        tensor = tensor.detach()
        host.values[argument] = (tensor.float() if tensor.is_floating_point() else tensor).numpy()
    for op in operations(block):
        host.run(op)
    values = torch.from_numpy(np.array(host.result))
    return values.to(inputs[0].dtype)


class _Host:
    """Runs a program on buffers: its kernels by the interpreter."""

    def __init__(self, functions):
        self.functions = functions
        self.values = {}
        self.result = None

    def run(self, op):
        """Run an op."""
        if op.name == "func.call":
            self._call(op)
        elif op.name == "func.return":
            (self.result,) = (self.values[each] for each in op.operands)
        elif op.name == "memref.alloc":
            type = ir.MemRefType(op.result.type)
            sizes = iter([self.values[each] for each in op.operands])
            shape = [next(sizes) if size < 0 else size for size in type.shape]
            self.values[op.result] = np.full(shape, np.nan, np.float32)
        elif op.name in ("memref.collapse_shape", "memref.expand_shape"):
            shape = [max(size, -1) for size in ir.MemRefType(op.result.type).shape]
            self.values[op.result] = self.values[op.operands[0]].reshape(shape)
        elif op.name == "memref.cast":
            self.values[op.result] = self.values[op.operands[0]]
        elif op.name == "memref.dim":
            source, dim = (self.values[each] for each in op.operands)
            self.values[op.result] = source.shape[dim]
        elif op.name == "arith.constant":
            self.values[op.result] = op.attributes["value"].value
        elif op.name.startswith("arith."):
            self.values[op.result] = function_of(op)(*(self.values[each] for each in op.operands))
        else:
            assert op.name in _HARMLESS, f"warpgroups do not compute {op}"

    def _call(self, op):
        kernel = self.functions[ir.FlatSymbolRefAttr(op.attributes["callee"]).value]
        first, *_ = operations(kernel.regions[0].blocks[0])
        if first.name == "linalg.transpose":
            source, target = (self.values[each] for each in op.operands)
            target[...] = source.transpose(
                list(ir.DenseI64ArrayAttr(first.attributes["permutation"]))
            )
            return
        assert "gpu.launch" in str(kernel), f"warpgroups do not compute {kernel}"
        buffers = []
        for operand in op.operands:
            values = self.values[operand]
            if isinstance(operand.type, ir.MemRefType):
                element = str(ir.MemRefType(operand.type).element_type)
                values = Memory(rounded(values, element) if element in FLOATS else values, element)
            buffers.append(values)
        Machine().run(kernel, buffers)
        are_stored = [isinstance(each, Memory) and each.stores.any() for each in buffers]
        place = are_stored.index(True)
        assert sum(are_stored) == 1, "one buffer is stored to"
        assert (buffers[place].stores == 1).all(), "each element is stored once"
        self.values[op.operands[place]][...] = buffers[place].values


_HARMLESS = ("memref.dealloc", "cf.assert", "bufferization.clone")
