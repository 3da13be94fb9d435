"""The PTX instructions of warpgroups, which no dialect of the wheel has in one piece.

Each is an `llvm.inline_asm` at the insertion point. Addresses of shared memory are 32-bit integers.
Their meaning is specified in the PTX ISA: "Asynchronous copy", "mbarrier", "Asynchronous Warpgroup
Level Matrix Instructions".
"""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_op, create_value

_MATRIX_STEP = 16
"""The elements of the summed dimension that one instruction multiplies."""


def word() -> ir.Type:
    """An integer of 32 bits."""
    return ir.IntegerType.get_signless(32)


def long() -> ir.Type:
    """An integer of 64 bits."""
    return ir.IntegerType.get_signless(64)


def _assembly(
    text: str, constraints: str, operands: Sequence[ir.Value], result: ir.Type | None = None
) -> ir.Operation:
    return create_op(
        "llvm.inline_asm",
        list(operands),
        {
            "asm_string": ir.StringAttr.get(text),
            "constraints": ir.StringAttr.get(constraints),
            "has_side_effects": ir.UnitAttr.get(),
            # AT&T syntax, which NVPTX ignores.
            "asm_dialect": ir.IntegerAttr.get(long(), 0),
        },
        results=[] if result is None else [result],
    )


def init_barrier(barrier: ir.Value, arrivals: int) -> None:
    """Initialise an mbarrier that completes a phase after a number of arrivals."""
    _assembly(f"mbarrier.init.shared::cta.b64 [$0], {arrivals};", "r,~{memory}", [barrier])


def wait(barrier: ir.Value, parity: ir.Value) -> None:
    """Wait until the phase of this parity is complete."""
    text = (
        "{ .reg .pred done; again: "
        "mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1; "
        "@!done bra again; }"
    )
    _assembly(text, "r,r,~{memory}", [barrier, parity])


def arrive(barrier: ir.Value, is_arriving: ir.Value) -> None:
    """Arrive at a barrier where a 32-bit integer is not 0."""
    text = (
        "{ .reg .pred arrives; setp.ne.b32 arrives, $1, 0; "
        "@arrives mbarrier.arrive.shared::cta.b64 _, [$0]; }"
    )
    _assembly(text, "r,r,~{memory}", [barrier, is_arriving])


def arrive_after_copies(barrier: ir.Value) -> None:
    """Arrive at a barrier when the previous copies of this thread are complete."""
    _assembly("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];", "r,~{memory}", [barrier])


def copy(target: ir.Value, source: ir.Value, count: ir.Value) -> None:
    """Copy 16 bytes to shared memory asynchronously; only `count` are read, the others are 0."""
    _assembly(
        "cp.async.cg.shared.global [$0], [$1], 16, $2;",
        "r,l,r,~{memory}",
        [target, source, count],
    )


def group_barrier(number: ir.Value) -> None:
    """A barrier of one warpgroup."""
    _assembly("bar.sync $0, 128;", "r,~{memory}", [number])


def store_pair(address: ir.Value, values: Sequence[ir.Value]) -> None:
    """Store two f32 to shared memory."""
    _assembly("st.shared.v2.f32 [$0], {$1, $2};", "r,f,f,~{memory}", [address, *values])


def load_four(address: ir.Value) -> list[ir.Value]:
    """Load four f32 from shared memory."""
    made = _assembly(
        "ld.shared.v4.f32 {$0, $1, $2, $3}, [$4];",
        "=f,=f,=f,=f,r,~{memory}",
        [address],
        _floats(4),
    )
    return _parts(made.result, 4)


