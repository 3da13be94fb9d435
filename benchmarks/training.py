"""Train networks in eager mode, by inductor and by torch-refine; compare losses, times and memory.

    python benchmarks/training.py [--steps N] [--rounds N] [--only TEXT]

Each network is trained by each of them in a process of its own, from the same weights, on the same
batches, with AdamW and one thread. Writes the section "Training" of `docs/benchmarks.md`, and the
losses to `docs/training.png`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from codegen_levels import processor
from codegen_networks import resnet18
from sections import with_section
from torch import nn

DOCUMENT = Path(__file__).parent.parent / "docs" / "benchmarks.md"
PLOT = DOCUMENT.with_name("training.png")
HEADING = "## Training"
_NEXT = "## Symbolic sizes"
WAYS = ("eager", "inductor", "torch-refine")
_BACKENDS = {"inductor": "inductor", "torch-refine": "torch_refine"}
# Steps that compile, allocate the optimizer's state and warm up are not timed.
_UNTIMED = 5
# Batches that are repeated, so that losses fall.
_BATCHES = 4
_SECONDS = 1200
# The first step compiles everything.
_COLD = {"TORCH_REFINE_CACHE": "0", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}

Loss = Callable[[nn.Module, torch.Tensor], torch.Tensor]
Batches = list[torch.Tensor]


@dataclass(frozen=True)
class Run:
    """The training of a network in one way.

    Attributes:
        losses: the loss of each step.
        milliseconds: of the fastest step after the first ones.
        megabytes: the peak memory of a step, above that of the process before it.
        compiling: seconds of the first step.
    """

    losses: list[float]
    milliseconds: float
    megabytes: float
    compiling: float


def _classified(model: nn.Module, images: torch.Tensor) -> torch.Tensor:
    """The loss for labels that are functions of the images."""
    labels = (images[:, 0, 0, 0] * 100).long() % 1000
    return nn.functional.cross_entropy(model(images), labels)


def _predicted(model: nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    found: torch.Tensor = model(input_ids=tokens, labels=tokens).loss
    return found


def _autocast(loss: Loss) -> Loss:
    """A loss in mixed precision."""

    def mixed(model: nn.Module, batch: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return loss(model, batch)

    return mixed


def _images() -> tuple[nn.Module, Batches, Loss]:
    return resnet18(), [torch.rand(8, 3, 112, 112) for _ in range(_BATCHES)], _classified


def _gpt2(checkpointing: bool = False) -> tuple[nn.Module, Batches, Loss]:
    # Importing it takes seconds.
    from transformers import GPT2Config, GPT2LMHeadModel

    drops = dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0.0)
    sizes = {"n_layer": 4, "n_embd": 256, "n_head": 8, "n_positions": 128, "vocab_size": 8000}
    ends = {"bos_token_id": 0, "eos_token_id": 0, "use_cache": False}
    config = GPT2Config(**sizes, **drops, **ends)
    model = GPT2LMHeadModel(config)
    if checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    return model, [torch.randint(0, 1000, (4, 128)) for _ in range(_BATCHES)], _predicted


def _bert() -> tuple[nn.Module, Batches, Loss]:
    from transformers import BertConfig, BertForMaskedLM

    drops = dict.fromkeys(("hidden_dropout_prob", "attention_probs_dropout_prob"), 0.0)
    sizes = {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 8}
    model = BertForMaskedLM(BertConfig(intermediate_size=1024, vocab_size=8000, **sizes, **drops))
    return model, [torch.randint(0, 1000, (4, 128)) for _ in range(_BATCHES)], _predicted


def _mixed() -> tuple[nn.Module, Batches, Loss]:
    model, batches, loss = _gpt2()
    return model, batches, _autocast(loss)


CASES: dict[str, Callable[[], tuple[nn.Module, Batches, Loss]]] = {
    "ResNet-18, 8 images of 112x112": _images,
    "BERT, 4 layers, 4x128 tokens": _bert,
    "GPT-2, 4 layers, 4x128 tokens": _gpt2,
    "GPT-2, checkpointing": lambda: _gpt2(checkpointing=True),
    "GPT-2, bfloat16 autocast": _mixed,
}


def train(case: str, way: str, steps: int) -> Run:
    """Train a network in this process."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model, batches, loss = CASES[case]()
    model.train()
    called: Any = model if way == "eager" else torch.compile(model, backend=_BACKENDS[way])
    optimizer = torch.optim.AdamW(model.parameters(), 3e-4)
    losses, times, peaks = [], [], []
    for step in range(steps):
        before = _reset_peak()
        start = time.perf_counter()
        optimizer.zero_grad()
        found = loss(called, batches[step % len(batches)])
        found.backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
        peaks.append(_peak() - before)
        losses.append(found.item())
    return Run(losses, 1e3 * min(times[_UNTIMED:]), max(peaks[_UNTIMED:]), times[0])


