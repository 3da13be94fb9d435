"""What programs use of a CUDA driver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Driver(Protocol):
    """The driver functions that programs use."""

    device: Any
    """PyTorch's device."""
    chip: str
    """The chip that code is generated for."""
    launch: int
    """The address of a function with the signature of `cuLaunchKernel`."""
    copy: int
    """The address of a function with the signature of `cuMemcpyAsync`."""

    def load(self, assembly: str, kernels: Sequence[str]) -> tuple[Any, list[int]]:
        """Load kernels; returns what must be kept alive while they are used, and their handles."""

    def stream(self) -> int:
        """PyTorch's current stream."""

    def current(self) -> Any:
        """A context manager that makes the device current in this thread."""

    def is_capturing(self) -> bool:
        """Whether PyTorch's current stream is captured in a CUDA graph."""

    def mark(self) -> Any:
        """An event recorded on PyTorch's current stream."""

    def follow(self, mark: Any) -> bool:
        """Make PyTorch's current stream wait for an event; False if it has completed already."""

    def use(self, tensor: Any) -> None:
        """Record the use of a tensor by the current stream, if another stream allocated it."""

    def message(self, error: int) -> str:
        """The description of a driver error."""
