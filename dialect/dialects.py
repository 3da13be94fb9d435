"""Dialects by name: the registered ones, and the projects that own the others."""

from __future__ import annotations

from torch_refine.dialect.bindings import load_stablehlo, new_context, registered_dialects

ELSEWHERE: dict[str, tuple[str, str]] = {
    project: (names, hint)
    for project, names, hint in (
        (
            "IREE",
            "check flow hal hal_inline hal_loader io_parameters stream util vm vmvx",
            "take the program as it was before IREE's passes, with torch.global_slot for "
            "util.global",
        ),
        (
            "XLA",
            "gml_st ifrt lmhlo lmhlo_gpu mhlo thlo triton_xla vifrt xla xla_cpu xla_framework "
            "xla_gpu xtile",
            "mhlo converts to stablehlo, which is registered: "
            "`mlir-hlo-opt --hlo-legalize-to-stablehlo`",
        ),
        ("Shardy", "mpmd sdy", ""),
        (
            "TensorFlow",
            "corert quantfork tf tf_device tf_executor tf_framework tf_mlrt tf_saved_model "
            "tf_type tfd tfg tfl tfr tfrt",
            "TensorFlow and TFLite export to stablehlo and tosa, which are registered",
        ),
        (
            "onnx-mlir",
            "krnl onnx zhigh zlow",
            'the wheel\'s importer makes torch.operator "onnx.…" of an ONNX model: '
            "`python -m torch_mlir.tools.import_onnx model.onnx -o model.mlir`",
        ),
        ("mlir-tcp", "tcp", "take the program as it was before it left the torch dialect"),
        (
            "Triton",
            "amdg gluon nvg proton proton_gpu triton_gpu triton_nvidia_gpu tt ttg ttig tti ttng",
            "Triton compiles its kernels itself",
        ),
        ("JAX", "mosaic_gpu tpu", "JAX exports programs to stablehlo, which is registered"),
        (
            "CIRCT",
            "arc calyx comb dc esi firrtl fsm handshake hw llhd moore msft om rtg seq sim sv "
            "synth verif",
            "",
        ),
        ("Flang", "cuf fir hlfir", ""),
        ("ClangIR", "cir", ""),
        ("mlir-aie", "aie aiex aievec", ""),
        ("tt-mlir", "d2m ttcore ttir ttkernel ttmetal ttnn", ""),
        ("rocMLIR", "mhal migraphx rock", ""),
        ("MLIR-TensorRT", "executor plan tensorrt", ""),
        ("HEIR", "bgv cggi ckks lwe mgmt openfhe secret tensor_ext tfhe", ""),
        ("Catalyst", "catalyst mbqc quantum", ""),
        ("Polygeist", "polygeist", ""),
        ("MLIR's own tests", "test", "mlir-opt of a build of LLVM has it"),
        ("MLIR's tutorial", "toy", ""),
    )
}
"""The dialects that the wheel lacks by project, with advice for programs that use them."""

RENAMED: dict[str, str] = {
    "amx": "x86",
    "avx512": "x86",
    "mesh": "shard",
    "std": "func, arith, cf, math and memref",
    "standard": "func, arith, cf, math and memref",
    "x86vector": "x86",
}
"""Former names of MLIR's dialects."""


def registered() -> list[str]:
    """The names of all dialects that the tool can parse, sorted."""
    context = new_context()
    load_stablehlo(context)
    return sorted(registered_dialects(context))


def owner_of(dialect: str) -> tuple[str, str] | None:
    """The project that owns a dialect, and a hint; None for an unknown dialect."""
    if dialect.startswith("iree"):
        return "IREE", ELSEWHERE["IREE"][1]
    for project, (names, hint) in ELSEWHERE.items():
        if dialect in names.split():
            return project, hint
    return None