def _reset_peak() -> float:
    """Let the kernel count the peak from now on; the megabytes of the process."""
    Path("/proc/self/clear_refs").write_text("5")
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def _peak() -> float:
    """The megabytes of the process at most since the last reset."""
    status = Path("/proc/self/status").read_text().splitlines()
    (line,) = (each for each in status if each.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def measure(case: str, steps: int, rounds: int) -> dict[str, Run]:
    """Train a network in each way, in turn; the least times and peaks of all rounds."""
    found: dict[str, Run] = {}
    for _ in range(rounds):
        for way in WAYS:
            command = [sys.executable, __file__, "--run", case, way, "--steps", str(steps)]
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                check=False,
                timeout=_SECONDS,
                env=os.environ | _COLD,
            )
            if done.returncode:
                sys.exit(f"{case}, {way}: {done.stderr[-2000:]}")
            run = Run(**json.loads(done.stdout.splitlines()[-1]))
            old = found.get(way, run)
            found[way] = Run(
                run.losses,
                min(run.milliseconds, old.milliseconds),
                min(run.megabytes, old.megabytes),
                min(run.compiling, old.compiling),
            )
    return found


def apart(runs: dict[str, Run], way: str) -> float:
    """The largest difference of a loss to that of eager mode, relative to it."""
    pairs = zip(runs[way].losses, runs["eager"].losses, strict=True)
    return max(abs(one - other) / abs(other) for one, other in pairs)


def section(results: dict[str, dict[str, Run]], steps: int) -> str:
    """The section of the document."""
    lines = [
        HEADING,
        "",
        f"Written by `benchmarks/training.py`, on {processor()}, torch {torch.__version__}, one "
        f"thread: {steps} steps of AdamW through `torch.compile`, from the same weights, on the "
        "same batches. Milliseconds of the fastest step; the peak of memory of a step, above that "
        "before it (torch-refine keeps freed blocks, which its process has before a step, too); "
        "the first step, which compiles, without caches; the largest difference of a "
        "loss to that of eager mode, relative to it.",
        "",
        "![losses of each step](training.png)",
        "",
        "| network | eager | inductor | torch-refine | / inductor | MB, eager | inductor "
        "| torch-refine | first step, inductor | torch-refine | last loss, eager | torch-refine "
        "| difference, inductor | torch-refine |",
        "| --- |" + " ---: |" * 13,
    ]
    for case, runs in results.items():
        ours = runs["torch-refine"]
        cells = [
            *(f"{runs[way].milliseconds:.1f}" for way in WAYS),
            f"{ours.milliseconds / runs['inductor'].milliseconds:.2f}",
            *(f"{runs[way].megabytes:.0f}" for way in WAYS),
            *(f"{runs[way].compiling:.0f} s" for way in WAYS[1:]),
            *(f"{runs[way].losses[-1]:.4f}" for way in ("eager", "torch-refine")),
            *(f"{apart(runs, way):.1e}" for way in WAYS[1:]),
        ]
        lines.append(f"| {case} | {' | '.join(cells)} |")
    ratios = [
        runs["torch-refine"].milliseconds / runs["inductor"].milliseconds
        for runs in results.values()
    ]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    lines += ["", f"Geometric mean of our time divided by inductor's: {mean:.2f}."]
    return "\n".join(lines) + "\n\n"


def plot(results: dict[str, dict[str, Run]], path: Path) -> None:
    """The losses of each network: lines that cover each other."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    styles = {
        "eager": {"color": "#999999", "linewidth": 5},
        "inductor": {"color": "#c8553d", "linewidth": 2.5},
        "torch-refine": {"color": "#2a7f62", "linewidth": 1, "linestyle": "--"},
    }
    figure, _ = pyplot.subplots(1, len(results), figsize=(3.2 * len(results), 3))
    for axes, (case, runs) in zip(figure.axes, results.items(), strict=True):
        for way, run in runs.items():
            axes.plot(run.losses, label=way, **styles[way])
        axes.set_title(case.replace(", ", "\n", 1), fontsize=9)
        axes.set_xlabel("step")
    figure.axes[0].set_ylabel("loss")
    figure.axes[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main() -> None:
    """Measure all networks, print, and write the section and the plot."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=50, help="steps of each training")
    parser.add_argument("--rounds", type=int, default=2, help="trainings of each, in turn")
    parser.add_argument("--only", default="", help="networks with this text; writes nothing")
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        print(json.dumps(asdict(train(*options.run, options.steps))))
        return
    results = {}
    for case in CASES:
        if options.only in case:
            print(case, file=sys.stderr, flush=True)
            results[case] = measure(case, options.steps, options.rounds)
    text = section(results, options.steps)
    print(text)
    if not options.only:
        plot(results, PLOT)
        document = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(with_section(document, HEADING, text, _NEXT), encoding="utf-8")


if __name__ == "__main__":
    main()
