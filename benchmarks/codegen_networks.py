"""The networks that are measured, in plain `torch.nn` where possible."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn


class BasicBlock(nn.Module):
    """The block of ResNet-18 and 34."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        out = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(self.second_norm(self.second(out)) + self.shortcut(x))


def resnet18() -> nn.Module:
    """ResNet-18 with 1,000 classes."""
    stages = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
    blocks = [
        block
        for inputs, outputs, stride in stages
        for block in (BasicBlock(inputs, outputs, stride), BasicBlock(outputs, outputs, 1))
    ]
    return nn.Sequential(
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
        *blocks,
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(512, 1000),
    )


def _normalized(
    inputs: int, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1
) -> list[nn.Module]:
    """A convolution and its batch norm."""
    padding = kernel // 2
    convolution = nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False)
    return [convolution, nn.BatchNorm2d(outputs)]


class InvertedResidual(nn.Module):
    """The block of MobileNetV2: expansion, depthwise convolution, projection."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = inputs * expansion
        expand = [*_normalized(inputs, hidden), nn.ReLU6()] if expansion > 1 else []
        self.layers = nn.Sequential(
            *expand,
            *_normalized(hidden, hidden, 3, stride, hidden),
            nn.ReLU6(),
            *_normalized(hidden, outputs),
        )
        self.is_residual = stride == 1 and inputs == outputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        out: torch.Tensor = self.layers(x)
        return x + out if self.is_residual else out


def mobilenet_v2() -> nn.Module:
    """MobileNetV2 with 1,000 classes."""
    # Table 2 of https://arxiv.org/abs/1801.04381: expansion, channels, blocks, stride of the first.
    stages = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
              (6, 160, 3, 2), (6, 320, 1, 1)]  # fmt: skip
    layers: list[nn.Module] = [*_normalized(3, 32, 3, 2), nn.ReLU6()]
    inputs = 32
    for expansion, outputs, count, stride in stages:
        for place in range(count):
            layers.append(InvertedResidual(inputs, outputs, 1 if place else stride, expansion))
            inputs = outputs
    layers += [*_normalized(inputs, 1280), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return nn.Sequential(*layers, nn.Linear(1280, 1000))


class Block(nn.Module):
    """A transformer block that normalizes first, as those of ViT and GPT-2."""

    def __init__(self, width: int, heads: int, approximate: str, is_causal: bool) -> None:
        super().__init__()
        self.heads = heads
        self.is_causal = is_causal
        self.attention_norm = nn.LayerNorm(width)
        self.projections = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(approximate), nn.Linear(4 * width, width)
        )

    def forward(
        self,
        x: torch.Tensor,
        cache: tuple[torch.Tensor, torch.Tensor] | None = None,
        place: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Compute it; a key-value cache is attended up to position `place`."""
        batch, length, width = x.shape
        projected = self.projections(self.attention_norm(x))
        split = projected.view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = split.unbind()
        mask = None
        if cache is not None and place is not None:
            key = cache[0].index_copy_(2, place, key)
            value = cache[1].index_copy_(2, place, value)
            mask = (torch.arange(key.shape[2], device=x.device) <= place)[None]
        attended = nn.functional.scaled_dot_product_attention(
            query, key, value, mask, is_causal=self.is_causal and mask is None
        )
        x = x + self.output(attended.transpose(1, 2).reshape(batch, length, width))
        out: torch.Tensor = self.layers(self.norm(x))
        return x + out


class VisionTransformer(nn.Module):
    """ViT-tiny for images of 224x224, with patches of 16x16 and 1,000 classes."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 192, 16, 16)
        self.class_token = nn.Parameter(torch.randn(1, 1, 192))
        self.positions = nn.Parameter(torch.randn(1, 197, 192))
        self.blocks = nn.Sequential(*(Block(192, 3, "none", False) for _ in range(12)))
        self.norm = nn.LayerNorm(192)
        self.head = nn.Linear(192, 1000)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """The logits of the classes."""
        patches = self.patches(image).flatten(2).transpose(1, 2)
        tokens = torch.cat([self.class_token.expand(len(image), -1, -1), patches], 1)
        hidden = self.norm(self.blocks(tokens + self.positions))
        scores: torch.Tensor = self.head(hidden[:, 0])
        return scores


class Gpt2(nn.Module):
    """GPT-2 small: 12 layers, 768 wide, with 12 heads; the logits of the next token."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(50257, 768)
        self.positions = nn.Embedding(1024, 768)
        self.blocks = nn.ModuleList(Block(768, 12, "tanh", True) for _ in range(12))
        self.norm = nn.LayerNorm(768)
        self.head = nn.Linear(768, 50257, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Prefill."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        return self.scores(tokens, places, [None] * len(self.blocks))

    def scores(
        self,
        tokens: torch.Tensor,
        places: torch.Tensor,
        caches: Sequence[tuple[torch.Tensor, torch.Tensor] | None],
    ) -> torch.Tensor:
        """The logits after the last token."""
        hidden = self.tokens(tokens) + self.positions(places)
        for block, cache in zip(self.blocks, caches, strict=True):
            hidden = block(hidden, cache, places)
        scores: torch.Tensor = self.head(self.norm(hidden[:, -1]))
        return scores


class Gpt2Decode(nn.Module):
    """A decoding step, with a key-value cache per layer, which is mutated."""

    def __init__(self) -> None:
        super().__init__()
        self.model = Gpt2()

    def forward(
        self, tokens: torch.Tensor, place: torch.Tensor, *caches: torch.Tensor
    ) -> torch.Tensor:
        """Decode the token at a position; caches are the keys of all layers, then the values."""
        layers = len(self.model.blocks)
        pairs = list(zip(caches[:layers], caches[layers:], strict=True))
        return self.model.scores(tokens, place, pairs)


class Bert(nn.Module):
    """BERT base, the hidden states of its last layer."""

    def __init__(self, layers: int = 12) -> None:
        super().__init__()
        # Importing it takes seconds.
        from transformers import BertConfig, BertModel

        self.model = BertModel(BertConfig(num_hidden_layers=layers), add_pooling_layer=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        hidden: torch.Tensor = self.model(tokens, return_dict=False)[0]
        return hidden


class Lstm(nn.Module):
    """Two layers of LSTM; the outputs of the last for every step."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.LSTM(width, width, 2, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        outputs: torch.Tensor = self.layers(x)[0]
        return outputs


def _pair(inputs: int, outputs: int) -> nn.Sequential:
    """Two 3x3 convolutions with batch norm, the block of U-Net."""
    first, second = _normalized(inputs, outputs, 3), _normalized(outputs, outputs, 3)
    return nn.Sequential(*first, nn.ReLU(), *second, nn.ReLU())


class UNet(nn.Module):
    """A U-Net of three levels, upsampling once by interpolation, once by convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.ModuleList([_pair(3, 16), _pair(16, 32), _pair(32, 64)])
        self.upsample = nn.Upsample(scale_factor=2, mode="nearest")
        self.transposed = nn.ConvTranspose2d(32, 32, 2, 2)
        self.middle = _pair(64 + 32, 32)
        self.top = _pair(32 + 16, 16)
        self.head = nn.Conv2d(16, 2, 1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Two logits per pixel."""
        large = self.down[0](image)
        middle = self.down[1](nn.functional.max_pool2d(large, 2))
        small = self.down[2](nn.functional.max_pool2d(middle, 2))
        middle = self.middle(torch.cat([self.upsample(small), middle], 1))
        scores: torch.Tensor = self.head(self.top(torch.cat([self.transposed(middle), large], 1)))
        return scores
