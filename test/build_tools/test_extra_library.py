"""Functions for custom operators, from a Python file of the user's."""

import os
import re
import subprocess
import sys
import warnings

import pytest
import torch_refine
from torch_refine.build_tools import extra_library
from torch_refine.dialect.library import read_extra
from torch_refine.importer.functions import call_limit
from torch_refine.importer.functions.user_code import run_command
from torch_refine.importer.functions.user_library import ExtraLibraryError, export_functions

OPERATORS = """
from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation, T, dtype_function, shape_function,
)


@torch.library.custom_op("{space}::rotate", mutates_args=())
def rotate(x: torch.Tensor, k: int) -> torch.Tensor:
    return torch.rot90(x, k).contiguous()


@torch.library.custom_op("{space}::halves", mutates_args=())
def halves(x: torch.Tensor) -> list[torch.Tensor]:
    return [part.clone() for part in x.chunk(2)]


def {space}〇rotate〡shape(x: List[int], k: int) -> List[int]:
    assert len(x) >= 2, f"x must have two dimensions, got shape {{x}}"
    if k % 2 == 0:
        return x
    else:
        return [x[1], x[0]] + x[2:]


def {space}〇rotate〡dtype(x: Tuple[int, int], k: int) -> int:
    return x[1]


@shape_function("{space}::halves", ok=[Invocation(T(4, 3), device="cpu"),
                                       Invocation(T({rows}), device="cpu")])
def halves_shape(x: List[int]) -> List[List[int]]:
    first = (x[0] + 1) // 2
    return [[first] + x[1:], [x[0] - first] + x[1:]]


@dtype_function("{space}::halves")
def halves_dtype(x: Tuple[int, int]) -> List[int]:
    return [x[1]]
"""
PROGRAM = """
func.func @f(%arg0: !torch.vtensor<[2,?,5],f32>) -> (!torch.vtensor, !torch.vtensor) {{
  %int1 = torch.constant.int 1
  %0 = torch.operator "torch.{space}.rotate"(%arg0, %int1)
      : (!torch.vtensor<[2,?,5],f32>, !torch.int) -> !torch.vtensor
  %1 = torch.operator "torch.{space}.halves"(%arg0)
      : (!torch.vtensor<[2,?,5],f32>) -> !torch.list<vtensor>
  %2:2 = torch.prim.ListUnpack %1 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  return %0, %2#0 : !torch.vtensor, !torch.vtensor
}}
"""
RETURNED = "return %0, %2#0 : !torch.vtensor<[?,2,5],f32>, !torch.vtensor<[1,?,5],f32>"
EXPORT = "torch_refine.build_tools.extra_library"


def _files(folder, space, rows=5):
    (folder / "mine.py").write_text(OPERATORS.format(space=space, rows=rows))
    (folder / "program.mlir").write_text(PROGRAM.format(space=space))
    return folder / "mine.py", folder / "program.mlir"


