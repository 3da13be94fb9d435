"""Inputs for models of transformers, by the names of their parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch_refine.build_tools.zoo.networks import Inputs, Scale

_FRAMES = 8
_SAMPLES = 4000
# Ids of special tokens are the first and the last ones.
_FIRST_TOKEN = 5


def candidates(model: torch.nn.Module, scale: Scale) -> Iterator[Callable[[int], Inputs]]:
    """Functions from a batch size to keyword arguments, of which a model may take one."""
    parameters = inspect.signature(model.forward).parameters
    makers = {
        name: choices
        for name, choices in _makers(model.config, scale).items()
        if name in parameters
    }
    main = str(getattr(model, "main_input_name", "input_ids"))
    decoder = [name for name in ("decoder_input_ids",) if name in makers]
    text = [name for name in ("input_ids", "attention_mask") if name in makers]
    media = [name for name in makers if name not in (*text, *decoder)]
    chosen: list[list[str]] = []
    if "input_ids" in text:
        masked = [name for name in text if main == "input_ids" or not media]
        chosen += [[*masked, *decoder], [*text, *media, *decoder], ["input_ids"], [*text]]
    if main in makers:
        chosen += [[main, *decoder], [main]]
    chosen += [[name, *decoder] for name in media]
    chosen += [[*media]]
    seen: list[list[str]] = []
    for names in chosen:
        if names and sorted(names) not in seen:
            seen.append(sorted(names))
            most = max(len(makers[name]) for name in names)
            for place in range(most):
                each = {name: makers[name][min(place, len(makers[name]) - 1)] for name in names}
                yield partial(_make, each)


def _make(makers: dict[str, Callable[[int], torch.Tensor]], batch: int) -> Inputs:
    torch.manual_seed(batch)
    return {name: make(batch) for name, make in makers.items()}


def _makers(config: Any, scale: Scale) -> dict[str, list[Callable[[int], torch.Tensor]]]:
    """Functions that make an input for a batch size; several where the rank is not known."""
    vocabulary = _field(config, "vocab_size", 512)
    channels = _field(config, "num_channels", _field(config, "in_channels", 3))
    height, width = _image_size(config, scale)
    frames = _field(config, "num_frames", _FRAMES)
    bins = _field(config, "num_mel_bins", _field(config, "input_feat_per_channel", 80))
    steps = 2 * _field(config, "max_source_positions", 2 * scale.tokens)
    length = _field(config, "max_length", 64)
    series = _field(config, "context_length", 32)
    series_channels = _field(config, "num_input_channels", 7)
    ids = partial(_ids, vocabulary, scale.tokens)
    image = partial(_normal, channels, height, width)
    return {
        "input_ids": [ids],
        "attention_mask": [partial(_mask, scale.tokens)],
        "decoder_input_ids": [partial(_ids, vocabulary, scale.tokens // 2)],
        "pixel_values": [image, partial(_normal, frames, channels, height, width)],
        "pixel_values_videos": [partial(_normal, frames, channels, height, width)],
        "input_values": [
            partial(_normal, _SAMPLES),
            partial(_normal, length, bins),
            partial(_normal, 1, _SAMPLES),
        ],
        "input_features": [
            partial(_normal, bins, steps),
            partial(_normal, 2 * scale.tokens, bins),
        ],
        "past_values": [partial(_normal, series, series_channels)],
    }


def _normal(*sizes_and_batch: int) -> torch.Tensor:
    *sizes, batch = sizes_and_batch
    return torch.randn(batch, *sizes)


def _ids(vocabulary: int, tokens: int, batch: int) -> torch.Tensor:
    return torch.randint(_FIRST_TOKEN, max(vocabulary - 8, _FIRST_TOKEN + 1), (batch, tokens))


def _mask(tokens: int, batch: int) -> torch.Tensor:
    """Ones, except for the padding at the end of the first row."""
    mask = torch.ones(batch, tokens, dtype=torch.int64)
    mask[0, tokens - tokens // 4 :] = 0
    return mask


def _field(config: Any, name: str, default: int) -> int:
    """An int of a configuration, or of one nested in it."""
    value = getattr(config, name, None)
    if type(value) is int:
        return value
    for each in vars(config).values():
        if hasattr(each, "to_diff_dict"):
            value = _field(each, name, -1)
            if value != -1:
                return value
    return default


def _image_size(config: Any, scale: Scale) -> tuple[int, int]:
    pending = [config]
    while pending:
        each = pending.pop(0)
        for name in ("image_size", "img_size", "input_size"):
            value = getattr(each, name, None)
            if type(value) is int:
                return value, value
            if isinstance(value, list | tuple) and len(value) == 2:
                return int(value[0]), int(value[1])
        pending += [inner for inner in vars(each).values() if hasattr(inner, "to_diff_dict")]
    return scale.image, scale.image
