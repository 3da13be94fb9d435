"""One of two processes of a group: runs scenarios of compiled programs, and compares with eager.

    python group_process.py RANK STORE RESULTS SCENARIO...

Each scenario writes what it found to RESULTS, as JSON by scenario.
"""

import copy
import datetime
import json
import logging
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
import torch_refine
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)
from torch.export import Dim

SIZE = 2
# No call of gloo waits longer, so a process whose partner failed ends.
TIMEOUT = datetime.timedelta(seconds=20)


class MLP(nn.Module):
    """The whole of a model, of which each process has a part."""

    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 16)
        self.down = nn.Linear(16, 8)

    def forward(self, x):
        return self.down(nn.functional.gelu(self.up(x)))


class Parallel(nn.Module):
    """The part of an MLP that a process has: columns of one layer, rows of the other."""

    def __init__(self, whole, rank):
        super().__init__()
        half = slice(8 * rank, 8 * rank + 8)
        self.up_weight = nn.Parameter(whole.up.weight.detach()[half].clone())
        self.up_bias = nn.Parameter(whole.up.bias.detach()[half].clone())
        self.down_weight = nn.Parameter(whole.down.weight.detach()[:, half].clone())
        self.down_bias = nn.Parameter(whole.down.bias.detach().clone())

    def forward(self, x):
        hidden = nn.functional.gelu(nn.functional.linear(x, self.up_weight, self.up_bias))
        partial = nn.functional.linear(hidden, self.down_weight)
        return funcol.all_reduce(partial, "sum", dist.group.WORLD) + self.down_bias


class Written(nn.Module):
    """Collectives that write to a tensor, whose results are used or not."""

    def forward(self, x):
        first = x.exp().sin() * 2
        torch.ops._c10d_functional.all_reduce_(first, "sum", dist.group.WORLD.group_name)
        torch.ops._c10d_functional.wait_tensor(first)
        second = first.sigmoid()
        dist.all_reduce(second, op=dist.ReduceOp.MAX)
        funcol.all_reduce(second, "sum", dist.group.WORLD)
        return (second.cos() + first) * 0.5


class Exchanged(nn.Module):
    """The other collectives."""

    def forward(self, x):
        gathered = funcol.all_gather_tensor(x.tanh().sin() * 2, 0, dist.group.WORLD)
        given = gathered.sin().cos() + gathered
        scattered = funcol.reduce_scatter_tensor(given, "sum", 0, dist.group.WORLD)
        given = scattered.cos().tanh() - scattered
        sent = funcol.all_to_all_single(given, [2, 2], [2, 2], dist.group.WORLD)
        given = sent.exp().tanh() * sent
        return funcol.broadcast(given, 1, dist.group.WORLD) * 2


def model(of=MLP):
    """The same weights in every process."""
    torch.manual_seed(0)
    return of()


def batch(seed, rows=6):
    """Random inputs; the same for the same seed."""
    return torch.randn(rows, 8, generator=torch.Generator().manual_seed(seed))


def close(found, expected):
    """The largest difference; raises AssertionError if the values are not close."""
    torch.testing.assert_close(found, expected)


def tensor_parallel(rank):
    """An MLP in two parts, for any number of rows."""
    whole = model().eval()
    part = Parallel(whole, rank)
    with torch.no_grad():
        compiled = torch_refine.compile(
            part, (batch(0),), dynamic_shapes=({0: Dim("rows")},), fallback="pytorch"
        )
        for rows in (6, 3):
            given = batch(rows, rows)
            close(compiled(given), whole(given))
            close(compiled(given), part(given).clone())
    return str(compiled.report())


def dtensors(rank):
    """An MLP whose weights are DTensors."""
    whole = model().eval()
    mesh = init_device_mesh("cpu", (SIZE,))
    plan = {"up": ColwiseParallel(), "down": RowwiseParallel()}
    part = parallelize_module(copy.deepcopy(whole), mesh, plan)
    compiled = torch.compile(part, backend="torch_refine", dynamic=True)
    with torch.no_grad():
        for rows in (6, 3):
            given = batch(rows, rows)
            close(compiled(given), whole(given))
            close(compiled(given), part(given))


def dtensor_training(rank):
    """Training of an MLP whose weights are DTensors; all processes have the same batches."""
    mesh = init_device_mesh("cpu", (SIZE,))
    plan = {"up": ColwiseParallel(), "down": RowwiseParallel()}
    own, other = (parallelize_module(model(), mesh, plan) for _ in range(2))
    compiled = torch.compile(own, backend="torch_refine")
    _steps(
        (compiled, list(own.parameters())),
        (other, list(other.parameters())),
        0,
        local=lambda each: each.to_local(),
    )


