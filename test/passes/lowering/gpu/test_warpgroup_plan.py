"""Which contractions warpgroups compute, and in which tiles."""

import pytest
from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.gpu.operands import contraction_of
from torch_refine.passes.lowering.gpu.warpgroups import plan
from torch_refine.passes.lowering.gpu.warpgroups.plan import Operand, plan_of_kernel
from warpgroup_epilogues import BIAS, GELU, RESIDUAL, ROW_FACTORS
from warpgroup_kernels import Case, Epilogue, kernel_in, text_of

SIZES = {"m": 256, "n": 512, "k": 128, "b": 3, "c": 2}


def _kernel(case, context):
    module = ir.Module.parse(text_of(case), context)
    return module, kernel_in(module)


def _plan(case, context):
    module, kernel = _kernel(case, context)
    found = plan_of_kernel(kernel)
    del module
    return found


def _case(left="mk", right="kn", epilogue=None, result="f16", **others):
    sizes = {**SIZES, **{key: value for key, value in others.items() if key in SIZES}}
    rest = {key: value for key, value in others.items() if key not in SIZES}
    return Case(left, right, sizes, epilogue=epilogue, result=result, **rest)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("mk", "nk", (Operand(0, 1, True, ()), Operand(0, 1, True, ()))),
        ("mk", "kn", (Operand(0, 1, True, ()), Operand(0, 1, False, ()))),
        ("km", "nk", (Operand(0, 1, False, ()), Operand(0, 1, True, ()))),
        ("km", "kn", (Operand(0, 1, False, ()), Operand(0, 1, False, ()))),
        ("bmk", "bkn", (Operand(1, 2, True, ((0, 0),)), Operand(1, 2, False, ((0, 0),)))),
        ("bmk", "nk", (Operand(1, 2, True, ((0, 0),)), Operand(0, 1, True, ()))),
        # Heads of an attention, between the rows and their elements.
        ("bmck", "bnck", (Operand(1, 3, True, ((0, 0), (2, 1))),) * 2),
        ("bcmk", "cnk", (Operand(2, 3, True, ((0, 0), (1, 1))), Operand(1, 2, True, ((0, 1),)))),
    ],
)
def test_operands_are_read_as_they_lie(context, left, right, expected):
    found = _plan(_case(left, right), context)
    assert (found.left, found.right) == expected


@pytest.mark.parametrize(
    "case",
    [
        _case(element="bf16"),
        _case(m=32, n=32, k=64),
        _case(m=33),
        _case(dynamic="m"),
        _case("bmk", "bkn", dynamic="bm"),
        _case("bcmk", "bckn", sums="cbmn"),
        _case(epilogue=BIAS),
        _case(epilogue=ROW_FACTORS, result="f32"),
        _case("bmk", "bkn", epilogue=RESIDUAL),
        _case(epilogue=GELU, element="bf16", result="bf16"),
    ],
    # The text of an epilogue has an address, which differs in each process.
    ids=lambda case: f"{case.left} {case.right} {case.dynamic} {case.element} {case.result}",
)
def test_accepted(context, case):
    assert _plan(case, context) is not None


BODY = "      %r = arith.truncf %sum : f32 to R"
REFUSED = {
    "columns that copies of 16 bytes do not divide": _case(n=516),
    "a summed dimension that they do not divide": _case(k=132),
    "rows that lie side by side and are odd": _case("km", "kn", m=257),
    "rows that lie side by side and are dynamic": _case("km", "kn", dynamic="m"),
    "a dynamic summed dimension": _case(dynamic="k"),
    "dynamic columns": _case(dynamic="n"),
    "f32": _case(element="f32", body="same"),
    "f16 with sums in f16": _case(body="same"),
    "integers": _case(element="i8", body="integer"),
    "a short summed dimension": _case(k=56),
    "few rows": _case(m=31),
    "few columns": _case(n=24),
    "a transposed result": _case(sums="nm"),
    "a permuted result": _case(sums="nm", loops="mnk"),
    "a permuted batch": _case("bcmk", "bckn", sums="cbmn", loops="bcmnk"),
    "a batch dimension that is summed, too": _case("bmk", "bkn", sums="mn", loops="mnbk"),
    "a batch dimension that is contiguous": _case("mkb", "bkn"),
    "an epilogue that reads transposed": _case(
        epilogue=Epilogue((("nm", "f32"),), BODY, None), n=256
    ),
    "an epilogue of integers": _case(epilogue=Epilogue((("mn", "i32"),), BODY, None)),
    "an epilogue with a result of f64": _case(
        epilogue=Epilogue((), "      %r = arith.extf %sum : f32 to f64", None), result="f64"
    ),
    "an epilogue that reads what it writes to": _case(
        epilogue=Epilogue((), "      %r = arith.addf %sum, %out : f32", None), result="f32"
    ),
    "an epilogue of indices": _case(
        epilogue=Epilogue(
            (),
            "      %i = linalg.index 0 : index\n      %j = arith.index_castui %i : index to i32\n"
            "      %f = arith.uitofp %j : i32 to f32\n      %r = arith.addf %sum, %f : f32",
            None,
        ),
        result="f32",
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_refused(context, why):
    assert _plan(REFUSED[why], context) is None


def test_sums_that_do_not_start_at_zero_are_refused(context):
    text = text_of(_case()).replace("arith.constant 0.0", "arith.constant 1.0")
    module = ir.Module.parse(text, context)
    assert plan_of_kernel(kernel_in(module)) is None
    del module


@pytest.mark.parametrize(
    ("sizes", "tile"),
    [
        ({"m": 4096, "n": 4096}, (2, 256)),
        # One tile for each of 128 multiprocessors, instead of 64 tiles that leave half of them.
        ({"m": 1024, "n": 2048}, (2, 128)),
        ({"m": 1024, "n": 1024}, (1, 128)),
        ({"m": 512, "n": 1024}, (1, 64)),
        ({"m": 64, "n": 4096}, (1, 64)),
    ],
)
def test_tiles_fill_the_multiprocessors(context, sizes, tile):
    found = _plan(_case(**sizes), context)
    assert (found.groups, found.columns) == tile


def test_a_batch_fills_them_too(context):
    assert _plan(_case("bmk", "bkn", b=64, m=512, n=1024), context).columns == 256


def test_dynamic_rows_count_as_many(context):
    assert _plan(_case(dynamic="m", n=4096), context).columns == 256


@pytest.mark.parametrize("tile", plan._TILES)
def test_stages_fit_into_shared_memory(context, monkeypatch, tile):
    monkeypatch.setattr(plan, "_TILES", {tile: 1.0})
    found = _plan(_case(), context)
    assert (found.rows, found.columns) == (64 * tile[0], tile[1])
    assert found.stage_bytes == 128 * (64 * tile[0] + tile[1])
    # Copies, multiplications and one stage between them.
    assert 3 <= found.stages <= 8
    assert found.shared_bytes <= 227 * 1024
    assert found.stage_bytes % 1024 == 0, "the swizzle needs aligned stages"


def test_the_marked_contraction_is_planned_the_same(context):
    """The pass plans it again, in memory."""
    module, kernel = _kernel(_case("bkm", "bnk"), context)
    assert plan.plan_of(contraction_of(kernel)) == plan_of_kernel(kernel)
    del module, kernel
