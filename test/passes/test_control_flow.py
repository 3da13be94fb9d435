"""Types through control flow: random programs, compared with their paths one by one.

A program is a nest of branches and loops, in every form that the dialects have. Each path is also
written as a program without control flow; the types inferred for the whole must be the join of the
types inferred for the paths, and hold for paths with other input sizes.
"""

import functools
import itertools
import random
import re
from dataclasses import dataclass, field

import pytest
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.tensor_type import TensorType, parse_tensor_type
from torch_refine.pipelines.parsing import parse_flag
from torch_refine.pipelines.runner import RunFailure, Runner

X = "!torch.vtensor"
DIRECT = "torch-refinement-pipeline"
WAYS = [DIRECT, "torch-reified-refinement-pipeline"]
INPUTS = ["[2,3],f32", "[2,3],f32", "[2,4],f32", "[3,3],f64", "[1,2,3],f32"]
UNKNOWN = ["[?,3],f32", "[?,3],f32", "[2,?],f32", "[?,?],f64", "[?,?],f32"]
ARGUMENTS = "%b: !torch.bool, %c: i1, %k: index, %n: !torch.int, %m: index"
CONSTANTS = """%int0 = torch.constant.int 0
%int1 = torch.constant.int 1
%int7 = torch.constant.int 7
%minus = torch.constant.int -1
%none = torch.constant.none
%false = torch.constant.bool false
%true = torch.constant.bool true
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
"""

BRANCHES = ["prim", "scf", "switch", "blocks"]
LOOPS = ["prim", "for", "while", "blocks", "recursion"]
# Operators whose result for a join equals the join of their results, and others.
EXACT = ["tanh", "transpose", "double", "unsqueeze", "to_f64"]
OTHERS = ["join", "add", "difference", "difference", "view", "sum"]

# The maximum trip count of a loop on a path, and the maximum number of paths.
ITERATIONS = 3
MOST_PATHS = 100
PROGRAMS = 40
MOST_TRIED, MOST_RUN, MOST_COMPARED = 12, 6, 40


@dataclass
class Op:
    kind: str
    result: str
    operands: list[str]


@dataclass
class Branch:
    """`results` are the values of `sides`, in their last variables."""

    form: str
    results: list[str]
    sides: list[list]
    given: list[list[str]]


@dataclass
class Loop:
    """`carried` are the arguments of the body: `first` initially, `after` each iteration."""

    form: str
    results: list[str]
    carried: list[str]
    first: list[str]
    body: list
    after: list[str]


@dataclass
class Maker:
    """Makes random programs."""

    random: random.Random
    kinds: list[str]
    count: itertools.count = field(default_factory=itertools.count)

    def name(self):
        return f"%v{next(self.count)}"

    def block(self, variables, depth):
        """Some statements; their definitions are appended to `variables`."""
        statements = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if depth and kind < 0.3:
                statements.append(self.branch(variables, depth - 1))
            elif depth and kind < 0.55:
                statements.append(self.loop(variables, depth - 1))
            else:
                statements.append(self.op(variables))
        return statements

    def op(self, variables):
        op = Op(self.random.choice(self.kinds), self.name(), self.random.choices(variables, k=2))
        variables.append(op.result)
        return op

    def branch(self, variables, depth):
        form = self.random.choice(BRANCHES)
        count = self.random.randint(1, 2)
        sides, given = [], []
        for _ in range(2):
            inside = list(variables)
            sides.append(self.block(inside, depth))
            given.append([inside[-1], *self.random.choices(inside, k=count - 1)])
        results = [self.name() for _ in range(count)]
        variables.extend(results)
        return Branch(form, results, sides, given)

    def loop(self, variables, depth):
        form = self.random.choice(LOOPS)
        count = self.random.randint(1, 2)
        carried = [self.name() for _ in range(count)]
        inside = [*carried] if form == "recursion" else [*variables, *carried]
        body = self.block(inside, depth)
        after = [inside[-1], *self.random.choices(inside, k=count - 1)]
        results = [self.name() for _ in range(count)]
        first = self.random.choices(variables, k=count)
        variables.extend(results)
        return Loop(form, results, carried, first, body, after)


