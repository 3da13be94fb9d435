"""Large blocks that a call frees serve later calls, and nothing else keeps them."""

import ctypes
import gc
import resource

import pytest
import torch
import torch_refine
from torch import nn

LARGE, SMALL = 1 << 16, (1 << 16) - 1


class Record:
    """The record of calls, and the functions of the support library."""

    def __init__(self):
        from torch_refine.passes.lowering.abi import ALLOCATE, FREE
        from torch_refine.runtime.calls.object_files import support_function

        self.words = (ctypes.c_int64 * 5)()
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        make = ctypes.CFUNCTYPE(pointer, pointer, number)(support_function(ALLOCATE))
        self.make = lambda size: make(ctypes.addressof(self.words), size)
        self.free = ctypes.CFUNCTYPE(None, pointer)(support_function(FREE))

    def kept(self):
        found, block = [], self.words[4]
        while block:
            found.append(block + 48)
            block = ctypes.c_int64.from_address(block + 8).value
        return found


@pytest.fixture
def record():
    found = Record()
    yield found
    assert found.words[3] == 0, "all blocks are freed"
    libc = ctypes.CDLL(None)
    for block in found.kept():
        libc.free(ctypes.c_void_p(block - 48))


def test_a_large_block_is_used_again(record):
    first = record.make(LARGE)
    record.free(first)
    assert record.kept() == [first]
    assert record.make(LARGE) == first
    assert record.kept() == []
    record.free(first)


def test_a_small_block_is_given_back(record):
    record.free(record.make(SMALL))
    assert record.kept() == []


def test_only_a_block_of_about_the_size_is_taken(record):
    block = record.make(4 * LARGE)
    record.free(block)
    other = record.make(LARGE)
    assert other != block
    larger = record.make(5 * LARGE)
    assert larger != block
    assert record.make(2 * LARGE) == block
    for each in (other, larger, block):
        record.free(each)


def test_so_many_are_kept(record):
    blocks = [record.make(LARGE) for _ in range(80)]
    for block in blocks:
        record.free(block)
    assert len(record.kept()) == 80
    for _ in range(30):
        # Too large for those that are kept: each time one of them is given back.
        record.free(record.make(1 << 20))
        record.free(record.make(1 << 22))
    assert len(record.kept()) <= 80


def test_what_cannot_be_had_is_said_and_keeps_nothing(record):
    record.free(record.make(LARGE))
    assert record.make(1 << 60) is None
    assert record.words[1] == 1 << 60
    assert record.kept() == []


class _Turned(nn.Module):
    def forward(self, x):
        x.copy_(torch.cat([x[1:], x[:1]]))
        return x[0] * 2


@pytest.mark.parametrize("count", [LARGE, 8])
def test_the_memory_of_a_new_value_serves_the_next_call(count):
    """It is copied to the argument, and nobody else has it."""
    x = torch.randn(count)
    expected = x.clone()
    compiled = torch_refine.compile(_Turned(), (x.clone(),))
    blocks = set()
    for _ in range(4):
        torch.testing.assert_close(compiled(x), _Turned()(expected))
        assert torch.equal(x, expected)
        (frame,) = compiled._caller._free
        (block,) = frame.returned
        blocks.add(block)
    if count == LARGE:
        assert len(blocks) == 1, "the same memory, as nothing else is kept"


def test_memory_stays_flat_while_sizes_change():
    class Model(nn.Module):
        def forward(self, x):
            return torch.softmax(x @ x.transpose(0, 1), -1) @ x

    size = torch.export.Dim("size", min=2, max=4096)
    model = Model()
    compiled = torch_refine.compile(model, (torch.rand(300, 64),), dynamic_shapes=({0: size},))
    for count in (200, 900, 300, 700, 900, 40):
        x = torch.rand(count, 64)
        torch.testing.assert_close(compiled(x), model(x))
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for index in range(200):
        compiled(torch.rand(100 + 37 * index % 800, 64))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 40 << 10, "KiB"
