"""Results that depend on the device, which tensor types do not name."""

import torch

# Set by the checker to the device on which it runs PyTorch.
_checked_device = ["cpu"]


@torch.jit.ignore
def runs_on_cpu() -> bool:
    """Whether the program runs on the CPU.

    Exported as an op that is known where the program's function says for which device it was
    exported, and unknown elsewhere: both outcomes are then joined.
    """
    return _checked_device[0] == "cpu"
