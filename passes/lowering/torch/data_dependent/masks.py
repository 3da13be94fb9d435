"""Masks among indices, and other operators that read or write where a mask is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.tensor_type import TensorType
from torch_refine.dialect.torch_builder import Size, TorchBuilder
from torch_refine.passes.lowering.torch.data_dependent.positions import (
    assert_equal,
    broadcast_together,
    columns,
    list_of,
    mask_of,
    parts_of,
    positions,
    rows,
)
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_MASKS = ("i1", "ui8")


def nonzero(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """`nonzero` and `argwhere` of bools."""
    return [rows(build, mask_of(build, op.operands[0]))]


def nonzero_static(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """The requested number of rows: those of `nonzero`, padded with a fill value."""
    value, asked, number = op.operands
    size, fill = constant_of(asked), constant_of(number)
    if not isinstance(size, int) or not isinstance(fill, int):
        return None
    found = rows(build, mask_of(build, value))
    rank = len(build.sizes(value))
    together = build.cat([found, build.full([size, rank], fill, "si64")])
    return [build.slice(together, 0, 0, size)]


def masked_select(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """The elements where a mask is true; operand and mask broadcast."""
    value, mask = broadcast_together(build, *op.operands)
    picked = build.index_select(build.flatten(value), 0, positions(build, mask))
    return [picked]


def masked_scatter(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """Write the elements of a source, in order, where a mask is true."""
    value, mask = broadcast_together(build, op.operands[0], op.operands[1])
    found = positions(build, mask)
    source = build.flatten(op.operands[2])
    count = build.size(found, 0)
    enough = build.at_most(count, build.size(source, 0))
    build.assert_that(
        enough, "masked_scatter: the source has fewer elements than the mask has true ones"
    )
    taken = build.slice(source, 0, 0, count)
    return [build.like(_put(build, build.flatten(value), found, taken), value)]


def index(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """Index with masks among the indices; None if there are none."""
    plan = _Indexed.of(build, op)
    if plan is None:
        return None
    alone = plan.alone()
    if alone is None:
        return [plan.with_positions(op, [])]
    value, mask, dim = alone
    rank = len(build.sizes(mask))
    return [build.index_select(build.merge(value, dim, rank), dim, positions(build, mask))]


def index_put(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """Write values where masks are true, or at as many indices as there are values.

    None if there are no masks, and the indices are not of an unknown number.
    """
    plan = _Indexed.of(build, op)
    if plan is None:
        return _put_counted(build, op)
    values = op.operands[2]
    if build.type(values).element != build.type(op.operands[0]).element:
        return None
    alone = plan.alone()
    if alone is None:
        return [plan.with_positions(op, list(op.operands)[2:])]
    value, mask, dim = alone
    is_added = constant_of(op.operands[3]) is not False
    after = len(build.sizes(value)) - dim - len(build.sizes(mask))
    if not is_added:
        chosen = _select(build, value, mask, values, after)
        if chosen is not None:
            return [build.like(chosen, op.operands[0])]
    written = _scatter(build, value, mask, dim, values, op.operands[3])
    return [build.like(written, op.operands[0])]


def _put_counted(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """Write at as many indices as there are values; None if no vector is of unknown size.

    All of those have as many elements: one of a single element would be broadcast in eager mode,
    and fails the cast here.
    """
    given = list_of(op.operands[1])
    if given is None:
        return None
    some = [(dim, each) for dim, each in enumerate(given) if each is not None]
    lasts = [build.sizes(each)[-1] for _, each in some if build.sizes(each)]
    unknown = [dim for dim, each in some if build.sizes(each) == (None,)]
    written = _last_written(build, op.operands[0], some, op.operands[2])
    if not unknown or set(lasts) - {1, None} or written in (None, 1):
        return None
    indices = [
        each if dim not in unknown else _counted(build, each, written)
        for dim, each in enumerate(given)
    ]
    type = build.type(op.results[0])
    assert type.sizes is not None, "the operand must be a tensor"
    rest = list(op.operands)[2:]
    return [
        build.op(
            "index_put",
            type.sizes,
            type.element,
            op.operands[0],
            build.optional_tensors(indices),
            *rest,
        )
    ]


def _last_written(
    build: TorchBuilder,
    value: ir.Value,
    indices: Sequence[tuple[int, ir.Value]],
    written: ir.Value,
) -> int | None:
    """The size of written values along the last dimension of indices, which have their places.

    None if it is unknown, or the values are broadcast along it.
    """
    # The other dimensions of the tensor follow those of the indices, or are around them.
    first, last = indices[0][0], indices[-1][0]
    whole = last - first + 1 == len(indices)
    after = len(build.sizes(value)) - (last + 1 if whole else len(indices))
    sizes = build.sizes(written)
    return sizes[-after - 1] if after < len(sizes) else None


def _select(
    build: TorchBuilder, value: ir.Value, mask: ir.Value, values: ir.Value, after: int
) -> ir.Value | None:
    """An elementwise select, if the same values are written wherever the mask is true."""
    sizes = build.sizes(values)
    if len(sizes) > after and sizes[len(sizes) - 1 - after] != 1:
        return None
    if len(sizes) > after:
        # The single dimension of true elements becomes one per dimension of the mask.
        for _ in range(len(build.sizes(mask)) - 1):
            values = build.unsqueeze(values, len(sizes) - 1 - after)
    for _ in range(after):
        mask = build.unsqueeze(mask, len(build.sizes(mask)))
    element = build.type(value).element
    return build.op("where.self", build.sizes(value), element, mask, values, value)


def _scatter(
    build: TorchBuilder,
    value: ir.Value,
    mask: ir.Value,
    dim: int,
    values: ir.Value,
    accumulate: ir.Value,
) -> ir.Value:
    """Scatter one value to each position where a mask is true."""
    merged = build.merge(value, dim, len(build.sizes(mask)))
    found = positions(build, mask)
    whole: list[Size] = [build.size(merged, each) for each in range(len(build.sizes(merged)))]
    whole[dim] = build.size(found, 0)
    given = build.sizes(values)
    missing = len(whole) - len(given)
    for place, size in enumerate(given):
        if size != 1:
            assert_equal(
                build,
                build.size(values, place),
                whole[missing + place],
                "index_put: the shape of the values does not broadcast to the indexed shape",
            )
    if missing or any(size == 1 and whole[place] != 1 for place, size in enumerate(given)):
        values = build.expand(values, whole)
    front, values = (build.transpose(each, 0, dim) for each in (merged, values))
    return build.transpose(_put_slices(build, front, mask, found, values, accumulate), 0, dim)


def _put_slices(
    build: TorchBuilder,
    value: ir.Value,
    mask: ir.Value,
    found: ir.Value,
    values: ir.Value,
    accumulate: ir.Value,
) -> ir.Value:
    """Write slices of the first dimension element by element.

    The wheel's conversion for slices divides by their sizes, which may be 0.
    """
    rank = len(build.sizes(value))
    if rank == 1:
        return _put(build, value, found, values, accumulate)
    mask = build.flatten(mask)
    for dim in range(1, rank):
        mask = build.unsqueeze(mask, dim)
    everywhere = build.expand(mask, [build.size(value, dim) for dim in range(rank)])
    flat = [build.flatten(each) for each in (value, everywhere, values)]
    written = _put(build, flat[0], positions(build, flat[1]), flat[2], accumulate)
    return build.like(written, value)


def _put(
    build: TorchBuilder,
    value: ir.Value,
    places: ir.Value,
    values: ir.Value,
    accumulate: ir.Value | None = None,
) -> ir.Value:
    indices = build.optional_tensors([_counted(build, places, build.sizes(values)[0])])
    added = build.boolean(False) if accumulate is None else accumulate
    element = str(build.type(value).element)
    part = parts_of(element)
    if part is not None:
        # Complex numbers are written as pairs of their parts.
        pairs, written = (
            build.op("view_as_real", (*build.sizes(each), 2), part, each)
            for each in (value, values)
        )
        found = build.op("index_put", build.sizes(pairs), part, pairs, indices, written, added)
        return build.op("view_as_complex", build.sizes(value), element, found)
    return build.op("index_put", build.sizes(value), element, value, indices, values, added)


def _counted(build: TorchBuilder, places: ir.Value, count: int | None) -> ir.Value:
    """Positions, of which there are `count`; the cast is checked at runtime."""
    if count is None or build.sizes(places)[0] is not None:
        return places
    type = build.types.parse(TensorType(True, (count,), build.type(places).element))
    return build.retyped(places, type)


@dataclass
class _Indexed:
    """A tensor and its indices, each mask with its number of dimensions, at least one."""

    build: TorchBuilder
    value: ir.Value
    indices: list[ir.Value | None]

    @classmethod
    def of(cls, build: TorchBuilder, op: ir.Operation) -> _Indexed | None:
        """The operands of an indexing op; None if there is no mask, or the ranks do not fit."""
        given = list_of(op.operands[1])
        if given is None:
            return None
        found = [None if each is None else build.types.tensor(each.type) for each in given]
        known = [
            each is None or (type is not None and type.has_rank_and_element)
            for each, type in zip(given, found, strict=True)
        ]
        if not all(known) or not any(map(_is_mask, found)):
            return None
        indices = [
            mask_of(build, each) if each is not None and _is_mask(type) else each
            for each, type in zip(given, found, strict=True)
        ]
        plan = cls(build, op.operands[0], indices)
        return plan if plan._fits() else None

    def alone(self) -> tuple[ir.Value, ir.Value, int] | None:
        """The tensor, its only index, a mask, and the first dimension of that."""
        some = [(dim, each) for dim, each in enumerate(self.indices) if each is not None]
        if len(some) != 1:
            return None
        ((dim, mask),) = some
        if len(self.build.sizes(mask)):
            return self.value, mask, dim
        return self.build.unsqueeze(self.value, dim), self.build.view(mask, [1]), dim

    def with_positions(self, op: ir.Operation, rest: Sequence[ir.Value]) -> ir.Value:
        """The same op with the positions of true elements instead of masks."""
        build = self.build
        indices: list[ir.Value | None] = []
        counts: list[Size] = []
        for each in self.indices:
            if each is None or not _is_mask(build.type(each)):
                indices.append(each)
                continue
            found = columns(build, each)
            indices += found
            counts.append(build.size(found[0], 0))
        # The other indices have a size of 1, or as many elements.
        for count in counts[1:]:
            assert_equal(
                build, counts[0], count, "masks of a tensor have different numbers of true elements"
            )
        for each in self.indices:
            if each is not None and not _is_mask(build.type(each)) and build.sizes(each):
                last = build.sizes(each)[-1]
                if last != 1:
                    size = build.size(each, len(build.sizes(each)) - 1)
                    assert_equal(
                        build,
                        counts[0],
                        size,
                        "the number of true elements of a mask is not the number of indices",
                    )
        known = self._known_count(indices, rest)
        indices = [
            each if each is None or len(build.sizes(each)) != 1 else _counted(build, each, known)
            for each in indices
        ]
        type = build.type(op.results[0])
        assert type.sizes is not None, "the operand must be a tensor"
        name = "index_put" if rest else "index.Tensor"
        return build.op(
            name, type.sizes, type.element, self.value, build.optional_tensors(indices), *rest
        )

    def _known_count(
        self, indices: Sequence[ir.Value | None], rest: Sequence[ir.Value]
    ) -> int | None:
        """The number of true elements, if the other indices or written values have it as a size.

        `indices` are those without masks.
        """
        build = self.build
        given = [(place, each) for place, each in enumerate(indices) if each is not None]
        sizes = [build.sizes(each) for _, each in given]
        found = [each[-1] for each in sizes if each]
        if rest:
            found.append(_last_written(build, self.value, given, rest[0]))
        return next((size for size in found if size is not None and size != 1), None)

    def _fits(self) -> bool:
        """Assert that masks have the sizes of the dimensions that they index; whether ranks fit."""
        build, dim = self.build, 0
        sizes = build.sizes(self.value)
        pairs: list[tuple[ir.Value, int, int]] = []
        for each in self.indices:
            if each is None or not _is_mask(build.type(each)):
                dim += 1
                continue
            rank = len(build.sizes(each))
            if dim + rank > len(sizes) or (rank == 0 and len(self.indices) > 1):
                return False
            pairs += [(each, place, dim + place) for place in range(rank)]
            dim += rank
        if dim > len(sizes):
            return False
        for mask, place, at in pairs:
            known = build.sizes(mask)[place], sizes[at]
            if None not in known and known[0] != known[1]:
                return False
            assert_equal(
                build,
                build.size(mask, place),
                build.size(self.value, at),
                f"the shape of a mask does not match that of the indexed tensor at dimension {at}",
            )
        return True


def _is_mask(type: TensorType | None) -> bool:
    return type is not None and type.element in _MASKS
