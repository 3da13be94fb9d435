"""The mutations of a Python source: small changes that tests should notice."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}
# What these methods and functions are given is a message.
_MESSAGES = frozenset(
    {
        "add_description",
        "emit_error",
        "emit_remark",
        "emit_warning",
        "error",
        "note",
        "print",
        "remark",
        "warn",
        "warning",
    }
)
_SHOWING = frozenset({"__repr__", "__str__"})
# Keywords that change nothing in a program that is right.
_CHECKING_KEYWORDS = frozenset({"strict"})


@dataclass(frozen=True)
class Mutation:
    """A change of one expression or statement of a source.

    `start` and `end` are offsets in the source's UTF-8 bytes; `line` counts from 1.
    """

    kind: str
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """The source with the change."""
        content = source.encode()
        return (content[: self.start] + self.text.encode() + content[self.end :]).decode()

    def shown(self, source: str) -> tuple[str, str]:
        """The lines that change, before and after, each as one line."""
        content = source.encode()
        begin = content.rfind(b"\n", 0, self.start) + 1
        end = content.find(b"\n", self.end)
        end = len(content) if end < 0 else end
        before = content[begin:end]
        after = content[begin : self.start] + self.text.encode() + content[self.end : end]
        return " ".join(before.decode().split()), " ".join(after.decode().split())


def mutations(source: str, keep_assertions: bool = True) -> list[Mutation]:
    """All mutations of a source, in the order of their places.

    Left out are docstrings, annotations, decorators, messages, `__repr__`, and blocks for type
    checkers. `keep_assertions` leaves out `assert` statements, too.
    """
    finder = _Finder(source, keep_assertions)
    finder.visit(ast.parse(source))
    return sorted(finder.found, key=lambda each: (each.start, each.end, each.kind))


def compiles(source: str) -> bool:
    """Whether a source is Python."""
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


class _Finder(ast.NodeVisitor):
    def __init__(self, source: str, keep_assertions: bool) -> None:
        self.found: list[Mutation] = []
        self._keep_assertions = keep_assertions
        lines = source.encode().splitlines(keepends=True)
        self._offsets = [0]
        for line in lines:
            self._offsets.append(self._offsets[-1] + len(line))

    def _add(self, kind: str, node: ast.expr | ast.stmt, text: str) -> None:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self._offsets[node.lineno - 1] + node.col_offset
        end = self._offsets[node.end_lineno - 1] + node.end_col_offset
        self.found.append(Mutation(kind, node.lineno, start, end, text))

    def _negate(self, test: ast.expr) -> None:
        if not isinstance(test, ast.Compare | ast.UnaryOp):
            # Of a comparison, this is the mutation of its operator.
            self._add("condition negated", test, f"(not ({ast.unparse(test)}))")

    def _visit_all(self, nodes: Iterator[ast.AST] | list[ast.stmt] | list[ast.expr]) -> None:
        for node in nodes:
            self.visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Only the defaults and the body run."""
        if node.name not in _SHOWING:
            defaults = [*node.args.defaults, *node.args.kw_defaults]
            self._visit_all([each for each in defaults if each is not None])
            self._visit_all(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Neither bases nor decorators."""
        self._visit_all(node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The value only."""
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Text stays."""

    def visit_Raise(self, node: ast.Raise) -> None:
        """An error that is not raised; its message stays."""
        self._add("raise removed", node, "pass")

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion that is not made; its message stays."""
        if not self._keep_assertions:
            self._add("assertion removed", node, "pass")
            self.visit(node.test)

    def visit_If(self, node: ast.If) -> None:
        """The other side is taken."""
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            self._visit_all(node.orelse)
            return
        if isinstance(node.test, ast.Compare) and "__main__" in ast.unparse(node.test):
            return
        self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """The other side is taken."""
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """What is left out is taken."""
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        """Nothing is returned."""
        value = node.value
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return
        if not (isinstance(value, ast.Constant) and isinstance(value.value, bool)):
            self._add("returns None", node, "return None")
        self.visit(value)

    def visit_Continue(self, node: ast.Continue) -> None:
        """The loop ends."""
        self._add("break for continue", node, "break")

    def visit_Expr(self, node: ast.Expr) -> None:
        """A call for its effect is left out."""
        if isinstance(node.value, ast.Call):
            if _called(node.value) not in _MESSAGES:
                self._add("call removed", node, "pass")
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """The arguments, if they are no message."""
        if _called(node) not in _MESSAGES:
            self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """The value."""
        if node.arg not in _CHECKING_KEYWORDS:
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Another operator."""
        for number, operator in enumerate(node.ops):
            other = _COMPARISONS[type(operator)]
            changed = deepcopy(node)
            changed.ops[number] = other()
            self._add("comparison", node, ast.unparse(changed))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Another operator."""
        other = _ARITHMETIC.get(type(node.op))
        # Of strings and lists, other operators raise at once.
        if other is not None and not _is_sequence(node.left) and not _is_sequence(node.right):
            changed = deepcopy(node)
            changed.op = other()
            self._add("arithmetic", node, ast.unparse(changed))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """`or` for `and`, `and` for `or`."""
        changed = deepcopy(node)
        changed.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._add("and, or", node, f"({ast.unparse(changed)})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """`not` dropped."""
        if isinstance(node.op, ast.Not):
            self._add("not dropped", node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Another number, the other bool."""
        if isinstance(node.value, bool):
            self._add("bool", node, str(not node.value))
        elif isinstance(node.value, int):
            self._add("number", node, str(node.value + 1))


def _called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _is_sequence(node: ast.expr) -> bool:
    text = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    return text or isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp)
