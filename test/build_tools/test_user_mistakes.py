"""Functions as they are got wrong: one message at the user's line, no traceback, no hang.

The guide's functions are changed, a mistake at a time, and given to every tool that runs files of
users: the checker, the exporter of the library, and the exporter of extra libraries.
"""

import io
import os
import random
import re
import subprocess
import sys
import tokenize
import warnings
from pathlib import Path

import pytest
from torch_refine.abstract_interp_lib import declaration, families
from torch_refine.build_tools import check_function, export_library, extra_library
from torch_refine.importer.functions import call_limit
from torch_refine.importer.functions.user_code import run_command

FAMILY = Path(families.__path__[0], "neural_networks", "time_convolution.py")
# Without the gradient, which the guide leaves out.
SOURCE = FAMILY.read_text().partition("\n\n# The gradients")[0]
NAME = f"{families.__name__}.time_convolution"
MESSAGE = re.compile(
    r"^(\S*?time_convolution\.py)(?::(\d+))?: (error|warning): (.*)$", re.MULTILINE
)

# The first quotes after the name are those of the function's docstring.
DOCSTRING = SOURCE.index('    """', SOURCE.index("def conv_tbc("))
SIGNATURE = SOURCE[SOURCE.index("def conv_tbc(") : DOCSTRING]
FIRST = SOURCE[SOURCE.index("    assert len(self)") : SOURCE.index("    assert len(weight)")]
RETURN = "    return [positions, self[1], weight[2]]\n"
OPERATOR = '@shape_function(\n    "aten::conv_tbc",'
CASE = "        Invocation(T(2, 2, 3), T(3, 3, 5), T(5)),\n"
ERROR = "        Invocation(T(7, 2, 3), T(3, 3, 5), T(1)),\n"
ACCEPTED = "        Invocation(T(2, 2, 3), T(3, 3, 4), T(4)),\n"
CASES = SOURCE[SOURCE.index("    error=[\n") : SOURCE.index(")\ndef conv_tbc(")]
ORDINARY = "self: List[int], weight: List[int], bias: List[int], pad: int = 0) -> List[int]"

# Who finds a mistake: every tool; those that look at the text and run cases; or those, which say so
# but do not take it for wrong.
EVERY, CHECKS, WARNS = "every", "checks", "warns"


def _signature(changed, message):
    """A mistake in the first line of the function, which is where it is told."""
    return SIGNATURE, f"def conv_tbc({changed}:\n", "def conv_tbc(", message, EVERY


def _statement(text, message, finds=EVERY):
    """A mistake in a statement; it is told at its first line, or at the one that ends in `#`."""
    lines = [f"    {line}\n" for line in text.splitlines()]
    mark = next((line for line in lines if line.endswith("#\n")), lines[0])
    return FIRST, "".join(lines) + FIRST, mark, message, finds


def _returned(text, message):
    """A mistake in the last statement."""
    return RETURN, f"    {text}\n", f"    {text}\n", message, EVERY


def _case(text, message, finds=EVERY):
    """A mistake in a case."""
    return CASE, f"        {text}\n", f"        {text}\n", message, finds


def _declared(text, message, mark=None):
    """A mistake in a declaration of its own, after the functions."""
    return "@dtype_function(\n", f"{text}\n\n\n@dtype_function(\n", mark or text, message, EVERY


def _imported(text, message, mark=None):
    """A mistake that running the file meets, in the line after `import torch`."""
    return "import torch\n", f"import torch\n{text}\n", mark or text, message, EVERY


