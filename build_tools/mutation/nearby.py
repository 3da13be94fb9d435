"""The tests near a module: the words of each, the nearest first.

A unit is `("lit", FILE)`, `("pytest", FILE, option ...)` or `("functions", FAMILY)`, the cases of a
family's functions. Which tests are near is read from names and imports:

- of a pass, its lit files, what holds for all passes, and the tests that import it;
- of another module, the tests that import it, those of its folder (`_OF_FOLDERS`), and those of the
  passes that import it, directly or through others;
- of a rule of the library, the families whose functions call it, directly or through other rules.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from torch_refine.build_tools.mutation.overlay import ROOT, modules

Unit = tuple[str, ...]

TESTS = ROOT / "test"
_RULES = ROOT / "abstract_interp_lib" / "rules"
_FAMILIES = ROOT / "abstract_interp_lib" / "families"
_IMPORT = re.compile(r"from (torch_refine[\w.]*) import (\([^)]*\)|[^\n]*)")
# So many passes and families are tested for a module that they import.
_MOST_PASSES = 4
_MOST_FAMILIES = 5
_WRITTEN = (
    "passes/simplify-shape-calculations.mlir",
    "passes/simplify-dtype-calculations.mlir",
    "passes/simplify-shape-calculations-operators.mlir",
    "passes/simplify-dtype-calculations-numbers.mlir",
)
# Tests of what a folder or a file does, the nearest first.
_OF_FOLDERS: dict[str, tuple[str, ...]] = {
    "abstract_interpreter/calling.py": ("api/test_infer.py",),
    "abstract_interpreter/elements.py": ("passes/refine-types.mlir", *_WRITTEN),
    "abstract_interpreter/materialising": _WRITTEN,
    "abstract_interpreter/outcomes.py": _WRITTEN,
    "abstract_interpreter/preconditions.py": ("abstract_interpreter/test_preconditions.py",),
    "abstract_interpreter/running/library_lines.py": (
        "abstract_interpreter/test_library_lines.py",
    ),
    "abstract_interpreter/running/origins.py": ("pipelines/explanation/test_causes.py",),
    "abstract_interpreter/running/recording.py": _WRITTEN,
    "abstract_interpreter": (
        "abstract_interpreter/test_evaluator_loops.py",
        "abstract_interpreter/test_evaluator_whiles.py",
        "abstract_interpreter/test_evaluator_lists.py",
        "abstract_interpreter/test_evaluator_aliases.py",
        "abstract_interpreter/test_evaluator_limits.py",
        "abstract_interpreter/test_made_up_functions.py",
        "passes/refine-types.mlir",
        *_WRITTEN,
        "passes/refine-types-control-flow.mlir",
        "api/test_infer.py",
        "abstract_interpreter/test_expressions.py",
        "abstract_interpreter/test_ranges.py",
        "abstract_interpreter/test_path_condition.py",
        "abstract_interpreter/test_materialised.py",
    ),
    "passes/type_refinement": (
        *_WRITTEN,
        "passes/test_control_flow.py",
        "passes/test_refine_types.py",
    ),
    "passes/symbolic_shapes": (
        "passes/name-symbolic-inputs.mlir",
        "passes/name-symbolic-inputs-invalid.mlir",
        "passes/specialize-symbols.mlir",
        "passes/specialize-symbols-invalid.mlir",
        "passes/refine-types-symbolic-shapes.mlir",
    ),
    "passes/shape_functions": (
        "passes/extract-shape-functions.mlir",
        "passes/extract-shape-functions-invalid.mlir",
        "passes/test_shape_functions.py",
    ),
    "passes/error_guards": (
        "passes/insert-error-guards.mlir",
        "passes/insert-error-guards-entry.mlir",
        "passes/insert-error-guards-attribute.mlir",
        "abstract_interpreter/test_preconditions.py",
    ),
    "pipelines/explanation": (
        "pipelines/explanation/test_causes.py",
        "pipelines/explanation/test_advice.py",
        "pipelines/explanation/test_conflicts.py",
        "tool/test_explain.py",
    ),
    "passes/onnx": ("pipelines/test_onnx.py",),
    "passes/lowering": ("passes/lowering/test_kernels.py",),
    "passes/lowering/exported": (
        "passes/lowering/test_dtypes.py",
        "passes/lowering/test_single_elements.py",
        "passes/lowering/test_integer_division.py",
    ),
    "passes/lowering/fusion": ("passes/lowering/test_kernels.py",),
    "passes/lowering/gpu": ("pipelines/test_gpu.py",),
    "passes/lowering/kernels/attention": ("passes/lowering/test_attention.py",),
    "passes/lowering/kernels/contractions": (
        "passes/lowering/test_contractions.py",
        "runtime/test_search.py",
    ),
    "passes/lowering/kernels/targets": (
        "passes/test_cpu_targets.py",
        "runtime/test_cpu_target.py",
    ),
    "passes/lowering/linalg": (
        "passes/test_bounds_checks.py",
        "passes/lowering/test_operand_sizes.py",
        "passes/lowering/test_integer_division.py",
        "passes/lowering/test_windows.py",
    ),
    "passes/lowering/llvm": ("passes/lowering/test_vector_dtypes.py",),
    "passes/lowering/torch": ("passes/lowering/test_data_dependent_sizes.py",),
    "pipelines/html_report": ("tool/test_html_report.py",),
}


def nearby(file: Path, function: str = "") -> list[Unit]:
    """The tests near a module's file; `function` is that of a rule, if it is in one."""
    if file.is_relative_to(_RULES):
        return [("functions", family) for family in families_with(file, function)]
    found: list[Unit] = []
    if own := lit_files(file):
        found += [("lit", path) for path in own]
        flag = file.stem.replace("_", "-")
        found.append(("pytest", "test/passes/test_passes.py", "-k", f"{flag} and not steps"))
    found += [_unit(path) for path in _python_tests() if path.stem == f"test_{file.stem}"]
    if not file.is_relative_to(ROOT / "abstract_interpreter"):
        found += [("lit", path) for each in passes_with(file) for path in lit_files(each)]
        found += [_unit(path) for path in _importing_tests(file)]
    found += [_unit(TESTS / path) for path in _folder_tests(file.relative_to(ROOT))]
    found += [_unit(path) for path in _importing_tests(file)]
    return list(dict.fromkeys(found))


