"""The networks whose types our refinement must find again.

Real architectures with random weights, made small. `NETWORKS` maps a name to a recipe; nothing is
built until `build` is called, and nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

Built = tuple["torch.nn.Module", tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class Network:
    """How to make one network and what it is called with.

    `build` gives the module in evaluation mode, its positional and its keyword arguments.
    `dynamic` gives the `dynamic_shapes` that `torch.export.export` takes for these arguments.
    """

    name: str
    build: Callable[[], Built]
    dynamic: Callable[[], Mapping[str, Any]]


def _image(size: int, batch: int = 2) -> torch.Tensor:
    import torch

    return torch.rand(batch, 3, size, size)


def _tokens(length: int, batch: int = 2) -> torch.Tensor:
    import torch

    return torch.randint(0, 100, (batch, length))


def _dim(name: str, least: int, most: int) -> Any:
    from torch.export import Dim

    return Dim(name, min=least, max=most)


def _batch() -> Any:
    return _dim("batch", 1, 64)


def _length(name: str = "length") -> Any:
    return _dim(name, 2, 32)


def _resnet() -> Built:
    from . import plain

    return plain.ResNet().eval(), (_image(64),), {}


def _resnet_bottleneck() -> Built:
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(
        embedding_size=8, hidden_sizes=[16, 32, 64, 128], depths=[2, 1, 1, 1], num_labels=10
    )
    return ResNetForImageClassification(config).eval(), (), {"pixel_values": _image(64)}


def _mobilenet_v2() -> Built:
    from transformers import MobileNetV2Config, MobileNetV2ForImageClassification

    config = MobileNetV2Config(depth_multiplier=0.35, image_size=96, num_labels=10)
    return MobileNetV2ForImageClassification(config).eval(), (), {"pixel_values": _image(96)}


def _convnext() -> Built:
    from transformers import ConvNextConfig, ConvNextForImageClassification

    config = ConvNextConfig(
        hidden_sizes=[8, 16, 32, 64], depths=[2, 2, 2, 2], image_size=64, num_labels=10
    )
    return ConvNextForImageClassification(config).eval(), (), {"pixel_values": _image(64)}


def _vit() -> Built:
    from transformers import ViTConfig, ViTForImageClassification

    config = ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        image_size=64, patch_size=16, num_labels=10,
    )  # fmt: skip
    return ViTForImageClassification(config).eval(), (), {"pixel_values": _image(64)}


def _bert() -> Built:
    import torch
    from transformers import BertConfig, BertForMaskedLM

    config = BertConfig(
        vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=64,
    )  # fmt: skip
    tokens = _tokens(16)
    return BertForMaskedLM(config).eval(), (tokens,), {"attention_mask": torch.ones_like(tokens)}


def _gpt2() -> Built:
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(
        vocab_size=100, n_embd=32, n_layer=2, n_head=4, n_positions=64, use_cache=False,
        bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    tokens = _tokens(16)
    return GPT2LMHeadModel(config).eval(), (tokens,), {"attention_mask": torch.ones_like(tokens)}


def _t5() -> Built:
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=100, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_decoder_layers=1,
        num_heads=4, decoder_start_token_id=0, use_cache=False,
    )  # fmt: skip
    arguments = {"input_ids": _tokens(16), "decoder_input_ids": _tokens(12)}
    return T5ForConditionalGeneration(config).eval(), (), arguments


def _llama() -> Built:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=100, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64, use_cache=False,
    )  # fmt: skip
    tokens = _tokens(16)
    return LlamaForCausalLM(config).eval(), (tokens,), {"attention_mask": torch.ones_like(tokens)}


def _unet() -> Built:
    from . import plain

    return plain.UNet().eval(), (_image(64),), {}


def _lstm() -> Built:
    from . import plain

    return plain.LSTMTagger().eval(), (_tokens(6),), {}


def _transformer_decoder() -> Built:
    import torch

    from . import plain

    return plain.TransformerDecoder().eval(), (_tokens(16), torch.rand(2, 10, 32)), {}


def _images(name: str, multiple: int | None = None) -> Callable[[], Mapping[str, Any]]:
    """A dynamic batch, and sides that are any multiple of `multiple` pixels if that is given.

    Sides stay static where the network asks for a size (ViT) or pads by it (MobileNetV2), and in
    one of the two residual networks.
    """

    def shapes() -> Mapping[str, Any]:
        shape = {0: _batch()}
        if multiple is not None:
            shape[2] = multiple * _dim("height", 2, 16)
            shape[3] = multiple * _dim("width", 2, 16)
        return {name: shape}

    return shapes


def _masked_tokens() -> Mapping[str, Any]:
    shape = {0: _batch(), 1: _length()}
    return {"input_ids": shape, "attention_mask": shape}


def _encoder_and_decoder_tokens() -> Mapping[str, Any]:
    batch = _batch()
    return {
        "input_ids": {0: batch, 1: _length()},
        "decoder_input_ids": {0: batch, 1: _length("decoder_length")},
    }


def _lstm_tokens() -> Mapping[str, Any]:
    return {"tokens": {0: _batch(), 1: _length()}}


def _decoder_tokens() -> Mapping[str, Any]:
    batch = _batch()
    return {"tokens": {0: batch, 1: _length()}, "memory": {0: batch, 1: _length("memory_length")}}


NETWORKS: dict[str, Network] = {
    network.name: network
    for network in (
        Network("resnet", _resnet, _images("image", 32)),
        Network("resnet_bottleneck", _resnet_bottleneck, _images("pixel_values")),
        Network("mobilenet_v2", _mobilenet_v2, _images("pixel_values")),
        Network("convnext", _convnext, _images("pixel_values", 32)),
        Network("vit", _vit, _images("pixel_values")),
        Network("bert", _bert, _masked_tokens),
        Network("gpt2", _gpt2, _masked_tokens),
        Network("t5", _t5, _encoder_and_decoder_tokens),
        Network("llama", _llama, _masked_tokens),
        Network("unet", _unet, _images("image", 8)),
        Network("lstm", _lstm, _lstm_tokens),
        Network("transformer_decoder", _transformer_decoder, _decoder_tokens),
    )
}
