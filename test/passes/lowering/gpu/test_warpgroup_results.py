"""The results of launches for warpgroups, by an interpreter that notices what is undefined."""

import random
from dataclasses import replace

import pytest
import torch
from function_module import Function
from seeded_parts import seeded_part
from torch import nn
from torch_refine.passes.lowering.gpu.warpgroups import contractions_to_warpgroups, plan
from warpgroup_epilogues import BATCH_RESIDUAL, BIAS, GELU, RELU, RESIDUAL, ROW_FACTORS, SCALAR
from warpgroup_kernels import Case, Epilogue, check, lowered, run_program

PAIRS = [("mk", "nk"), ("mk", "kn"), ("km", "nk"), ("km", "kn")]
TILES = tuple(plan._TILES)


def _check(case, seed=0, sizes=None):
    return check(case, lowered(case), seed=seed, sizes=sizes)


@pytest.fixture
def only(monkeypatch):
    """Choose one tile for all contractions."""
    return lambda tile: monkeypatch.setattr(plan, "_TILES", {tile: 1.0})


@pytest.fixture
def few_blocks(monkeypatch):
    """A device of two multiprocessors: a block computes several tiles."""
    monkeypatch.setattr(contractions_to_warpgroups, "MULTIPROCESSORS", 2)


@pytest.mark.parametrize(("left", "right"), PAIRS)
@pytest.mark.parametrize("tile", TILES)
def test_tiles_and_transposes(only, tile, left, right):
    """Tiles that are whole, and those at the edges of all dimensions."""
    only(tile)
    element = "bf16" if (left[0] == "k") == (tile[1] == 128) else "f16"
    sizes = {"m": 64 * tile[0] + 24, "n": tile[1] + 40, "k": 2 * 64 + 8}
    _check(Case(left, right, sizes, element=element))


@pytest.mark.parametrize("tile", TILES)
def test_phases_of_stages(only, few_blocks, tile):
    """The ring of stages goes around several times, within a tile and from one to the next."""
    only(tile)
    machine = _check(Case("mk", "kn", {"m": 192, "n": tile[1] + 8, "k": 1500 - 4}))
    assert machine.blocks == 2


def test_stages_of_an_odd_number_of_steps(few_blocks):
    """A tile ends within the ring."""
    machine = _check(Case("km", "nk", {"m": 328, "n": 136, "k": 200}, element="bf16"))
    assert machine.blocks == 2


def test_one_step(few_blocks):
    _check(Case("mk", "nk", {"m": 136, "n": 72, "k": 64}))


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_what_is_asynchronous(only, few_blocks, seed):
    only((2, 128))
    _check(Case("mk", "nk", {"m": 136, "n": 264, "k": 520}), seed=seed)


def test_rows_of_tiles_are_grouped(few_blocks):
    """More rows of tiles than are in one group, and a rest."""
    machine = _check(Case("mk", "nk", {"m": 64 * 18 - 8, "n": 136, "k": 64}))
    assert machine.blocks == 2


@pytest.mark.parametrize(
    ("left", "right", "sums"),
    [
        ("bmk", "bkn", ""),
        ("bkm", "bnk", ""),
        ("bmk", "kn", ""),
        ("mk", "bnk", ""),
        ("bcmk", "cnk", ""),
        ("bmck", "bnck", ""),
        ("bcmk", "bckn", "cbmn"),
    ],
)
def test_batches(few_blocks, left, right, sums):
    sizes = {"m": 72, "n": 40, "k": 72, "b": 3, "c": 2}
    _check(Case(left, right, sizes, element="bf16", sums=sums))


@pytest.mark.parametrize("right", ["nk", "kn"])
def test_dynamic_rows(few_blocks, right):
    case = Case("mk", right, {"n": 264, "k": 136, "m": 64}, dynamic="m", epilogue=BIAS)
    case = replace(case, result="f16")
    module = lowered(case)
    for rows in (1, 63, 64, 65, 129):
        check(case, module, {"m": rows}, seed=rows)


def test_no_rows():
    case = Case("mk", "nk", {"n": 64, "k": 64, "m": 0}, dynamic="m")
    assert _check(case).blocks == 1, "an empty grid is invalid"


