"""The lines of Python that branches of library functions come from."""

import re

from torch_refine.abstract_interpreter.running import library_lines
from torch_refine.abstract_interpreter.running.library import Programs, _shipped_library
from torch_refine.abstract_interpreter.running.library_lines import place_of

PROGRAMS = Programs()


def _deciding():
    for symbol in _shipped_library()._places:
        program = PROGRAMS.find(symbol)
        for instruction in library_lines._deciding(program.block):
            yield symbol, program, instruction


def test_every_decision_has_a_line_that_decides():
    words = re.compile(
        r"\b(if|elif|else|assert|and|or|for|while|return|not|min|max|any|all)\b|unknown"
    )
    wrong, found = [], 0
    for symbol, program, instruction in _deciding():
        place = place_of(symbol, program, instruction)
        if place is None:
            wrong.append(symbol)
        elif instruction.name.startswith("torch_refine.unknown"):
            found += 1
            assert "unknown" in place.text or instruction.name in place.text, place
        elif words.search(place.text) is None:
            wrong.append(f"{place}: {place.text}")
    assert found > 20
    # A call or an expression of several lines has the line of its start.
    assert len(wrong) < 100, wrong


def test_a_function_that_decides_nothing_has_its_first_line():
    symbol = "__torch__.torch_refine.abstract_interp_lib.rules.linalg.matrix_product"
    program = PROGRAMS.find(symbol)
    place = place_of(symbol, program, program.block.instructions[0])
    assert place.file == "rules/linalg.py"
    assert place.text.startswith("def matrix_product(")
    assert str(place) == f"abstract_interp_lib/rules/linalg.py:{place.line}"


def test_a_function_that_is_not_of_the_library():
    program = PROGRAMS.find("__torch_mlir_shape_fn.aten.relu")
    assert place_of("__torch_mlir_shape_fn.my.op", program, program.block.instructions[0]) is None
