"""Messages of library functions show dtypes by name, not by number.

In TorchScript a dtype is an int; the interpreter prints the ints of a message as dtypes if the
message contains the word dtype.
"""

import pytest
from torch_refine.abstract_interp_lib.scalar_types import NAMES, NUMBERS
from torch_refine.abstract_interpreter.running.folding import format_message
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.library import LIBRARY, functions_in

# The types of tensors in dtype functions; the dtype is the second element.
_PAIRS = ("tuple<int, int>", "tuple<list<int>, int>")
# Operations whose results are not dtypes.
_SIZES = ("torch.aten.len.t", "torch.aten.size", "torch.aten.__getitem__.t")


def _instructions(block):
    for instruction in block.instructions:
        yield instruction
        for inner in instruction.blocks:
            yield from _instructions(inner)


def _messages(program):
    """The messages that a function formats, each with whether it shows a dtype or a size."""
    constants = dict(program.constants)
    kinds = dict(zip(program.block.parameters, program.parameters, strict=True))
    dtypes, sizes = set(), set()
    for instruction in _instructions(program.block):
        operands = instruction.operands
        kinds.update(zip(instruction.results, instruction.kinds, strict=True))
        if instruction.name == "torch.prim.TupleIndex" and kinds.get(operands[0]) in _PAIRS:
            (dtypes if constants[operands[1]] == 1 else sizes).update(instruction.results)
        elif instruction.name == "torch.derefine":
            for found in (dtypes, sizes):
                found.update(instruction.results if operands[0] in found else ())
        elif instruction.name in _SIZES:
            sizes.update(instruction.results)
        elif instruction.name == "torch.aten.format":
            shown = set(operands[1:])
            yield constants[operands[0]], bool(shown & dtypes), bool(shown & sizes)


def test_messages_with_dtypes_contain_the_word_dtype():
    programs = Programs()
    found = [
        (symbol, *message)
        for symbol in functions_in(LIBRARY.read_text(encoding="utf-8"))
        for message in _messages(programs.find(symbol))
    ]
    assert sum(shows_dtype for _, _, shows_dtype, _ in found) > 100
    unnamed = [each for each in found if each[2] and "dtype" not in each[1]]
    assert unnamed == [], "a message that shows a dtype has the word dtype"
    mixed = [each for each in found if each[3] and "dtype" in each[1]]
    assert mixed == [], "a message that shows dtypes shows no other ints"


@pytest.mark.parametrize(
    ("template", "values", "message"),
    [
        ("dtypes must match, got {} and {}", (6, 7), "dtypes must match, got float32 and float64"),
        ("dtype must be quantized, got {}", (None,), "dtype must be quantized, got None"),
        ("got dtypes {}", ([0, 11],), "got dtypes [uint8, bool]"),
        ("{} must be of dtype int64, got {}", ("i", 3), "i must be of dtype int64, got int32"),
        ("got dtype {}", (NotImplemented,), "got dtype ?"),
        ("got dtype {}", (len(NAMES),), f"got dtype {len(NAMES)}"),
        ("sizes must match, got {} and {}", (6, 7), "sizes must match, got 6 and 7"),
        ("got {} of dtype {}", (True, NUMBERS["float16"]), "got True of dtype float16"),
    ],
)
def test_ints_are_formatted_as_dtypes(template, values, message):
    assert format_message(template, *values) == message
