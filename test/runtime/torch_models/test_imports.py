"""An import is found again where nothing that it depends on has changed, and only there."""

import logging

import pytest
import torch
import torch_refine
from torch.export import Dim
from torch_refine.importer.export import export_program
from torch_refine.runtime.compiling import cache
from torch_refine.runtime.torch_models import imports, program_keys

IMAGE = (torch.rand(2, 3, 8, 8),)


class Scaled(torch.nn.Module):
    """A model with options, each of which changes its program; `line` does not."""

    def __init__(self, **changed):
        super().__init__()
        self.options = {
            "size": 4,
            "dtype": torch.float32,
            "buffer": 3,
            "tied": False,
            "literal": 2.0,
            "number": 1.5,
            "dim": 1,
            "operator": torch.relu,
            "write": False,
            "name": "a",
        } | changed
        given = self.options
        self.linear = torch.nn.Linear(8, given["size"], dtype=given["dtype"])
        self.register_buffer(given["name"], torch.rand(given["buffer"], 1, 1))
        self.other = self.linear.weight if given["tied"] else torch.nn.Parameter(torch.rand(1, 8))

    def forward(self, x):
        given = self.options
        scale = getattr(self, given["name"])
        if given["write"]:
            scale.add_(1)
        y = given["operator"](self.linear(x.to(given["dtype"]))).float()
        y = y * torch.tensor([1.0, given["literal"]]).sum() @ torch.ones(given["size"], 1)
        return y.sum(given["dim"]) * given["number"] + self.other[:1].sum() + scale.sum()