class Writer:
    """Writes a program with control flow as IR; `called` maps variables to SSA names."""

    def __init__(self):
        self.lines = []
        self.functions = []
        self.called = {}
        self.labels = itertools.count()

    def function(self, program, types):
        """A public function, and its callees."""
        self.lines.extend(head("main", program, types, f"{ARGUMENTS}, "))
        self.block(program.statements, True)
        types = types_of(program)
        self.lines.append(f"return {self.names(program.results)} : {types} }}")
        return "\n".join([*self.lines, *self.functions])

    def names(self, variables):
        return ", ".join(self.called.get(name, name) for name in variables)

    def results(self, statement):
        """The results of an op that are the variables of a statement."""
        name, count = f"%r{next(self.labels)}", len(statement.results)
        self.called.update({v: f"{name}#{i}" for i, v in enumerate(statement.results)})
        return f"{name}:{count}"

    def block(self, statements, blocks):
        """`blocks` is whether the region may have several blocks."""
        for statement in statements:
            if isinstance(statement, Op):
                operands = [self.names([each]) for each in statement.operands]
                self.lines.extend(op_text(statement.kind, statement.result, *operands))
            elif statement.form == "blocks" and not blocks:
                self.region(statement)
            else:
                kind = type(statement).__name__.lower()
                getattr(self, f"{kind}_{statement.form}")(statement, types_of(statement))

    def region(self, statement):
        """Blocks, in a region that may have several."""
        outer, self.lines = self.lines, []
        self.block([statement], True)
        inner, self.lines = self.lines, outer
        given, types = self.names(statement.results), types_of(statement)
        self.lines.append(f"{self.results(statement)} = scf.execute_region -> ({types}) {{")
        self.lines.extend([*inner, f"scf.yield {given} : {types} }}"])

    def sides(self, heads, yielding, branch, types):
        for head, side, given in zip(heads, branch.sides, branch.given, strict=True):
            self.lines.append(head)
            self.block(side, False)
            self.lines.append(f"{yielding} {self.names(given)} : {types} }}")

    def branch_prim(self, branch, types):
        head = f"{self.results(branch)} = torch.prim.If %b -> ({types}) {{"
        self.sides([head, "else {"], "torch.prim.If.yield", branch, types)

    def branch_scf(self, branch, types):
        head = f"{self.results(branch)} = scf.if %c -> ({types}) {{"
        self.sides([head, "else {"], "scf.yield", branch, types)

    def branch_switch(self, branch, types):
        self.lines.append(f"{self.results(branch)} = scf.index_switch %k -> {types}")
        self.sides(["case 3 {", "default {"], "scf.yield", branch, types)

    def branch_blocks(self, branch, types):
        label = next(self.labels)
        self.lines.append(f"cf.cond_br %c, ^side0_{label}, ^side1_{label}")
        for number, (side, given) in enumerate(zip(branch.sides, branch.given, strict=True)):
            self.lines.append(f"^side{number}_{label}:")
            self.block(side, True)
            self.lines.append(f"cf.br ^join{label}({self.names(given)} : {types})")
        self.lines.append(f"^join{label}({arguments(branch.results)}):")

    def loop_prim(self, loop, types):
        first = self.names(loop.first)
        head = f"torch.prim.Loop %n, %true, init({first}) {{"
        self.lines.append(f"{self.results(loop)} = {head}")
        self.lines.append(f"^bb0(%i{next(self.labels)}: !torch.int, {arguments(loop.carried)}):")
        self.block(loop.body, False)
        given = f"{self.names(loop.after)} : {types}"
        self.lines.append(f"torch.prim.Loop.condition %true, iter({given})")
        self.lines.append(f"}} : (!torch.int, !torch.bool, {types}) -> ({types})")

    def loop_for(self, loop, types):
        given, index = self.assigned(loop.carried, loop.first), f"%i{next(self.labels)}"
        head = f"scf.for {index} = %zero to %m step %one iter_args({given}) -> ({types}) {{"
        self.lines.append(f"{self.results(loop)} = {head}")
        self.block(loop.body, False)
        self.lines.append(f"scf.yield {self.names(loop.after)} : {types} }}")

    def loop_while(self, loop, types):
        passed = [f"%w{next(self.labels)}" for _ in loop.carried]
        given = self.assigned(passed, loop.first)
        self.lines.append(f"{self.results(loop)} = scf.while ({given}) : ({types}) -> ({types}) {{")
        self.lines.append(f"scf.condition(%c) {self.names(passed)} : {types} }} do {{")
        self.lines.append(f"^bb0({arguments(loop.carried)}):")
        self.block(loop.body, False)
        self.lines.append(f"scf.yield {self.names(loop.after)} : {types} }}")

    def loop_blocks(self, loop, types):
        label = next(self.labels)
        self.lines.append(f"cf.br ^head{label}({self.names(loop.first)} : {types})")
        self.lines.append(f"^head{label}({arguments(loop.carried)}):")
        self.lines.append(f"cf.cond_br %c, ^body{label}, ^exit{label}\n^body{label}:")
        self.block(loop.body, True)
        self.lines.append(f"cf.br ^head{label}({self.names(loop.after)} : {types})")
        self.lines.append(f"^exit{label}:")
        self.called.update(zip(loop.results, loop.carried, strict=True))

    def loop_recursion(self, loop, types):
        label, passed = next(self.labels), "%b, %c, %k, %n, %m"
        callee = f"func.call @loop{label}"
        signature = f"(!torch.bool, i1, index, !torch.int, index, {types}) -> ({types})"
        outer, self.lines = self.lines, []
        given = f"{ARGUMENTS}, {arguments(loop.carried)}"
        self.lines.append(f"func.func private @loop{label}({given}) -> ({types}) {{\n{CONSTANTS}")
        self.lines.append(f"cf.cond_br %c, ^more, ^done({self.names(loop.carried)} : {types})")
        self.lines.append("^more:")
        self.block(loop.body, True)
        after = self.names(loop.after)
        self.lines.append(f"{self.results(loop)} = {callee}({passed}, {after}) : {signature}")
        self.lines.append(f"cf.br ^done({self.names(loop.results)} : {types})")
        done = [f"%done{index}" for index in range(len(loop.results))]
        self.lines.append(f"^done({arguments(done)}):\nreturn {self.names(done)} : {types} }}")
        self.functions.append("\n".join(self.lines))
        self.lines = outer
        first = self.names(loop.first)
        self.lines.append(f"{self.results(loop)} = {callee}({passed}, {first}) : {signature}")

    def assigned(self, variables, values):
        return ", ".join(f"{a} = {self.names([b])}" for a, b in zip(variables, values, strict=True))


