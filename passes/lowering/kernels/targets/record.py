"""The properties of a processor that schedules depend on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from torch_refine.dialect.bindings import ir

ATTRIBUTE = "torch_refine.cpu"
"""On a module: its target processor, a dictionary of the fields of the record."""


@dataclass(frozen=True)
class CpuTarget:
    """A processor, as schedules see it.

    Args:
        name: LLVM's name of the processor or its architecture level.
        architecture: `x86-64` or `aarch64`.
        features: LLVM's names of the instruction sets that code may use, sorted.
        vector_bits: the width of a vector register.
        vector_registers: number of vector registers.
        fma_ports: fused multiply-adds of whole vectors per cycle.
        load_ports: loads of whole vectors per cycle.
        crossing_load: accesses to the first cache for a whole vector that crosses a line.
        fma_latency: latency of accumulation in cycles.
        line_bytes: size of a cache line.
        l1_bytes, l2_bytes: size of the data caches of a core.
        l3_bytes: size of the last-level cache, which cores share; 0 if there is none.
    """

    name: str
    architecture: str
    features: tuple[str, ...]
    vector_bits: int
    vector_registers: int
    fma_ports: int
    load_ports: int
    crossing_load: int
    fma_latency: int
    line_bytes: int
    l1_bytes: int
    l2_bytes: int
    l3_bytes: int

    def lanes(self, bits: int) -> int:
        """The number of elements of `bits` bits in a vector."""
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
    """Attach a record to a module."""
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


class TargetError(Exception):
    """A record written by hand is invalid; the message names the field and its constraint."""


def target_of(op: ir.Operation) -> CpuTarget:
    """The target of the module that contains an op.

    Without a record it is `DEFAULT`, so that a pass is deterministic on any machine. Missing fields
    are those of `DEFAULT`, so that a record written by hand may have a single field.

    Raises TargetError.
    """
    module = op
    while ATTRIBUTE not in module.attributes and module.parent is not None:
        module = module.parent.operation
    if ATTRIBUTE not in module.attributes:
        return DEFAULT
    said = module.attributes[ATTRIBUTE]
    if not isinstance(said, ir.DictAttr):
        raise TargetError(f"{ATTRIBUTE} must be a dictionary, got {said}")
    given = ir.DictAttr(said)
    names = [field.name for field in fields(CpuTarget)]
    unknown = sorted({each.name for each in given} - set(names))
    if unknown:
        raise TargetError(
            f"{ATTRIBUTE} has no field {unknown[0]!r}; its fields are {', '.join(names)}"
        )
    known = {name: _value(name, given[name]) for name in names if name in given}
    return replace(DEFAULT, **known)


def _value(name: str, attribute: ir.Attribute) -> Any:
    default = getattr(DEFAULT, name)
    if isinstance(default, str) and isinstance(attribute, ir.StringAttr):
        if name != "architecture" or attribute.value in ARCHITECTURES:
            return attribute.value
        raise TargetError(f"{name} in {ATTRIBUTE} must be one of {', '.join(ARCHITECTURES)}")
    if isinstance(default, tuple) and isinstance(attribute, ir.ArrayAttr):
        if all(isinstance(each, ir.StringAttr) for each in attribute):
            return tuple(ir.StringAttr(each).value for each in attribute)
        raise TargetError(f"{name} in {ATTRIBUTE} must be strings, got {attribute}")
    if isinstance(default, int) and isinstance(attribute, ir.IntegerAttr):
        low, high = _LIMITS.get(name, (1, 1 << 40))
        if low <= attribute.value <= high:
            return int(attribute.value)
        raise TargetError(
            f"{name} in {ATTRIBUTE} must be from {low} to {high}, got {attribute.value}"
        )
    kinds = {str: "a string", tuple: "an array of strings", int: "an integer"}
    raise TargetError(f"{name} in {ATTRIBUTE} must be {kinds[type(default)]}, got {attribute}")


ARCHITECTURES = ("x86-64", "aarch64")
_LIMITS = {
    "vector_bits": (64, 2048),
    "vector_registers": (4, 256),
    "fma_ports": (1, 64),
    "load_ports": (1, 64),
    "crossing_load": (1, 64),
    "fma_latency": (1, 64),
    "line_bytes": (16, 1024),
    "l3_bytes": (0, 1 << 40),
}
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
    crossing_load=2,
    fma_latency=4,
    line_bytes=64,
    l1_bytes=32 << 10,
    l2_bytes=512 << 10,
    l3_bytes=16 << 20,
)
"""x86-64 with AVX2, with the least caches that most of its processors have."""
