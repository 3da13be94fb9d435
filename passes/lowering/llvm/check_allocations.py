"""Assert that allocations succeed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import assert_that, create_value
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import UNALLOCATED

NO_MEMORY = f"cannot allocate {UNALLOCATED} bytes"
"""The message of a failed allocation; the runtime inserts the requested number of bytes."""
TOO_LARGE = "a tensor of this size cannot be allocated"

# Far more than any machine has. If the f64 product is this small, the i64 one is exact.
_MOST_BYTES = 1 << 60
_AT_LEAST, _NOT_EQUAL, _AT_MOST_ORDERED = 5, 1, 5
_WIDEST = 16


@dataclass
class CheckAllocations(Pass):
    """Assert that allocations succeed.

    Sizes must not be negative, their product in bytes must fit into 64 bits, and the allocation
    must succeed. The first two are checked beforehand: a product that overflows would allocate too
    little.

    Before:

    ```mlir
    func.func @f(%arg0: index) {
      %alloc = memref.alloc(%arg0) : memref<?xf32>
      memref.dealloc %alloc : memref<?xf32>
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: index) {
      %0 = arith.index_cast %arg0 : index to i64
      %c0_i64 = arith.constant 0 : i64
      %1 = arith.cmpi sge, %0, %c0_i64 : i64
      %2 = arith.sitofp %0 : i64 to f64
      %cst = arith.constant 4.000000e+00 : f64
      %3 = arith.mulf %cst, %2 : f64
      %cst_0 = arith.constant 1.152921504606847E+18 : f64
      %4 = arith.cmpf ole, %3, %cst_0 : f64
      %5 = arith.andi %1, %4 : i1
      cf.assert %5, "a tensor of this size cannot be allocated"
      %alloc = memref.alloc(%arg0) : memref<?xf32>
      %intptr = memref.extract_aligned_pointer_as_index %alloc : memref<?xf32> -> index
      %c0 = arith.constant 0 : index
      %6 = arith.cmpi ne, %intptr, %c0 : index
      cf.assert %6, "cannot allocate {bytes} bytes"
      memref.dealloc %alloc : memref<?xf32>
      return
    }
    ```
    """

    name: ClassVar[str] = "check-allocations"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Check the allocations in a module, or in one function."""
        for each in list(walk(op)):
            if each.name == "memref.alloc" and not _is_checked(each):
                with ir.InsertionPoint(each), each.location:
                    _check_size(each)
                _check_success(each)
                state.count(self.name, "allocations checked")


def _is_checked(op: ir.Operation) -> bool:
    """Whether an allocation is asserted to succeed already.

    Conditional deallocation compares the pointer, too, to find aliases.
    """
    addresses = [
        use.owner.operation.result
        for use in op.result.uses
        if use.owner.name == "memref.extract_aligned_pointer_as_index"
    ]
    compared = [
        use.owner.operation.result
        for address in addresses
        for use in address.uses
        if use.owner.name == "arith.cmpi"
    ]
    return any(use.owner.name == "cf.assert" for each in compared for use in each.uses)


def _check_size(op: ir.Operation) -> None:
    """Assert that the size of an allocation in bytes does not overflow."""
    type = ir.MemRefType(op.result.type)
    width = getattr(type.element_type, "width", None)
    bytes = _WIDEST if width is None else (width + 7) // 8
    known = bytes * math.prod(size for size in type.shape if size >= 0)
    if not len(op.operands):
        if known > _MOST_BYTES:
            assert_that(_constant(_bool(), 0), TOO_LARGE)
        return
    number, double = ir.IntegerType.get_signless(64), ir.F64Type.get()
    sizes = [create_value("arith.index_cast", number, [size]) for size in op.operands]
    signs = sizes[0]
    for size in sizes[1:]:
        signs = create_value("arith.ori", number, [signs, size])
    positive = _compare("arith.cmpi", _AT_LEAST, signs, _constant(number, 0))
    floats = [create_value("arith.sitofp", double, [size]) for size in sizes]
    total = _constant(double, float(min(known, 1 << 1000)))
    for each in floats:
        total = create_value("arith.mulf", double, [total, each])
    small = _compare("arith.cmpf", _AT_MOST_ORDERED, total, _constant(double, float(_MOST_BYTES)))
    assert_that(create_value("arith.andi", _bool(), [positive, small]), TOO_LARGE)


def _check_success(op: ir.Operation) -> None:
    """Assert that an allocation succeeded."""
    with ir.InsertionPoint.after(op), op.location:
        index = ir.IndexType.get()
        address = create_value("memref.extract_aligned_pointer_as_index", index, [op.result])
        assert_that(_compare("arith.cmpi", _NOT_EQUAL, address, _constant(index, 0)), NO_MEMORY)


def _bool() -> ir.Type:
    return ir.IntegerType.get_signless(1)


def _constant(type: ir.Type, value: float) -> ir.Value:
    attribute = (
        ir.FloatAttr.get(type, value)
        if isinstance(type, ir.F64Type)
        else ir.IntegerAttr.get(type, int(value))
    )
    return create_value("arith.constant", type, [], {"value": attribute})


def _compare(name: str, predicate: int, a: ir.Value, b: ir.Value) -> ir.Value:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
    return create_value(name, _bool(), [a, b], {"predicate": attribute})