def types_of(statement):
    return ", ".join([X] * len(statement.results))


def arguments(variables):
    return ", ".join(f"{name}: {X}" for name in variables)


def head(name, program, types, others=""):
    """The beginning of a function whose body does not refine its inputs."""
    given = ", ".join(f"%in{index}: !torch.vtensor<{type}>" for index, type in enumerate(types))
    yield f"func.func @{name}({others}{given}) -> ({types_of(program)}) {{\n{CONSTANTS}"
    for index, (variable, type) in enumerate(zip(program.inputs, types, strict=True)):
        cast = f"torch.tensor_static_info_cast %in{index} : !torch.vtensor<{type}> to {X}"
        yield f"{variable} = {cast}"


def op_text(kind, result, one, other):
    """An operator and its operands, with names prefixed by that of the result."""
    integers, sizes = "!torch.int, !torch.int", f"{result}_sizes"
    if kind in ("double", "join"):
        given = f"{one}, {one if kind == 'double' else other} : ({X}, {X})"
        yield f"{result}_pair = torch.prim.ListConstruct {given} -> !torch.list<vtensor>"
        given = f"{result}_pair, %int0 : !torch.list<vtensor>, !torch.int"
        yield f"{result} = torch.aten.cat {given} -> {X}"
    elif kind in ("difference", "view"):
        yield f"{result}_0 = torch.aten.size.int {one}, %int0 : {X}, !torch.int -> !torch.int"
        yield f"{result}_1 = torch.aten.size.int {other}, %int0 : {X}, !torch.int -> !torch.int"
        # This size is known if both are known to be equal.
        yield f"{result}_2 = torch.aten.sub.int {result}_0, {result}_1 : {integers} -> !torch.int"
        yield f"{result}_3 = torch.aten.mul.int {result}_2, {result}_2 : {integers} -> !torch.int"
        given = f"{result}_3, {result}_1" if kind == "difference" else f"{result}_1, %minus"
        yield f"{sizes} = torch.prim.ListConstruct {given} : ({integers}) -> !torch.list<int>"
        if kind == "view":
            yield f"{result} = torch.aten.view {one}, {sizes} : {X}, !torch.list<int> -> {X}"
        else:
            none = ", ".join(["!torch.none"] * 4)
            given = f"{sizes}, %none, %none, %none, %none : !torch.list<int>, {none}"
            yield f"{result} = torch.aten.zeros {given} -> {X}"
    elif kind == "add":
        given = f"{one}, {other}, %int1 : {X}, {X}, !torch.int"
        yield f"{result} = torch.aten.add.Tensor {given} -> {X}"
    elif kind == "sum":
        yield f"{sizes} = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>"
        types = f"{X}, !torch.list<int>, !torch.bool, !torch.none"
        given = f"{one}, {sizes}, %true, %none : {types}"
        yield f"{result} = torch.aten.sum.dim_IntList {given} -> {X}"
    elif kind == "transpose":
        given = f"{one}, %int0, %int1 : {X}, {integers}"
        yield f"{result} = torch.aten.transpose.int {given} -> {X}"
    elif kind == "unsqueeze":
        yield f"{result} = torch.aten.unsqueeze {one}, %int0 : {X}, !torch.int -> {X}"
    elif kind == "to_f64":
        given = f"{one}, %int7, %false, %false, %none"
        types = f"{X}, !torch.int, !torch.bool, !torch.bool, !torch.none"
        yield f"{result} = torch.aten.to.dtype {given} : {types} -> {X}"
    else:
        yield f"{result} = torch.aten.{kind} {one} : {X} -> {X}"


