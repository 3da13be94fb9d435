"""Time programs quantized by PT2E beside eager mode and inductor's int8 kernels.

    PYTHONPATH=FOLDER python benchmarks/quantised.py

FOLDER has torchao 0.18, installed there with the options `--no-deps --target FOLDER` of pip. Models
are quantized for inductor's x86 kernels: unsigned activations per tensor, signed weights per output
channel. Each is run with one thread as it is in float32, quantized in eager mode, which dequantizes
the operands of each layer, by inductor, and by torch-refine; the numbers of one run alternate.
Writes the section "Quantized programs" of `docs/benchmarks.md`.
"""

from __future__ import annotations

import logging
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch._inductor.config
import torch_refine
from codegen_levels import processor
from codegen_networks import Bert, mobilenet_v2, resnet18
from sections import with_section

DOCUMENT = Path(__file__).parent.parent / "docs" / "benchmarks.md"
HEADING = "## Quantized programs"
_NEXT = "## Symbolic sizes"
_REPEATS = 15


def _normalized(model: torch.nn.Module) -> tuple[torch.nn.Module, tuple[Any, ...]]:
    """A model of images, the layers of which have the mean and variance of what they get."""
    model.train()
    for _ in range(3):
        model(torch.randn(4, 3, 224, 224))
    return model, (torch.randn(1, 3, 224, 224),)


_MODELS: dict[str, Callable[[], tuple[torch.nn.Module, tuple[Any, ...]]]] = {
    "ResNet-18 224x224": lambda: _normalized(resnet18()),
    "MobileNetV2 224x224": lambda: _normalized(mobilenet_v2()),
    "BERT, 2 layers, 128 tokens": lambda: (Bert(layers=2), (torch.randint(30_000, (1, 128)),)),
}


@dataclass
class Row:
    """The least milliseconds of each way to run a model, and how far the results are apart."""

    name: str
    milliseconds: dict[str, float]
    compiling: float
    difference: float
    rounding: float


def quantized(model: torch.nn.Module, inputs: tuple[Any, ...]) -> torch.nn.Module:
    """The model, quantized by ranges that it has for the inputs."""
    import torchao.quantization.pt2e.quantizer.x86_inductor_quantizer as x86
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    exported = torch.export.export(model, inputs, strict=True).module()
    quantizer = x86.X86InductorQuantizer()
    quantizer.set_global(x86.get_default_x86_inductor_quantization_config())
    prepared = prepare_pt2e(exported, quantizer)
    prepared(*inputs)
    found: torch.nn.Module = convert_pt2e(prepared)
    return found


def measure(name: str) -> Row:
    """Run a model in each way, in turn."""
    torch.manual_seed(0)
    model, inputs = _MODELS[name]()
    model = model.eval()
    program = quantized(model, inputs)
    start = time.perf_counter()
    ours = torch_refine.compile(program, inputs)
    compiling = time.perf_counter() - start
    torch._dynamo.reset()
    ways = {
        "float32": model,
        "eager": program,
        "inductor": torch.compile(program),
        "torch-refine": ours,
    }
    results = {way: run(*inputs) for way, run in ways.items()}
    times: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(_REPEATS):
        for way, run in ways.items():
            run(*inputs)
            start = time.perf_counter()
            run(*inputs)
            times[way].append(1e3 * (time.perf_counter() - start))

    def apart(left: str, right: str) -> float:
        largest = results["float32"].abs().max()
        return float((results[left] - results[right]).abs().max() / largest)

    least = {way: min(each) for way, each in times.items()}
    return Row(name, least, compiling, apart("torch-refine", "eager"), apart("eager", "float32"))


def section(rows: list[Row]) -> str:
    """The section of the document."""
    lines = [
        HEADING,
        "",
        f"Written by `benchmarks/quantised.py`, on {processor()}, one thread: milliseconds of "
        "models quantized by PT2E for inductor's x86 kernels. Quantized in eager mode, layers "
        "compute in float32. The differences are the largest, over the largest element of the "
        "result: of torch-refine to eager mode, where a quantized value that differs by a step "
        "changes all that depend on it, and of quantizing at all.",
        "",
        "| model | float32 | quantized, eager | inductor | torch-refine | compiling | difference "
        "| of quantizing |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        times = " | ".join(f"{each:.1f}" for each in row.milliseconds.values())
        lines.append(
            f"| {row.name} | {times} | {row.compiling:.0f} s | {row.difference:.1e} "
            f"| {row.rounding:.1e} |"
        )
    return "\n".join(lines) + "\n\n"


def main() -> None:
    """Measure, print, and write the section."""
    logging.disable(logging.WARNING)
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    os.environ["TORCH_REFINE_CACHE"] = "0"
    torch._inductor.config.freezing = True
    with torch.no_grad():
        text = section([measure(name) for name in _MODELS])
    print(text)
    document = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(with_section(document, HEADING, text, _NEXT), encoding="utf-8")


if __name__ == "__main__":
    main()