IN_TURN = f"""    return other(self, weight, bias, pad)


def other({ORDINARY.replace("= 0", "")}:
    return conv_tbc(self, weight, bias, pad)
"""
AGAIN = f"def again({ORDINARY}:\n    return self"
MISTAKES = {
    # What a function takes and gives.
    "renamed": _signature(ORDINARY.replace("weight", "filter"), ": filter should be weight"),
    "missing": _signature(ORDINARY.replace(", pad: int = 0", ""), ": pad is missing"),
    "extra": _signature(ORDINARY.replace("= 0", "= 0, g: int = 1"), ": g is no parameter of it"),
    "order": _signature(
        ORDINARY.replace("weight: List[int], bias", "bias: List[int], weight"),
        ": the order is another",
    ),
    "no annotation": _signature(ORDINARY.replace("weight: List[int]", "weight"), "no annotation"),
    "wrong annotation": _signature(
        ORDINARY.replace("weight: List[int]", "weight: int"), "weight: int"
    ),
    "list of anything": _signature(
        ORDINARY.replace("weight: List[int]", "weight: list"), "stands for"
    ),
    "undefined annotation": _signature(
        ORDINARY.replace("weight: List", "weight: Lisst"), "NameError: name 'Lisst'"
    ),
    "undefined quoted annotation": _signature(
        ORDINARY.replace("weight: List[int]", "weight: 'Sizes'"), "name 'Sizes' is not defined"
    ),
    "no result annotation": _signature(ORDINARY.replace(" -> List[int]", ""), "says not what it"),
    "wrong result annotation": _signature(
        ORDINARY.replace("-> List[int]", "-> int"), "returns int"
    ),
    "no default": _signature(ORDINARY.replace("int = 0", "int"), "pad: has no default"),
    "another default": _signature(ORDINARY.replace("= 0", "= 5"), "pad: the default is 5"),
    "default of another type": _signature(
        ORDINARY.replace("= 0", "= 'a'"), "pad: the default is 'a'"
    ),
    "more defaults": _signature(
        ORDINARY.replace("bias: List[int]", "bias: List[int] = []"), "bias: has a default"
    ),
    "any arguments": _signature("self: List[int], *rest: int) -> List[int]", "takes *rest: int"),
    "keywords": _signature("self: List[int], **rest: int) -> List[int]", "takes **rest: int"),
    "keyword only": _signature(ORDINARY.replace("pad", "*, pad"), "keyword-only"),
    "wrong result": _returned("return positions", "actually of type int"),
    "no value": _returned("return None", "actually of type NoneType"),
    "text": _returned("return 'x'", "actually of type str"),
    "no return": (RETURN, "", "def conv_tbc(", "does not return along all paths", EVERY),
    "a path without return": (
        RETURN,
        "    if pad > 0:\n    " + RETURN,
        "def conv_tbc(",
        "does not return along",
        EVERY,
    ),
    # Names.
    "undefined function": _statement("nosuch(self)", "nosuch is not defined"),
    "misspelt variable": _returned(
        "return [position, self[1], weight[2]]", "position is not defined; did you mean positions?"
    ),
    "global variable": (
        FIRST,
        f"    sizes = self + SIZES\n{FIRST}",
        "    sizes = self",
        "SIZES is not defined",
        EVERY,
    ),
    "global number": (
        RETURN,
        "    return [positions, self[1], SIZE]\n\n\nSIZE = 3\n",
        "    return [positions, self[1], SIZE]",
        "closed over global variable, which TorchScript does not read: write the value here",
        EVERY,
    ),
    "one branch": _statement("if pad == 1:\n    y = 1\nz = y", "y is not defined in the false"),
    "method": _statement("self.nosuch()", "no attribute or method 'nosuch'"),
    "attribute": _statement("x = self.shape", "no attribute or method 'shape'"),
    "deleted": _statement("x = 1\ndel x\ny = x  #", "x is not defined"),
    # What TorchScript has not.
    "comprehension": _statement("big = [x for x in self if x > 1]", "write a loop with `append`"),
    "lambda": _statement("f = lambda x: x", "write a function with `def`"),
    "try": _statement("try:\n    pad = 1\nexcept ValueError:\n    pad = 2", "ask with `if` first"),
    "with": _statement("with open('x'):\n    pass", "not supported"),
    "while else": _statement(
        "while pad < 2:\n    pad += 1\nelse:\n    pad = 3", "write what follows"
    ),
    "for else": _statement("for i in self:\n    pad = i\nelse:\n    pad = 3", "write what follows"),
    "yield": _statement("yield 1", "append to a list"),
    "global": _statement("global x", "global variables aren't supported"),
    "inner function": _statement("def f(x: int) -> int:\n    return x", "define it at the top"),
    "inner import": _statement("import math", "import at the top"),
    "walrus": _statement("x = (y := 3)", "assign in a statement of its own"),
    "match": _statement("match pad:\n    case 1:\n        pad = 2", "write `if` and `elif`"),
    "set": _statement("x = {1, 2}", "write a list"),
    "starred": _returned("return [*self, 1]", "write `sizes + [1]`"),
    "format": _statement('x = f"{pad:.2f}"', "write `{x}` without a format"),
    "list of nothing": _statement("x = []\nx.append(1)  #", "write `out: List[int] = []`"),
    "index": _statement(
        'x = self["a"]', "no overload of aten::__getitem__ takes str and List[int]"
    ),
    "sum": _statement("x = self + 1", "no overload of aten::add takes List[int] and int"),
    "large": _statement("x = 99999999999999999999999", "must fit in a signed 64 bit"),
    "bytes": _statement("x = b'a'", "Unknown Constant"),
    "ellipsis": _statement("x = self[...]", "Cannot emit"),
    "text raised": _statement('if pad == 99:\n    raise "a"  #', "must derive from BaseException"),
    "recursive": _returned("return conv_tbc(self, weight, bias, pad)", "recursively"),
    "recursive in turn": (RETURN, IN_TURN, "def conv_tbc(", "recursively", EVERY),
    "function of a package": (
        RETURN,
        "    return [fnmatch.filter([], '*'), self[1], 3]\n\n\nimport fnmatch\n",
        "    return [fnmatch",
        "fnmatch.filter",
        EVERY,
    ),
    # What the dialect has not.
    "tensor": _statement("x = torch.zeros(self)\nself = x.shape", "tensors cannot be exported"),
    "table": _returned(
        "return [positions, {0: self[1]}[0], weight[2]]",
        "no export is known for prim::DictConstruct",
    ),
    # What the text shows, and what cases show.
    "changed list": _statement("self.append(1)", "copy it first, `list(self)`", CHECKS),
    "changed through another name": _statement("x = self\nx[0] = 1  #", "copy it first", CHECKS),
    "silent assert": (
        FIRST,
        "    assert len(self) == 3\n",
        "    assert len(self) == 3\n",
        "this assert says nothing",
        WARNS,
    ),
    "silent raise": _statement(
        "if pad == 99:\n    raise ValueError()  #", "this raise says", WARNS
    ),
    "raised class": _statement("if pad == 99:\n    raise ValueError  #", "this raise says", WARNS),
    "rejected": _case("Invocation(T(2, 2, 3), T(3, 4, 5), T(5)),", "PyTorch rejects", CHECKS),
    "few": _case(
        "Invocation(T(2, 2, 3), T(3, 3, 5)),", "missing value for argument 'bias'", CHECKS
    ),
    "many": _case("Invocation(T(2), T(3), T(5), 1, 2),", "at most 4 argument(s)", CHECKS),
    "keyword": _case("Invocation(T(2), T(3), T(5), padding=1),", "'padding'", CHECKS),
    "text for a tensor": _case("Invocation(T(2), T(3), 'b'),", "found type 'str'", CHECKS),
    "dictionary for a tensor": _case("Invocation(T(2), T(3), {}),", "found type 'dict'", CHECKS),
    "accepted": (ERROR, ACCEPTED, ACCEPTED, "PyTorch accepts (float32[2, 2, 3]", CHECKS),
    # Cases that are none.
    "tuple": (CASE, "        (T(2, 2, 3),),\n", "@shape_function(", "ok= takes a list", EVERY),
    "nothing": (CASE, "        None,\n", "@shape_function(", "ok= takes a list", EVERY),
    "no list": (CASES, "    error=Invocation(T(2)),\n", "@shape_function(", "error= takes", EVERY),
    "named size": _case("Invocation(T('n', 2), T(3, 3, 5), T(5)),", "a size of a tensor is an int"),
    "half size": _case("Invocation(T(2.5, 2), T(3, 3, 5), T(5)),", "a size of a tensor is an int"),
    "sizes in a list": _case("Invocation(T([2, 2]), T(3), T(5)),", "a size of a tensor is an int"),
    "negative size": _case("Invocation(T(-1), T(3, 3, 5), T(5)),", "a size of a tensor is an int"),
    "tensor in a case": _case("Invocation(torch.ones(2), T(3, 3, 5), T(5)),", "write T(2, 3)"),
    "Python's float": _case("Invocation(T(2, dtype=float), T(3), T(5)),", "dtype= takes a dtype"),
    "dtype's name": _case("Invocation(T(2, dtype='int8'), T(3), T(5)),", "dtype= takes a dtype"),
    "few values": _case("Invocation(T(2, values=[1]), T(3), T(5)),", "has 2 values, got 1"),
    "device": _case("Invocation(T(2), T(3), T(5), device='gpu'),", 'device="meta" or "cpu"'),
    "case that raises": _case("Invocation(T(2)[0], T(3), T(5)),", "TypeError: 'TensorCase'"),
    "undefined in a case": _case("Invocation(X(2), T(3), T(5)),", "NameError: name 'X'"),
    "misspelt keyword": ("    ok=[", "    okay=[", "@shape_function(", "'okay'", EVERY),
    # Declarations.
    "misspelt operator": (
        OPERATOR,
        OPERATOR.replace("_tbc", "_tbcc"),
        "def conv_tbc(",
        "did you mean aten::conv_tbc",
        EVERY,
    ),
    "no overload": (
        OPERATOR,
        OPERATOR.replace("_tbc", "_tbc.default"),
        "def conv_tbc(",
        "no operator",
        EVERY,
    ),
    "no namespace": (
        OPERATOR,
        OPERATOR.replace("aten::", ""),
        "@shape_function(",
        "is not an operator name",
        EVERY,
    ),
    "dots": (
        OPERATOR,
        OPERATOR.replace("::", "."),
        "@shape_function(",
        "is not an operator name",
        EVERY,
    ),
    "number": (
        OPERATOR,
        "@shape_function(\n    5,",
        "@shape_function(",
        "name of an operator",
        EVERY,
    ),
    "object": (
        OPERATOR,
        "@shape_function(\n    torch.ops.aten.conv_tbc,",
        "@shape_function(",
        "takes the name of an operator first",
        EVERY,
    ),
    "no operator": (
        OPERATOR,
        "@shape_function(",
        "@shape_function(",
        "argument: 'operator'",
        EVERY,
    ),
    "not called": _declared(
        f"@shape_function\n{AGAIN}", "name of an operator", "@shape_function\n"
    ),
    "twice": _declared(
        f'@shape_function("aten::conv_tbc")\n{AGAIN}', "is declared at", '@shape_function("'
    ),
    "async": (
        "def conv_tbc(",
        "async def conv_tbc(",
        "@shape_function(",
        "a shape function is one",
        EVERY,
    ),
    "declared lambda": _declared(
        'shape_function("aten::mm")(lambda self, mat2: self)', "`def` defines, not <lambda>"
    ),
    "declared builtin": _declared('shape_function("aten::mm")(len)', "`def` defines, not len"),
    "declared class": _declared('shape_function("aten::mm")(dict)', "`def` defines, not dict"),
    # Files.
    "no module": _imported("import nosuchmodule", "ModuleNotFoundError: No module named"),
    "no such name": _imported(
        "from typing import Lisst", "ImportError: cannot import name 'Lisst'"
    ),
    "raising": _imported("raise ValueError('no')", "ValueError: no"),
    "raising nothing": _imported("assert False", "AssertionError"),
    "leaving": _imported("raise SystemExit(0)", "ends the process"),
    "endless": _imported("def f():\n    f()\nf()", "RecursionError", "    f()"),
    "bracket": _returned("return [positions, self[1]", "SyntaxError: '[' was never closed"),
    "indented": (
        RETURN,
        f"  {RETURN}",
        f"  {RETURN}",
        "IndentationError: unexpected indent",
        EVERY,
    ),
    "tab": (RETURN, "\treturn self\n", "\treturn self\n", "TabError: inconsistent", EVERY),
    "no colon": (SIGNATURE, SIGNATURE.replace(":\n", "\n"), "def conv_tbc(", "expected ':'", EVERY),
    "null": (RETURN, f"\0{RETURN}", f"\0{RETURN}", "null bytes", EVERY),
}


