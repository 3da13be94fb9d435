"""Tensor types of the torch dialect as plain Python values, with meet and join.

The lattice, per dimension and for the element type: known below unknown; for the sizes as a whole,
ranked below unranked. `meet` combines two descriptions that both hold for one value; `join` is what
holds for a value of either type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from torch_refine.dialect.bindings import ir

Sizes = tuple[int | None, ...]


class Contradiction(Exception):
    """Two types cannot both describe one value."""


@dataclass(frozen=True, slots=True)
class TensorType:
    """`!torch.vtensor<[2,?],f32>` as a value.

    `sizes` has one entry per dimension, None where the size is unknown; it is None for an unranked
    tensor. `element` is the element type in the dialect's spelling (`f32`, `si64`, `!torch.qint8`),
    None if unknown. `encoding` is a sparsity or layout attribute's text.
    """

    value_semantics: bool = True
    sizes: Sizes | None = None
    element: str | None = None
    encoding: str | None = None

    def __str__(self) -> str:
        name = "!torch.vtensor" if self.value_semantics else "!torch.tensor"
        if self.sizes is None and self.element is None:
            return name
        sizes = "*"
        if self.sizes is not None:
            sizes = f"[{','.join('?' if size is None else str(size) for size in self.sizes)}]"
        encoding = "" if self.encoding is None else f",{self.encoding}"
        return f"{name}<{sizes},{self.element or 'unk'}{encoding}>"

    @property
    def is_complete(self) -> bool:
        """Whether rank, every size and the element type are known."""
        return self.has_rank_and_element and None not in (self.sizes or ())

    @property
    def has_rank_and_element(self) -> bool:
        """Whether at least rank and element type are known."""
        return self.sizes is not None and self.element is not None

    def erased(self) -> TensorType:
        """The type without inferable information: unranked and of unknown dtype."""
        return TensorType(self.value_semantics)

    def meet(self, other: TensorType) -> TensorType:
        """The meet: both types hold for one value; raises Contradiction if none can have both."""
        sizes = self.sizes if other.sizes is None else other.sizes
        if self.sizes is not None and other.sizes is not None:
            if len(self.sizes) != len(other.sizes):
                raise Contradiction(f"rank {len(self.sizes)} against rank {len(other.sizes)}")
            sizes = tuple(map(_meet_sizes, self.sizes, other.sizes))
        if self.element and other.element and self.element != other.element:
            raise Contradiction(f"dtype {self.element} against {other.element}")
        return replace(
            self,
            sizes=sizes,
            element=self.element or other.element,
            encoding=self.encoding or other.encoding,
        )

    def join(self, other: TensorType) -> TensorType:
        """The join: the value has one of the types; semantics must be equal."""
        sizes: Sizes | None = None
        if self.sizes is not None and other.sizes is not None:
            left, right = self.sizes, other.sizes
            if len(left) == len(right):
                sizes = tuple(a if a == b else None for a, b in zip(left, right, strict=True))
        return TensorType(
            self.value_semantics and other.value_semantics,
            sizes,
            self.element if self.element == other.element else None,
            self.encoding if self.encoding == other.encoding else None,
        )

    def allows(self, other: TensorType) -> bool:
        """Whether a value can have both types: their meet exists."""
        try:
            self.meet(other)
        except Contradiction:
            return False
        return True

    def refines(self, other: TensorType) -> bool:
        """Whether this type is at least as precise as `other`."""
        try:
            return self.meet(other) == self and self.value_semantics == other.value_semantics
        except Contradiction:
            return False


def _meet_sizes(left: int | None, right: int | None) -> int | None:
    if left is not None and right is not None and left != right:
        raise Contradiction(f"size {left} against {right}")
    return right if left is None else left


_TENSOR = re.compile(
    r"(?:!torch\.)?(?P<value>v?)tensor(?:<(?:\*|\[(?P<sizes>[^\]]*)\]),(?P<rest>.*)>)?", re.DOTALL
)


def parse_tensor_type(text: str) -> TensorType | None:
    """Parse a tensor type as the dialect prints it; None for any other type."""
    match = _TENSOR.fullmatch(text)
    if match is None:
        return None
    rest = match["rest"]
    if rest is None:
        return TensorType(bool(match["value"]))
    sizes = match["sizes"]
    dims: Sizes | None = None
    if sizes is not None:
        dims = tuple(None if dim == "?" else int(dim) for dim in sizes.split(",") if dim)
    element, _, encoding = rest.partition(",")
    return TensorType(
        bool(match["value"]), dims, None if element == "unk" else element, encoding or None
    )


class Types:
    """The types of one context, each parsed and printed once.

    Comparing and hashing types of the bindings is cheap; printing is not. The cache keeps its
    context alive, so it must not outlive a run of a pass or pipeline.
    """

    def __init__(self, context: ir.Context) -> None:
        self.context = context
        self._tensors: dict[ir.Type, TensorType | None] = {}
        self._texts: dict[ir.Type, str] = {}
        self._parsed: dict[str, ir.Type] = {}

    def tensor(self, type: ir.Type) -> TensorType | None:
        """The tensor type as a value, or None if `type` is not a tensor type."""
        if type not in self._tensors:
            self._tensors[type] = parse_tensor_type(self.text(type))
        return self._tensors[type]

    def text(self, type: ir.Type) -> str:
        """The printed type."""
        text = self._texts.get(type)
        if text is None:
            text = self._texts[type] = str(type)
        return text

    def parse(self, type: str | TensorType) -> ir.Type:
        """Parse a type from text or from a tensor type."""
        text = type if isinstance(type, str) else str(type)
        parsed = self._parsed.get(text)
        if parsed is None:
            parsed = self._parsed[text] = ir.Type.parse(text, self.context)
        return parsed
