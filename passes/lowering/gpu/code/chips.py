"""Properties of GPUs by chip name."""

from __future__ import annotations

NVIDIA = ("sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a")
AMD = ("gfx90a", "gfx942")


def is_nvidia(chip: str) -> bool:
    """Whether a chip is one of NVIDIA's."""
    return chip.startswith("sm_")


def triple_of(chip: str) -> str:
    """LLVM's target triple of a chip."""
    return "nvptx64-nvidia-cuda" if is_nvidia(chip) else "amdgcn-amd-amdhsa"


def target_of(chip: str) -> str:
    """A chip as the target attribute of a GPU module."""
    dialect = "nvvm" if is_nvidia(chip) else "rocdl"
    return f'#{dialect}.target<chip = "{chip}">'


def has_tensor_cores(chip: str) -> bool:
    """Whether a chip has the `mma.sync` of 16-bit floats that is used here (since `sm_80`)."""
    return is_nvidia(chip) and capability(chip) >= (8, 0)


def has_warpgroups(chip: str) -> bool:
    """Whether a chip has the matrix instructions of warpgroups: code for them runs nowhere else."""
    return chip == "sm_90a"


def capability(chip: str) -> tuple[int, int]:
    """The compute capability of one of NVIDIA's chips."""
    digits = chip.removeprefix("sm_").removesuffix("a")
    return int(digits[:-1]), int(digits[-1])
