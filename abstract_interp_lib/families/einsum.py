"""Einstein sums: products and sums that an equation with a letter per dimension describes.

An equation is read with the few string operations that calculations have: what was read so far is
made longer by the symbol with which the equation still starts with it.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_function,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.either import either_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_integral, promote_list
from torch_refine.abstract_interp_lib.rules.sizes import append_size

# Symbols are numbers: a blank is 0, these three follow, then the letters. The numbers of letters
# are their labels. Dimensions that an ellipsis covers have labels, too: the last dimension the
# first one after those of the letters, and so on.


def comma() -> int:
    """What stands between the operands."""
    return 1


def arrow() -> int:
    """What stands before the result."""
    return 2


def ellipsis() -> int:
    """What stands for the dimensions without a letter."""
    return 3


def first_letter() -> int:
    """The letter a."""
    return 4


def last_letter() -> int:
    """The letter Z."""
    return 55


def symbols() -> List[str]:
    """What an equation is made of; blanks mean nothing."""
    # fmt: off
    return [
        " ", ",", "->", "...",
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
        "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
        "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
        "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z",
    ]
    # fmt: on


def read_equation(equation: str) -> List[int]:
    """The numbers of the symbols of an equation, without blanks."""
    known = symbols()
    out: List[int] = []
    read = ""
    while read != equation:
        number = 0
        while number < len(known) and not equation.startswith(read + known[number]):
            number = number + 1
        assert number < len(known), (
            f"aten::einsum: '{read}' is not followed by a letter, ',', '->' or '...' in '{equation}'"
        )
        read = read + known[number]
        if number > 0:
            out.append(number)
    return out


def operand_symbols(equation: List[int]) -> List[List[int]]:
    """What stands between commas, up to the arrow."""
    end = equation.index(arrow()) if arrow() in equation else len(equation)
    none: List[int] = []
    out: List[List[int]] = []
    operand = none
    for symbol in equation[:end]:
        if symbol == comma():
            out.append(operand)
            operand = none
        else:
            operand = append_size(operand, symbol)
    out.append(operand)
    return out


def labels_of(operand: List[int], covered: int) -> List[int]:
    """A label for each dimension, where an ellipsis covers as many as said."""
    out: List[int] = []
    for symbol in operand:
        if symbol == ellipsis():
            for index in range(covered):
                out.append(last_letter() + covered - index)
        else:
            out.append(symbol)
    return out


def operand_labels(equation: List[int], ranks: List[int]) -> List[List[int]]:
    """A label for each dimension of each operand."""
    operands = operand_symbols(equation)
    assert len(operands) == len(ranks), (
        f"aten::einsum: the equation is for {len(operands)} operands, got {len(ranks)}"
    )
    out: List[List[int]] = []
    for index in range(len(ranks)):
        ellipses = operands[index].count(ellipsis())
        covered = ranks[index] + ellipses - len(operands[index])
        assert (ellipses == 0 and covered == 0) or (ellipses == 1 and covered >= 0), (
            f"aten::einsum: operand {index} has rank {ranks[index]}, the equation says otherwise"
        )
        out.append(labels_of(operands[index], covered))
    return out


def joined(labels: List[List[int]]) -> List[int]:
    """The labels of all operands."""
    out: List[int] = []
    for operand in labels:
        out = out + operand
    return out


def output_labels(equation: List[int], labels: List[List[int]]) -> List[int]:
    """A label for each dimension of the result.

    Without an arrow these are the ones that an ellipsis covers, and the letters that appear once,
    capitals first.
    """
    given = joined(labels)
    covered = 0
    for label in given:
        covered = max(covered, label - last_letter())
    if arrow() in equation:
        out = labels_of(equation[equation.index(arrow()) + 1 :], covered)
        for label in out:
            assert out.count(label) == 1 and label in given, (
                "aten::einsum: each label of the result must be one of the operands', and appear "
                f"once, got symbols {equation}"
            )
    else:
        out = labels_of([ellipsis()], covered)
        for index in range(52):
            label = first_letter() + (index + 26) % 52
            if given.count(label) == 1:
                out.append(label)
    return out


def check_diagonals(labels: List[int], sizes: List[int]) -> None:
    """Raise unless dimensions of one operand with one label are of one size."""
    for index in range(len(labels)):
        first = labels.index(labels[index])
        assert first == index or sizes[first] == sizes[index], (
            f"aten::einsum: dimensions {first} and {index} of shape {sizes} must match"
        )


def label_size(label: int, labels: List[List[int]], tensors: List[List[int]]) -> int:
    """The size to which the dimensions with a label broadcast."""
    size = 1
    for index in range(len(labels)):
        if label in labels[index]:
            given = tensors[index][labels[index].index(label)]
            size = broadcast_two([size], [given])[0]
    return size


@shape_function(
    "aten::einsum",
    ok=[
        Invocation("ij,jk->ik", [T(2, 3), T(3, 4)]),
        Invocation("ij,jk", [T(2, 3), T(3, 4)]),
        Invocation("ba", [T(2, 3)]),
        Invocation("aB", [T(2, 3)]),
        Invocation(" b h i d , b h j d -> b h i j ", [T(2, 4, 3, 5), T(2, 4, 6, 5)]),
        Invocation("ii", [T(3, 3)]),
        Invocation("ii->i", [T(3, 3)]),
        Invocation("iji->j", [T(3, 2, 3)]),
        Invocation("...ij,...jk->...ik", [T(5, 1, 2, 3), T(7, 3, 4)]),
        Invocation("...ij,...jk", [T(2, 3), T(7, 3, 4)]),
        Invocation("i...->...", [T(2, 3, 4)]),
        Invocation("...->", [T(2, 3)]),
        Invocation("...ij->j...i", [T(5, 6, 2, 3)]),
        Invocation("i,i->", [T(1), T(3)]),
        Invocation("i,j,k->kji", [T(2), T(3), T(4)]),
        Invocation(",->", [T(), T()]),
        Invocation("", [T()]),
        Invocation("...", [T(2)]),
        Invocation("ij->...ji", [T(2, 3)]),
        Invocation("bn,anm,bm->ba", [T(2, 5), T(3, 5, 4), T(2, 4)], path=[0, 1, 0, 1]),
        Invocation("ij,jk->ik", [T(0, 3), T(3, 4)]),
        Invocation("ij,jk->ik", [T(2, 0), T(0, 4)]),
    ],
    error=[
        Invocation("ij,jk->ik", [T(2, 3), T(4, 4)]),
        Invocation("ij,jk->ik", [T(2, 3)]),
        Invocation("ij->i", [T(2, 3), T(2, 3)]),
        Invocation("ij->i", [T(2, 3, 4)]),
        Invocation("ij...k->i", [T(2, 3)]),
        Invocation("......->", [T(2, 3)]),
        Invocation("ii->i", [T(2, 3)]),
        Invocation("ij->k", [T(2, 3)]),
        Invocation("ij->ii", [T(2, 3)]),
        Invocation("ij->i,j", [T(2, 3)]),
        Invocation("i1->i", [T(2, 3)]),
        Invocation("i.j->i", [T(2, 3)]),
        Invocation("ij-i", [T(2, 3)]),
        Invocation("...i,...i->...i", [T(2, 3), T(4, 3)]),
    ],
)
def einsum(equation: str, tensors: List[List[int]], path: Optional[List[int]] = None) -> List[int]:
    """The sizes that the labels of the result have in the operands (`torch.einsum`)."""
    read = read_equation(equation)
    ranks = [len(tensor) for tensor in tensors]
    labels = operand_labels(read, ranks)
    wanted = output_labels(read, labels)
    for index in range(len(tensors)):
        check_diagonals(labels[index], tensors[index])
    for label in joined(labels):
        if label not in wanted:
            label_size(label, labels, tensors)
    return [label_size(label, labels, tensors) for label in wanted]


def sums_a_dimension(equation: str, rank: int) -> bool:
    """Whether an equation for one operand has a label that its result has not."""
    read = read_equation(equation)
    labels = operand_labels(read, [rank])
    wanted = output_labels(read, labels)
    out = False
    for label in labels[0]:
        out = out or label not in wanted
    return out


@dtype_function(
    "aten::einsum",
    ok=[
        Invocation("ij,jk->ik", [T(2, 3, dtype=torch.bfloat16), T(3, 4, dtype=torch.bfloat16)]),
        Invocation("ij,jk->ik", [T(2, 3, dtype=torch.int64), T(3, 4, dtype=torch.int64)]),
        Invocation("ij,jk->ik", [T(2, 3, dtype=torch.int32), T(3, 4, dtype=torch.int32)]),
        Invocation("ij,jk", [T(2, 3, dtype=torch.complex64), T(3, 4, dtype=torch.complex64)]),
        Invocation("i,j->ij", [T(2, dtype=torch.bool), T(3, dtype=torch.bool)]),
        Invocation("i,j->ij", [T(2, dtype=torch.float16), T(3, dtype=torch.bfloat16)]),
        Invocation("i,j->ij", [T(2, dtype=torch.float16), T(3, dtype=torch.int64)]),
        Invocation(",->", [T(dtype=torch.float16), T(dtype=torch.float64)]),
        Invocation("i,->i", [T(2, dtype=torch.float16), T(dtype=torch.float64)]),
        Invocation("ij->i", [T(2, 3, dtype=torch.int32)]),
        Invocation("ij->ji", [T(2, 3, dtype=torch.int32)]),
        Invocation("ii", [T(3, 3, dtype=torch.bool)]),
        Invocation("ii->i", [T(3, 3, dtype=torch.bool)]),
        Invocation("...i->i", [T(3, 3, dtype=torch.uint8)]),
    ],
)
def einsum_dtype(
    equation: str, tensors: List[Tuple[int, int]], path: Optional[List[int]] = None
) -> int:
    """The dtype of the operands; what the sum of one operand of small integers gives is int64.

    Of several operands, small integers are summed alone where another operand has no dimension for
    them, or one of size 1. Operands of different dtypes promote, but not where there is no entry.
    """
    operands: List[Tuple[int, int]] = []
    for tensor in tensors:
        operands.append((1, tensor[1]))
    dtype = promote_list(operands)
    other = torch.int64 if is_integral(dtype) else dtype
    if len(tensors) == 1:
        if other != dtype and sums_a_dimension(equation, tensors[0][0]):
            dtype = torch.int64
    else:
        for tensor in tensors:
            if tensor[1] != dtype:
                other = tensor[1]
        if other != dtype:
            dtype = either_dtype(dtype, other)
    return dtype
