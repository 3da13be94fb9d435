"""Changes of a model after it was compiled are in the program's results, or its calls raise."""

from itertools import product

import pytest
import torch
import torch_refine
from torch import nn
from torch_refine.importer.errors import ImportModelError
from torch_refine.runtime.refusals import WeightError


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0
        self.epoch = 0
        self.mode = "double"
        self.dropout = nn.Dropout()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.BatchNorm1d(4))
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        y = self.dropout(self.layers(x)) * self.scale
        return y * 2 if self.mode == "double" else y


class Plain(nn.Module):
    """Has no weights."""

    scale = 2.0

    def __init__(self):
        super().__init__()
        self.power = 2

    def forward(self, x):
        return x**self.power


CHANGES = {
    "a number": (lambda m: setattr(m, "scale", 3.0), "'scale' was 2.0 .* is 3.0 now"),
    "its type": (lambda m: setattr(m, "scale", 2), "'scale' was 2.0 .* is 2 now"),
    "a string": (lambda m: setattr(m, "mode", "once"), "'mode' was 'double' .* is 'once'"),
    "no attribute": (lambda m: delattr(m, "scale"), "'scale' was 2.0 .* is None now"),
    "a layer's": (lambda m: setattr(m.dropout, "p", 0.1), "'dropout.p' was 0.5"),
    "train()": (lambda m: m.train(), r"'layers.2.training' was False .* call eval\(\) or"),
    "one layer": (lambda m: m.layers[2].train(), "'layers.2.training' was False"),
    "a class": (
        lambda m: m.layers.__setitem__(1, nn.GELU()),
        "'layers.1' was a ReLU when .* is a GELU now; compile again",
    ),
    "a hook": (
        lambda m: m.layers[0].register_forward_hook(lambda module, given, result: result * 2),
        "the hooks of 'layers.0' changed",
    ),
    "a hook before": (
        lambda m: m.register_forward_pre_hook(lambda module, given: given),
        "the hooks of the model changed",
    ),
    "forward that is not used": (lambda m: setattr(m.head, "forward", None), None),
    "forward of a layer": (
        lambda m: setattr(m.layers[1], "forward", torch.tanh),
        "the forward of 'layers.1' changed",
    ),
    "a removed layer": (
        lambda m: m.layers.__delitem__(1),
        "no tensor 'layers.2.weight' any more",
    ),
    "a value that is not read": (lambda m: setattr(m, "epoch", 7), None),
    "a new value": (lambda m: setattr(m, "name", "x"), None),
    "back and forth": (lambda m: m.train().eval(), None),
    "an equal class": (lambda m: m.layers.__setitem__(0, nn.Linear(4, 4)), None),
    "a layer that is not used": (lambda m: m.head.train(), None),
    "weights": (lambda m: m.load_state_dict(Scaled().state_dict()), None),
}


@pytest.fixture(scope="module", params=["error", "pytorch"])
def fallback(request):
    return request.param


@pytest.mark.parametrize("change", CHANGES)
def test_changes_that_a_program_does_not_have(change, fallback):
    make_change, said = CHANGES[change]
    model = Scaled().eval()
    x = torch.rand(3, 4)
    compiled = torch_refine.compile(model, (x,), fallback=fallback)
    _check_change(compiled, model, x, make_change, said)


def _check_change(compiled, model, x, make_change, said):
    """A change raises, with a message, or does not matter."""
    with torch.no_grad():
        for _ in range(2):
            torch.testing.assert_close(compiled(x), model(x))
        make_change(model)
        if said is None:
            torch.testing.assert_close(compiled(x), model(x))
        else:
            with pytest.raises(WeightError, match=said):
                compiled(x)


def test_a_model_without_weights():
    model = Plain()
    x = torch.rand(3)
    compiled = torch_refine.compile(model, (x,))
    torch.testing.assert_close(compiled(x.numpy()), x.numpy() ** 2)
    model.power = 3
    with pytest.raises(WeightError, match="'power' was 2 when the program was compiled"):
        compiled(x)
    model.power = 2
    torch.testing.assert_close(compiled(x), x**2)


class Settings:
    scale = 2.0

    def __init__(self):
        self.power, self.unused = 2, None
        self.inner = {"bias": 1.0, "sizes": [2, 3]}


class Configured(nn.Module):
    """Reads values in objects, lists, dictionaries, sets and of its class."""

    factor = 1.5

    def __init__(self):
        super().__init__()
        self.settings = Settings()
        self.weights, self.other = [0.5, (2.0, 4.0)], [1]
        self.modes = {"relu"}
        self.seen = []

    def forward(self, x):
        settings = self.settings
        self.seen.append(len(self.seen))
        y = x**settings.power * settings.scale * self.factor + settings.inner["bias"]
        y = y * self.weights[0] + self.weights[1][1] + settings.inner["sizes"][-1]
        return y.relu() if "relu" in self.modes else y


