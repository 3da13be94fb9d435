"""Starting the functions of an operator, and checking one operator in every way."""

import shutil
import subprocess
import sys
import time

import pytest
from torch_refine.build_tools import new_function
from torch_refine.build_tools.check_functions import check, load_families
from torch_refine.build_tools.lint_functions import lint
from torch_refine.build_tools.new_function import CannotStart, start_decomposition, start_function

WITHOUT_FUNCTIONS = "aten::_test_ambiguous_defaults.a"


@pytest.fixture
def families(tmp_path, monkeypatch):
    """A copy of the families, which a test may write to."""
    folder = tmp_path / "families"
    shutil.copytree(new_function.FAMILIES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(new_function, "FAMILIES", folder)
    return folder


def test_a_stub_has_the_schemas_signature(families, own_declarations):
    path = start_function(WITHOUT_FUNCTIONS, "mine")
    text = path.read_text()
    assert path.parent.parent == families and path.name == "mine.py"
    assert "dummy: List[int],\n    a: int = 1,\n    b: int = 1,\n) -> List[int]:" in text
    assert "dummy: Tuple[int, int],\n    a: int = 1,\n    b: int = 1,\n) -> int:" in text
    names = {"__name__": "mine"}
    exec(compile(text, str(path), "exec"), names)


def test_a_stub_goes_to_the_nearest_relative(families):
    before = {path: path.read_text() for path in families.rglob("*.py")}
    path = start_function(WITHOUT_FUNCTIONS)
    assert path in before
    assert path.read_text().startswith(before[path].partition("import")[0])
    compile(path.read_text(), str(path), "exec")


def test_a_stub_of_a_decomposition_leaves_the_operator(families, own_declarations):
    path = start_decomposition("aten::slow_conv3d_forward")
    assert path == families / "decompositions" / "convolutions.py"
    text = path.read_text()
    assert "def slow_conv3d_forward(" in text and "self: torch.Tensor" in text
    assert "-> torch.Tensor:" in text.rpartition("@decomposition")[2]
    compile(text, str(path), "exec")
    other = start_decomposition("aten::logcumsumexp", "mine")
    assert other == families / "decompositions" / "mine.py"
    names = {"__name__": "mine"}
    exec(compile(other.read_text(), str(other), "exec"), names)
    with pytest.raises(CannotStart, match=r"has its decomposition in products.py"):
        start_decomposition("aten::outer")


@pytest.mark.parametrize(
    ("operator", "message"),
    [
        ("aten::mmm", "did you mean aten::mm"),
        ("aten::mm", "has its functions in matmul.py"),
        ("aten::mm.out", "the out variant of aten::mm"),
        ("quantized::linear", "cannot have functions"),
    ],
)
def test_what_cannot_be_started_is_said(families, operator, message):
    with pytest.raises(CannotStart, match=message):
        start_function(operator)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (
            "broken",
            b"x = (\n",
            "broken.py:1: error: SyntaxError: '(' was never closed\nx = (\n    ~",
        ),
        ("latin", b"x = 1\ny = '\xe4'\n", "latin.py:2: error: the file is not UTF-8"),
        ("a/b", None, "'a/b' is not the name of a family"),
        ("my-file", None, "'my-file' is not the name of a family"),
    ],
)
def test_a_file_that_cannot_be_added_to_is_said(families, file, content, message):
    if content is not None:
        (families / f"{file}.py").write_bytes(content)
    with pytest.raises(CannotStart) as raised:
        start_function(WITHOUT_FUNCTIONS, file)
    assert str(raised.value).removeprefix(f"{families}/").startswith(message)
    if content is not None:
        assert (families / f"{file}.py").read_bytes() == content


def test_a_file_may_be_named_as_a_file(families):
    path = start_function(WITHOUT_FUNCTIONS, "mine.py")
    assert path.relative_to(families).parts[1:] == ("mine.py",)


def test_a_family_is_found_in_its_folder(families):
    path = families / "neural_networks" / "time_convolution.py"
    assert start_function(WITHOUT_FUNCTIONS, "time_convolution") == path


def test_a_new_family_may_be_named_with_its_folder(families):
    path = families / "neural_networks" / "mine.py"
    assert start_function(WITHOUT_FUNCTIONS, "neural_networks/mine") == path


def test_an_operator_is_checked_in_seconds():
    """Cases, lint, export, both ways and samples, in a process that starts from nothing."""
    command = [sys.executable, "-W", "ignore", "-m", "torch_refine.build_tools.check_function"]
    start = time.monotonic()
    done = subprocess.run([*command, "aten::mm"], capture_output=True, text=True, timeout=60)
    seconds = time.monotonic() - start
    assert done.returncode == 0, done.stdout + done.stderr
    assert "calls by PyTorch's samples: 0 problems" in done.stdout
    assert " 0 calls" not in done.stdout
    # Ten seconds on a machine of its own; tests run two at a time.
    assert seconds < 25


FAULTY = """
from typing import List, Tuple, Union
from torch_refine.abstract_interp_lib.declaration import Declaration, Invocation, T


def changes(self: List[int]) -> List[int]:
    other = self
    other.append(1)
    return other


def loops(self: List[int]) -> List[int]:
    out: List[int] = []
    while len(out) < len(self):
        out.append(0)
    return out


def silent(self: List[int]) -> List[int]:
    assert len(self) == 2
    return self


def open_end(self: List[int]) -> List[int]:
    if len(self) == 2:
        return self
    raise ValueError()


def truths(self: List[int], alpha: Union[int, float, complex] = 1) -> List[int]:
    return self if alpha else []


def unprovoked(self: List[int]) -> List[int]:
    assert len(self) == 2, f"self must have two dimensions, got {self}"
    return self
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("changes", "other is the caller's list, or another name of it, and is changed"),
        ("loops", "no call can make known how often this loop runs"),
        ("silent", "this assert says nothing"),
        ("truths", "as a bool, alpha loses its fraction in TorchScript: write `alpha != 0`"),
        ("open_end", "this raise says nothing"),
        ("unprovoked", "no case in error= provokes the assert"),
    ],
)
def test_the_linter_finds(tmp_path, monkeypatch, name, message):
    (tmp_path / "faulty_functions.py").write_text(FAULTY)
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__("faulty_functions")
    declaration = module.Declaration(
        "shape", "aten::relu", getattr(module, name), False, (), (), "faulty_functions.py"
    )
    found = [str(problem) for problem in lint(declaration)]
    assert any(message in problem for problem in found), found
    assert all("faulty_functions.py:" in problem for problem in found)


def test_a_right_function_has_no_findings():
    declared = load_families(["aten::mm"])["shape", "aten::mm"]
    assert list(lint(declared)) == []
    assert list(check(declared)) == []
