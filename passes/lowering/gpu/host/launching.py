"""Builders of `gpu.launch`."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    at_least_one,
    constant,
    create_op,
    index_type,
    index_value,
)

SHARED_SEGMENT = 10
"""The position of the dynamic shared memory among the operand segments of a launch."""
_IDS = 12
"""The region of a launch has ids and sizes of blocks and threads as its first arguments."""


class Launch:
    """A one-dimensional launch; the caller fills its body."""

    def __init__(self, blocks: Number, threads: int, shared_bytes: int = 0) -> None:
        """Create one at the insertion point; an empty grid is invalid, so it becomes one block.

        `shared_bytes` are those of dynamic shared memory.
        """
        context = ir.Location.current.context
        one = index_value(1)
        sizes = [index_value(at_least_one(blocks)), one, one, index_value(threads), one, one]
        if shared_bytes:
            type = ir.IntegerType.get_signless(32, context)
            sizes.append(constant(type, shared_bytes))
        counts = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
        counts[SHARED_SEGMENT] = int(shared_bytes > 0)
        segments = ir.DenseI32ArrayAttr.get(counts, context)
        self.op = create_op("gpu.launch", sizes, {"operandSegmentSizes": segments}, regions=1)
        places = [ir.Location.current] * _IDS
        self.body = ir.Block.create_at_start(self.op.regions[0], [index_type()] * _IDS, places)
        self.block_id: ir.Value = self.body.arguments[0]
        self.thread_id: ir.Value = self.body.arguments[3]
        self._shared = 0

    def share(self, type: ir.MemRefType) -> ir.Value:
        """Shared memory, as an argument of the body."""
        space = ir.Attribute.parse("#gpu.address_space<workgroup>", type.context)
        with ir.Location.unknown(type.context):
            shared = ir.MemRefType.get(type.shape, type.element_type, memory_space=space)
        argument = self.body.add_argument(shared, ir.Location.unknown(type.context))
        self._shared += 1
        number = ir.IntegerType.get_signless(64, type.context)
        self.op.attributes["workgroup_attributions"] = ir.IntegerAttr.get(number, self._shared)
        return argument

    def finish(self) -> None:
        """Terminate the body."""
        with ir.InsertionPoint(self.body), self.op.location:
            create_op("gpu.terminator")


def barrier() -> None:
    """A barrier for the threads of a block."""
    scope = ir.Attribute.parse("#gpu.barrier_scope<workgroup>", ir.Location.current.context)
    create_op("gpu.barrier", attributes={"scope": scope})
