"""Mutation testing: the mutations of a source, the tests near a file, and how they are run."""

import subprocess
import sys

import pytest
from torch_refine.build_tools.mutation.__main__ import drawn, places, report
from torch_refine.build_tools.mutation.mutants import compiles, mutations
from torch_refine.build_tools.mutation.nearby import nearby
from torch_refine.build_tools.mutation.overlay import ROOT, make_overlay, modules
from torch_refine.build_tools.mutation.running import Baselines, Place, Worker, tried


def changes(source, **options):
    """The changed lines of all mutations of a source."""
    return [each.shown(source)[1] for each in mutations(source, **options)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = a < b", ["x = a <= b"]),
        ("x = a < b == c", ["x = a <= b == c", "x = a < b != c"]),
        ("x = a in b", ["x = a not in b"]),
        ("x = a + b", ["x = a - b"]),
        ("x = c - (a + b)", ["x = c + (a + b)", "x = c - (a - b)"]),
        ("x = a * 2", ["x = a // 2", "x = a * 3"]),
        ("x = a and b or c", ["x = (a or b) or c", "x = ((a and b) and c)"]),
        ("x = not a", ["x = (a)"]),
        ("x = True", ["x = False"]),
        ("x = a if b else c", ["x = a if (not (b)) else c"]),
        ("x = [a for a in b if a]", ["x = [a for a in b if (not (a))]"]),
        ("a.append(b)", ["pass"]),
        ("raise ValueError(f'{a + 1}')", ["pass"]),
        ("warn(a + 1)", []),
        ("x = f'{a + 1}'", []),
        ("x = 'a' + b", []),
        ("x: Literal[2] = a", []),
        ("x = zip(a, b, strict=True)", []),
        ("é = 'é', 1", ["é = 'é', 2"]),
    ],
)
def test_mutations_of_a_line(line, expected):
    assert changes(line) == expected
    assert all(compiles(each.applied(line)) for each in mutations(line))


def test_mutations_of_statements():
    source = '''
def f(a: int = 1) -> Literal[2]:
    """Text, 1 + 1."""
    assert a == 0, f"{a} is not {1 + 1}"
    for each in range(a):
        if each:
            continue
    return g(each)

class A:
    def __repr__(self):
        return "A" if self else 1
'''
    expected = [
        "def f(a: int = 2) -> Literal[2]:",
        "if (not (each)):",
        "break",
        "return None",
    ]
    assert changes(source) == expected
    asserted = [
        "pass",
        'assert a != 0, f"{a} is not {1 + 1}"',
        'assert a == 1, f"{a} is not {1 + 1}"',
    ]
    assert changes(source, keep_assertions=False) == expected[:1] + asserted + expected[1:]


def test_every_source_is_one_with_each_mutation():
    for place in places("abstract_interp_lib/rules", [])[::100]:
        assert compiles(place.mutation.applied((ROOT / place.file).read_text())), place.key


def test_the_same_seed_draws_the_same_places():
    folders = ("abstract_interp_lib/rules", "abstract_interpreter/numbers")
    first = drawn(folders, 7, 1)
    assert first == drawn(folders, 7, 1) != drawn(folders, 7, 2)
    assert [each.room for each in first].count(folders[0]) == 3
    assert len({each.key for each in first}) == 7


def test_tests_near_a_file():
    plan = nearby(ROOT / "passes/lowering/buffers/plan_memory.py")
    assert plan[0] == ("lit", "test/passes/plan-memory.mlir")
    assert plan[1][:3] == ("pytest", "test/passes/test_passes.py", "-k")
    helper = nearby(ROOT / "passes/type_refinement/fixed_point.py")
    assert ("lit", "test/passes/refine-types-control-flow.mlir") in helper
    assert nearby(ROOT / "abstract_interpreter/numbers/ranges.py")[0] == (
        "pytest",
        "test/abstract_interpreter/test_ranges.py",
    )
    rule = ROOT / "abstract_interp_lib/rules/windows.py"
    assert ("functions", "padding") in nearby(rule, "padded")


def test_every_place_has_tests_near_it():
    folders = ("abstract_interpreter", "passes")
    without = [
        name
        for name, file in modules().items()
        if any(file.is_relative_to(ROOT / folder) for folder in folders) and not nearby(file)
    ]
    # It is empty.
    assert without == ["torch_refine.passes"]


def test_an_overlay_replaces_one_file(tmp_path):
    file = ROOT / "passes/lowering/abi.py"
    make_overlay(tmp_path, file, "MUTATED = True\n")
    program = "from torch_refine.passes.lowering import abi; from torch_refine.passes import base; "
    done = subprocess.run(
        [sys.executable, "-c", program + "print(abi.MUTATED, base.Pass.__name__)"],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "True Pass\n", done.stderr
    assert "MUTATED" not in file.read_text()


@pytest.fixture
def sample(tmp_path):
    """A repository with a function and a test of it, which looks at no bound."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.setuptools.package-dir]\ntorch_refine = "source"\n'
    )
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "__init__.py").write_text("")
    (tmp_path / "source" / "sign.py").write_text(
        "def sign(x):\n    while x < -9:\n        x = x + 1\n    return 1 if x > 0 else -1\n"
    )
    (tmp_path / "test_sign.py").write_text(
        "from torch_refine.sign import sign\n\n"
        "def test_sign():\n    assert (sign(-10), sign(3)) == (-1, 1)\n"
    )
    return tmp_path


def test_outcomes(sample, monkeypatch):
    monkeypatch.setattr("torch_refine.build_tools.mutation.running._TIMES", 0.0)
    monkeypatch.setattr("torch_refine.build_tools.mutation.running._MORE_SECONDS", 1.5)
    source = (sample / "source" / "sign.py").read_text()
    unit = ("pytest", str(sample / "test_sign.py"))
    worker = Worker(["pytest"])
    baselines = Baselines(60.0, sample)
    outcomes = {}
    for mutation in mutations(source):
        place = Place("source", "source/sign.py", mutation)
        result = tried(place, [unit], worker, baselines, 60.0, sample)
        outcomes[result.after] = result.outcome
        if result.after == "return 1 if x >= 0 else -1":
            table = report([result])
            assert "| source | 1 | 0 | 0 | 1 | 0 |" in table
            assert "source/sign.py:4: survived\n    return 1 if x > 0 else -1\n" in table
    worker.end()
    assert baselines.failed == []
    assert outcomes["return 1 if x >= 0 else -1"] == "survived"
    assert outcomes["return 2 if x > 0 else -1"] == "noticed"
    assert outcomes["return None"] == "noticed"
    assert outcomes["x = x - 1"] == "timeout"


def test_a_test_that_fails_without_a_mutation_notices_nothing(sample):
    (sample / "test_sign.py").write_text("def test_sign():\n    assert False\n")
    source = (sample / "source" / "sign.py").read_text()
    worker = Worker(["pytest"])
    baselines = Baselines(60.0, sample)
    unit = ("pytest", str(sample / "test_sign.py"))
    place = Place("source", "source/sign.py", mutations(source)[0])
    assert tried(place, [unit], worker, baselines, 60.0, sample).outcome == "untested"
    worker.end()
    assert baselines.failed == [unit]