CONTENTS = {
    "an object": (lambda m: setattr(m.settings, "power", 3), "self.settings.power was 2 when"),
    "over its class": (lambda m: setattr(m.settings, "scale", 3.0), "self.settings.scale was 2.0"),
    "another object": (
        lambda m: setattr(m, "settings", type("Other", (Settings,), {"scale": 4.0})()),
        "self.settings.scale was 2.0 .* is 4.0 now; compile again",
    ),
    "a dictionary": (
        lambda m: m.settings.inner.update(bias=0.0),
        r"self.settings.inner\['bias'\] was 1.0",
    ),
    "a nested list": (
        lambda m: m.settings.inner["sizes"].__setitem__(1, 9),
        r"self.settings.inner\['sizes'\]\[1\] was 3 .* is 9",
    ),
    "a new item": (lambda m: m.weights.append(1), r"self.weights\[2\] was absent .* is 1 now"),
    "a removed item": (lambda m: m.settings.inner["sizes"].pop(), r"is absent now"),
    "a list's item": (lambda m: m.weights.__setitem__(0, 1), r"self.weights\[0\] was 0.5"),
    "a tuple": (lambda m: m.weights.__setitem__(1, (2.0, 5.0)), r"self.weights\[1\]\[1\] was 4.0"),
    "a set": (lambda m: m.modes.clear(), r"self.modes\['relu'\] was 'relu' .* is absent now"),
    "its class": (lambda m: setattr(type(m), "factor", 2.0), "'factor' was 1.5 .* is 2.0 now"),
    "itself over its class": (lambda m: setattr(m, "factor", 2.0), "'factor' was 1.5"),
    "what is not read": (lambda m: m.other.append(2), None),
    "a new attribute": (lambda m: setattr(m.settings, "name", "x"), None),
    "an equal object": (lambda m: setattr(m, "settings", Settings()), None),
    "what forward changes": (lambda m: m.seen.append(7), None),
}


@pytest.mark.parametrize(
    ("change", "modes"),
    # A set cannot be watched, so that each call looks.
    [
        *product(CONTENTS, [{"relu"}]),
        *product([each for each in CONTENTS if each != "a set"], [("relu",)]),
    ],
)
def test_changes_within_attributes(change, modes):
    class Model(Configured):
        factor = 1.5

    make_change, said = CONTENTS[change]
    model = Model()
    model.modes = modes.copy() if isinstance(modes, set) else modes
    x = torch.rand(3) - 0.5
    _check_change(torch_refine.compile(model, (x,)), model, x, make_change, said)


class Branching(nn.Module):
    """Reads a number and a layer in a branch and in a loop, which Dynamo traces."""

    def __init__(self):
        super().__init__()
        self.scale, self.turns, self.unused = 2.0, 3, "x"
        self.layer = nn.Dropout(0.5)

    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda a: self.layer(a) * self.scale, torch.neg, (x,))
        start = torch.zeros((), dtype=torch.int64)
        return torch.while_loop(
            lambda index, _: index < self.turns, lambda index, a: (index + 1, a + 1), (start, y)
        )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: setattr(m, "scale", 3.0), "'scale' was 2.0"),
        (lambda m: setattr(m, "turns", 4), "'turns' was 3"),
        (lambda m: m.train(), "'(layer.)?training' was False"),
        (lambda m: m.layer.register_forward_hook(lambda *_: None), "the hooks of 'layer'"),
        # What a body reads is not known.
        (lambda m: setattr(m, "unused", "y"), "'unused' was 'x'"),
    ],
)
def test_changes_of_what_branches_and_loops_read(change, said):
    model = Branching().eval()
    x = torch.rand(3)
    compiled = torch_refine.compile(model, (x,), fallback="pytorch")
    torch.testing.assert_close(compiled(x), model(x))
    torch.testing.assert_close(compiled(-x), model(-x))
    change(model)
    with pytest.raises(WeightError, match=said):
        compiled(x)


def test_parts_in_pytorch():
    class Split(Scaled):
        def forward(self, x):
            return torch.linalg.eigvals(super().forward(x)).abs()

    model = Split().eval()
    x = torch.rand(4, 4)
    compiled = torch_refine.compile(model, (x,), fallback="pytorch")
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), model(x), atol=1e-4, rtol=1e-4)
        model.scale = 1.0
        with pytest.raises(WeightError, match=r"'scale' was 2\.0"):
            compiled(x)


def test_a_failed_trace_leaves_the_modules_as_they_were():
    class Failing(nn.Module):
        def forward(self, x):
            return x if x.sum() > 0 else -x

    with pytest.raises(ImportModelError):
        torch_refine.compile(Failing(), (torch.rand(2),))
    assert "__getattribute__" not in vars(nn.Module)