def test_a_dynamic_batch(few_blocks):
    case = Case("bmk", "bnk", {"n": 40, "k": 72, "m": 40, "b": 1}, dynamic="bm")
    module = lowered(case)
    for batch, rows in ((1, 1), (2, 65), (5, 9)):
        check(case, module, {"b": batch, "m": rows})


EPILOGUES = {
    "bias": (BIAS, "f16"),
    "gelu": (GELU, "bf16"),
    "gelu, f16": (GELU, "f16"),
    "factors of rows": (ROW_FACTORS, "f32"),
    "residual": (RESIDUAL, "f16"),
    "relu": (RELU, "f32"),
    "scalar, columns, rows": (SCALAR, "bf16"),
    "a cast": (Epilogue((), "      %r = arith.truncf %sum : f32 to R", lambda s: s), "f16"),
    "nothing": (Epilogue((), "      %r = arith.addf %sum, %sum : f32", lambda s: s + s), "f32"),
}


@pytest.mark.parametrize("name", EPILOGUES)
def test_epilogues(name):
    epilogue, result = EPILOGUES[name]
    _check(Case("mk", "nk", {"m": 72, "n": 88, "k": 72}, epilogue=epilogue, result=result))


def test_an_epilogue_of_a_batch(few_blocks):
    sizes = {"m": 40, "n": 72, "k": 72, "b": 3}
    _check(Case("bmk", "kn", sizes, "bf16", BATCH_RESIDUAL, "bf16"))


def _drawn(seed):
    """A random case, of at most six tiles or so."""
    draw = random.Random(seed)
    left, right = draw.choice(PAIRS)
    batch = draw.choice(["", "", "b"])
    epilogue, result = draw.choice([(None, "f32"), *EPILOGUES.values()])
    rows = draw.randint(32, 300) if left == "mk" else 8 * draw.randint(4, 30)
    sizes = {
        "m": rows,
        "n": 8 * draw.randint(4, 40),
        "k": 8 * draw.randint(8, 40),
        "b": draw.randint(1, 2),
    }
    left = draw.choice(["", batch]) + left
    dynamic = "m" if left[-1] == "k" and draw.random() < 0.3 else ""
    if epilogue is not None and any("b" in dims for dims, _ in epilogue.operands):
        epilogue, result = None, "f32"
    case = Case(left, batch + right, sizes, draw.choice(["f16", "bf16"]), epilogue, result, dynamic)
    return case, draw.choice(TILES)


@pytest.mark.parametrize("seed", seeded_part(range(200), 12))
def test_drawn_cases(only, few_blocks, seed):
    case, tile = _drawn(seed)
    only(tile)
    _check(case, seed=seed)


class _Scores(nn.Module):
    def forward(self, queries, keys):
        return queries @ keys.transpose(1, 2)


PROGRAMS = {
    "linear+gelu": lambda: (
        nn.Sequential(nn.Linear(136, 264), nn.GELU()),
        (torch.randn(100, 136),),
    ),
    "linear, batch": lambda: (nn.Linear(72, 136, bias=False), (torch.randn(3, 40, 72),)),
    "residual": lambda: (Function(lambda x, y, z: x @ y + z), [torch.randn(72, 72)] * 3),
    "scores": lambda: (_Scores(), (torch.randn(3, 40, 72), torch.randn(3, 136, 72))),
}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name, dtype):
    """From PyTorch on: the one kernel of a program computes what eager mode does."""
    torch.manual_seed(0)
    model, inputs = PROGRAMS[name]()
    model, inputs = model.to(dtype), tuple(each.to(dtype) for each in inputs)
    found = run_program(model, inputs)
    # Sums of another order may round to the next number, before the epilogue and after it.
    rtol = 4 * torch.finfo(dtype).eps
    with torch.no_grad():
        torch.testing.assert_close(found, model(*inputs), rtol=rtol, atol=rtol)


def test_results_may_be_where_the_sums_are():
    """An epilogue in f32 gets the memory of the sums, which the launch keeps in registers."""
    torch.manual_seed(0)
    half = torch.bfloat16
    model = Function(lambda x, w, r: (x @ w).float() + r.float())
    inputs = torch.randn(70, 128).to(half), torch.randn(128, 64).to(half), torch.randn(70, 64)
    inputs = (*inputs[:2], inputs[2].to(half))
    found = run_program(model, inputs)
    expected = model(*inputs).to(half)
    torch.testing.assert_close(found, expected, rtol=4 * torch.finfo(half).eps, atol=1e-2)
