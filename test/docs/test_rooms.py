"""The order of the rooms: what imports what, seen in the source, lazy imports included."""

import ast
from collections import Counter, defaultdict
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent.parent
# From the top: a room imports from itself and from what stands behind it. `docs/architecture.md`.
ORDER = (
    "torch_refine",
    "runtime",
    "importer",
    "pipelines",
    "passes",
    "abstract_interpreter",
    "dialect",
    "abstract_interp_lib",
)
ROOMS = (*ORDER[1:], "build_tools")
MOST_MODULES = 25


def modules():
    """All modules by their names, with their files."""
    found = {}
    for folder, prefix in [(REPOSITORY / "python" / "torch_refine", ("torch_refine",))] + [
        (REPOSITORY / room, ("torch_refine", room)) for room in ROOMS
    ]:
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            found[".".join((*prefix, *parts))] = file
    return found


def imports(modules):
    """The modules that each module imports, anywhere in it."""
    found = defaultdict(set)
    for module, file in modules.items():
        package = module if file.name == "__init__.py" else module.rpartition(".")[0]
        for node in ast.walk(ast.parse(file.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                parents = package.split(".")[: -(node.level - 1) or None] if node.level else []
                base = ".".join([*parents, *([node.module] if node.module else [])])
                names = [f"{base}.{alias.name}" for alias in node.names]
            for name in names:
                while name and name not in modules:
                    name = name.rpartition(".")[0]
                if name not in ("", "torch_refine", module):
                    found[module].add(name)
    return found


def room_of(module):
    """The room of a module; the public API's is `torch_refine`."""
    room = (*module.split("."), "")[1]
    return room if room in ROOMS else "torch_refine"


def cycles(imports):
    """The groups of modules that import each other (Tarjan's strongly connected components)."""
    number, low, stack, found = {}, {}, [], []

    def visit(module):
        number[module] = low[module] = len(number)
        stack.append(module)
        for other in imports.get(module, ()):
            if other not in number:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == number[module]:
            at = stack.index(module)
            group = stack[at:]
            del stack[at:]
            if len(group) > 1:
                found.append(sorted(group))

    for module in list(imports):
        if module not in number:
            visit(module)
    return found


MODULES = modules()
IMPORTS = imports(MODULES)


def test_what_is_seen():
    assert len(MODULES) > 500
    assert "torch_refine.runtime.compiled" in IMPORTS["torch_refine"], "a lazy one, for types"
    assert "torch_refine.dialect.bindings" in IMPORTS["torch_refine.passes.refine_types"]
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [["a", "b", "c"]]


@pytest.mark.parametrize("room", ORDER)
def test_no_room_imports_upwards(room):
    above = {"build_tools", *ORDER[: ORDER.index(room)]}
    upwards = [
        f"{module} -> {other}"
        for module, others in IMPORTS.items()
        for other in others
        if room_of(module) == room and room_of(other) in above
    ]
    assert not upwards


def test_no_modules_import_each_other():
    assert cycles(IMPORTS) == []


def test_rooms_are_small():
    counts = Counter(file.parent.relative_to(REPOSITORY) for file in MODULES.values())
    counts.update(
        file.parent.relative_to(REPOSITORY) for file in (REPOSITORY / "test").rglob("*.py")
    )
    assert {str(folder): n for folder, n in counts.items() if n > MOST_MODULES} == {}


def test_names_of_test_modules_are_unique():
    """Pytest imports a module of a folder without `__init__.py` by its base name alone."""
    files = [
        file
        for file in (REPOSITORY / "test").rglob("test_*.py")
        if not (file.parent / "__init__.py").exists()
    ]
    counts = Counter(file.name for file in files)
    assert {str(file): file.name for file in files if counts[file.name] > 1} == {}
