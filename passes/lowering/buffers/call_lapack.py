"""Lower calls of functions that stand for LAPACK's routines to calls of the routines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op, create_value, index_value
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.lapack import (
    LAPACK,
    PREFIXES,
    ROUTINES,
    Parameter,
    Routine,
    real_element,
    symbol,
)
from torch_refine.passes.program import symbol_name

_BYTES = {"f32": 4, "f64": 8, "complex<f32>": 8, "complex<f64>": 16, "i32": 4}
_WORKSPACES = {"work": "T", "real_work": "R", "integer_work": "i32"}


@dataclass
class CallLapack(Pass):
    """Lower calls of functions that stand for LAPACK's routines to calls of the routines.

    Such a function (`torch-lower-linear-algebra`) gets a body that calls the routine for each
    matrix of its arguments, which are in memory then: its caller copies the tensors into buffers,
    and reads them afterwards. Workspaces have the sizes that the routine asks for.

    Before:

    ```mlir
    func.func private @lapack.potrf.L.s(tensor<?x?x?xf32>, tensor<?xi32>) -> \
(tensor<?x?x?xf32>, tensor<?xi32>) attributes {torch_refine.lapack = "potrf L"}
    func.func @f(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?xi32>) -> tensor<?x?x?xf32> {
      %0:2 = call @lapack.potrf.L.s(%arg0, %arg1) : (tensor<?x?x?xf32>, tensor<?xi32>) -> \
(tensor<?x?x?xf32>, tensor<?xi32>)
      return %0#0 : tensor<?x?x?xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?xi32>) -> tensor<?x?x?xf32> {
      // ...
      bufferization.materialize_in_destination %arg0 in restrict writable %alloc : \
(tensor<?x?x?xf32>, memref<?x?x?xf32>) -> ()
      // ...
      call @lapack.potrf.L.s(%alloc, %alloc_4) : (memref<?x?x?xf32>, memref<?xi32>) -> ()
      // ...
    }
    llvm.func @spotrf_(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
    // ...
    ```
    """

    name: ClassVar[str] = "call-lapack"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Lower in a module."""
        body = op.regions[0].blocks[0]
        declared = {
            str(symbol_name(each)): each for each in operations(body) if LAPACK in each.attributes
        }
        reasons = {name: _why_not(function) for name, function in declared.items()}
        for name, reason in reasons.items():
            if reason is not None:
                state.diagnostics.error(
                    declared[name].location, f"@{name} stands for no routine: {reason}"
                )
        if any(reasons.values()):
            raise PassFailure(self.name)
        for each in list(walk(op)):
            if each.name == "func.call":
                name = ir.FlatSymbolRefAttr(each.attributes["callee"]).value
                if name in declared:
                    with each.location, ir.InsertionPoint(each):
                        _call(each, name)
                    state.count(self.name, "calls")
        known: set[str] = set()
        for name, function in declared.items():
            for made in _Function.of(name, function).operations(op.context):
                own = str(symbol_name(made))
                if own not in known:
                    known.add(own)
                    body.append(made)
            function.erase()


def _why_not(declared: ir.Operation) -> str | None:
    """Why a declared function stands for no routine of LAPACK; None if it does."""
    said = declared.attributes[LAPACK]
    if not isinstance(said, ir.StringAttr) or declared.name != "func.func":
        return "the attribute must be a string, on a function"
    if len(declared.regions[0].blocks):
        return "it has a body"
    name, _, letters = said.value.partition(" ")
    routine = ROUTINES.get(name)
    if routine is None:
        return f"there is no routine {name}"
    if len(letters) != sum(each.kind == "letter" for each in routine.parameters):
        return f"{name} takes other letters than {letters!r}"
    type = ir.FunctionType(ir.TypeAttr(declared.attributes["function_type"]).value)
    first = type.inputs[0] if type.inputs else None
    element = str(first.element_type) if isinstance(first, ir.RankedTensorType) else ""
    wanted = [_array_type(kind, element) for kind in [*routine.kinds(), "info"]]
    found = [list(map(str, each)) for each in (type.inputs, type.results)]
    if element not in PREFIXES or found != [wanted, wanted]:
        return f"{name} takes and returns other arrays"
    return None