def key_of(model, examples=IMAGE, shapes=None):
    return program_keys.program_key(export_program(model, examples, {}, shapes), None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def runs(monkeypatch):
    """The programs that are imported."""
    found = []
    run = imports.import_for_lowering

    def noted(program, guards):
        found.append(program)
        return run(program, guards)

    monkeypatch.setattr(imports, "import_for_lowering", noted)
    return found


def scaled(**changed):
    return Scaled(**{"size": 2} | changed)


def test_the_key_of_a_program_exported_again_is_the_same():
    assert key_of(scaled()) == key_of(scaled())


@pytest.mark.parametrize(
    "changed",
    [
        {"size": 1},
        {"dtype": torch.float64},
        {"buffer": 4},
        {"tied": True},
        {"literal": 3.0},
        {"number": -0.0},
        {"dim": 2},
        {"operator": torch.tanh},
        {"write": True},
        {"name": "b"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_the_key_has_what_the_import_depends_on(changed):
    assert key_of(scaled(**changed)) != key_of(scaled())


def test_the_key_tells_zeros_apart():
    assert key_of(scaled(number=0.0)) != key_of(scaled(number=-0.0))


def test_the_key_has_layouts_of_inputs_and_weights():
    turned = IMAGE[0].contiguous(memory_format=torch.channels_last)
    assert key_of(scaled(), (turned,)) != key_of(scaled())
    model = scaled()
    plain = key_of(model)
    model.linear.weight = torch.nn.Parameter(model.linear.weight.detach().t().contiguous().t())
    assert key_of(model) != plain


def test_the_key_has_ranges_of_sizes():
    def key(**bounds):
        return key_of(scaled(), IMAGE, ({2: Dim("height", **bounds)},))

    assert key(max=16) == key(max=16)
    assert len({key_of(scaled()), key(), key(max=16), key(min=3), key(max=17)}) == 5


def test_the_key_has_examples_of_sizes():
    shapes = ({2: Dim("height")},)
    other = (torch.rand(2, 3, 9, 8),)
    assert key_of(scaled(), IMAGE, shapes) != key_of(scaled(), other, shapes)


def test_the_key_has_lines_of_the_model():
    def model(blank):
        source = f"import torch\nclass Model(torch.nn.Module):\n{blank}  def forward(self, x):\n"
        source += "    return x + 1\n"
        found = {}
        exec(compile(source, "model.py", "exec"), found)
        return found["Model"]()

    assert key_of(model("")) == key_of(model(""))
    assert key_of(model("")) != key_of(model("\n"))


def test_the_key_has_settings_of_torch():
    program = export_program(scaled(), IMAGE, {}, None)
    plain = program_keys.program_key(program, None)
    torch.set_default_dtype(torch.float64)
    try:
        assert program_keys.program_key(program, None) != plain
    finally:
        torch.set_default_dtype(torch.float32)


def test_the_key_has_branches():
    class Branches(torch.nn.Module):
        def __init__(self, number):
            super().__init__()
            self.number = number

        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x: x + self.number, lambda x: x - 1, [x])

    assert key_of(Branches(1.0)) == key_of(Branches(1.0)) is not None
    assert key_of(Branches(1.0)) != key_of(Branches(2.0))


def test_operators_of_other_packages_have_no_key():
    with torch.library._scoped_library("imports_test", "FRAGMENT") as library:
        library.define("double(Tensor x) -> Tensor")
        library.impl("double", lambda x: x * 2, "CompositeExplicitAutograd")

        class Other(torch.nn.Module):
            def forward(self, x):
                return torch.ops.imports_test.double(x)

        assert key_of(Other()) is None


def test_the_second_import_is_found(folder, runs):
    first, second = scaled(), scaled()
    compiled = [torch_refine.compile(model, IMAGE) for model in (first, second)]
    assert len(runs) == 1
    assert compiled[0]._bytecode == compiled[1]._bytecode
    for model, each in zip((first, second), compiled, strict=True):
        torch.testing.assert_close(each(*IMAGE), model(*IMAGE))


def test_without_a_cache_nothing_is_kept(monkeypatch, runs):
    monkeypatch.setenv(cache.SWITCH, "0")
    for _ in range(2):
        torch_refine.compile(scaled(), IMAGE)
    assert len(runs) == 2


class Table(torch.nn.Module):
    """A constant that is folded, of more elements than remain in a program."""

    def forward(self, x):
        return x + torch.arange(40.0).mul(3).sin().view(-1, 1).repeat(1, 8)[: x.shape[-2]], None, 3


class Counting(torch.nn.Module):
    """New values of a buffer and of an input."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x, *, other):
        self.count += 1
        other.add_(self.count.sum())
        return {"sum": x + other}


def test_folded_constants_are_kept(folder, runs):
    for _ in range(2):
        compiled = torch_refine.compile(Table(), IMAGE)
        assert any(name.startswith("_folded") for name in compiled._state.names)
        found, expected = compiled(*IMAGE), Table()(*IMAGE)
        torch.testing.assert_close(found[0], expected[0])
        assert found[1:] == (None, 3)
    assert len(runs) == 1


def test_new_values_are_written_where_they_belong(folder, runs):
    for _ in range(2):
        model, eager = Counting(), Counting()
        examples = {"other": torch.zeros(2, 3, 8, 8)}
        compiled = torch_refine.compile(model, IMAGE, kwargs=examples)
        given, expected = torch.rand(2, 3, 8, 8), torch.empty(2, 3, 8, 8)
        expected.copy_(given)
        for _ in range(2):
            found = compiled(*IMAGE, other=given)
            torch.testing.assert_close(found, eager(*IMAGE, other=expected))
            torch.testing.assert_close(given, expected)
        torch.testing.assert_close(model.count, torch.full((3,), 2.0))
    assert len(runs) == 1


def test_guards_are_found_with_the_import(folder, runs):
    class Halves(torch.nn.Module):
        def forward(self, x):
            return x * 2 if x.shape[0] % 2 == 0 else x

    for _ in range(2):
        compiled = torch_refine.compile(
            Halves(), (torch.rand(6, 3),), dynamic_shapes=({0: Dim.DYNAMIC},)
        )
        assert (compiled(torch.ones(8, 3)) == 2).all()
        with pytest.raises(torch_refine.GuardError):
            compiled(torch.rand(7, 3))
    assert len(runs) == 1


@pytest.mark.parametrize("change", [lambda entry: entry[:40], lambda entry: b"\xff" * len(entry)])
def test_an_entry_that_cannot_be_read_is_a_miss(folder, runs, caplog, monkeypatch, change):
    torch_refine.compile(Table(), IMAGE)
    find = cache.find
    key = key_of(Table())
    monkeypatch.setattr(
        imports.cache, "find", lambda name: change(find(name)) if name == key else find(name)
    )
    with caplog.at_level(logging.WARNING, "torch_refine"):
        compiled = torch_refine.compile(Table(), IMAGE)
    assert "it cannot be read" in caplog.text
    assert len(runs) == 2
    torch.testing.assert_close(compiled(*IMAGE)[0], Table()(*IMAGE)[0])
