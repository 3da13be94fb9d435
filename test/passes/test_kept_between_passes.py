"""State that passes keep between each other does not change their output."""

import re
from pathlib import Path

import pytest
from seeded_parts import seeded_part
from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import RunState
from torch_refine.passes.refine_types import RefineTypes, inferred_lattice_values
from torch_refine.pipelines.parsing import parse_pipeline
from torch_refine.pipelines.runner import RunFailure, Runner

FOLDER = Path(__file__).parent
REIFY = ("torch-reify-shape-calculations", "torch-reify-dtype-calculations")
SIMPLIFY = ("torch-simplify-shape-calculations", "torch-simplify-dtype-calculations")
ORDERS = {
    "both": REIFY + SIMPLIFY,
    "dtypes first": REIFY[::-1] + SIMPLIFY[::-1],
    "shapes, then dtypes": (REIFY[0], SIMPLIFY[0], REIFY[1], SIMPLIFY[1]),
    "again": REIFY + SIMPLIFY + SIMPLIFY,
}


def _programs():
    for file in sorted(FOLDER.glob("re*.mlir")) + sorted(FOLDER.glob("simplify-*.mlir")):
        for number, part in enumerate(file.read_text().split("// -----")):
            if re.search(r"^ *func\.func", part, re.MULTILINE):
                yield f"{file.stem}-{number}", part


def _cases(orders, number):
    """A seeded part of all programs in all orders of passes."""
    every = [
        pytest.param(part, order, id=f"{name}-{order}")
        for name, part in _programs()
        for order in orders
    ]
    return seeded_part(every, number)


def _run(passes, module, context):
    """Run passes with one runner; returns whether all succeeded."""
    text = f"builtin.module({','.join(passes)})"
    try:
        Runner().run(parse_pipeline(text, context, "builtin.module"), module.operation)
    except RunFailure:
        return False
    return True


@pytest.mark.parametrize(("part", "order"), _cases(ORDERS, 180))
@pytest.mark.seeded_part(12)
def test_one_run_gives_what_runs_of_each_pass_give(part, order, context):
    together = ir.Module.parse(part, context)
    alone = ir.Module.parse(part, context)
    passes = ORDERS[order]
    done = _run(passes, together, context)
    assert all(_run([each], alone, context) for each in passes) == done
    if done:
        assert str(together) == str(alone)
    del together, alone


# The shapes stay unknown, since a list that may be aliased changes.
_NOT_REMEMBERED = """
func.func @f(%arg0: !torch.vtensor, %arg1: !torch.list<list<int>>, %arg2: !torch.int) -> (!torch.vtensor, !torch.vtensor) {
"""
_CALCULATIONS = """
  %{result} = torch.dtype.calculate {{
    %a{result} = torch.shape.calculate {{
      %b{result} = torch.aten.{operator} %arg0 : !torch.vtensor -> !torch.vtensor
      torch.shape.calculate.yield %b{result} : !torch.vtensor
    }} shapes {{
      %c{result} = torch.aten.__getitem__.t %arg1, %arg2 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
      %d{result} = torch.aten.append.t %c{result}, %arg2 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.shape.calculate.yield.shapes %c{result} : !torch.list<int>
    }} : !torch.vtensor
    torch.dtype.calculate.yield %a{result} : !torch.vtensor
  }} dtypes {{
    %e{result} = torch.constant.int {dtype}
    torch.dtype.calculate.yield.dtypes %e{result} : !torch.int
  }} : !torch.vtensor
"""


def test_changed_operators_are_visited_again(context):
    """Two operators that differ only in name, and in their dtypes."""
    part = _NOT_REMEMBERED
    for result, operator, dtype in (("x", "relu", 6), ("y", "tanh", 7)):
        part += _CALCULATIONS.format(result=result, operator=operator, dtype=dtype)
    part += "  return %x, %y : !torch.vtensor, !torch.vtensor\n}\n"
    together, alone = (ir.Module.parse(part, context) for _ in range(2))
    assert _run(SIMPLIFY, together, context)
    assert all(_run([each], alone, context) for each in SIMPLIFY)
    assert str(together) == str(alone)
    assert "relu %arg0 : !torch.vtensor -> !torch.vtensor<*,f32>" in str(together)
    assert "tanh %arg0 : !torch.vtensor -> !torch.vtensor<*,f64>" in str(together)
    del together, alone


_CALLED = """
func.func @callee(%arg0: !torch.vtensor) -> !torch.vtensor {
  %0 = torch.aten.relu %arg0 : !torch.vtensor -> !torch.vtensor
  return %0 : !torch.vtensor
}
func.func @caller(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1 = call @callee(%0) : (!torch.vtensor) -> !torch.vtensor
  %2 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
  return %2 : !torch.vtensor
}
"""


@pytest.mark.parametrize("order", ORDERS)
def test_call_types_do_not_leak_to_other_calls(order, context):
    """A public function has its declared types, although a call of it was followed."""
    together, alone = (ir.Module.parse(_CALLED, context) for _ in range(2))
    passes = ORDERS[order]
    assert _run(passes, together, context)
    assert all(_run([each], alone, context) for each in passes)
    assert str(together) == str(alone)
    assert "torch.aten.relu %arg0 : !torch.vtensor -> !torch.vtensor\n" in str(together)
    assert re.search(r"torch.aten.tanh .* -> !torch.vtensor<\[2,3\],f32>", str(together))
    del together, alone


def test_facts_of_a_public_function_hold_for_all_calls(context):
    module = ir.Module.parse(_CALLED, context).operation
    lattice_values = inferred_lattice_values(module)
    callee = next(iter(module.regions[0].blocks[0].operations)).operation
    relu = next(iter(callee.regions[0].blocks[0].operations)).operation
    assert lattice_values[relu.result].sizes is None and lattice_values[relu.result].dtype is None


def test_asking_for_facts_refines_types_as_the_pass_does(context):
    asked, refined = (ir.Module.parse(_CALLED, context) for _ in range(2))
    inferred_lattice_values(asked.operation)
    RefineTypes().run(refined.operation, RunState())
    assert str(asked) == str(refined) != str(ir.Module.parse(_CALLED, context))
    del asked, refined


@pytest.mark.parametrize(("part", "order"), _cases(["both", "dtypes first"], 90))
@pytest.mark.seeded_part(12)
def test_dropping_removes_created_constants(part, order, context):
    """In one run; constants created by simplification are removed with the calculations."""
    passes = ORDERS[order]
    drop = "torch-drop-abstract-interp-calculations"
    if not _run((*REIFY, drop), plain := ir.Module.parse(part, context), context):
        pytest.skip("reification refuses it")
    found = ir.Module.parse(part, context)
    if _run((*passes, drop), found, context):
        assert _constants(found) == _constants(plain)
    del plain, found


def _constants(module):
    return sorted(re.findall(r"torch\.constant\.\w+.*", str(module)))