class Run:
    """What a tool did with a file: its exit code, what it printed, and what it wrote."""

    def __init__(self, main, words, capsys, written):
        capsys.readouterr()
        self.code = run_command(main, [str(word) for word in words])
        captured = capsys.readouterr()
        self.text = captured.out + captured.err
        self.written = written.exists()

    def told(self):
        """The messages: line, severity, words; notes tell of no mistake."""
        assert "Traceback" not in self.text and "internal error" not in self.text
        found = MESSAGE.findall(self.text)
        assert all(file for file, *_ in found)
        return [(int(line or 0), severity, words) for _, line, severity, words in found]


@pytest.fixture
def tools(tmp_path, monkeypatch, capsys):
    """Runs a tool on a file that is the only family, in this process, which forgets it after."""
    library = tmp_path / "library.mlir"
    monkeypatch.setattr(declaration, "_declared", {})
    monkeypatch.setattr(families, "__path__", [str(tmp_path)])
    monkeypatch.setattr(families, "time_convolution", None, raising=False)
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    monkeypatch.setattr(export_library, "LIBRARY", library)
    monkeypatch.setattr(sys, "path", list(sys.path))
    # A thread that ends this process has no place in tests.
    monkeypatch.setattr(call_limit, "start", lambda: None)
    file = tmp_path / "time_convolution.py"

    def run(tool, source):
        file.write_text(source)
        declaration._declared.clear()
        _forget(tmp_path)
        library.unlink(missing_ok=True)
        with warnings.catch_warnings():
            if tool == "check":
                return Run(check_function.main, ["aten::conv_tbc"], capsys, library)
            if tool == "export":
                return Run(export_library.main, [], capsys, library)
            return Run(extra_library.main, [file, "-o", library], capsys, library)

    yield run
    _forget(tmp_path)