class Path:
    """One path through a program as a function; `decisions` selects it."""

    def __init__(self, decisions):
        self.decisions = decisions
        self.taken = []
        self.lines = []
        self.at = {}

    def decide(self, count):
        """The next decision, of `count` alternatives."""
        place = len(self.taken)
        chosen = self.decisions[place] if place < len(self.decisions) else 0
        self.taken.append((chosen, count))
        return chosen

    def block(self, statements):
        for statement in statements:
            if isinstance(statement, Op):
                result = f"%t{len(self.lines)}"
                operands = [self.at[each] for each in statement.operands]
                self.lines.extend(op_text(statement.kind, result, *operands))
                self.at[statement.result] = result
            elif isinstance(statement, Branch):
                side = self.decide(2)
                self.block(statement.sides[side])
                self.assign(statement.results, statement.given[side])
            else:
                self.assign(statement.carried, statement.first)
                for _ in range(self.decide(ITERATIONS + 1)):
                    self.block(statement.body)
                    self.assign(statement.carried, statement.after)
                self.assign(statement.results, statement.carried)

    def assign(self, variables, values):
        self.at.update(zip(variables, [self.at[value] for value in values], strict=True))

    def function(self, name, program, types):
        """The path as a function."""
        self.at.update(zip(program.inputs, program.inputs, strict=True))
        self.block(program.statements)
        results = ", ".join(self.at[result] for result in program.results)
        returned = f"return {results} : {types_of(program)} }}"
        return "\n".join([*head(name, program, types), *self.lines, returned])


class RandomPath(Path):
    """A path chosen at random."""

    def decide(self, count):
        return self.decisions.randrange(count)


def paths(program):
    """All paths through a program, as functions; None if there are too many."""
    decisions, functions = [], []
    while decisions is not None:
        if len(functions) == MOST_PATHS:
            return None
        path = Path(decisions)
        functions.append(path.function(f"path{len(functions)}", program, INPUTS))
        taken = path.taken
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        decisions = [chosen for chosen, _ in taken]
        if taken:
            decisions[-1] += 1
        else:
            decisions = None
    return functions