def _export(*arguments):
    command = [sys.executable, "-W", "ignore", "-m", EXPORT, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_file_becomes_a_library(tmp_path, opt):
    """One command exports the file; the tool uses what it wrote."""
    source, program = _files(tmp_path, "filed")
    library = tmp_path / "mine.mlir"
    done = _export(source, "-o", library)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("4 functions of filed::halves, filed::rotate\n")
    refined = opt(f"--torch-refinement-pipeline=extra-library={library}", program)
    assert RETURNED in refined.stdout, refined.stderr


def test_functions_are_given_to_refine(tmp_path, own_declarations):
    """The same from Python, without a file in between."""
    source, program = _files(tmp_path, "called")
    names = {"__name__": "called_operators"}
    sys.modules["called_operators"] = type(sys)("called_operators")
    exec(compile(source.read_text(), str(source), "exec"), names)
    module = torch_refine.load(program)
    functions = [names[name] for name in ("called〇rotate〡shape", "called〇rotate〡dtype",
                                          "halves_shape", "halves_dtype")]  # fmt: skip
    torch_refine.refine(module, extra=functions)
    assert RETURNED in str(module)


def test_a_wrong_case_is_told_and_nothing_is_written(tmp_path):
    """The file's cases are checked against its operators; two tensors of five and four rows."""
    source, _ = _files(tmp_path, "wrong", rows=1)
    library = tmp_path / "mine.mlir"
    done = _export(source, "-o", library)
    assert done.returncode == 1
    assert "wrong::halves" in done.stderr
    assert not library.exists()


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("x = 1", "", "the file has no functions of operators"),
        ("x = ", ":1", "SyntaxError: invalid syntax"),
        ("\ndef no〇such〡shape(x): return x", ":2", "PyTorch has no operator no::such"),
    ],
)
def test_a_bad_file_is_one_clear_error(tmp_path, text, place, message):
    bad = tmp_path / "bad.py"
    bad.write_text(text)
    done = _export(bad, "-o", tmp_path / "out.mlir")
    assert done.returncode == 1
    assert done.stderr.startswith(f"{bad}{place}: error: {message}")
    assert len(re.findall("error: ", done.stderr)) == 1
    assert not (tmp_path / "out.mlir").exists()


def test_without_pytorch_the_command_says_so(tmp_path):
    """No traceback of an import: a module of None cannot be imported."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['torch'] = None\n")
    done = subprocess.run(
        [sys.executable, "-m", EXPORT, "mine.py", "-o", "mine.mlir"],
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: exporting functions needs PyTorch")
    assert len(done.stderr.splitlines()) == 1


def test_a_function_for_nothing_is_an_error():
    def plain(x):
        return x

    with pytest.raises(ExtraLibraryError, match="plain is declared for no operator"):
        export_functions([plain])


HEADER = """
from typing import List, Tuple
import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation, T, dtype_function, shape_family, shape_function,
)

"""
REGISTERED = """
@torch.library.custom_op("{name}", mutates_args=())
def _{short}(x: torch.Tensor) -> torch.Tensor:
    return x.clone()

