"""For every operator and partially known operands: its preconditions hold if it does not raise.

Where they are complete, they hold only then, and the first that does not has the message with which
the operator raises.
"""

from collections import Counter

import pytest
from hypothesis import given, strategies
from torch_refine.abstract_interpreter.conditions.printing import condition_text
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.abstract_interpreter.preconditions import PreconditionFinder
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools.check_functions import load_families

from .comparing import show_lattice_values
from .examples import seeded
from .hiding import exact, views
from .operator_calls import NotExpressible, call_of, changed
from .valuations import value_of

DECLARED = load_families()
FILES = sorted({declaration.file for declaration in DECLARED.values()})
PROGRAMS = Programs()


def _operators(file):
    """The operators of a family, each with its cases, accepted or not."""
    found = {}
    for declaration in DECLARED.values():
        if declaration.file == file:
            for case in (*declaration.ok, *declaration.error):
                try:
                    call = call_of(declaration.operator, case)
                except NotExpressible:
                    continue
                found.setdefault(declaration.operator, []).append(call)
    return found


class Checking:
    """Compares the preconditions for views of calls with what the calls do; counts them."""

    def __init__(self):
        self.lattice = Lattice()
        self.finders = {}
        self.counts = Counter()

    def finder(self, device):
        """The finder for a device."""
        if device not in self.finders:
            inference = Inference(PROGRAMS, self.lattice, device)
            self.finders[device] = PreconditionFinder(inference)
        return self.finders[device]

    def check(self, call, view):
        """Compare for one view."""
        finder = self.finder(call.device if view.knows_device else None)
        if finder.inference.infer(call.operator, view.lattice_values, call.results).raised:
            # That is an error of refinement, not a guard.
            self.counts["always raises"] += 1
            return
        exactly = exact(call, self.lattice).lattice_values
        inference = self.finder(call.device).inference
        raised = inference.infer(call.operator, exactly, call.results).raised
        found = finder.find(call.operator, view.lattice_values)
        story = [f"{call.operator}{show_lattice_values(view.lattice_values)}", f"raises: {raised}"]
        story += [condition_text(each.condition, repr) for each in found.found]
        failed = _first_failed(found.found, view.valuation)
        if raised is None:
            assert failed is None, "\n".join(story)
            self.counts["holds"] += 1
        elif failed is None:
            assert not found.complete, "\n".join(story)
            self.counts["not expressed"] += 1
        else:
            said = _message(failed.message, view.valuation)
            self.counts["fails"] += 1
            self.counts["message"] += _agree(said, raised)
            if found.complete:
                assert _agree(said, raised), "\n".join([*story, f"says: {said}"])


def _first_failed(preconditions, valuation):
    """The first precondition that does not hold; those behind it may not even be defined."""
    return next((each for each in preconditions if not _holds(each.condition, valuation)), None)


def _holds(condition, valuation):
    """The value of a condition: `and` and `or` stop where they are decided, as in Python."""
    text = condition_text(condition, lambda symbol: f"v[{symbol.key[1]}]")
    values = {symbol.key[1]: value for symbol, value in valuation.items()}
    return eval(text, {"v": values, "min": min, "max": max})


def _message(parts, valuation):
    return "".join(
        part if isinstance(part, str) else str(value_of(part, valuation)) for part in parts
    )


def _agree(said, raised):
    """Whether two messages are equal up to question marks in either."""
    if "?" not in said and "?" not in raised:
        return said == raised
    longer, shorter = (raised, said) if "?" in said else (said, raised)
    pieces = shorter.split("?")
    place = 0
    for piece in pieces:
        place = longer.find(piece, place)
        if place < 0:
            return False
        place += len(piece)
    return True


def _check_operator(checking, cases):
    @seeded(3)
    @given(strategies.data())
    def check(data):
        call = data.draw(changed(data.draw(strategies.sampled_from(cases))))
        for view in data.draw(views(call, checking.lattice)):
            checking.check(call, view)

    check()


@pytest.mark.parametrize("file", FILES)
@pytest.mark.seeded_part(12)
def test_family(file):
    """Preconditions of the operators of a family, for their cases and changes of them."""
    wrong = []
    checking = Checking()
    for operator, cases in _operators(file).items():
        try:
            _check_operator(checking, cases)
        except Exception as error:
            wrong.append(f"{operator}: {error!r}" if not str(error) else f"{operator}: {error}")
    print(file, dict(checking.counts))
    assert not wrong, "\n\n".join(wrong)
