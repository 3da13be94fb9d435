"""A language model from PyTorch through ONNX: every operator is converted, every type found."""

import subprocess
import sys

import pytest
import torch
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import is_onnx, name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.pipelines.parsing import parse_flag
from torch_refine.pipelines.runner import Runner


class Logits(torch.nn.Module):
    """A language model that returns a tensor."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens):
        return self.model(tokens).logits


def _llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=100,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=64,
        use_cache=False,
    )
    return Logits(LlamaForCausalLM(config)).eval()


@pytest.mark.filterwarnings("ignore")
def test_a_language_model_through_onnx(tmp_path, context):
    for needed in ("onnx", "onnxscript"):
        pytest.importorskip(needed, reason="needs the extra [onnx] and onnxscript")
    path, text = tmp_path / "llama.onnx", tmp_path / "llama.mlir"
    sizes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("length")}
    tokens = torch.randint(0, 99, (2, 6))
    torch.onnx.export(_llama(), (tokens,), path, dynamic_shapes=(sizes,), verbose=False)
    importer = [sys.executable, "-W", "ignore", "-m", "torch_mlir.tools.import_onnx"]
    subprocess.run([*importer, path, "-o", text], check=True, timeout=100)
    module = ir.Module.parse(text.read_text(), context)
    assert sum(is_onnx(name_of(op)) for op in walk(module.operation)) > 100
    Runner().run(parse_flag("torch-onnx-to-torch-pipeline", "", context), module.operation)
    types = Types(context)
    for op in walk(module.operation):
        assert not is_onnx(name_of(op))
        for result in op.results:
            tensor = types.tensor(result.type)
            assert tensor is None or tensor.has_rank_and_element, op
    assert "-> !torch.vtensor<[?,?,100],f32> attributes" in str(module)
    del module, types, op, result, tensor
