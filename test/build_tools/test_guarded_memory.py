"""Memory between unreadable pages: what touches other memory is seen."""

import ctypes

import pytest
import torch
from torch_refine.build_tools.code.guarded_memory import SIDES, GuardedHeap, guarded_heap
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.judging import judge
from torch_refine.build_tools.numerics.ways import Way
from torch_refine.build_tools.numerics.workers import Died, Workers
from torch_refine.runtime.calls import calling, object_files
from torch_refine.runtime.calls.tensors import TorchTensors


@pytest.fixture(params=SIDES)
def heap(request):
    heap = GuardedHeap()
    heap.side = request.param
    return heap


def _touch(address, tmp_path):
    """Read a byte in a process of its own."""
    workers = Workers(lambda place: ctypes.string_at(place, 1), 1, 20.0, tmp_path)
    ((_, found),) = workers.run([address])
    return found


@pytest.mark.parametrize("size", [1, 64, 4096, 5000])
def test_the_page_beside_a_buffer_is_unreadable(heap, size, tmp_path):
    address = heap.allocate(size)
    assert address % 16 == 0
    outside = address - 1 if heap.side == "start" else address + size + -size % 16
    inside = address if heap.side == "start" else address + size - 1
    assert _touch(inside, tmp_path) == b"\xff"
    found = _touch(outside, tmp_path)
    assert isinstance(found, Died) and found.message.startswith("SIGSEGV")
    heap.free(address)
    assert isinstance(_touch(inside, tmp_path), Died), "what is freed cannot be read"
    assert heap.live == 0 and heap.faults == []


def test_writes_beside_a_buffer_are_seen(heap):
    address = heap.allocate(24)
    beside = address + 24 if heap.side == "start" else address + 31
    ctypes.memset(beside, 0, 1)
    heap.free(address)
    heap.free(address)
    assert heap.faults == [
        "a write behind a buffer of 24 bytes",
        "free of what was not allocated, or was freed before",
    ]


def test_what_no_system_has_is_not_allocated(heap):
    assert heap.allocate(2**62) == 0 and heap.live == 0


def test_copies_are_the_same_tensors(heap):
    for tensor in (
        torch.arange(12.0).view(3, 4).t()[1:],
        torch.rand(1, 3).expand(4, 3),
        torch.tensor([True, False]),
        torch.rand(3, dtype=torch.complex64).conj(),
        torch.zeros(0, 3),
        torch.tensor(2),
    ):
        copy = heap.copy(tensor)
        assert torch.equal(copy, tensor) and copy.stride() == tensor.stride()
        if tensor.numel() and heap.side == "end":
            count = 1 + sum((n - 1) * s for n, s in zip(copy.shape, copy.stride(), strict=True))
            assert (copy.data_ptr() + count * copy.itemsize) % 4096 == 0
        del copy
    assert heap.live == 0


def test_compiled_code_allocates_from_it(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    from torch_refine.runtime.compiling.compiler import Options
    from torch_refine.runtime.torch_models.models import compile_model

    class Model(torch.nn.Module):
        def forward(self, x, y):
            return (x @ y).softmax(-1), x.sum(0)

    x, y = torch.rand(5, 3), torch.rand(3, 7)
    with guarded_heap() as heap:
        compiled = compile_model(Model(), (x, y), None, Options(separate_buffers=True))
        for heap.side in SIDES:
            results = compiled(heap.copy(x), heap.copy(y))
            assert heap.live == 2
            torch.testing.assert_close(results, Model()(x, y))
            del results
            assert heap.live == 0 and heap.faults == []
    assert object_files.replaced_functions == {}
    assert calling._free is not heap.free


def test_a_sweep_sees_what_touches_other_memory(tmp_path, monkeypatch):
    """An input that is passed with the address of its second element reads past its end."""
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    call = ValueCall("aten::cumsum", (torch.rand(40), 0), {}, "", "none")

    def guarded(_):
        return judge(call, Way(guarded=True))

    ((_, right),) = Workers(guarded, 1, 60.0, tmp_path).run([0])
    assert right.kind == "right"

    def overrunning(_):
        describe = TorchTensors.describe

        def shifted(self, value):
            found = describe(self, value)
            return found._replace(address=found.address + value.itemsize)

        monkeypatch.setattr(TorchTensors, "describe", shifted)
        return judge(call, Way(guarded=True))

    ((_, died),) = Workers(overrunning, 1, 60.0, tmp_path).run([0])
    assert isinstance(died, Died) and died.message.startswith("SIGSEGV"), died
