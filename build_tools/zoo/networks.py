"""Networks: models with functions that make their inputs, at some scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

Inputs = dict[str, Any]


class Unfit(Exception):
    """An architecture that eager mode does not run here; the message says why."""


@dataclass(frozen=True)
class Scale:
    """How large networks are built; a width of None keeps the default configuration's."""

    name: str
    width: int | None
    layers: int
    tokens: int
    image: int


TINY = Scale("tiny", 64, 1, 16, 64)
SMALL = Scale("small", 64, 2, 16, 64)
MEDIUM = Scale("medium", 256, 4, 128, 224)
SCALES = {scale.name: scale for scale in (TINY, SMALL, MEDIUM)}


@dataclass(frozen=True)
class Network:
    """A model, and a function from a batch size to its keyword arguments."""

    model: torch.nn.Module
    inputs: Callable[[int], Inputs]

    def with_model(self, model: torch.nn.Module) -> Network:
        """The same with another model."""
        return Network(model, self.inputs)


def check_inputs(network: Network, batches: Mapping[str, int]) -> None:
    """Run a network in eager mode for each batch; raises Unfit if it fails or returns NaN only."""
    for batch in batches.values():
        try:
            with torch.no_grad():
                network.model(**network.inputs(batch))
        except Exception as error:
            raise Unfit(f"eager mode: {type(error).__name__}: {first_line(error)}") from error


def first_line(error: BaseException) -> str:
    """The first line of an error's message that is not empty."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__
