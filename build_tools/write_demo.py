"""Write the demo's files: real networks with random weights, imported, and their types erased.

python -m torch_refine.build_tools.write_demo
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch_refine
import torch_refine.demo
from torch_refine.importer import module_text
from torch_refine.passes.base import RunState
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from transformers import BertConfig, BertModel, ResNetConfig, ResNetForImageClassification


def resnet50() -> tuple[torch.nn.Module, tuple[Any, ...]]:
    """ResNet-50 as transformers configures it by default, on two images of 224x224."""
    return ResNetForImageClassification(ResNetConfig()), (torch.rand(2, 3, 224, 224),)


def bert_base() -> tuple[torch.nn.Module, tuple[Any, ...]]:
    """BERT base as transformers configures it by default, on two sequences of 128 tokens."""
    tokens = torch.zeros(2, 128, dtype=torch.int64)
    # The base class of configurations reads the keyword without declaring it.
    config = BertConfig(attn_implementation="eager")  # type: ignore[call-arg]
    return BertModel(config), (tokens, torch.ones_like(tokens))


NETWORKS: tuple[Callable[[], tuple[torch.nn.Module, tuple[Any, ...]]], ...] = (resnet50, bert_base)


def main() -> None:
    """Build all files."""
    folder = Path(torch_refine.demo.__file__).parent
    for build in NETWORKS:
        torch.manual_seed(0)
        model, inputs = build()
        module = torch_refine.import_model(model.eval(), inputs, decompose=True)
        EraseTensorTypes().run(module.operation, RunState())
        module.operation.verify()
        path = folder / f"{build.__name__}.mlir"
        path.write_text(module_text(module), encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
