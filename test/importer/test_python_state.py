"""State that a model keeps in Python is part of the program, or refused; see python_state/."""

import random

import pytest
import torch
import torch_refine
from torch import nn
from torch.export import Dim
from torch_refine.importer.errors import ImportModelError
from torch_refine.runtime.refusals import WeightError

counter = 0


class Model(nn.Module):
    """Has a value of one kind of state or another, which `forward` uses."""

    def __init__(self, value=None):
        super().__init__()
        self.kept = value


class Buffered(Model):
    def __init__(self, value):
        nn.Module.__init__(self)
        self.register_buffer("kept", value)


class Assigning(Model):
    def forward(self, x):
        self.kept = torch.tanh(x + self.kept)
        return self.kept * 2


class AssigningBuffer(Buffered):
    forward = Assigning.forward


class Writing(Model):
    def forward(self, x):
        self.kept.mul_(0.5).add_(x)
        return self.kept.clone()


class WritingBuffer(Buffered):
    forward = Writing.forward


class Shifting(Model):
    """Keeps the last rows that it was given."""

    def forward(self, x):
        self.kept = torch.cat([self.kept[1:], x[:1]])
        return self.kept.sum(0)


class Cell(nn.Module):
    """Both parts of its state begin as one tensor."""

    def __init__(self, _):
        super().__init__()
        self.cell = nn.LSTMCell(4, 4)
        self.kept = self.other = torch.zeros(3, 4)

    def forward(self, x):
        self.kept, self.other = self.cell(x, (self.kept, self.other))
        return self.kept


