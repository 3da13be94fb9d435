"""Integer keys, in whose order elements of numbers are sorted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import Number, constant, create_value, index_type
from torch_refine.passes.lowering.templates import Templates

DIGIT_BITS = 8
"""The bits of a digit of a radix sort."""
# The bits of places in rows that are not too long.
_PLACE_BITS = 32
_TEXT = Path(__file__).with_name("radix_sort.mlir")
# The bits of keys of elements. A rank must fit, too.
_BITS = {
    "i8": 16, "i16": 16, "i32": 32, "i64": 64,
    "f16": 16, "bf16": 16, "f32": 32, "f64": 64,
}  # fmt: skip
_VECTOR_BITS = 256
# The longest rows whose elements are ranked, by the bits of keys. A radix sort of longer ones takes
# less time: of 96 elements twice as much for f32, and four times as much for i64.
_MOST_RANKED = {16: 256, 32: 192, 64: 128}
_INFINITY = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF0000000000000}
# The predicates that compare integers: whether the order is descending, and whether it is unsigned.
_OF_INTEGERS = {3: (False, False), 5: (True, False), 7: (False, True), 9: (True, True)}
# `ole` and `oge`: whether the order is descending, and the argument that may be NaN.
_OF_FLOATS = {5: (False, 1), 3: (True, 0)}
_UNORDERED = 14


class Order(NamedTuple):
    """A total order of elements: the operand of the sort that has them, and how they compare."""

    operand: int
    is_descending: bool
    is_unsigned: bool


def order_of(op: ir.Operation) -> Order | None:
    """The order of a sort whose comparator is that of PyTorch; None for others.

    It compares integers, or floats of which NaN is the greatest.
    """
    block = op.regions[0].blocks[0]
    *ops, last = operations(block)
    arguments = list(block.arguments)
    if not ops or last.operands[0] != ops[-1].result or ops[0].operands[0] not in arguments:
        return None
    operand = arguments.index(ops[0].operands[0]) // 2
    pair = arguments[2 * operand : 2 * operand + 2]
    if str(pair[0].type) not in _BITS or list(ops[0].operands) != pair:
        return None
    names = [each.name for each in ops]
    if names == ["arith.cmpi"] and _predicate(ops[0]) in _OF_INTEGERS:
        return Order(operand, *_OF_INTEGERS[_predicate(ops[0])])
    if names != ["arith.cmpf", "arith.cmpf", "arith.ori"] or _predicate(ops[0]) not in _OF_FLOATS:
        return None
    is_descending, unordered = _OF_FLOATS[_predicate(ops[0])]
    is_nan_greatest = (
        _predicate(ops[1]) == _UNORDERED
        and list(ops[1].operands) == [pair[unordered]] * 2
        and set(ops[2].operands) == {ops[0].result, ops[1].result}
    )
    return Order(operand, is_descending, False) if is_nan_greatest else None


def _predicate(op: ir.Operation) -> int:
    return int(ir.IntegerAttr(op.attributes["predicate"]).value)


class Keys:
    """The keys of elements, and the functions that sort rows of them.

    A radix sort sorts items: keys, with the places of their elements. If both fit into 64 bits,
    they are packed; otherwise, places are in memory of their own.
    """

    def __init__(self, element: ir.Type, order: Order, count: Number) -> None:
        """For rows of so many elements."""
        self.element = str(element)
        self.order = order
        self.bits = _BITS[self.element]
        has_narrow_places = isinstance(count, int) and count < 1 << _PLACE_BITS
        self.is_packed = self.bits <= _PLACE_BITS and has_narrow_places
        self.lanes = _VECTOR_BITS // self.bits
        self.most_ranked = _MOST_RANKED[self.bits]
        ranked = min(count, self.most_ranked) if isinstance(count, int) else self.most_ranked
        self.padded = -(-ranked // self.lanes) * self.lanes
        self.digits = self.bits // DIGIT_BITS
        self.type = ir.IntegerType.get_signless(self.bits)
        self.place = ir.IntegerType.get_signless(_PLACE_BITS) if has_narrow_places else index_type()
        self.item = ir.IntegerType.get_signless(2 * _PLACE_BITS if self.is_packed else self.bits)
        self._templates = Templates(self._text(count), element.context)

    def _text(self, count: Number) -> str:
        """The text of the functions for these types and sizes."""
        main, key, counting, moving = _TEXT.read_text(encoding="utf-8").split("// -----")
        lowest = _PLACE_BITS if self.is_packed else 0
        halves = 2 * count if isinstance(count, int) else "?"
        pieces = [
            counting.replace("@N", str(number)).replace("@SHIFT", str(lowest + DIGIT_BITS * number))
            for number in range(self.digits)
        ]
        text = main.replace("@COUNT_DIGITS", "".join(pieces))
        text = text.replace("@PLACES", "" if self.is_packed else "%places: memref<$HALVESx$PLACE>,")
        text = text.replace("@MOVE_PLACE", "" if self.is_packed else moving)
        values = {
            "ELEMENT": self.element,
            "KEY": self.type,
            "ITEM": self.item,
            "PLACE": self.place,
            "LANES": self.lanes,
            "LANE_NUMBERS": ", ".join(map(str, range(self.lanes))),
            "PADDED": self.padded,
            "HALVES": halves,
            "DIGITS": self.digits,
            "LOWEST": lowest,
            "GREATEST": (1 << (self.bits - 1)) - 1,
            "INFINITY": _INFINITY.get(self.element),
        }
        names = "|".join(sorted(values, key=len, reverse=True))
        text += key if self.element in _INFINITY else ""
        return re.sub(rf"\$({names})", lambda found: str(values[found[1]]), text)

    def of(self, number: ir.Value) -> ir.Value:
        """The key of an element, a signed integer that is less if the element comes first."""
        key = number
        if self.element in _INFINITY:
            (key,) = self._templates.put("key_of_float", [number]).results
        elif number.type != self.type:
            name = "arith.extui" if self.order.is_unsigned else "arith.extsi"
            key = create_value(name, self.type, [number])
        elif self.order.is_unsigned:
            key = self._with_flipped_sign(number)
        if self.order.is_descending:
            key = create_value("arith.xori", self.type, [key, constant(self.type, -1)])
        return key

    def item_of(self, number: ir.Value, place: ir.Value) -> ir.Value:
        """The item of an element: its key as an unsigned integer, and its place if it is packed."""
        key = self._with_flipped_sign(self.of(number))
        if not self.is_packed:
            return key
        wide = create_value("arith.extui", self.item, [key])
        high = create_value("arith.shli", self.item, [wide, constant(self.item, _PLACE_BITS)])
        low = create_value("arith.index_cast", self.item, [place])
        return create_value("arith.ori", self.item, [high, low])

    def place_of(self, number: ir.Value) -> ir.Value:
        """The place of an element from its index."""
        is_index = self.place == number.type
        return number if is_index else create_value("arith.index_cast", self.place, [number])

    def index_of(self, place: ir.Value) -> ir.Value:
        """The index of an element from its place, or from the packed item that has it."""
        if self.is_packed:
            place = create_value("arith.trunci", self.place, [place])
        is_index = place.type == index_type()
        return place if is_index else create_value("arith.index_castui", index_type(), [place])

    def _with_flipped_sign(self, key: ir.Value) -> ir.Value:
        sign = constant(self.type, -1 << (self.bits - 1))
        return create_value("arith.xori", self.type, [key, sign])

    def rank(self, keys: ir.Value, ranks: ir.Value, count: ir.Value) -> None:
        """Compute the ranks of elements from their keys, both in padded memory."""
        self._templates.put("rank", [keys, ranks, count])

    def sort(self, memory: list[ir.Value], count: ir.Value) -> ir.Value:
        """Sort items; returns where they start in the end, the half of their memory.

        Args:
            memory: two halves of items, two of places unless those are packed, and counts of digits
            count: the number of items, not 0
        """
        return self._templates.put("radix_sort", [*memory, count]).results[0]
