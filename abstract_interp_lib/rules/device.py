"""Results that depend on the device, which tensor types do not record."""

import torch

# Set by the checker to the device on which it runs PyTorch.
_checked_device = ["cpu"]


@torch.jit.ignore
def runs_on_cpu() -> bool:
    """Whether the program runs on the CPU.

    Exported as an op. Its value is known if the program's function has a device attribute;
    otherwise both outcomes are joined.
    """
    return _checked_device[0] == "cpu"