class Nested(nn.Module):
    """A module with state inside of another."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) + 1


class Sorting(Assigning):
    """Part of it runs in PyTorch."""

    def forward(self, x):
        return super().forward(x), torch.linalg.eigvals(x[:, :3]).abs().sum()


KINDS = [Assigning, AssigningBuffer, Writing, WritingBuffer, Shifting, Cell, Sorting]


@pytest.mark.parametrize("nesting", [0, 1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_tensors_are_part_of_the_program(kind, nesting):
    torch.manual_seed(0)
    models = []
    for _ in range(2):
        model = kind(torch.ones(3, 4))
        for _ in range(nesting):
            model = Nested(model) if kind is not Sorting else nn.Sequential(model)
        models.append(model)
    eager, model = models
    model.load_state_dict(eager.state_dict())
    compiled = torch_refine.compile(model, (torch.rand(3, 4),), fallback="pytorch")
    with torch.no_grad():
        for _ in range(4):
            x = torch.rand(3, 4)
            torch.testing.assert_close(compiled(x), eager(x))
    ours, theirs = (list(each.modules())[-1 if kind is not Cell else -2] for each in models)
    torch.testing.assert_close(ours.kept, theirs.kept)


@pytest.mark.parametrize("kind", [Assigning, AssigningBuffer])
def test_assigned_tensors_are_not_written_to(kind):
    zeros = torch.zeros(2, 3)
    model = kind(zeros)
    compiled = torch_refine.compile(model, (torch.ones(2, 3),))
    first = compiled(torch.ones(2, 3))
    kept = model.kept
    second = compiled(torch.ones(2, 3))
    assert (zeros == 0).all()
    torch.testing.assert_close(kept * 2, first)
    # The caller begins another sequence.
    model.kept = zeros
    torch.testing.assert_close(compiled(torch.ones(2, 3)), first)
    assert not torch.equal(first, second)


def test_written_tensors_stay_the_same_ones():
    kept = torch.ones(2)
    model = Writing(kept)
    compiled = torch_refine.compile(model, (torch.ones(2),))
    assert (kept == 1).all(), "the trace writes to it"
    compiled(torch.ones(2))
    assert model.kept is kept
    assert kept.tolist() == [1.5, 1.5]


def test_state_with_a_dynamic_batch():
    class Mean(Model):
        def forward(self, x):
            self.kept = 0.9 * self.kept + 0.1 * x.mean(0)
            return x - self.kept

    eager, model = Mean(torch.zeros(4)), Mean(torch.zeros(4))
    compiled = torch_refine.compile(model, (torch.rand(3, 4),), dynamic_shapes=({0: Dim("batch")},))
    for batch in (3, 1, 7):
        x = torch.rand(batch, 4)
        torch.testing.assert_close(compiled(x), eager(x))


def test_saved_state(tmp_path):
    compiled = torch_refine.compile(Nested(Assigning(torch.ones(3, 4))), (torch.rand(3, 4),))
    compiled.save(tmp_path / "model")
    loaded = torch_refine.load_compiled(tmp_path / "model")
    eager = Nested(Assigning(torch.ones(3, 4)))
    for _ in range(3):
        x = torch.rand(3, 4)
        torch.testing.assert_close(loaded(x), eager(x))


class Counting(Model):
    def forward(self, x):
        self.kept += 1
        return x * self.kept


class CountingInGlobals(Model):
    def forward(self, x):
        global counter
        counter += 1
        return x * counter


class CountingInClass(Model):
    count = 0

    def forward(self, x):
        type(self).count += 1
        return x * self.count


class CountingInList(Model):
    def forward(self, x):
        self.kept[0] += 1
        return x * self.kept[0]


class CountingInObject(Model):
    def __init__(self, _):
        super().__init__(type("Statistics", (), {})())
        self.kept.count = 1

    def forward(self, x):
        self.kept.count += 1
        return x * self.kept.count


class Once(Model):
    def forward(self, x):
        if self.kept:
            self.kept = None
            return x + 1
        return x


class Collecting(Model):
    def forward(self, x):
        self.kept.append(x)
        return sum(self.kept)


class Lazily(Model):
    """Its state depends on the inputs of the first call."""

    def __init__(self, _):
        super().__init__(None)

    def forward(self, x):
        if self.kept is None:
            self.kept = x.mean()
        return x - self.kept


class LazilyRandom(Model):
    def __init__(self, _):
        super().__init__(None)

    def forward(self, x):
        if self.kept is None:
            self.kept = torch.rand(4)
        return x - self.kept


class Growing(Model):
    def __init__(self, _):
        super().__init__(torch.zeros(0, 4))

    def forward(self, x):
        self.kept = torch.cat([self.kept, x])
        return self.kept.sum(0)


class Drawing(Model):
    def forward(self, x):
        return x * random.random()


REFUSED = [
    (Counting, 1, "forward changes self.kept, and"),
    (CountingInGlobals, 1, "forward changes test_python_state.counter, and"),
    (CountingInClass, 1, "forward changes CountingInClass.count, and"),
    (CountingInList, [1], "forward changes self.kept[0], and"),
    (CountingInObject, 1, "forward changes self.kept.count, and"),
    (Once, True, "forward changes self.kept, and"),
    (Collecting, [], "forward changes self.kept[0], and"),
    (Lazily, 1, "forward changes self.kept, and"),
    (LazilyRandom, 1, "forward changes self.kept, and"),
    (Growing, 1, "forward assigns float32[2, 4] to the buffer 'kept', which is float32[0, 4]"),
    (Drawing, 1, "forward changes the state of Python's random numbers, and"),
]


@pytest.mark.parametrize(("kind", "value", "said"), REFUSED)
def test_other_state_is_refused(kind, value, said):
    model = kind(value)
    before = str(vars(model).get("kept")), counter, CountingInClass.count
    with pytest.raises(ImportModelError) as caught:
        torch_refine.compile(model, (torch.rand(2, 4),))
    assert said in str(caught.value)
    assert (str(vars(model).get("kept")), counter, CountingInClass.count) == before
    nested = Nested(model)
    with pytest.raises(ImportModelError, match="forward "):
        torch_refine.compile(nested, (torch.rand(2, 4),))


class Unused(Model):
    """Counts calls, and keeps what it saw last."""

    def __init__(self):
        super().__init__(0)
        self.seen = []

    def forward(self, x):
        self.kept += 1
        self.seen.append(x.shape)
        self.last = x * 2
        return x + 1


class Cache(Model):
    """Keeps a mask that does not depend on the input."""

    def forward(self, x):
        if self.kept is None or self.kept.shape[0] != x.shape[1]:
            self.kept = torch.zeros(x.shape[1], x.shape[1])
            self.kept[0] = 1
            self.kept[:, 1].fill_(3)
        return x @ self.kept.t()


class CacheBySize(Model):
    def __init__(self):
        super().__init__({})
        self.weight = nn.Parameter(torch.rand(4))

    def forward(self, x):
        key = tuple(x.shape), x.dtype
        if key not in self.kept:
            self.kept[key] = torch.arange(x.shape[1]) * self.weight
        return x + self.kept[key]


class CacheInBuffer(Buffered):
    def __init__(self):
        super().__init__(torch.zeros(1, 1))

    forward = Cache.forward


class Renewed(Model):
    """Begins with the same state in each call."""

    def forward(self, x):
        self.kept = torch.zeros(4)
        for row in x:
            self.kept = self.kept * 0.5 + row
        return self.kept


@pytest.mark.parametrize("kind", [Unused, Cache, CacheBySize, CacheInBuffer, Renewed])
def test_state_on_which_later_calls_do_not_depend(kind):
    torch.manual_seed(0)
    model = kind()
    outer = Nested(model)
    before = {name: str(value) for name, value in vars(model).items() if name != "_parameters"}
    compiled = torch_refine.compile(outer, (torch.rand(2, 4),))
    after = {name: str(value) for name, value in vars(model).items() if name != "_parameters"}
    assert before == after
    with torch.no_grad():
        for _ in range(3):
            x = torch.rand(2, 4)
            torch.testing.assert_close(compiled(x), outer(x))


def test_a_failed_export_leaves_the_state():
    class Failing(Collecting):
        def forward(self, x):
            super().forward(x)
            self.count = 5
            return x.nonzero() if x.sum() > 0 else x

    model = Failing([])
    with pytest.raises(ImportModelError, match="data-dependent branch"):
        torch_refine.compile(model, (torch.rand(2),))
    assert model.kept == []
    assert not hasattr(model, "count")


def test_a_model_that_calls_itself():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.kept = torch.zeros(2)

        def forward(self, x, again=True):
            self.kept = self.kept + x
            return self(x * 2, False) if again else x + self.kept

    eager, model = Twice(), Twice()
    compiled = torch_refine.compile(model, (torch.ones(2),))
    for _ in range(3):
        torch.testing.assert_close(compiled(torch.ones(2)), eager(torch.ones(2)))


def test_a_model_with_transforms():
    """Its first trace fails."""

    class Summed(nn.Module):
        def __init__(self):
            super().__init__()
            self.kept = torch.zeros(3)

        def forward(self, x):
            self.kept = self.kept + torch.func.vmap(torch.dot)(x, x)
            return self.kept * 1

    eager, model = Summed(), Summed()
    compiled = torch_refine.compile(model, (torch.rand(3, 4),))
    for _ in range(3):
        x = torch.rand(3, 4)
        torch.testing.assert_close(compiled(x), eager(x))


# What the owner of a model may do to its state between calls.
BETWEEN = {
    "nothing": lambda m: None,
    "zeros": lambda m: setattr(m, "kept", torch.zeros(2, 3)),
    "a transposed one": lambda m: setattr(m, "kept", torch.ones(3, 2).t()),
    "a broadcast one": lambda m: setattr(m, "kept", torch.ones(3).expand(2, 3)),
    "written": lambda m: m.kept.add_(1),
    "written without a version": lambda m: m.kept.data.mul_(2),
    "other memory": lambda m: setattr(m.kept, "data", torch.full((2, 3), 0.25)),
    "other strides": lambda m: setattr(m.kept, "data", torch.arange(6.0).reshape(3, 2).t()),
    "the same": lambda m: setattr(m, "kept", m.kept),
}


@pytest.mark.parametrize("kind", [Assigning, AssigningBuffer])
@pytest.mark.parametrize("what", BETWEEN)
def test_state_is_changed_between_calls(kind, what):
    eager, model = kind(torch.ones(2, 3)), kind(torch.ones(2, 3))
    compiled = torch_refine.compile(model, (torch.rand(2, 3),))
    for _ in range(3):
        for _ in range(2):
            x = torch.rand(2, 3)
            torch.testing.assert_close(compiled(x), eager(x))
        for each in (eager, model):
            BETWEEN[what](each)


def test_masks_are_state():
    class Seen(Model):
        def forward(self, x):
            self.kept = self.kept | (x > 0.5)
            return self.kept.float()

    eager, model = Seen(torch.zeros(4) > 0), Seen(torch.zeros(4) > 0)
    compiled = torch_refine.compile(model, (torch.rand(4),))
    for step in range(6):
        x = torch.rand(4)
        torch.testing.assert_close(compiled(x), eager(x))
        if step % 2:
            eager.kept.zero_()
            model.kept.zero_()


def test_state_of_another_type_is_an_error():
    model = Assigning(torch.ones(2, 3))
    compiled = torch_refine.compile(model, (torch.rand(2, 3),))
    for wrong in (torch.ones(2, 3, dtype=torch.float64), torch.ones(3, 3), None):
        compiled(torch.rand(2, 3))
        model.kept = wrong
        with pytest.raises(WeightError, match="kept"):
            compiled(torch.rand(2, 3))
        model.kept = torch.ones(2, 3)


def test_weights_are_not_looked_at_again_for_state(monkeypatch):
    """That takes a hundred times as long as the call of a small model with many weights."""

    class Stateful(Assigning):
        def __init__(self, value):
            super().__init__(value)
            self.layers = nn.Sequential(*[nn.Linear(3, 3) for _ in range(4)])

        def forward(self, x):
            return super().forward(self.layers(x))

    model = Stateful(torch.ones(2, 3))
    compiled = torch_refine.compile(model, (torch.rand(2, 3),))
    looked = []
    look = compiled.state._look
    monkeypatch.setattr(compiled.state, "_look", lambda: looked.append(1) or look())
    with torch.no_grad():
        for _ in range(5):
            compiled(torch.rand(2, 3))
        assert len(looked) == 1
        model.layers[0].weight.mul_(2)
        expected = Stateful(model.kept)
        expected.load_state_dict(model.state_dict())
        x = torch.rand(2, 3)
        torch.testing.assert_close(compiled(x), expected(x))


def test_a_written_tensor_with_two_names_is_refused():
    """PyTorch does not decompose a program that writes to one of two names of a buffer."""

    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.kept = self.other = torch.zeros(3)

        def forward(self, x):
            self.kept.add_(x)
            return self.other * 2

    model = Twice()
    with pytest.raises(ImportModelError, match="cannot decompose the model"):
        torch_refine.compile(model, (torch.rand(3),))
    assert (model.kept == 0).all()
    assert model.kept is model.other
