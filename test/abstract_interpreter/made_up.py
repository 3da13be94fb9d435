"""Randomly generated TorchScript functions: statements over two ints, a bool and three lists."""

import itertools

import torch
from hypothesis import strategies
from hypothesis.strategies import sampled_from, tuples

RESULT = "i, j, flag, a, b, m"
# PyTorch folds constants when it compiles, and a division by zero then ends the process: it must
# not see that two ints are constant.
HEAD = """\
def f(c: bool, d: bool, n: int, x: list[int]
      ) -> tuple[int, int, bool, list[int], list[int], list[list[int]]]:
    i, j, flag, fuel = n - n, n - n + 1, False, 6
    a, b = [1, 4], [2, 3]
    m: list[list[int]] = [[5], [6, 7]]
"""

_LEAVES = sampled_from(
    ["i", "i", "j", "j", "n", "n", "0", "1", "2", "-1", "len(a)", "len(b)", "len(x)", "len(m)",
     "a[0]", "b[-1]", "x[0]", "x[-1]", "a[i % len(a)]", "b[j]", "len(m[0])", "m[0][0]", "m[-1][-1]"]
)  # fmt: skip
_PLACES = sampled_from(["0", "0", "-1", "1", "i", "j", "n % 2"])


def _built(text, *parts):
    # Deferred strategies are shown by name in messages.
    return strategies.deferred(lambda: tuples(*parts).map(lambda found: text.format(*found)))


def _named(*choices):
    return strategies.deferred(lambda: strategies.one_of(*choices))


INTS = _named(
    _LEAVES,
    _built("{} + {}", _LEAVES, _LEAVES),
    _built("{} - {}", _LEAVES, _LEAVES),
    _built("({}) * {}", _LEAVES, sampled_from(["2", "-1", "3"])),
    _built("({} * {}) % 7", _LEAVES, _LEAVES),
    _built("{} // {}", _LEAVES, sampled_from(["2", "3", "i", "j", "-2"])),
    _built("{} % {}", _LEAVES, sampled_from(["2", "3", "j"])),
    _built("min({}, {})", _LEAVES, _LEAVES),
    _built("max({}, {})", _LEAVES, _LEAVES),
)
_COMPARISONS = _built("{} {} {}", _LEAVES, sampled_from(["<", "<=", "==", "!=", ">"]), _LEAVES)
_BOOLS = sampled_from(["c", "d", "flag"]) | _COMPARISONS
CONDITIONS = _named(
    _BOOLS,
    _built("not {}", sampled_from(["c", "d", "flag"])),
    _built("({}) and ({})", _BOOLS, _BOOLS),
    _built("({}) or ({})", _BOOLS, _BOOLS),
)
_NAMES = sampled_from(["a", "b"])
LISTS = _named(
    sampled_from(["a", "b", "x", "m[0]", "m[-1]", "a[:]", "x[1:]", "b[:-1]", "a + b", "a + x"]),
    _built("[{}]", INTS),
    _built("[{}, {}]", _LEAVES, _LEAVES),
    _built("(a if {} else b)", _BOOLS),
    _built("m[{}]", _PLACES),
)
SIMPLE = _named(
    _built("{} = {}", sampled_from(["i", "j"]), INTS),
    _built("{} += {}", sampled_from(["i", "j"]), sampled_from(["1", "2", "-1"])),
    _built("{} = {}", _NAMES, LISTS),
    _built("{}.append({})", _NAMES, INTS),
    _built("{}[{}] = {}", _NAMES, _PLACES, INTS),
    _built("m.append({})", LISTS),
    _built("m[{}] = {}", _PLACES, LISTS),
    _built("m[{}].append({})", _PLACES, INTS),
    _built("m[{}][{}] = {}", _PLACES, _PLACES, INTS),
    _built("flag = {}", CONDITIONS),
    sampled_from(
        ["i, j = j, i", "a, b = b, a", "m = [a, b]", "m = [[i], [j, n]]", "m = m[1:]",
         "m = m + [b]", "m.append(a)", "i = a.pop()", "assert n > 0, 'no'",
         "assert len(x) == 2, 'no'", "assert i == 0, 'no'"]
    ),
)  # fmt: skip
ENDS = sampled_from(["pass", "pass", "pass", f"return {RESULT}", "break", "continue"])


def _blocks(smaller):
    return strategies.deferred(lambda: _some_block(smaller))


def _some_block(smaller):
    body = strategies.lists(smaller, min_size=1, max_size=3)
    return strategies.one_of(
        tuples(sampled_from(["if"]), CONDITIONS, body, strategies.just([]), ENDS),
        tuples(sampled_from(["if"]), CONDITIONS, body, body, ENDS),
        tuples(sampled_from(["for"]), INTS, body, strategies.just([]), ENDS),
        tuples(sampled_from(["while"]), CONDITIONS, body, strategies.just([]), ENDS),
    )


STATEMENTS = strategies.lists(
    SIMPLE | strategies.recursive(_blocks(SIMPLE), _blocks, max_leaves=3), min_size=3, max_size=8
)


def source(statements):
    """The source of a function."""
    lines = [*_lines(statements, "    ", 0), f"    return {RESULT}"]
    return HEAD + "\n".join(lines) + "\n"


def _lines(statements, indent, loops):
    for statement in statements:
        if isinstance(statement, str):
            yield indent + statement
            continue
        kind, head, body, otherwise, end = statement
        inside = loops + (kind != "if")
        if kind == "for":
            yield f"{indent}for v{loops} in range(min({head}, 4)):"
        elif kind == "while":
            yield f"{indent}while ({head}) and fuel > 0:"
            yield f"{indent}    fuel -= 1"
        else:
            yield f"{indent}if {head}:"
        yield from _lines(body, indent + "    ", inside)
        if kind == "if" and (loops or end.startswith(("pass", "return"))):
            yield f"{indent}    {end}"
        if otherwise:
            yield f"{indent}else:"
            yield from _lines(otherwise, indent + "    ", inside)


def compiled(text):
    """A function as TorchScript and as Python."""
    names = {}
    exec(text, names)
    return torch.jit.CompilationUnit(text).f, names["f"]


# Possible arguments: flags, an int, a list.
CALLS = list(
    itertools.product(
        (False, True), (False, True), (-2, 0, 1, 3), ([], [2], [0, 1], [4, -1], [1, 2, 3, 0])
    )
)