def refine(text, way, context):
    """Run a pipeline twice; returns the result types of each public function."""
    warn = "invalid-program=warn" if way == DIRECT else ""
    module = ir.Module.parse(text, context)
    Runner(verify_each=True).run(parse_flag(way, warn, context), module.operation)
    once = str(module)
    Runner().run(parse_flag(way, warn, context), module.operation)
    assert str(module) == once
    return results(module)


def results(module):
    """The result types of each public function."""
    returned = []
    for function in module.body.operations:
        if "sym_visibility" not in function.operation.attributes:
            type = ir.TypeAttr(function.operation.attributes["function_type"]).value
            returned.append([parse_tensor_type(str(t)) for t in ir.FunctionType(type).results])
    return returned


def sized(type, chance):
    """A type with unknown sizes replaced."""
    return re.sub(r"\?", lambda _: chance.choice("1234"), type)


@dataclass
class Program:
    statements: list
    inputs: list[str]
    results: list[str]


def made(seed, kinds, compared=False):
    """A random program; it may end by comparing the sizes of all values."""
    maker = Maker(random.Random(seed), kinds)
    inputs = [maker.name() for _ in INPUTS]
    variables = list(inputs)
    statements = maker.block(variables, 2)
    if compared:
        pairs = list(itertools.combinations(variables, 2))
        for pair in maker.random.sample(pairs, min(len(pairs), MOST_COMPARED)):
            statements.append(Op("difference", maker.name(), list(pair)))
            variables.append(statements[-1].result)
    return Program(statements, inputs, variables[len(inputs) :])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_a_type_is_the_join_of_the_paths(seed, way, context):
    programs = (made(f"{seed} {attempt}", EXACT) for attempt in itertools.count())
    program, straight = next(
        (program, straight)
        for program in programs
        if (straight := paths(program)) is not None and len(straight) > 1
    )
    text = Writer().function(program, INPUTS)
    (found,) = refine(text, way, context)
    by_path = refine("\n".join(straight), DIRECT, context)
    for result, types in zip(found, zip(*by_path, strict=True), strict=True):
        assert all(type.refines(result) for type in types), text
        assert result == functools.reduce(TensorType.join, types), text


@pytest.mark.parametrize("seed", range(PROGRAMS // 2))
def test_a_type_holds_for_all_sizes_on_all_paths(seed, context):
    """Sizes that depend on each other: an equality of one iteration must not be used in another."""
    ran = 0
    for attempt in itertools.count():
        chance = random.Random(f"{seed} {attempt}")
        program = made(f"{seed} {attempt}", [*EXACT, *OTHERS], compared=True)
        text = Writer().function(program, UNKNOWN)
        found = [refine(text, way, context)[0] for way in WAYS]
        for _ in range(MOST_TRIED):
            types = [sized(type, chance) for type in UNKNOWN]
            path = RandomPath(chance).function("path", program, types)
            module = ir.Module.parse(path, context)
            try:
                Runner().run(parse_flag(DIRECT, "", context), module.operation)
            except RunFailure:
                # This path raises with these sizes.
                continue
            ran += 1
            (types,) = results(module)
            for whole in found:
                refined = map(TensorType.refines, types, whole)
                assert all(refined), (text, path)
            if ran == MOST_RUN:
                return


@pytest.mark.parametrize("seed", range(PROGRAMS // 2))
def test_what_is_erased_is_found_again(seed, context):
    text = Writer().function(made(seed, EXACT), INPUTS)
    module = ir.Module.parse(text, context)
    Runner().run(parse_flag(DIRECT, "", context), module.operation)
    found = results(module)
    Runner(verify_each=True).run(
        parse_flag("torch-erase-tensor-types", "", context), module.operation
    )
    assert all(type.sizes is None for (types,) in [results(module)] for type in types)
    Runner().run(parse_flag(DIRECT, "", context), module.operation)
    assert results(module) == found
    del module
