"""Start the functions of an operator: a stub with the schema's signature, in the right family.

    python -m torch_refine.build_tools.new_function aten::foo.bar [--file FAMILY] [--decomposition]

The stub is sound: the shape is unknown. The dtype is that of the first tensor, which has to be
checked. The stub of a decomposition raises, which leaves the operator as it is. The next steps are
printed.
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
from torch_refine.dialect.names import Kind
from torch_refine.dialect.schemas import Schema, operators, schema
from torch_refine.importer.functions.signatures import SignatureError, signature_text
from torch_refine.importer.functions.usable import no_operator
from torch_refine.importer.functions.user_code import UserCodeError, failed, run_command
from torch_refine.importer.functions.variants import variants

FAMILIES = Path(families.__path__[0])
_DECLARATION = "torch_refine.abstract_interp_lib.declaration"
_DECOMPOSITIONS = "decompositions"
_UNKNOWN = "torch_refine.abstract_interp_lib.rules.unknown"
_NAMED = re.compile(r'"(\w+::[\w.]+)"')


class CannotStart(UserCodeError):
    """No stub can be written; the message says why, and what to do instead."""


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
    relative = _family_of(operator, declared)
    path = _named(file, relative.parent) if file else relative
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


def start_decomposition(operator: str, file: str | None = None) -> Path:
    """Write the stub of an operator's decomposition function; returns the file that it is in.

    Raises CannotStart if the operator does not exist, has a decomposition, or cannot have one, or
    if the file cannot be added to.
    """
    if operator not in operators():
        raise CannotStart(no_operator(operator))
    declared = declared_in(_DECOMPOSITIONS)
    if operator in declared:
        raise CannotStart(f"{operator} has its decomposition in {declared[operator].name}")
    relative = _family_of(operator, declared)
    path = relative
    if file:
        path = _named(file if "/" in file else f"{_DECOMPOSITIONS}/{file}", relative.parent)
    found = schema(operator)
    try:
        signature = signature_text("decomposition", found)
    except SignatureError as error:
        raise CannotStart(f"{operator} cannot have a decomposition: {error.message}") from None
    stub = f'''

@decomposition("{operator}")
def {_function_name(found)}({signature}:
    """How it is computed, in a sentence."""
    raise AssertionError("it is not written")
'''
    new = f'"""How {operator} and its relatives are computed."""\n\nimport torch\n'
    source = path.read_text(encoding="utf-8") if path.exists() else new
    path.write_text(_with_imports(source, stub).rstrip() + "\n" + stub, encoding="utf-8")
    return path


def _named(file: str, nearest: Path) -> Path:
    """The family that a user names; without a folder, a new one is in the folder `nearest`."""
    folder, _, name = file.removesuffix(".py").rpartition("/")
    if not name.isidentifier() or (folder and not _is_area(folder)):
        raise CannotStart(
            f"{file!r} is not the name of a family, a file below {place(str(FAMILIES))} without "
            ".py, such as neural_networks/time_convolution"
        )
    if folder:
        return FAMILIES / folder / f"{name}.py"
    return next(FAMILIES.rglob(f"{name}.py"), nearest / f"{name}.py")


def _is_area(folder: str) -> bool:
    """Whether a folder contains families."""
    return folder.isidentifier() and (FAMILIES / folder / "__init__.py").exists()


def _compiled(path: Path) -> SyntaxError | None:
    """Python's error for a family that it cannot parse, with the file and the line."""
    try:
        compile(path.read_bytes(), str(path), "exec")
    except SyntaxError as error:
        return error
    return None


def declared_in(folder: str | None = None) -> dict[str, Path]:
    """The family file that names each operator, from the sources: nothing is imported.

    Files are those below one folder, by default all but those of decompositions.
    """
    found: dict[str, Path] = {}
    for path in sorted(FAMILIES.rglob("*.py")):
        folders = path.relative_to(FAMILIES).parts[:-1]
        if folder not in folders if folder else _DECOMPOSITIONS in folders:
            continue
        for operator in _NAMED.findall(path.read_text(encoding="utf-8", errors="replace")):
            found.setdefault(operator, path)
    return found


def _family_of(operator: str, declared: dict[str, Path]) -> Path:
    """The file of the operator with the most similar name: another overload, if there is one."""
    name = operator.partition(".")[0]
    overloads = [each for each in declared if each.partition(".")[0] == name]
    close = overloads or difflib.get_close_matches(operator, declared, n=1, cutoff=0.0)
    return declared[close[0]]


def _new_family(operator: str) -> str:
    return f'"""What {operator} and its relatives give."""\n\nfrom typing import List\n\n'


def _function_name(found: Schema) -> str:
    return found.name.partition("::")[2].replace(".", "_")


def _stub(found: Schema) -> str:
    """The stubs of both functions, with an initial case."""
    name = _function_name(found)
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
    """The source with the imports that a stub needs."""
    wanted = {
        "typing": {"Any", "List", "Optional", "Tuple", "Union"},
        _DECLARATION: {"Invocation", "T", "decomposition", "dtype_function", "shape_function"},
        _UNKNOWN: {"unknown_sizes"},
    }
    used = set(re.findall(r"\w+", stub))
    for module, names in wanted.items():
        source = _with_import(source, module, names & used)
    return source


def _with_import(source: str, module: str, names: set[str]) -> str:
    """The source with names imported from a module, in one sorted statement."""
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
    """Write a stub and print the next steps; returns the exit code. Raises CannotStart."""
    parser = argparse.ArgumentParser(
        usage="make function OP=aten::foo.bar [FILE=FAMILY] [FLAGS=--decomposition]",
        description=(__doc__ or "").partition("\n")[0],
    )
    parser.add_argument("operator", help="such as aten::foo.bar")
    parser.add_argument(
        "--file", help="the family, such as pointwise/ternary; else the nearest relative's"
    )
    parser.add_argument(
        "--decomposition", action="store_true", help="how the operator is computed by others"
    )
    options = parser.parse_args(words)
    if options.decomposition:
        path = start_decomposition(options.operator, options.file)
        line = path.read_text(encoding="utf-8").rpartition("@decomposition(")[0].count("\n") + 1
        print(f"{place(str(path), line)}: stub of a decomposition of {options.operator}")
        print(f"  {schema(options.operator)}")
        print("Now write its body, and what it does not cover as an assert;")
        print(f"then make check-function OP={options.operator}")
        return 0
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
