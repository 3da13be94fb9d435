"""Networks in plain `torch.nn`: what a backend meets when no model library is involved."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn


class BasicBlock(nn.Module):
    """Two 3x3 convolutions and a shortcut, the block of ResNet-18."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False),
                nn.BatchNorm2d(outputs),
            )

    def forward(self, image: Tensor) -> Tensor:
        hidden = self.relu(self.norm1(self.conv1(image)))
        hidden = self.norm2(self.conv2(hidden))
        hidden += self.shortcut(image)
        return self.relu(hidden)


class ResNet(nn.Module):
    """ResNet-18: four stages of two basic blocks, with narrow channels."""

    def __init__(self, width: int = 16, classes: int = 10) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, width, 7, stride=2, padding=3, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, stride=2, padding=1),
        )
        blocks: list[nn.Module] = []
        inputs = width
        for stage in range(4):
            outputs = width << stage
            blocks.append(BasicBlock(inputs, outputs, stride=1 if stage == 0 else 2))
            blocks.append(BasicBlock(outputs, outputs, stride=1))
            inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.classifier = nn.Linear(inputs, classes)

    def forward(self, image: Tensor) -> Tensor:
        hidden = self.pool(self.blocks(self.stem(image)))
        return self.classifier(torch.flatten(hidden, 1))


class DoubleConvolution(nn.Sequential):
    """Two 3x3 convolutions with batch norm, the block of U-Net."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(
            nn.Conv2d(inputs, outputs, 3, padding=1),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
            nn.Conv2d(outputs, outputs, 3, padding=1),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        )


class UNet(nn.Module):
    """A U-Net of four levels.

    It comes up once by interpolation and twice by transposed convolution, as both are in use.
    """

    def __init__(self, width: int = 8, classes: int = 4) -> None:
        super().__init__()
        widths = [width, width * 2, width * 4, width * 8]
        self.first = DoubleConvolution(3, widths[0])
        self.downs = nn.ModuleList(
            DoubleConvolution(inputs, outputs) for inputs, outputs in pairwise(widths)
        )
        self.pool = nn.MaxPool2d(2)
        self.ups = nn.ModuleList(
            [
                nn.Sequential(
                    nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True),
                    nn.Conv2d(widths[3], widths[2], 1),
                ),
                nn.ConvTranspose2d(widths[2], widths[1], 2, stride=2),
                nn.ConvTranspose2d(widths[1], widths[0], 2, stride=2),
            ]
        )
        self.merges = nn.ModuleList(
            DoubleConvolution(2 * outputs, outputs) for outputs in reversed(widths[:3])
        )
        self.head = nn.Conv2d(widths[0], classes, 1)

    def forward(self, image: Tensor) -> Tensor:
        hidden = self.first(image)
        skips = []
        for down in self.downs:
            skips.append(hidden)
            hidden = down(self.pool(hidden))
        for up, merge in zip(self.ups, self.merges, strict=True):
            hidden = merge(torch.cat([skips.pop(), up(hidden)], dim=1))
        return self.head(hidden)


class LSTMTagger(nn.Module):
    """A two-layer, bidirectional LSTM that labels every token of a sequence."""

    def __init__(self, vocabulary: int = 100, width: int = 16, labels: int = 5) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, num_layers=2, batch_first=True, bidirectional=True)
        self.classifier = nn.Linear(2 * width, labels)

    def forward(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        hidden, (last_hidden, last_cell) = self.lstm(self.embedding(tokens))
        return self.classifier(hidden).log_softmax(dim=-1), last_hidden, last_cell


class TransformerDecoder(nn.Module):
    """`nn.TransformerDecoder` over embedded tokens, with a causal mask and a memory."""

    def __init__(self, vocabulary: int = 100, width: int = 32, longest: int = 64) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(longest, width)
        layer = nn.TransformerDecoderLayer(width, 4, dim_feedforward=64, batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, num_layers=2, norm=nn.LayerNorm(width))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens: Tensor, memory: Tensor) -> Tensor:
        length = tokens.shape[1]
        positions = torch.arange(length, device=tokens.device)
        hidden = self.tokens(tokens) + self.positions(positions)
        mask = torch.triu(torch.full((length, length), float("-inf")), diagonal=1)
        return self.head(self.decoder(hidden, memory, tgt_mask=mask, tgt_is_causal=True))
