"""Making `gpu.launch` operations."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.building import Number, at_least_one, index_type, value_of

_IDS = 12
"""A launch's region has ids and sizes of blocks and threads as its first arguments."""


class Launch:
    """A launch of blocks along one dimension; its body is filled in by who makes it."""

    def __init__(self, blocks: Number, threads: int) -> None:
        """Make one where we are; none at all is not allowed, so no blocks become one."""
        context = ir.Location.current.context
        one = value_of(1)
        sizes = [value_of(at_least_one(blocks)), one, one, value_of(threads), one, one]
        segments = ir.DenseI32ArrayAttr.get([0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], context)
        self.op = ir.Operation.create(
            "gpu.launch",
            operands=sizes,
            regions=1,
            attributes={"operandSegmentSizes": segments},
        )
        places = [ir.Location.current] * _IDS
        self.body = ir.Block.create_at_start(self.op.regions[0], [index_type()] * _IDS, places)
        self.block_id: ir.Value = self.body.arguments[0]
        self.thread_id: ir.Value = self.body.arguments[3]
        self._shared = 0

    def share(self, type: ir.MemRefType) -> ir.Value:
        """Memory that the threads of a block share, as an argument of the body."""
        space = ir.Attribute.parse("#gpu.address_space<workgroup>", type.context)
        with ir.Location.unknown(type.context):
            shared = ir.MemRefType.get(type.shape, type.element_type, memory_space=space)
        argument = self.body.add_argument(shared, ir.Location.unknown(type.context))
        self._shared += 1
        number = ir.IntegerType.get_signless(64, type.context)
        self.op.attributes["workgroup_attributions"] = ir.IntegerAttr.get(number, self._shared)
        return argument

    def finish(self) -> None:
        """End the body."""
        with ir.InsertionPoint(self.body), self.op.location:
            ir.Operation.create("gpu.terminator")


def barrier() -> None:
    """All threads of a block wait for each other."""
    scope = ir.Attribute.parse("#gpu.barrier_scope<workgroup>", ir.Location.current.context)
    ir.Operation.create("gpu.barrier", attributes={"scope": scope})
