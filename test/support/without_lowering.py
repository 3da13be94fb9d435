"""An operator of floats that nothing lowers, so that PyTorch runs it."""

import torch

NAME = "torch_refine_tests.bessel.default"
"""As programs in parts report it."""

_LIBRARY = torch.library.Library("torch_refine_tests", "DEF")
_LIBRARY.define("bessel(Tensor self) -> Tensor", tags=(torch.Tag.pt2_compliant_tag,))
_LIBRARY.impl("bessel", torch.special.bessel_j0, "CompositeExplicitAutograd")


def bessel(self: torch.Tensor) -> torch.Tensor:
    """The Bessel function of the first kind of order 0."""
    return torch.ops.torch_refine_tests.bessel(self)
