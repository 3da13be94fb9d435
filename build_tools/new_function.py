"""Start the functions of an operator: a stub with the schema's signature, in the right family.

    python -m torch_refine.build_tools.new_function aten::foo.bar [--file FAMILY]

The stub claims nothing, so that it is right from the start: any shape, and the dtype that the first
tensor has is left to be checked. What is to be done is printed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from torch_refine.abstract_interp_lib import families
from torch_refine.abstract_interp_lib.declaration import place
from torch_refine.build_tools.check_functions import no_operator
from torch_refine.build_tools.signatures import SignatureError, signature_text
from torch_refine.build_tools.user_code import UserCodeError, failed, run_command
from torch_refine.build_tools.variants import variants
from torch_refine.dialect.names import Kind
from torch_refine.dialect.schemas import Schema, operators, schema

FAMILIES = Path(families.__path__[0])
_DECLARATION = "torch_refine.abstract_interp_lib.declaration"
_UNKNOWN = "torch_refine.abstract_interp_lib.rules.unknown"
_NAMED = re.compile(r'"(\w+::[\w.]+)"')


class CannotStart(UserCodeError):
    """There is no stub to write; the message says why, and what to do instead."""


def start_function(operator: str, file: str | None = None) -> Path:
    """Write the stub of an operator's functions; returns the file that it is in.

    Raises CannotStart if the operator does not exist, has functions already, gets them from
    another operator, or cannot have any, or if the file cannot be added to.
    """
    if operator not in operators():
        raise CannotStart(no_operator(operator))
    declared = declared_in()
    if operator in declared:
        raise CannotStart(f"{operator} has its functions in {declared[operator].name}")
    variant = next((each for each in variants() if each.operator == operator), None)
    if variant is not None:
        raise CannotStart(
            f"{operator} is the {variant.form} variant of {variant.base}, from whose functions its "
            f"own are derived: start {variant.base}"
        )
    path = _named(file) if file else _family_of(operator, declared)
    try:
        stub = _stub(schema(operator))
    except SignatureError as error:
        raise CannotStart(f"{operator} cannot have functions: {error.message}") from None
    try:
        source = path.read_text(encoding="utf-8") if path.exists() else _new_family(operator)
        text = _with_imports(source, stub).rstrip() + "\n" + stub
    except (SyntaxError, UnicodeDecodeError) as error:
        wrong = failed(_compiled(path) or error, path)
        raise CannotStart(wrong.message, wrong.where, wrong.excerpt) from None
    path.write_text(text, encoding="utf-8")
    return path


def _named(file: str) -> Path:
    """The family that a user names."""
    name = file.removesuffix(".py")
    if not name.isidentifier():
        raise CannotStart(
            f"{file!r} is not the name of a family, a file in {place(str(FAMILIES))} without .py, "
            "such as time_convolution"
        )
    return FAMILIES / f"{name}.py"


def _compiled(path: Path) -> SyntaxError | None:
    """What Python says of a family that it cannot read, with the file and the line."""
    try:
        compile(path.read_bytes(), str(path), "exec")
    except SyntaxError as error:
        return error
    return None


def declared_in() -> dict[str, Path]:
    """The family file that names each operator, from the sources: nothing is imported."""
    found: dict[str, Path] = {}
    for path in sorted(FAMILIES.glob("*.py")):
        for operator in _NAMED.findall(path.read_text(encoding="utf-8", errors="replace")):
            found.setdefault(operator, path)
    return found


def _family_of(operator: str, declared: dict[str, Path]) -> Path:
    """The file of the operator whose name is most alike: another overload, if there is one."""
    name = operator.partition(".")[0]
    overloads = [each for each in declared if each.partition(".")[0] == name]
    close = overloads or difflib.get_close_matches(operator, declared, n=1, cutoff=0.0)
    return declared[close[0]]


def _new_family(operator: str) -> str:
    return f'"""What {operator} and its relatives give."""\n\nfrom typing import List\n\n'


def _stub(found: Schema) -> str:
    """Both functions, with a case to start from."""
    name = found.name.partition("::")[2].replace(".", "_")
    case = ", ".join(_example(each.type) for each in found.arguments if each.default is None)
    shape, dtype = (_result(found, kind) for kind in ("shape", "dtype"))
    return f'''

@shape_function(
    "{found.name}",
    ok=[Invocation({case})],
)
def {name}({signature_text("shape", found)}:
    """What shape the result has, in a sentence."""
    return {shape}


@dtype_function("{found.name}")
def {name}_dtype({signature_text("dtype", found)}:
    """What dtype the result has, in a sentence."""
    return {dtype}
'''


_EXAMPLES = {
    "Tensor": "T(2, 3)",
    "int": "1",
    "SymInt": "1",
    "float": "1.0",
    "Scalar": "1.0",
    "bool": "True",
    "str": '""',
    "ScalarType": "6",
}


def _example(kind: str) -> str:
    if kind.endswith("?"):
        return "None"
    if "[" in kind:
        return f"[{_example(kind.partition('[')[0])}]"
    return _EXAMPLES.get(kind, "None")


def _result(found: Schema, kind: Kind) -> str:
    """What a stub returns: any shape; the dtype of the first tensor, or the default one."""
    first = next((each.name for each in found.arguments if each.type == "Tensor"), None)
    one = "unknown_sizes()" if kind == "shape" else f"{first}[1]" if first else "6"
    results = [
        one if each == "Tensor" else f"[{one}]" for each in found.returns if each[:6] == "Tensor"
    ]
    return ", ".join(results)


def _with_imports(source: str, stub: str) -> str:
    """A file that imports what a stub uses."""
    wanted = {
        "typing": {"Any", "List", "Optional", "Tuple", "Union"},
        _DECLARATION: {"Invocation", "T", "dtype_function", "shape_function"},
        _UNKNOWN: {"unknown_sizes"},
    }
    used = set(re.findall(r"\w+", stub))
    for module, names in wanted.items():
        source = _with_import(source, module, names & used)
    return source


def _with_import(source: str, module: str, names: set[str]) -> str:
    """A file that imports names from a module, in one sorted statement."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    imports = [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    for each in imports:
        if isinstance(each, ast.ImportFrom) and each.module == module:
            names = names | {alias.name for alias in each.names}
            lines[each.lineno - 1 : each.end_lineno] = [_import_text(module, names)]
            return "".join(lines)
    if not names:
        return source
    end = imports[-1].end_lineno or 0 if imports else 1
    return "".join([*lines[:end], _import_text(module, names), *lines[end:]])


