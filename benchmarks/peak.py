"""The peak of one core: a loop of independent FMAs in registers."""

from __future__ import annotations

import ctypes
import time

from codegen_levels import Level
from llvmlite import binding

_ITERATIONS = 5_000_000
_ROUNDS = 5


def loop(lanes: int, accumulators: int) -> str:
    """The loop as LLVM IR: `void peak(ptr result, i64 iterations)`."""
    vector = f"<{lanes} x float>"
    # Loaded values, which LLVM cannot fold; `%a` is less than 1, so that sums stay finite.
    places = range(accumulators)
    return "\n".join(
        [
            f"declare {vector} @llvm.fma.v{lanes}f32({vector}, {vector}, {vector})",
            "define void @peak(ptr %result, i64 %iterations) {",
            "entry:",
            f"  %a = load {vector}, ptr %result, align 4",
            f"  %b = fmul {vector} %a, %a",
            # LLVM would merge accumulators with equal initial values.
            f"  %s0.0 = fadd {vector} %a, %b",
            *(f"  %s{place}.0 = fadd {vector} %s{place - 1}.0, %b" for place in places[1:]),
            "  br label %loop",
            "loop:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
            *(
                f"  %s{place} = phi {vector} [ %s{place}.0, %entry ], [ %t{place}, %loop ]"
                for place in places
            ),
            *(
                f"  %t{place} = call {vector} @llvm.fma.v{lanes}f32("
                f"{vector} %s{place}, {vector} %a, {vector} %b)"
                for place in places
            ),
            "  %next = add i64 %i, 1",
            "  %more = icmp ult i64 %next, %iterations",
            "  br i1 %more, label %loop, label %end",
            "end:",
            f"  %r0 = fadd {vector} %t0, %b",
            *(f"  %r{place} = fadd {vector} %r{place - 1}, %t{place}" for place in places[1:]),
            f"  store {vector} %r{accumulators - 1}, ptr %result, align 4",
            "  ret void",
            "}",
        ]
    )


def peak(level: Level) -> float | None:
    """GFLOP/s of one core at a level, the maximum of all rounds; an FMA is two operations."""
    if not level.accumulators:
        return None
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    module = binding.parse_assembly(loop(level.lanes, level.accumulators))
    machine = binding.Target.from_default_triple().create_target_machine(
        cpu=level.llvm_cpu or binding.get_host_cpu_name(), features=level.llvm_features, opt=3
    )
    with binding.create_mcjit_compiler(module, machine) as engine:
        engine.finalize_object()
        address = engine.get_function_address("peak")
        call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(address)
        values = (ctypes.c_float * level.lanes)(*[0.5] * level.lanes)
        least = float("inf")
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            call(values, _ITERATIONS)
            least = min(least, time.perf_counter() - start)
    return 2 * level.lanes * level.accumulators * _ITERATIONS / least / 1e9


def numpy_matmul(size: int) -> float:
    """Milliseconds of NumPy's matmul, the minimum of all within half a second."""
    import numpy

    generator = numpy.random.default_rng(0)
    a, b = (generator.standard_normal((size, size), numpy.float32) for _ in range(2))
    least, end = float("inf"), time.perf_counter() + 0.5
    while time.perf_counter() < end:
        start = time.perf_counter()
        a @ b
        least = min(least, time.perf_counter() - start)
    return least * 1e3
