"""The labels of dimensions in an equation of `einsum`."""

from typing import List

from torch_refine.abstract_interp_lib.rules.sizes import append_size

# Einstein summation.
#
# An equation is parsed with the few string operations of TorchScript that the interpreter supports:
# the parsed prefix is extended by the symbol with which the equation still starts with it.

# Symbols are numbered: a blank is 0, then `comma`, `arrow`, `ellipsis`, then the letters. The
# number of a letter is its label. Dimensions covered by an ellipsis have labels after those of the
# letters, starting with the last dimension.


def comma() -> int:
    """The symbol that separates operands."""
    return 1


def arrow() -> int:
    """The symbol that precedes the output."""
    return 2


def ellipsis() -> int:
    """The symbol for the dimensions without a letter."""
    return 3


def first_letter() -> int:
    """The letter a."""
    return 4


def last_letter() -> int:
    """The letter Z."""
    return 55


def symbols() -> List[str]:
    """The symbols of an equation by number; blanks are ignored."""
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
    """The symbols of an equation, without blanks."""
    known = symbols()
    out: List[int] = []
    read = ""
    while read != equation:
        number = 0
        while number < len(known) and not equation.startswith(read + known[number]):
            number = number + 1
        assert number < len(known), (
            f"aten::einsum: '{read}' is not followed by a letter, ',', '->' or '...' in "
            f"'{equation}'"
        )
        read = read + known[number]
        if number > 0:
            out.append(number)
    return out


def operand_symbols(equation: List[int]) -> List[List[int]]:
    """The symbols of each operand: separated by commas, up to the arrow."""
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
    """A label per dimension; an ellipsis covers `covered` dimensions."""
    out: List[int] = []
    for symbol in operand:
        if symbol == ellipsis():
            for index in range(covered):
                out.append(last_letter() + covered - index)
        else:
            out.append(symbol)
    return out


def operand_labels(equation: List[int], ranks: List[int]) -> List[List[int]]:
    """A label per dimension of each operand."""
    operands = operand_symbols(equation)
    assert len(operands) == len(ranks), (
        f"aten::einsum: the equation is for {len(operands)} operands, got {len(ranks)}"
    )
    out: List[List[int]] = []
    for index in range(len(ranks)):
        ellipses = operands[index].count(ellipsis())
        covered = ranks[index] + ellipses - len(operands[index])
        assert (ellipses == 0 and covered == 0) or (ellipses == 1 and covered >= 0), (
            f"aten::einsum: the subscripts do not match operand {index} of rank {ranks[index]}"
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
    """A label per dimension of the result.

    Without an arrow, these are the dimensions of the ellipsis and the letters that appear once, in
    order, capitals first.
    """
    given = joined(labels)
    covered = 0
    for label in given:
        covered = max(covered, label - last_letter())
    if arrow() in equation:
        out = labels_of(equation[equation.index(arrow()) + 1 :], covered)
        for label in out:
            assert out.count(label) == 1 and label in given, (
                "aten::einsum: output subscripts must be unique and in an operand, got symbols "
                f"{equation}"
            )
    else:
        out = labels_of([ellipsis()], covered)
        for index in range(52):
            label = first_letter() + (index + 26) % 52
            if given.count(label) == 1:
                out.append(label)
    return out