"""
SHAPE = "(x: List[int]) -> List[int]:\n    return x\n\n"
DTYPE = "(x: Tuple[int, int]) -> int:\n    return x[1]\n\n"
CASES = 'ok=[Invocation(T(2, 3), device="cpu")]'


def _registered(*names):
    return HEADER + "".join(
        REGISTERED.format(name=name, short=name.replace("::", "_")) for name in names
    )


@pytest.fixture
def export(tmp_path, monkeypatch, capsys, own_declarations):
    """Exports `mine.py` in this process, beside further files; code, messages, and symbols."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(call_limit, "start", lambda: None)
    output = tmp_path / "mine.mlir"

    def run(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
            monkeypatch.delitem(sys.modules, name, raising=False)
        with warnings.catch_warnings():
            code = run_command(extra_library.main, [str(tmp_path / "mine.py"), "-o", str(output)])
        told = capsys.readouterr().err.replace(f"{tmp_path}/", "").splitlines()
        found = read_extra(output) if output.exists() else {}
        # What functions call is named by its Python name.
        return code, told, sorted(name for name in found if name.startswith("__torch_mlir"))

    yield run
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def _symbols(*names):
    return sorted(f"__torch_mlir_{name}" for name in names)


@pytest.mark.parametrize("decorated", [True, False])
def test_a_changed_argument_is_refused_at_its_line(export, decorated):
    """As the checker refuses it; nothing is written."""
    space = f"changed{int(decorated)}"
    head = f"def {space}〇a〡shape"
    if decorated:
        head = f'@shape_function("{space}::a", {CASES})\ndef a_shape'
    body = "(x: List[int]) -> List[int]:\n    x.append(1)\n    return x\n"
    text = _registered(f"{space}::a") + head + body
    code, told, symbols = export(mine=text)
    line = text.count("\n", 0, text.index("    x.append")) + 1
    assert (code, symbols) == (1, [])
    assert told == [
        f"mine.py:{line}: error: {space}::a: x is the caller's list, or another name of it, and is "
        "changed: copy it first, `list(x)`",
        "    x.append(1)",
    ]


def test_refine_refuses_a_changed_argument(tmp_path):
    """Functions that are given to `refine` are looked through as those of a file are."""
    source = tmp_path / "changing.py"
    head = "def aten〇relu〡shape(self: list[int]) -> list[int]:\n"
    source.write_text(f"{head}    self.append(1)\n    return self\n")
    names = {"__name__": "changing"}
    exec(compile(source.read_text(), str(source), "exec"), names)
    (tmp_path / "empty.mlir").write_text("func.func @f() { return }")
    module = torch_refine.load(tmp_path / "empty.mlir")
    with pytest.raises(torch_refine.RefineError, match=r"changing.py:2: error: aten::relu: self "):
        torch_refine.refine(module, extra=[names["aten〇relu〡shape"]])


def test_a_missing_function_is_a_warning_at_the_other(export):
    """Not where the shipped library has it."""
    text = _registered("lacking::a", "lacking::b") + (
        f'@shape_function("lacking::a", {CASES})\ndef a{SHAPE}'
        f'@dtype_function("lacking::b", {CASES})\ndef b{DTYPE}'
        f'@shape_function("aten::relu", ok=[Invocation(T(2))])\ndef c{SHAPE.replace("x", "self")}'
    )
    code, told, symbols = export(mine=text)
    a, b = (text.count("\n", 0, text.index(f"def {name}(")) + 1 for name in "ab")
    assert code == 0
    assert told == [
        f"mine.py:{a}: warning: lacking::a: has no dtype function: the dtypes of its results stay "
        "unknown",
        f"mine.py:{b}: warning: lacking::b: has no shape function: the shapes of its results stay "
        "unknown",
    ]
    assert {"__torch_mlir_shape_fn.lacking.a", "__torch_mlir_dtype_fn.lacking.b"} <= set(symbols)


def test_functions_without_a_case_are_one_warning(export):
    names = [f"untried::{name}" for name in "abcde"]
    text = _registered(*names) + "".join(
        f"def untried〇{name}〡shape{SHAPE}def untried〇{name}〡dtype{DTYPE}" for name in "abcde"
    )
    code, told, symbols = export(mine=text)
    line = text.count("\n", 0, text.index("def untried〇a〡shape")) + 1
    assert (code, len(symbols)) == (0, 10)
    assert told == [
        f"mine.py:{line}: warning: not compared with PyTorch, without a case (ok=): 10 of "
        "untried::a, untried::b, untried::c, ..."
    ]


def test_all_that_a_file_declares_is_exported(export):
    """However it is declared, in the file or in what it imports; nothing of the library's is."""
    mine = (
        HEADER
        + "import helper\n"
        + "from torch_refine.abstract_interp_lib.families.shapes_and_indexing.slicing import (\n"
        + "    select_rule,\n)\n"
        + f"def all〇a〡shape{SHAPE}"
        + f"def same{SHAPE}"
        + 'shape_function("all::b")(same)\n'
        + 'shape_family(same, "all::c")\n'
        + f'@dtype_function("all::a", {CASES})\ndef a_dtype{DTYPE}'
    )
    helper = (
        _registered("all::a", "all::b", "all::c", "all::d")
        + f"def all〇d〡shape{SHAPE}"
        + f'@dtype_function("all::d", {CASES})\ndef d_dtype{DTYPE}'
        + f"def all〇b〡dtype{DTYPE}def all〇c〡dtype{DTYPE}"
    )
    code, _, symbols = export(mine=mine, helper=helper)
    both = [f"{kind}_fn.all.{name}" for kind in ("shape", "dtype") for name in "abcd"]
    assert (code, symbols) == (0, _symbols(*both))


@pytest.mark.parametrize("decorated", [True, False])
def test_a_file_precedes_what_it_imports(export, decorated, tmp_path):
    """Its functions are exported, not those of imports or of the library for the operator."""
    space = f"preceding{int(decorated)}"
    own = f"def {space}〇a〡shape(x: List[int]) -> List[int]:\n    return x + [7]\n\n"
    relu = "def aten〇relu〡shape(self: List[int]) -> List[int]:\n    return self[:]\n\n"
    if decorated:
        own = own.replace(f"def {space}〇a〡shape", f'@shape_function("{space}::a")\ndef mine')
        relu = relu.replace("def aten〇relu〡shape", '@shape_function("aten::relu")\ndef relu')
    imports = "import other\n"
    imports += "from torch_refine.abstract_interp_lib.families.pointwise import activations\n"
    mine = HEADER + imports + own + relu
    other = _registered(f"{space}::a") + f"def {space}〇a〡shape{SHAPE}"
    code, told, symbols = export(mine=mine, other=other)
    assert code == 0, told
    assert "__torch_mlir_shape_fn.aten.relu" in symbols
    assert "__torch_mlir_shape_fn.aten.gelu" not in symbols
    library = read_extra(tmp_path / "mine.mlir")
    assert "torch.constant.int 7" in library[f"__torch_mlir_shape_fn.{space}.a"]
    assert "slice" in library["__torch_mlir_shape_fn.aten.relu"]


def test_an_operator_that_is_declared_twice_is_an_error(export):
    text = _registered("twice::a") + (
        f'@shape_function("twice::a")\ndef first{SHAPE}def twice〇a〡shape{SHAPE}'
    )
    code, told, symbols = export(mine=text)
    names = ("first", "twice〇a〡shape")
    first, second = (text.count("\n", 0, text.index(f"def {name}(")) + 1 for name in names)
    assert (code, symbols) == (1, [])
    assert told == [
        f"mine.py:{second}: error: twice::a: a shape function is declared at mine.py:{first} too"
    ]


def test_a_file_may_have_the_name_of_a_module(tmp_path, monkeypatch, capsys, own_declarations):
    """Running it replaces no module that others use."""
    import string

    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(call_limit, "start", lambda: None)
    source = tmp_path / "string.py"
    source.write_text(_registered("stringy::a") + f"def stringy〇a〡shape{SHAPE}")
    with warnings.catch_warnings():
        assert run_command(extra_library.main, [str(source), "-o", str(tmp_path / "a.mlir")]) == 0
    assert sys.modules["string"] is string
    capsys.readouterr()


def test_a_case_without_a_kernel_says_where_it_can_run(export):
    """Five cases on the meta device, which the operator has no kernel for."""
    cases = ", ".join(f"Invocation(T({rows}, 3))" for rows in range(5))
    text = (
        _registered("kernelless::a")
        + f'@shape_function("kernelless::a", ok=[{cases}])\ndef a{SHAPE}'
    )
    code, told, symbols = export(mine=text)
    line = text.count("\n", 0, text.index("@shape_function")) + 1
    assert (code, symbols, len(told)) == (1, [], 4)
    assert all(
        each.startswith(f"mine.py:{line}: error: kernelless::a: PyTorch re") for each in told[:3]
    )
    assert all(each.endswith('; device="cpu" runs the case on the CPU') for each in told[:3])
    assert told[3] == f"mine.py:{line}: note: kernelless::a: 2 more cases that PyTorch rejects"


def test_an_operator_without_results_needs_no_function(export):
    text = HEADER + (
        'LIBRARY = torch.library.Library("resultless", "DEF")\n'
        'LIBRARY.define("fill_(Tensor(a!) x) -> ()")\n'
        f"def resultless〇fill_〡shape{SHAPE}"
    )
    code, told, _ = export(mine=text)
    line = text.count("\n", 0, text.index("def result")) + 1
    assert code == 1
    assert told == [
        f"mine.py:{line}: error: resultless::fill_: "
        "resultless::fill_(Tensor x) -> () returns no tensor, so it needs no functions",
        "def resultless〇fill_〡shape(x: List[int]) -> List[int]:",
    ]
