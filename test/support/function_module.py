"""A model that is a function."""

from torch import nn


class Function(nn.Module):
    """A module of a function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        """Call it."""
        return self.function(*inputs)