def _steps(own, other, rank, sync=(None, None), local=lambda each: each):
    """Three training steps of a compiled model and of the same in eager mode, in turn."""
    losses = []
    for step in range(3):
        given = batch(10 * step + rank)
        for (run, parameters), reduce in zip((own, other), sync, strict=True):
            loss = run(given).square().mean()
            loss.backward()
            gradients = [each.grad for each in parameters]
            if reduce is not None:
                gradients = reduce(gradients)
            with torch.no_grad():
                for each, gradient in zip(parameters, gradients, strict=True):
                    each.sub_(gradient, alpha=0.1)
                    each.grad = None
            losses.append(loss.item())
        for mine, theirs in zip(own[1], other[1], strict=True):
            close(local(mine.detach()), local(theirs.detach()))
    assert losses[0] != losses[2], "the weights change"


def data_parallel(rank):
    """DistributedDataParallel, which reduces gradients during the backward pass."""
    wrapped = [nn.parallel.DistributedDataParallel(model()) for _ in range(2)]
    compiled = torch.compile(wrapped[0], backend="torch_refine")
    _steps(
        (compiled, list(wrapped[0].parameters())), (wrapped[1], list(wrapped[1].parameters())), rank
    )


def gradients(rank):
    """Gradients that a compiled function reduces."""

    def mean(given):
        return [each / SIZE for each in funcol.all_reduce_coalesced(given, "sum", dist.group.WORLD)]

    own, other = model(), model()
    compiled = torch.compile(own, backend="torch_refine")
    reduced = torch.compile(mean, backend="torch_refine")
    _steps(
        (compiled, list(own.parameters())),
        (other, list(other.parameters())),
        rank,
        sync=(reduced, mean),
    )


def sharded(rank):
    """FSDP2: the weights are sharded, and gathered for each pass."""
    mesh = init_device_mesh("cpu", (SIZE,))
    own, other = (fully_shard(model(), mesh=mesh) for _ in range(2))
    compiled = torch.compile(own, backend="torch_refine")
    _steps(
        (compiled, list(own.parameters())),
        (other, list(other.parameters())),
        rank,
        local=lambda each: each.to_local(),
    )


def parallel_training(rank):
    """Gradients flow through a collective of the program."""
    own, other = (Parallel(model(), rank) for _ in range(2))
    compiled = torch.compile(own, backend="torch_refine")
    _steps((compiled, list(own.parameters())), (other, list(other.parameters())), 0)


def in_place(rank):
    """Collectives that write to their operands."""
    part = Written()
    with torch.no_grad():
        compiled = torch_refine.compile(part, (batch(rank),), fallback="pytorch")
        close(compiled(batch(rank)), part(batch(rank)))
    return str(compiled.report())


def all_kinds(rank):
    """Gather, scatter, exchange and broadcast."""
    part = Exchanged()
    given = batch(rank, 4)
    with torch.no_grad():
        compiled = torch.compile(part, backend="torch_refine")
        close(compiled(given), part(given).clone())


def asynchronous(rank):
    """A tensor that a collective still writes to is an input."""
    part = nn.Sequential(nn.Tanh(), nn.Softmax(-1))
    expected = part(batch(0) + batch(1))
    with torch.no_grad():
        compiled = torch_refine.compile(part, (batch(0),))
        given = funcol.all_reduce(batch(rank), "sum", dist.group.WORLD)
        assert type(given) is funcol.AsyncCollectiveTensor
        close(compiled(given), expected)
        traced = torch.compile(part.forward, backend="torch_refine")
        given = funcol.all_reduce(batch(rank), "sum", dist.group.WORLD)
        close(traced(given), expected)


def partner_fails(rank):
    """A process that ends leaves the other with an error, after a bounded time."""
    part = Parallel(model(), rank)
    with torch.no_grad():
        compiled = torch_refine.compile(part, (batch(0),), fallback="pytorch")
        compiled(batch(0))
        if rank == 1:
            os._exit(3)
        start = time.monotonic()
        try:
            compiled(batch(0))
        except RuntimeError as error:
            return [str(error), time.monotonic() - start]
    raise AssertionError("the collective did not fail")


def main(rank, store, results, names):
    """Run scenarios; exceptions are results."""
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo",
        store=dist.FileStore(store, SIZE),
        rank=rank,
        world_size=SIZE,
        timeout=TIMEOUT,
    )
    found = {}
    for name in names:
        records = []
        handler = logging.Handler()
        handler.emit = lambda record, into=records: into.append(record.getMessage())
        logging.getLogger("torch_refine").addHandler(handler)
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        start = time.monotonic()
        try:
            value = globals()[name](rank)
            error = None
        except Exception as raised:
            value, error = None, f"{type(raised).__name__}: {raised}"
        logging.getLogger("torch_refine").removeHandler(handler)
        found[name] = {
            "value": value,
            "error": error,
            "said": records,
            "graphs": torch._dynamo.utils.counters["stats"]["unique_graphs"],
            "seconds": time.monotonic() - start,
        }
        with open(results, "w", encoding="utf-8") as file:
            json.dump(found, file)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