def multiply_step(
    sums: Sequence[ir.Value],
    left: ir.Value,
    right: ir.Value,
    *,
    element: str,
    depth: int,
    advances: tuple[int, int],
    transposes: tuple[bool, bool],
) -> list[ir.Value]:
    """Multiply a stage, asynchronously: `sums += left * right`.

    `left` and `right` are descriptors of shared memory; `advances` are what is added to them for
    each 16 elements of the summed dimension. Returns the sums, not to be read before `finish`; the
    multiplications of the previous call are complete.
    """
    count = len(sums)
    columns = count // 4 * 8
    registers = ", ".join(f"${number}" for number in range(count))
    # The results come first, then the descriptors; the sums are tied to the results.
    name = f"wgmma.mma_async.sync.aligned.m64n{columns}k{_MATRIX_STEP}.f32.{element}.{element}"
    flags = ", ".join(str(int(each)) for each in transposes)
    lines = [
        "{ .reg .b64 left, right; .reg .pred adds;",
        f"mov.b64 left, ${count}; mov.b64 right, ${count + 1}; setp.eq.b32 adds, 0, 0;",
        # What threads copied becomes visible to the multiplication.
        "fence.proxy.async.shared::cta;",
        "wgmma.fence.sync.aligned;",
    ]
    for step in range(depth // _MATRIX_STEP):
        if step:
            lines.append(f"add.s64 left, left, {advances[0]}; add.s64 right, right, {advances[1]};")
        lines.append(f"{name} {{{registers}}}, left, right, adds, 1, 1, {flags};")
    lines += ["wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 1; }"]
    return _tied("\n".join(lines), sums, [left, right], "l,l")


def finish(sums: Sequence[ir.Value]) -> list[ir.Value]:
    """Wait for all multiplications; returns the sums."""
    return _tied("wgmma.wait_group.sync.aligned 0;", sums, [], "")


def _tied(
    text: str, sums: Sequence[ir.Value], others: Sequence[ir.Value], constraints: str
) -> list[ir.Value]:
    """An instruction that updates registers in place."""
    count = len(sums)
    places = [*["=f"] * count, *([constraints] if constraints else []), *map(str, range(count))]
    made = _assembly(text, ",".join([*places, "~{memory}"]), [*others, *sums], _floats(count))
    return _parts(made.result, count)


def _floats(count: int) -> ir.Type:
    return ir.Type.parse(f"!llvm.struct<({', '.join(['f32'] * count)})>")


def _parts(value: ir.Value, count: int) -> list[ir.Value]:
    single = ir.F32Type.get()
    return [
        create_value(
            "llvm.extractvalue", single, [value], {"position": ir.DenseI64ArrayAttr.get([place])}
        )
        for place in range(count)
    ]


def multiply_once(
    left: ir.Value,
    right: ir.Value,
    *,
    element: str,
    columns: int,
    advances: Sequence[tuple[int, int]],
) -> list[ir.Value]:
    """The product of 64 rows with columns, both along the summed dimension, when it is complete.

    `advances` are what each step of 16 elements adds to the first descriptors.
    """
    count = columns // 2
    registers = ", ".join(f"${number}" for number in range(count))
    name = f"wgmma.mma_async.sync.aligned.m64n{columns}k{_MATRIX_STEP}.f32.{element}.{element}"
    lines = [
        "{ .reg .b64 left, right; .reg .pred adds;",
        "fence.proxy.async.shared::cta;",
        "wgmma.fence.sync.aligned;",
    ]
    for step, (one, other) in enumerate(advances):
        lines += [
            f"add.s64 left, ${count}, {one}; add.s64 right, ${count + 1}, {other};",
            # The first step does not add to what registers have.
            f"setp.ne.b32 adds, {step}, 0;",
            f"{name} {{{registers}}}, left, right, adds, 1, 1, 0, 0;",
        ]
    lines += ["wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0; }"]
    constraints = ",".join([*["=f"] * count, "l", "l", "~{memory}"])
    made = _assembly("\n".join(lines), constraints, [left, right], _floats(count))
    return _parts(made.result, count)


def multiply_registers(
    sums: Sequence[ir.Value],
    left: Sequence[ir.Value],
    right: ir.Value,
    *,
    element: str,
    advance: int,
) -> list[ir.Value]:
    """`sums + left * right`, when it is complete: `left` are fragments, four words for each step.

    The columns of `right` are adjacent in shared memory.
    """
    count = len(sums)
    columns = count // 4 * 8
    registers = ", ".join(f"${number}" for number in range(count))
    name = f"wgmma.mma_async.sync.aligned.m64n{columns}k{_MATRIX_STEP}.f32.{element}.{element}"
    lines = [
        "{ .reg .b64 right; .reg .pred adds;",
        f"mov.b64 right, ${count}; setp.eq.b32 adds, 0, 0;",
        "fence.proxy.async.shared::cta;",
        "wgmma.fence.sync.aligned;",
    ]
    for step in range(len(left) // 4):
        if step:
            lines.append(f"add.s64 right, right, {advance};")
        words = ", ".join(f"${count + 1 + 4 * step + number}" for number in range(4))
        lines.append(f"{name} {{{registers}}}, {{{words}}}, right, adds, 1, 1, 1;")
    lines += ["wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0; }"]
    constraints = ",".join(["l", *["r"] * len(left)])
    return _tied("\n".join(lines), sums, [right, *left], constraints)


def exponential(value: ir.Value) -> ir.Value:
    """2 to the power of an f32, with a relative error of about 2 ** -22."""
    made = _assembly("ex2.approx.ftz.f32 $0, $1;", "=f,f", [value], value.type)
    del made.attributes["has_side_effects"]
    return made.result


def greater(a: ir.Value, b: ir.Value) -> ir.Value:
    """The greater of two f32; that which is a number if the other one is not."""
    made = _assembly("max.f32 $0, $1, $2;", "=f,f,f", [a, b], a.type)
    del made.attributes["has_side_effects"]
    return made.result


def pack(low: ir.Value, high: ir.Value, element: str) -> ir.Value:
    """Two f32, rounded to 16 bits, in one word."""
    made = _assembly(f"cvt.rn.{element}x2.f32 $0, $1, $2;", "=r,f,f", [high, low], word())
    del made.attributes["has_side_effects"]
    return made.result


def from_lane(value: ir.Value, distance: int) -> ir.Value:
    """The value of the thread of this warp whose number differs in one bit."""
    text = f"shfl.sync.bfly.b32 $0, $1, {distance}, 31, -1;"
    return _assembly(text, "=f,f", [value], value.type).result
