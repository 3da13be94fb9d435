"""Positions where masks are true, which the other decompositions use."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.torch_builder import Size, TorchBuilder, broadcast
from torch_refine.passes.lowering.torch.seen_ops import constant_of


def parts_of(element: str) -> str | None:
    """The element type of the parts of complex elements; None for others."""
    return {"complex<f32>": "f32", "complex<f64>": "f64"}.get(element)


def mask_of(build: TorchBuilder, value: ir.Value) -> ir.Value:
    """Whether each element is not zero."""
    element = str(build.type(value).element)
    if element == "i1":
        return value
    sizes = build.sizes(value)
    part = parts_of(element)
    if part is None:
        return build.with_number("ne.Scalar", "i1", value, 0)
    parts = build.op("view_as_real", (*sizes, 2), part, value)
    nonzero = build.with_number("ne.Scalar", "i1", parts, 0)
    sides = [build.select(nonzero, len(sizes), place) for place in (0, 1)]
    return build.op("logical_or", sizes, "i1", *sides)


def rows(build: TorchBuilder, mask: ir.Value) -> ir.Value:
    """The indices of true elements, one row each."""
    rank = len(build.sizes(mask))
    if rank:
        return build.op("nonzero", (None, rank), "si64", mask)
    return build.slice(rows(build, build.view(mask, [1])), 1, 0, 0)


def positions(build: TorchBuilder, mask: ir.Value) -> ir.Value:
    """The indices of true elements of the flattened mask."""
    return build.squeeze(rows(build, build.flatten(mask)), 1)


def columns(build: TorchBuilder, mask: ir.Value) -> list[ir.Value]:
    """The indices of true elements, one vector per dimension."""
    found = rows(build, mask)
    return [build.select(found, 1, dim) for dim in range(len(build.sizes(mask)))]


def broadcast_together(build: TorchBuilder, a: ir.Value, b: ir.Value) -> list[ir.Value]:
    """Broadcast two tensors against each other; unknown dynamic sizes must be equal."""
    target: list[Size] = []
    together = broadcast(build.sizes(a), build.sizes(b))
    for place, known in enumerate(together):
        sizes = [
            build.size(each, place - (len(together) - len(build.sizes(each))))
            for each in (a, b)
            if place >= len(together) - len(build.sizes(each))
        ]
        # Dimensions that are statically 1 are expanded, or all dimensions.
        given = [size for size in sizes if size != 1 or isinstance(size, ir.Value)] or [1]
        if len(given) > 1:
            assert_equal(build, given[0], given[1], "sizes do not broadcast")
        target.append(given[0] if known is None else known)
    return [_expanded(build, each, target, together) for each in (a, b)]


def _expanded(
    build: TorchBuilder, value: ir.Value, target: list[Size], known: list[int | None]
) -> ir.Value:
    sizes = build.sizes(value)
    is_whole = len(sizes) == len(target) and not any(
        size == 1 and other != 1 for size, other in zip(sizes, known, strict=True)
    )
    return value if is_whole else build.expand(value, target)


def assert_equal(build: TorchBuilder, a: Size, b: Size, message: str) -> None:
    """Assert that two sizes are equal, unless they statically are."""
    if isinstance(a, int) and isinstance(b, int) and a == b:
        return
    build.assert_that(build.equal(a, b), message)


def list_of(value: ir.Value) -> list[ir.Value | None] | None:
    """The tensors and Nones of a list that is constructed for its op; None for any other list."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "torch.prim.ListConstruct":
        return None
    return [None if str(each.type) == "!torch.none" else each for each in owner.operands]


def flag(value: ir.Value) -> bool:
    """The value of a constant bool."""
    return constant_of(value) is True
