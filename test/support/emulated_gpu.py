"""A driver whose GPU is the CPU: kernels as the host program launches them, run as loops.

It takes what `cuLaunchKernel` takes. So the host's part of a program is tested without a GPU: how
kernels are numbered, how large they are launched, what they are passed, what memory they work in.
"""

import ctypes
from contextlib import nullcontext

import torch
from torch_refine.dialect.bindings import ir, new_context, operations, walk
from torch_refine.dialect.ir_builder import as_fold_result
from torch_refine.passes.lowering.gpu.host.launching import Launch
from torch_refine.passes.lowering.gpu_emulation.gpu_launch_to_loops import GpuLaunchToLoops
from torch_refine.passes.program import symbol_name
from torch_refine.pipelines.elements import OurPass
from torch_refine.pipelines.lowering.cpu import to_llvm
from torch_refine.pipelines.lowering.cuda import TorchToCudaPipeline
from torch_refine.pipelines.lowering.to_linalg import (
    FUNCTION,
    MODULE,
    TorchToLinalgPipeline,
    upstream,
)
from torch_refine.pipelines.runner import Runner
from torch_refine.runtime.calls.object_files import load_object

_LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, *[ctypes.c_uint32] * 7, *[ctypes.c_void_p] * 3
)
_COPY = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
)
# What makes code that only a GPU can run.
_LEFT_OUT = ("native-math", "use-approximate-instructions", "trap-on-asserts", "allocate-on-gpu")
_IDS = {"gpu.block_id": 0, "gpu.thread_id": 3, "gpu.grid_dim": 6, "gpu.block_dim": 9}
STREAM = 4711
INVALID = 1


class EmulatedDriver:
    """Loads the kernels of a module of the torch dialect, which must be set before."""

    device = torch.device("cpu")
    chip = "sm_90"

    def __init__(self, folder):
        self.folder = folder
        self.bytecode = b""
        self.launches = []
        self.fails = False
        self.stream_number = STREAM
        self.captures = False
        # What is done for tensors of other streams, and whether their marks were passed.
        self.done = []
        self.passed = False
        self._functions = (_LAUNCH(self._launch), _COPY(self._copy))
        self.launch, self.copy = (
            ctypes.cast(function, ctypes.c_void_p).value for function in self._functions
        )

    def load(self, assembly, kernels):
        """Compile and load; handles are numbers from 1."""
        assert all(f".entry {name}(" in assembly for name in kernels)
        self.names = list(kernels)
        if not kernels:
            return None, []
        self.words, content = _compile(self.bytecode, kernels, self.folder / "kernels.o")
        entries = [f"_mlir__mlir_ciface_{name}" for name in kernels]
        loaded, self.kernels = load_object(content, entries)
        return loaded, list(range(1, len(kernels) + 1))

    def stream(self):
        """A number to recognise."""
        return self.stream_number

    def is_capturing(self):
        """What a test says."""
        return self.captures

    def mark(self):
        """The stream's number stands for where it is."""
        self.done.append(("mark", self.stream_number))
        return self.stream_number

    def follow(self, mark):
        """Note it."""
        self.done.append(("follow", self.stream_number, mark))
        return not self.passed

    def use(self, tensor):
        """Note it."""
        self.done.append(("use", self.stream_number, tensor.data_ptr()))

    def current(self):
        """Nothing to do."""
        return nullcontext()

    def message(self, error):
        """The error's name."""
        return f"error {error}"

    def _launch(self, kernel, bx, by, bz, tx, ty, tz, shared, stream, parameters, extra):
        """Run a kernel with the words that the parameters point to."""
        if self.fails:
            return INVALID
        assert (by, bz, ty, tz, shared, extra) == (1, 1, 1, 1, 0, None)
        assert stream == self.stream_number
        name = self.names[kernel - 1]
        self.launches.append((name, bx, tx))
        self.done.append(("launch", self.stream_number))
        pointers = (ctypes.c_void_p * 4096).from_address(parameters)
        # An interface takes a pointer to each number, and to a pointer to each descriptor.
        blocks = ctypes.c_int64(bx)
        # A kernel that asserts nothing has a status too.
        status = ctypes.c_int64(0)
        own = (ctypes.c_int64 * 3)(ctypes.addressof(status), ctypes.addressof(status), 0)
        places = [ctypes.addressof(blocks)]
        cells = []
        at = 0
        for count in self.words[name]:
            if count == 0:
                places.append(pointers[at])
                at += 1
                continue
            assert [pointers[at + i] - pointers[at] for i in range(count)] == [
                8 * i for i in range(count)
            ]
            cells.append(ctypes.c_void_p(pointers[at]))
            places.append(ctypes.addressof(cells[-1]))
            at += count
        cells.append(ctypes.c_void_p(ctypes.addressof(own)))
        places.append(ctypes.addressof(cells[-1]))
        packed = (ctypes.c_void_p * len(places))(*places)
        self.kernels[kernel - 1](ctypes.addressof(packed))
        assert status.value == 0
        return 0

    def _copy(self, target, source, count, stream):
        assert stream == self.stream_number
        ctypes.memmove(target, source, count)
        return 0


