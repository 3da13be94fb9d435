"""The interpreter notices kernels that are wrong, though a GPU might compute what is right."""

import re

import pytest
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.ir_builder import add, multiply
from torch_refine.passes.lowering.gpu.warpgroups import (
    contractions_to_warpgroups,
    plan,
    staging,
)
from warpgroup_assembly import parse
from warpgroup_kernels import Case, check, lowered
from warpgroup_memory import Mistake

CASE = Case("mk", "kn", {"m": 136, "n": 72, "k": 712})


def _descriptor(leading, stride):
    return f"{1 << 62 | stride << 32 | leading << 16} : i64"


# What is replaced in the kernel, by what, and what is said of it.
MISTAKES = {
    "another stride of rows": (_descriptor(1, 64), _descriptor(1, 32), "was not copied|Not equal"),
    "swapped strides, along the sum": (_descriptor(1, 64), _descriptor(64, 1), "Not equal"),
    "swapped strides, across it": (_descriptor(512, 64), _descriptor(64, 512), "copied|Not equal"),
    "no swizzle": (re.escape(str(1 << 62 | 64 << 32 | 1 << 16)), str(64 << 32 | 1 << 16), "swizz"),
    "another transposition": ("1, 1, 0, 1;", "1, 1, 0, 0;", "Not equal|copied"),
    "one matrix at each step": ("add.s64 left, left, 2;", "", "Not equal"),
    "a stage is released too early": (
        "wait_group.sync.aligned 1",
        "wait_group.sync.aligned 2",
        "a copy to memory that a multiplication may still read",
    ),
    "sums are read too early": (
        "wait_group.sync.aligned 0",
        "wait_group.sync.aligned 1",
        "a sum is read before it is complete",
    ),
    "multiplications that are not committed": (
        re.escape("wgmma.commit_group.sync.aligned;"),
        "",
        "a sum is read|may still read",
    ),
    "nobody waits": ("@!done bra again;", "", "may not be copied yet|was not copied|may still"),
    "an arrival without copies": (
        re.escape("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];"),
        "mbarrier.arrive.shared::cta.b64 _, [$0];",
        "may not be copied yet",
    ),
    "a full stage of half the copies": (
        re.escape("mbarrier.init.shared::cta.b64 [$0], 128;"),
        "mbarrier.init.shared::cta.b64 [$0], 64;",
        "copied|may still read|wait for each other",
    ),
    "an empty stage of one warp": (
        re.escape("mbarrier.init.shared::cta.b64 [$0], 4;"),
        "mbarrier.init.shared::cta.b64 [$0], 1;",
        "may still read|wait for each other|in flight",
    ),
    "more arrivals than there are": (
        re.escape("mbarrier.init.shared::cta.b64 [$0], 4;"),
        "mbarrier.init.shared::cta.b64 [$0], 8;",
        "all warpgroups wait for each other",
    ),
    "no fence between the proxies": ("fence.proxy.async.shared::cta;", "", "not fenced"),
    "no fence of registers": ("wgmma.fence.sync.aligned;", "", "without wgmma.fence"),
    "no barrier of a warpgroup": ("bar.sync .0, 128;", "", "without a barrier between"),
    "no barrier of the block": ("gpu.barrier", "", "no barrier is at|may not know"),
    "a part of a copy": (r"\], 16, \$2;", "], 16, 8;", "a copy of a part"),
}


def _changed(module, before, after):
    text = str(module)
    changed = re.sub(before, after, text)
    assert changed != text, "nothing was replaced"
    return ir.Module.parse(changed, new_context())


@pytest.fixture
def one_group(monkeypatch):
    """Tiles of 64 x 64, several per block, in a ring of eight stages."""
    monkeypatch.setattr(plan, "_TILES", {(1, 64): 1.0})
    monkeypatch.setattr(contractions_to_warpgroups, "MULTIPROCESSORS", 2)


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_in_the_kernel(one_group, name):
    before, after, message = MISTAKES[name]
    with pytest.raises((Mistake, AssertionError), match=message):
        check(CASE, _changed(lowered(CASE), before, after))


def test_the_kernel_without_a_mistake(one_group):
    check(CASE, _changed(lowered(CASE), "\n", "\n\n"))


class _Plain(staging.Copies):
    """Copies that are not permuted."""

    def __init__(self, *given):
        super().__init__(*given)
        self.place = add(multiply(self.row, 128), multiply(self.chunk, 16))


def _first(one, other):
    return one


def _second(one, other):
    return other


CHANGES = {
    "copies that are not permuted": (contractions_to_warpgroups, "Copies", _Plain, "Not equal"),
    "copies without a check along the rows": (staging, "both", _second, "outside of its operand"),
    "copies without a check of rows": (staging, "both", _first, "outside of"),
    "stores without a check of rows": (contractions_to_warpgroups, "both", _second, "outside of"),
    "stores without a check of columns": (contractions_to_warpgroups, "both", _first, "outside of"),
    "stages that are not aligned": (staging, "_ALIGNMENT", 128, "Not equal"),
    "other steps along the sum": (
        contractions_to_warpgroups,
        "advance",
        lambda operand: 4,
        "Not equal|copied",
    ),
    "warpgroups that share their staging": (
        contractions_to_warpgroups,
        "STAGING_BYTES",
        0,
        "over other data|is used|without a",
    ),
    "staged rows that overlap": (
        contractions_to_warpgroups,
        "PART_STRIDE",
        24,
        "two lanes store|without a barrier",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_mistakes_in_the_pass(monkeypatch, name):
    module, attribute, value, message = CHANGES[name]
    monkeypatch.setattr(module, attribute, value)
    monkeypatch.setattr(plan, "_TILES", {(2, 128): 1.0})
    case = Case("mk", "nk", {"m": 136, "n": 136, "k": 136})
    with pytest.raises((Mistake, AssertionError), match=message):
        check(case, lowered(case))


def test_instructions_are_parsed():
    (add, copy) = parse(
        "{ .reg .b64 a, b; @!p add.s64 a, a, 2;\n x: cp.async [$0], {$1, $2}, 16; }"
    )
    assert (add.guard, add.name, add.operands) == ("!p", "add.s64", ("a", "a", "2"))
    assert (copy.label, copy.guard, copy.operands) == ("x", None, ("[$0]", "{$1, $2}", "16"))
