"""For every operator and partially known operands: inference is correct and monotone."""

from functools import cache

import pytest
from hypothesis import given, strategies
from torch_refine.abstract_interpreter.conditions.printing import condition_text
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools.check_functions import load_families

from .comparing import lost, show_lattice_values, shown, untrue
from .examples import seeded
from .hiding import exact, views
from .operator_calls import NotExpressible, call_of, changed
from .valuations import truth_of

DECLARED = load_families()
FILES = sorted({declaration.file for declaration in DECLARED.values()})


def _operators(file):
    """The operators of a family, each with its accepted cases."""
    found = {}
    for declaration in DECLARED.values():
        if declaration.file == file:
            for case in declaration.ok:
                try:
                    call = call_of(declaration.operator, case)
                except NotExpressible:
                    continue
                found.setdefault(declaration.operator, []).append(call)
    return found


@cache
def _programs():
    return Programs()


class Inferring:
    """Infers calls, for a known device and for an unknown one."""

    def __init__(self):
        self.lattice = Lattice()
        self._inference = {}

    def infer(self, call, view):
        """The result of a call as inferred from a view."""
        device = call.device if view.knows_device else None
        if device not in self._inference:
            self._inference[device] = Inference(_programs(), self.lattice, device, learns=True)
        return self._inference[device].infer(call.operator, view.lattice_values, call.results)


def _check(data, cases):
    """Infer a call from all, more and less information, and compare."""
    inferring = Inferring()
    original = data.draw(strategies.sampled_from(cases))
    call = data.draw(changed(original))
    actual = inferring.infer(call, exact(call, inferring.lattice))
    if actual.raised is not None:
        call = original
        actual = inferring.infer(call, exact(call, inferring.lattice))
        assert actual.raised is None, f"{call} is rejected"
    less, more = data.draw(views(call, inferring.lattice))
    # The last one is looked up: renamed symbols do not require inferring a call again.
    results = [(view, inferring.infer(call, view)) for view in (more, less, less.again())]
    for view, result in results:
        wrong = untrue(result, actual, view.valuation)
        assert not wrong, f"{wrong}\n{_story(call, actual, results)}"
        for condition in result.learned:
            told = condition_text(condition, repr)
            assert truth_of(condition, view.valuation), f"{told}\n{_story(call, actual, results)}"
    (_, of_more), (_, of_less), _ = results
    missing = lost(of_less, of_more, less.names_in(more), more.valuation)
    assert not missing, f"more is known, and {missing} is not\n{_story(call, actual, results)}"


def _story(call, actual, results):
    lines = [f"{call.operator} on {call.device} {call.values}: {shown(actual)}"]
    for view, result in results:
        device = "" if view.knows_device else "any device "
        lines.append(f"{device}{show_lattice_values(view.lattice_values)}: {shown(result)}")
    return "\n".join(lines)


def _check_operator(cases):
    @seeded(5)
    @given(strategies.data())
    def check(data):
        _check(data, cases)

    check()


@pytest.mark.parametrize("file", FILES)
@pytest.mark.seeded_part(12)
def test_family(file):
    """Less information is never wrong, and more is never less precise, for a family's cases."""
    wrong = []
    for operator, cases in _operators(file).items():
        try:
            _check_operator(cases)
        except Exception as error:
            wrong.append(f"{operator}: {error!r}" if not str(error) else f"{operator}: {error}")
    assert not wrong, "\n\n".join(wrong)
