"""What a schedule has to know of a processor."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from torch_refine.dialect.bindings import ir

ATTRIBUTE = "torch_refine.cpu"
"""On a module: the processor that its code is for, as a dictionary of the fields of the record."""


@dataclass(frozen=True)
class CpuTarget:
    """A processor, as schedules see it.

    Args:
        name: LLVM's name of the processor or of the level of its architecture.
        architecture: `x86-64` or `aarch64`.
        features: LLVM's names of the instruction sets that code may use, sorted.
        vector_bits: the width of a vector register.
        vector_registers: how many of them there are.
        fma_ports: fused multiply-adds of whole vectors that start in one cycle.
        load_ports: loads of whole vectors in one cycle.
        fma_latency: cycles until a sum can be added to again.
        line_bytes: a line of the caches.
        l1_bytes, l2_bytes: the data caches of one core.
        l3_bytes: the last cache, which cores share; 0 where there is none.
    """

    name: str
    architecture: str
    features: tuple[str, ...]
    vector_bits: int
    vector_registers: int
    fma_ports: int
    load_ports: int
    fma_latency: int
    line_bytes: int
    l1_bytes: int
    l2_bytes: int
    l3_bytes: int

    def lanes(self, bits: int) -> int:
        """How many elements of so many bits a vector has."""
        return max(1, self.vector_bits // bits)

    def has(self, feature: str) -> bool:
        """Whether code may use an instruction set."""
        return feature in self.features

    def as_data(self) -> dict[str, Any]:
        """The record as plain data."""
        return {**asdict(self), "features": list(self.features)}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> CpuTarget:
        """The record that `as_data` gave."""
        return cls(**{**data, "features": tuple(data["features"])})


def set_target(module: ir.Operation, target: CpuTarget) -> None:
    """Write a record on a module."""
    context = module.context
    number = ir.IntegerType.get_signless(64, context)
    found: dict[str, ir.Attribute] = {}
    for name, value in target.as_data().items():
        if isinstance(value, list):
            texts = [ir.StringAttr.get(each, context) for each in value]
            found[name] = ir.ArrayAttr.get(texts, context)
        elif isinstance(value, str):
            found[name] = ir.StringAttr.get(value, context)
        else:
            found[name] = ir.IntegerAttr.get(number, value)
    module.attributes[ATTRIBUTE] = ir.DictAttr.get(found, context)


def target_of(op: ir.Operation) -> CpuTarget:
    """The processor that a module, or what it holds, is lowered for.

    Without a record that is `DEFAULT`, so that a pass gives the same on any machine. A field that
    the record lacks is that of `DEFAULT`, so that a person can write down one alone.
    """
    module = op
    while ATTRIBUTE not in module.attributes and module.parent is not None:
        module = module.parent.operation
    if ATTRIBUTE not in module.attributes:
        return DEFAULT
    given = ir.DictAttr(module.attributes[ATTRIBUTE])
    changes: dict[str, Any] = {}
    for field in fields(CpuTarget):
        if field.name not in given:
            continue
        value = given[field.name]
        if isinstance(value, ir.ArrayAttr):
            changes[field.name] = tuple(ir.StringAttr(each).value for each in value)
        elif isinstance(value, ir.StringAttr):
            changes[field.name] = value.value
        else:
            changes[field.name] = int(ir.IntegerAttr(value).value)
    return replace(DEFAULT, **changes)


_FEATURES = (
    "avx avx2 bmi bmi2 cmov crc32 cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf "
    "sse sse2 sse3 sse4.1 sse4.2 ssse3 xsave"
)

DEFAULT = CpuTarget(
    name="x86-64-v3",
    architecture="x86-64",
    features=tuple(_FEATURES.split()),
    vector_bits=256,
    vector_registers=16,
    fma_ports=2,
    load_ports=2,
    fma_latency=4,
    line_bytes=64,
    l1_bytes=32 << 10,
    l2_bytes=512 << 10,
    l3_bytes=16 << 20,
)
"""The level of x86-64 with AVX2, with caches as most of its processors have at least."""