def _unit(path: Path) -> Unit:
    return ("lit" if path.suffix == ".mlir" else "pytest", str(path.relative_to(ROOT)))


def lit_files(file: Path) -> list[str]:
    """The lit files of a pass, none for what is no pass."""
    flag = file.stem.replace("_", "-")
    folder = TESTS / "passes"
    if not file.is_relative_to(ROOT / "passes") or not (folder / f"{flag}.mlir").exists():
        return []
    return [str(path.relative_to(ROOT)) for path in sorted(folder.glob(f"{flag}*.mlir"))]


def _folder_tests(file: Path) -> Iterator[str]:
    for folder in (file, *file.parents):
        yield from _OF_FOLDERS.get(str(folder), ())


@cache
def _python_tests() -> tuple[Path, ...]:
    return tuple(sorted(TESTS.rglob("test_*.py")))


def _importing_tests(file: Path) -> list[Path]:
    return sorted(path for path in _users()[file] if path.is_relative_to(TESTS))


def passes_with(file: Path) -> list[Path]:
    """Passes that import a module, the nearest first; a few."""
    users = _users()
    found: list[Path] = []
    seen = {file}
    level = [file]
    while level and not found:
        level = sorted({user for each in level for user in users[each]} - seen)
        seen.update(level)
        found = [user for user in level if lit_files(user)]
    return found[:_MOST_PASSES]


@cache
def _users() -> Mapping[Path, set[Path]]:
    """The modules and tests that import each module, anywhere in them."""
    known = modules()
    users: dict[Path, set[Path]] = defaultdict(set)
    for path in (*known.values(), *_python_tests()):
        for module, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
            for name in re.findall(r"\w+", names):
                found = known.get(f"{module}.{name}") or known.get(module)
                if found is not None:
                    users[found].add(path)
    return users


def families_with(rule: Path, function: str) -> list[str]:
    """The families that call a function of a rule the most often, directly or through rules."""
    reaching = _reaching(f"{rule.stem}.{function}")
    counts = {}
    for path in sorted(_FAMILIES.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = _imported_rules(tree)
        found = sum(imported.get(name) in reaching for name in _names(tree))
        if found:
            counts[path.stem] = found
    return sorted(counts, key=lambda each: (-counts[each], each))[:_MOST_FAMILIES]


@cache
def _calls() -> Mapping[str, set[str]]:
    """The functions of rules that each function or constant of rules mentions, as `file.name`."""
    found = {}
    for path in sorted(_RULES.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known = _imported_rules(tree)
        known |= {name: f"{path.stem}.{name}" for node in tree.body if (name := _defined(node))}
        for node in tree.body:
            if name := _defined(node):
                found[known[name]] = {known[each] for each in _names(node) if each in known}
    return found


def _reaching(function: str) -> set[str]:
    """The functions of rules that mention one, directly or through others; itself, too."""
    found = {function}
    while more := {name for name, called in _calls().items() if called & found} - found:
        found |= more
    return found


def _imported_rules(tree: ast.Module) -> dict[str, str]:
    """What a module imports from rules: `file.name` by the name that it has there."""
    return {
        alias.asname or alias.name: f"{node.module.rpartition('.')[2]}.{alias.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module and ".rules." in node.module
        for alias in node.names
    }


def _names(tree: ast.AST) -> Iterator[str]:
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _defined(node: ast.stmt) -> str:
    """The name that a top-level statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    return ""


def function_at(source: str, line: int) -> str:
    """The top-level function, class or constant that a line of a source belongs to."""
    for node in ast.parse(source).body:
        assert node.end_lineno is not None
        if node.lineno <= line <= node.end_lineno:
            return _defined(node)
    return ""