def _array_type(kind: str, element: str) -> str:
    """The type of the arrays of a batch."""
    numbers = {"reals": real_element(element), "integers": "i32", "info": "i32"}
    ranks = {"matrix": 3, "info": 1}
    return f"tensor<{'?x' * ranks.get(kind, 2)}{numbers.get(kind, element)}>"


def _call(op: ir.Operation, name: str) -> None:
    """Copy the operands of a call into buffers, and read them after it."""
    buffers = []
    for value in op.operands:
        type = ir.RankedTensorType(value.type)
        sizes = [
            create_value("tensor.dim", ir.IndexType.get(), [value, index_value(dim)])
            for dim in range(type.rank)
        ]
        memory = ir.MemRefType.get(type.shape, type.element_type)
        segments = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(sizes), 0])}
        buffer = create_value("memref.alloc", memory, sizes, segments)
        unit = ir.UnitAttr.get()
        create_op(
            "bufferization.materialize_in_destination",
            [value, buffer],
            {"restrict": unit, "writable": unit},
        )
        buffers.append(buffer)
    create_op("func.call", buffers, {"callee": ir.FlatSymbolRefAttr.get(name)})
    for result, buffer in zip(op.results, buffers, strict=True):
        read = create_value(
            "bufferization.to_tensor", result.type, [buffer], {"restrict": ir.UnitAttr.get()}
        )
        result.replace_all_uses_with(read)
    op.erase()