def _compile(bytecode, kernels, path):
    """An object file with the kernels, and for each parameter of each its words, 0 for a number."""
    from torch_refine.runtime.calls.object_files import execution_engine

    parsed = ir.Module.parse(bytecode, new_context())
    module = parsed.operation
    elements = [
        element
        for element in (*TorchToLinalgPipeline().elements(), *TorchToCudaPipeline.launches())
        if element.name not in _LEFT_OUT
    ]
    runner = Runner(verify_each=True)
    runner.run(elements, module)
    words = _unfold(module, kernels)
    assert module.verify()
    lowering = (
        OurPass(GpuLaunchToLoops(), MODULE),
        *upstream(FUNCTION, "refback-munge-memref-copy", "convert-linalg-to-loops"),
        *upstream(MODULE, "canonicalize", "cse"),
        *to_llvm(),
    )
    runner.run(lowering, module)
    assert not runner.state.diagnostics.has_errors
    engine = execution_engine()(parsed, opt_level=1, enable_object_dump=True)
    for name in kernels:
        engine.raw_lookup(f"_mlir_ciface_{name}")
    engine.dump_to_object_file(str(path))
    return words, path.read_bytes()


def _unfold(module, kernels):
    """Leave in a module a function for each kernel, which launches it in so many blocks."""
    block = module.regions[0].blocks[0]
    threads = {}
    for op in walk(module):
        if op.name == "gpu.launch_func":
            name = str(ir.SymbolRefAttr(op.attributes["kernel"]).value[-1])
            threads[name] = as_fold_result(op.operands[3])
    inner = [
        function
        for each in operations(block)
        if each.name == "gpu.module"
        for function in operations(each.regions[0].blocks[0])
        if function.name == "gpu.func"
    ]
    assert {str(symbol_name(each)) for each in inner} == set(kernels)
    words = {}
    for kernel in inner:
        name = str(symbol_name(kernel))
        with ir.InsertionPoint(block), kernel.location:
            words[name] = _function(kernel, name, threads[name])
    for each in list(operations(block)):
        if each.name == "gpu.module" or str(symbol_name(each)) not in words:
            each.erase()
    return words


def _function(kernel, name, threads):
    index = ir.IndexType.get(kernel.context)
    type = ir.FunctionType(ir.TypeAttr(kernel.attributes["function_type"]).value)
    types = [index, *type.inputs]
    made = ir.Operation.create(
        "func.func",
        regions=1,
        attributes={
            "sym_name": ir.StringAttr.get(name, kernel.context),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [], kernel.context)),
        },
    )
    body = ir.Block.create_at_start(made.regions[0], types, [kernel.location] * len(types))
    (old,) = kernel.regions[0].blocks
    with ir.InsertionPoint(body):
        launch = Launch(body.arguments[0], threads)
        ir.Operation.create("func.return")
    given = len(type.inputs)
    for argument, new in zip(list(old.arguments)[:given], list(body.arguments)[1:], strict=True):
        argument.replace_all_uses_with(new)
    for argument in list(old.arguments)[given:]:
        argument.replace_all_uses_with(launch.share(ir.MemRefType(argument.type)))
    for op in list(operations(old))[:-1]:
        op.detach_from_parent()
        launch.body.append(op)
    launch.finish()
    for op in list(walk(launch.op)):
        if op.name in _IDS:
            dimension = "xyz".index(str(op.attributes["dimension"])[-2])
            op.result.replace_all_uses_with(launch.body.arguments[_IDS[op.name] + dimension])
            op.erase()
    return [_word_count(each) for each in type.inputs]


def _word_count(type):
    return 3 + 2 * type.rank if isinstance(type, ir.MemRefType) else 0