def _import_text(module: str, names: set[str]) -> str:
    # Classes before functions, as the linter sorts them.
    ordered = sorted(names, key=lambda name: (not name[0].isupper(), name))
    text = f"from {module} import {', '.join(ordered)}\n"
    if len(text) <= 101:
        return text
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in ordered) + ")\n"


def main(words: Sequence[str]) -> int:
    """Write a stub and say what to do; the exit code. Raises CannotStart."""
    parser = argparse.ArgumentParser(
        usage="make function OP=aten::foo.bar [FILE=FAMILY]",
        description=(__doc__ or "").partition("\n")[0],
    )
    parser.add_argument("operator", help="such as aten::foo.bar")
    parser.add_argument("--file", help="the family's file without .py; else the nearest relative's")
    options = parser.parse_args(words)
    path = start_function(options.operator, options.file)
    line = path.read_text(encoding="utf-8").rpartition("@shape_function(")[0].count("\n") + 1
    print(f"{place(str(path), line)}: stubs of both functions of {options.operator}")
    print(f"  {schema(options.operator)}")
    print("Now:")
    print("  1. write the shape of the result, and an assert with a message for what is rejected;")
    print("  2. write its dtype;")
    print("  3. give calls that PyTorch accepts (ok=) and rejects (error=), at the edges too;")
    print(f"  4. make check-function OP={options.operator}")
    return 0


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
