"""Tensor types of the torch dialect as plain Python values, with meet and join.

The lattice, per dimension and for the element type: known below unknown; for the sizes as a whole,
a list of dimensions below unranked. `meet` combines two things that are both true of one value;
`join` is what is true of either of two values.
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

    `sizes` has one entry per dimension, None where the size is unknown; it is None itself when not
    even the rank is known. `element` is the element type as the dialect spells it (`f32`, `si64`,
    `!torch.qint8`), None when unknown. `encoding` is a sparsity or layout attribute's text.
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
        """The type without anything that can be inferred."""
        return TensorType(self.value_semantics)

    def meet(self, other: TensorType) -> TensorType:
        """What holds when both types describe the same value; Contradiction when nothing can."""
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
        """What holds of a value that one of the types describes; semantics must be equal."""
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
        """Whether a value can have both types."""
        try:
            self.meet(other)
        except Contradiction:
            return False
        return True

    def refines(self, other: TensorType) -> bool:
        """Whether everything that `other` says, this type says too."""
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
    """The tensor type that `text` spells, as the dialect prints it; None for any other type."""
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
    """The types of one context, each read and written as text once.

    Comparing and hashing a type of the bindings is cheap; printing one is not. The cache holds its
    context alive, so it lives as long as one run of a pass or pipeline, not longer.
    """

    def __init__(self, context: ir.Context) -> None:
        self.context = context
        self._tensors: dict[ir.Type, TensorType | None] = {}
        self._texts: dict[ir.Type, str] = {}
        self._parsed: dict[str, ir.Type] = {}

    def tensor(self, type: ir.Type) -> TensorType | None:
        """The tensor type as a value, or None when `type` is not a tensor type."""
        if type not in self._tensors:
            self._tensors[type] = parse_tensor_type(self.text(type))
        return self._tensors[type]

    def text(self, type: ir.Type) -> str:
        """How the type prints."""
        text = self._texts.get(type)
        if text is None:
            text = self._texts[type] = str(type)
        return text

    def parse(self, type: str | TensorType) -> ir.Type:
        """The type that a text or a tensor type stands for."""
        text = type if isinstance(type, str) else str(type)
        parsed = self._parsed.get(text)
        if parsed is None:
            parsed = self._parsed[text] = ir.Type.parse(text, self.context)
        return parsed