@dataclass
class _Function:
    """The text of a function that calls a routine for each matrix of a batch."""

    name: str
    routine: Routine
    letters: str
    symbol: str
    element: str
    types: list[ir.RankedTensorType]
    lines: list[str] = field(default_factory=list)
    count: int = 0

    @staticmethod
    def of(name: str, declared: ir.Operation) -> _Function:
        """The function for a declared one."""
        routine, _, letters = ir.StringAttr(declared.attributes[LAPACK]).value.partition(" ")
        type = ir.FunctionType(ir.TypeAttr(declared.attributes["function_type"]).value)
        types = [ir.RankedTensorType(each) for each in type.inputs]
        element = str(types[0].element_type)
        assert element in PREFIXES, "an element type of LAPACK"
        return _Function(name, ROUTINES[routine], letters, symbol(routine, element), element, types)

    @property
    def parameters(self) -> list[Parameter]:
        """Those of the routine for this element type."""
        is_complex = self.element.startswith("complex")
        all_of_them = self.routine.parameters
        return [each for each in all_of_them if is_complex or not each.kind.startswith("real_work")]

    def operations(self, context: ir.Context) -> list[ir.Operation]:
        """The function, and the declaration of the routine."""
        module = ir.Module.parse(self.text(), context)
        return [each.clone().operation for each in operations(module.body)]

    def text(self) -> str:
        """The same as MLIR text."""
        arrays = len(self.types) - 1
        arguments = [self._memref(number) for number in range(arrays + 1)]
        pointers = ", ".join(["!llvm.ptr"] * len(self.parameters))
        inputs = ", ".join(f"%array{number}: {type}" for number, type in enumerate(arguments))
        self._say("%c0 = arith.constant 0 : index")
        self._say("%c1 = arith.constant 1 : index")
        self._say("%c2 = arith.constant 2 : index")
        self._say(f"%batch = memref.dim %array0, %c0 : {arguments[0]}")
        bases = [self._address(f"%array{each}", type) for each, type in enumerate(arguments)]
        steps = [self._bytes_of_a_part(number) for number in range(arrays + 1)]
        fixed = self._fixed_parameters()
        letters = iter(fixed["letter"])
        if self.routine.can_be_queried:
            self._say("// What the routine asks for.")
            first: dict[object, str] = dict(self._workspace_queries(fixed))
            first.update(enumerate(bases))
            self._emit_call(first, list(fixed["letter"]), fixed, pointers)
        workspaces = self._workspaces(fixed)
        self._say("scf.for %at = %c0 to %batch step %c1 {")
        places: dict[object, str] = dict(workspaces)
        for number, (base, step) in enumerate(zip(bases, steps, strict=True)):
            offset, address = self._new(), self._new()
            self._say(f"{offset} = arith.muli %at, {step} : index")
            self._say(f"{address} = arith.addi {base}, {offset} : index")
            places[number] = address
        self._emit_call(places, list(letters), fixed, pointers)
        self._say("}")
        body = "\n".join(f"  {line}" for line in self.lines)
        return (
            f"llvm.func @{self.symbol}({pointers})\n"
            f"func.func private @{self.name}({inputs}) attributes {{no_inline}} {{\n"
            f"{body}\n  return\n}}\n"
        )

    def _say(self, line: str) -> None:
        self.lines.append(line)

    def _new(self) -> str:
        self.count += 1
        return f"%{self.count}"

    def _memref(self, number: int) -> str:
        type = self.types[number]
        return f"memref<{'?x' * type.rank}{type.element_type}>"

    def _address(self, memref: str, type: str) -> str:
        found = self._new()
        self._say(f"{found} = memref.extract_aligned_pointer_as_index {memref} : {type} -> index")
        return found

    def _pointer(self, address: str) -> str:
        wide, pointer = self._new(), self._new()
        self._say(f"{wide} = arith.index_cast {address} : index to i64")
        self._say(f"{pointer} = llvm.inttoptr {wide} : i64 to !llvm.ptr")
        return pointer

    def _dim(self, array: int, dim: int) -> str:
        found = self._new()
        self._say(f"{found} = memref.dim %array{array}, %c{dim} : {self._memref(array)}")
        return found

    def _bytes_of_a_part(self, number: int) -> str:
        """How far the arrays of neighbouring matrices are apart."""
        type = self.types[number]
        total = self._new()
        self._say(f"{total} = arith.constant {_BYTES[str(type.element_type)]} : index")
        for dim in range(1, type.rank):
            size, product = self._dim(number, dim), self._new()
            self._say(f"{product} = arith.muli {total}, {size} : index")
            total = product
        return total

    def _stored(self, value: str, type: str) -> str:
        """The address of a variable with a value."""
        memory = self._new()
        self._say(f"{memory} = memref.alloca() : memref<{type}>")
        self._say(f"memref.store {value}, {memory}[] : memref<{type}>")
        return self._address(memory, f"memref<{type}>")

    def _number(self, value: int, type: str) -> str:
        found = self._new()
        self._say(f"{found} = arith.constant {value} : {type}")
        return found

    def _fixed_parameters(self) -> dict[str, list[str]]:
        """The addresses of letters, sizes and other numbers, by kind, in order."""
        found: dict[str, list[str]] = {"letter": [], "size": [], "leading": [], "one": []}
        for letter in self.letters:
            found["letter"].append(self._stored(self._number(ord(letter), "i8"), "i8"))
        for each in self.parameters:
            if each.kind in ("size", "leading"):
                dim = each.dim if each.kind == "size" else 2
                size, narrow = self._dim(each.array, dim), self._new()
                if each.kind == "leading":
                    # A leading dimension is positive, also of an empty matrix.
                    least, size = size, self._new()
                    self._say(f"{size} = arith.maxui {least}, %c1 : index")
                self._say(f"{narrow} = arith.index_cast {size} : index to i32")
                found[each.kind].append(self._stored(narrow, "i32"))
            elif each.kind == "one":
                one = self._new()
                real = real_element(self.element)
                is_complex = self.element != real
                parts = f"complex.constant [1.0 : {real}, 0.0 : {real}]"
                self._say(
                    f"{one} = {parts if is_complex else 'arith.constant 1.0'} : {self.element}"
                )
                found["one"].append(self._stored(one, self.element))
        return found

    def _workspace_queries(self, fixed: dict[str, list[str]]) -> dict[object, str]:
        """Variables for the sizes of workspaces, and numbers that ask for them."""
        found: dict[object, str] = {}
        asks = self._stored(self._number(-1, "i32"), "i32")
        for each in self.parameters:
            if each.kind in _WORKSPACES:
                type = self._work_element(each.kind)
                memory = self._new()
                self._say(f"{memory} = memref.alloca() : memref<{type}>")
                fixed[f"asked {each.kind}"] = [memory]
                found[each.kind] = self._address(memory, f"memref<{type}>")
            elif each.kind.endswith("work_size"):
                found[each.kind] = asks
        return found

    def _work_element(self, kind: str) -> str:
        code = _WORKSPACES[kind]
        elements = {"T": self.element, "R": real_element(self.element)}
        return elements.get(code, code)

    def _workspaces(self, fixed: dict[str, list[str]]) -> dict[object, str]:
        """The addresses of the workspaces, and of their sizes."""
        found: dict[object, str] = {}
        kinds = [each.kind for each in self.parameters]
        for each in self.parameters:
            if each.kind not in _WORKSPACES:
                continue
            type = self._work_element(each.kind)
            if f"{each.kind}_size" in kinds:
                size = self._answer(fixed[f"asked {each.kind}"][0], type)
                narrow = self._new()
                self._say(f"{narrow} = arith.index_cast {size} : index to i32")
                found[f"{each.kind}_size"] = self._stored(narrow, "i32")
            else:
                size = self._computed_size(each.factor)
            memory = self._new()
            self._say(f"{memory} = memref.alloc({size}) : memref<?x{type}>")
            found[each.kind] = self._address(memory, f"memref<?x{type}>")
        return found

    def _answer(self, memory: str, type: str) -> str:
        """The size that the routine wrote as the first number of a workspace."""
        value, size, found = self._new(), self._new(), self._new()
        self._say(f"{value} = memref.load {memory}[] : memref<{type}>")
        if type.startswith("complex"):
            part = self._new()
            self._say(f"{part} = complex.re {value} : {type}")
            value, type = part, real_element(type)
        if type == "i32":
            self._say(f"{size} = arith.index_cast {value} : i32 to index")
        else:
            # A size over 2^24 is rounded in f32, at most by one part of 2^24.
            whole, part, sum = (self._new() for _ in range(3))
            self._say(f"{whole} = arith.fptosi {value} : {type} to i64")
            shift = self._number(23, "i64")
            self._say(f"{part} = arith.shrsi {whole}, {shift} : i64")
            self._say(f"{sum} = arith.addi {whole}, {part} : i64")
            self._say(f"{size} = arith.index_cast {sum} : i64 to index")
        self._say(f"{found} = arith.maxsi {size}, %c1 : index")
        return found

    def _computed_size(self, factor: int) -> str:
        """A size by those of the first matrix; without factor, what `gesdd` needs for reals."""
        rows, columns = self._dim(0, 2), self._dim(0, 1)
        least, most = self._new(), self._new()
        self._say(f"{least} = arith.minui {rows}, {columns} : index")
        self._say(f"{most} = arith.maxui {rows}, {columns} : index")
        if factor:
            number, product = self._number(factor, "index"), self._new()
            self._say(f"{product} = arith.muli {least}, {number} : index")
        else:
            terms = []
            for count, of in ((7, least), (2, most)):
                number, term = self._number(count, "index"), self._new()
                self._say(f"{term} = arith.muli {of}, {number} : index")
                terms.append(term)
            sum, more, product = (self._new() for _ in range(3))
            self._say(f"{sum} = arith.addi {terms[0]}, {terms[1]} : index")
            self._say(f"{more} = arith.addi {sum}, {self._number(8, 'index')} : index")
            self._say(f"{product} = arith.muli {least}, {more} : index")
        found = self._new()
        self._say(f"{found} = arith.maxui {product}, %c1 : index")
        return found

    def _emit_call(
        self,
        places: dict[object, str],
        letters: list[str],
        fixed: dict[str, list[str]],
        pointers: str,
    ) -> None:
        """Call the routine with arrays and workspaces at addresses."""
        rest = {kind: iter(values) for kind, values in fixed.items()}
        rest["letter"] = iter(letters)
        operands = []
        for each in self.parameters:
            if each.kind == "array":
                address = places[each.array]
            elif each.kind == "info":
                address = places[len(self.types) - 1]
            elif each.kind in places:
                address = places[each.kind]
            else:
                address = next(rest[each.kind])
            operands.append(self._pointer(address))
        self._say(f"llvm.call @{self.symbol}({', '.join(operands)}) : ({pointers}) -> ()")
