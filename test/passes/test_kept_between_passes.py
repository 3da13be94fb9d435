"""What passes keep of reified calculations for each other changes nothing of what they write."""

import re
from pathlib import Path

import pytest
from torch_refine.dialect.bindings import ir
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
                yield pytest.param(part, id=f"{file.stem}-{number}")


def _run(passes, module, context):
    """Run passes with one runner; whether none failed."""
    text = f"builtin.module({','.join(passes)})"
    try:
        Runner().run(parse_pipeline(text, context, "builtin.module"), module.operation)
    except RunFailure:
        return False
    return True


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("part", list(_programs()))
def test_one_run_gives_what_runs_of_each_pass_give(part, order, context):
    together = ir.Module.parse(part, context)
    alone = ir.Module.parse(part, context)
    passes = ORDERS[order]
    done = _run(passes, together, context)
    assert all(_run([each], alone, context) for each in passes) == done
    if done:
        assert str(together) == str(alone)
    del together, alone


@pytest.mark.parametrize("order", ["both", "dtypes first"])
@pytest.mark.parametrize("part", list(_programs()))
def test_dropping_leaves_no_constant_that_was_written(part, order, context):
    """In one run; what simplification wrote for calculations goes with them."""
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