def _forget(folder):
    """Forget the modules whose files are in a folder."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(f"{folder}{os.sep}"):
            del sys.modules[name]


def test_the_file_without_a_mistake_is_taken(tools):
    assert tools("check", SOURCE).told() == []
    for tool in ("export", "extra"):
        run = tools(tool, SOURCE)
        assert (run.code, run.told(), run.written) == (0, [], True), run.text


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_message_at_its_line(tools, mistake):
    old, new, mark, message, finds = MISTAKES[mistake]
    assert SOURCE.count(old) >= 1
    source = SOURCE.replace(old, new, 1)
    # The last but for what is declared first: the mark of a mistake is not in what precedes it.
    line = source.count("\n", 0, source.index(mark)) + 1
    for tool in ("check", "export", "extra"):
        run = tools(tool, source)
        if tool == "export" and finds != EVERY:
            assert (run.code, run.told()) == (0, []), run.text
            continue
        severity = "warning" if finds == WARNS else "error"
        assert [told[:2] for told in run.told()] == [(line, severity)], f"{tool}: {run.text}"
        assert message in run.text
        taken = tool == "extra" and finds == WARNS
        assert (run.code, run.written) == ((0, True) if taken else (1, False)), run.text


WORDS = (tokenize.NAME, tokenize.OP, tokenize.NUMBER)


def _slip(chance):
    """The file with a line or a token that is lost, doubled, swapped or another one."""
    lines = SOURCE.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(SOURCE).readline))
    token, other = chance.sample([each for each in tokens if each.type in WORDS], 2)
    row = chance.randrange(len(lines))
    lost = lines[:row] + lines[row + 1 :]
    doubled = lines[: row + 1] + lines[row:]

    def replaced(old, new):
        """The lines with another token."""
        changed = list(lines)
        line = changed[old.start[0] - 1]
        changed[old.start[0] - 1] = line[: old.start[1]] + new + line[old.end[1] :]
        return changed

    slips = [lost, doubled, replaced(token, ""), replaced(token, other.string)]
    return "".join(chance.choice(slips))


@pytest.mark.parametrize("seed", range(15))
def test_a_slip_of_the_pen_is_told_or_does_no_harm(tools, seed):
    """Nothing but messages, each at a line, from any change of the file."""
    source = _slip(random.Random(seed))
    for tool in ("check", "export", "extra"):
        run = tools(tool, source)
        told = run.told()
        assert run.code == 0 or (run.code == 1 and any(line for line, *_ in told)), run.text
        assert len(told) <= 4, run.text


def _process(module, *arguments, **environment):
    command = [sys.executable, "-m", f"torch_refine.build_tools.{module}", *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, **environment},
    )


def test_a_function_that_does_not_end_ends_the_tool(tmp_path):
    """The compiled loop never returns to Python; nothing but the message is printed."""
    file = tmp_path / "time_convolution.py"
    loop = "    while pad < 5:\n        weight = weight[:]\n"
    file.write_text(SOURCE.replace(RETURN, loop + RETURN, 1))
    done = _process(
        "extra_library", file, "-o", tmp_path / "out.mlir", TORCH_REFINE_CALL_SECONDS="1"
    )
    line = SOURCE.count("\n", 0, SOURCE.index("def conv_tbc(")) + 1
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(
        rf"{file}:{line}: error: aten::conv_tbc: does not end within 1 s for \(.*\)\n", done.stderr
    )


def _written(path, content):
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: folder / "missing.py", "missing.py: it does not exist"),
        (lambda folder: folder, ": it is a folder"),
        (
            lambda folder: _written(folder / "empty.py", b""),
            "empty.py: error: the file has no functions",
        ),
        (
            lambda folder: _written(folder / "latin.py", b"x = 1\ny = '\xe4'\n"),
            "latin.py:2: error: the file is not UTF-8",
        ),
        (
            lambda folder: _written(folder / "program", b"\x7fELF\x00\x01"),
            "program:1: error: SyntaxError: source code string cannot contain null bytes",
        ),
    ],
    ids=["missing", "folder", "empty", "not UTF-8", "binary"],
)
def test_a_file_that_is_no_source_is_one_message(tools, tmp_path, capsys, make, message):
    output = tmp_path / "out.mlir"
    run = Run(extra_library.main, [make(tmp_path), "-o", output], capsys, output)
    assert (run.code, run.written, run.told()) == (1, False, [])
    assert message in run.text and len(run.text.splitlines()) == 1


def test_an_output_that_cannot_be_written_is_one_message(tools, tmp_path, capsys):
    file = _written(tmp_path / "time_convolution.py", SOURCE.encode())
    for output in (tmp_path / "no" / "out.mlir", tmp_path):
        run = Run(extra_library.main, [file, "-o", output], capsys, tmp_path / "no")
        assert run.code == 1
        assert run.text.startswith(f"error: cannot write {output}: ")
        assert len(run.text.splitlines()) == 1
        declaration._declared.clear()


def test_a_family_that_cannot_be_imported_is_one_message(tmp_path):
    """As the Makefile runs it, on families of which one has a mistake."""
    file = tmp_path / "time_convolution.py"
    file.write_text("import nosuchmodule\n" + SOURCE)
    program = (
        "import runpy, sys\n"
        "from torch_refine.abstract_interp_lib import families\n"
        f"families.__path__[:] = [{str(tmp_path)!r}]\n"
        "runpy.run_module('torch_refine.build_tools.check_functions', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=100
    )
    said = f"{file}:1: error: ModuleNotFoundError: No module named 'nosuchmodule'\n"
    mark = f"import nosuchmodule\n{'~' * len('import nosuchmodule')}\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said + mark)


@pytest.mark.parametrize(
    ("operator", "message"),
    [
        ("aten::conv_tbcc", "PyTorch has no operator aten::conv_tbcc; did you mean aten::conv_tbc"),
        ("my::gram", "PyTorch has no operator my::gram; functions of an operator of your own are"),
        ("mm", "PyTorch has no operator mm"),
        ("aten::ormqr", "no function is declared for aten::ormqr: make function OP=aten::ormqr"),
    ],
)
def test_an_operator_without_functions_is_one_message(tools, capsys, tmp_path, operator, message):
    run = Run(check_function.main, [operator], capsys, tmp_path / "none")
    assert run.code == 1
    assert run.text.startswith(f"error: {message}")
    assert len(run.text.splitlines()) == 1


def test_messages_that_are_alike_are_counted(tools):
    """A result of a wrong rank is so in all five cases: three are shown, once, and two counted."""
    run = tools("check", SOURCE.replace(RETURN, "    return [positions, weight[2]]\n"))
    line = SOURCE.count("\n", 0, SOURCE.index("def conv_tbc(")) + 1
    told = run.told()
    assert [each[:2] for each in told] == [(line, "error")] * 3
    assert all("shape for (float32[" in words for *_, words in told)
    assert re.fullmatch(
        r"(\S+: error: .*\n){3}"
        rf"\S*time_convolution.py:{line}: note: aten::conv_tbc: 2 more calls with a wrong "
        r"shape\naten::conv_tbc: 11 cases, 0 calls by PyTorch's samples: 5 problems\n",
        run.text,
    )


def test_an_interrupt_says_where_the_file_was(tools):
    """Of a file that never ends, the line is what its author wants to know."""
    source = SOURCE.replace("import torch\n", "import torch\nraise KeyboardInterrupt\n", 1)
    line = source.count("\n", 0, source.index("raise KeyboardInterrupt")) + 1
    for tool in ("check", "export", "extra"):
        run = tools(tool, source)
        assert (run.code, run.written) == (130, False)
        assert re.fullmatch(rf"interrupted at \S*time_convolution.py:{line}\n", run.text)
