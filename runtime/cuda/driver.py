"""The CUDA driver, through NVIDIA's package `cuda-bindings`."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Any

from torch_refine.dialect.requirements import how_to_install
from torch_refine.passes.lowering.gpu.code.chips import NVIDIA, capability
from torch_refine.runtime.compiling.compiler import CompileError
from torch_refine.runtime.cuda.table import Driver

# The oldest CUDA version whose driver functions have the signatures used here: 12.0.
_VERSION = 12000


def why_unavailable() -> str | None:
    """Why no program can run on a GPU; None if one can."""
    try:
        is_there = find_spec("cuda.bindings") is not None
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        return how_to_install("cuda-bindings")
    import torch

    if not torch.cuda.is_available():
        return "PyTorch finds no CUDA device (torch.cuda.is_available() is False)"
    return None


def driver_of(device: Any) -> Driver:
    """The driver of a device, or of PyTorch's current one; raises CompileError."""
    reason = why_unavailable()
    if reason is not None:
        raise CompileError(f"nothing can run on a GPU: {reason}")
    import torch

    if device is None:
        device = torch.device("cuda", torch.cuda.current_device())
    if device.type != "cuda":
        raise CompileError(f"the model is on {device}: move it with model.to('cuda')")
    return CudaDriver(device)


def chip_of(device: Any) -> str:
    """The newest supported chip whose code a device can run; raises CompileError."""
    import torch

    has = torch.cuda.get_device_capability(device)
    # PTX for one chip runs on it, and is compiled for newer ones, except where a letter ends it.
    fitting = [
        chip
        for chip in NVIDIA
        if capability(chip) == has or (capability(chip) < has and chip[-1].isdigit())
    ]
    if not fitting:
        raise CompileError(f"{device} is older than {NVIDIA[0]}, the oldest chip that is supported")
    return fitting[-1]


class CudaDriver:
    """A CUDA device of PyTorch."""

    def __init__(self, device: Any) -> None:
        import torch
        from cuda.bindings import driver

        self._torch: Any = torch
        self._cuda = driver
        self.device = device
        self.chip = chip_of(device)
        properties = torch.cuda.get_device_properties(device)
        self._shared_bytes = int(properties.shared_memory_per_block_optin)  # type: ignore[attr-defined]
        with torch.cuda.device(device):
            # PyTorch creates its context lazily, on first use.
            torch.cuda.current_stream().synchronize()
            self._context = self._done(driver.cuCtxGetCurrent())
            self.launch = self._address("cuLaunchKernel")
            self.copy = self._address("cuMemcpyHtoDAsync")

    def load(self, assembly: str, kernels: Sequence[str]) -> tuple[Any, list[int]]:
        """Load PTX; the driver compiles it for the device."""
        if not kernels:
            return None, []
        with self.current():
            module = self._done(self._cuda.cuModuleLoadData(assembly.encode() + b"\0"))
            keeper = _Loaded()
            weakref.finalize(keeper, self._unload, module).atexit = False
            functions = [
                self._done(self._cuda.cuModuleGetFunction(module, name.encode()))
                for name in kernels
            ]
            for function in functions:
                self._allow_shared_memory(function)
            handles = [int(function) for function in functions]
        return keeper, handles

    def _allow_shared_memory(self, function: Any) -> None:
        """Let a kernel be launched with as much dynamic shared memory as the device has."""
        kind = self._cuda.CUfunction_attribute
        fixed = self._done(
            self._cuda.cuFuncGetAttribute(kind.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function)
        )
        self._done(
            self._cuda.cuFuncSetAttribute(
                function,
                kind.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                self._shared_bytes - fixed,
            )
        )

    def stream(self) -> int:
        """PyTorch's current stream."""
        return int(self._torch.cuda.current_stream(self.device).cuda_stream)

    @contextmanager
    def current(self) -> Iterator[None]:
        """A context manager that makes the device current in this thread.

        PyTorch makes its context current in a thread on the first CUDA call there, which it may
        omit for the current device, and for cached memory.
        """
        with self._torch.cuda.device(self.device):
            self._done(self._cuda.cuCtxPushCurrent(self._context))
            try:
                yield
            finally:
                self._done(self._cuda.cuCtxPopCurrent())

    def mark(self) -> Any:
        """An event recorded on PyTorch's current stream."""
        event = self._torch.cuda.Event()
        event.record(self._torch.cuda.current_stream(self.device))
        return event

    def follow(self, mark: Any) -> bool:
        """Make PyTorch's current stream wait for an event; False if it has completed already."""
        if mark.query():
            return False
        self._torch.cuda.current_stream(self.device).wait_event(mark)
        return True

    def use(self, tensor: Any) -> None:
        """Record the use of a tensor by the current stream, if another stream allocated it."""
        tensor.record_stream(self._torch.cuda.current_stream(self.device))

    def message(self, error: int) -> str:
        """The driver's description of an error."""
        code = self._cuda.CUresult(error)
        texts = [self._cuda.cuGetErrorName(code)[1], self._cuda.cuGetErrorString(code)[1]]
        return ": ".join(text.decode() for text in texts if text)

    def _address(self, name: str) -> int:
        flags = self._cuda.CUdriverProcAddress_flags.CU_GET_PROC_ADDRESS_DEFAULT
        found = self._done(self._cuda.cuGetProcAddress(name.encode(), _VERSION, flags))
        # Newer versions of the package also return a status.
        return int(found[0] if isinstance(found, tuple) else found)

    def _done(self, answer: tuple[Any, ...]) -> Any:
        error, *values = answer
        if error != self._cuda.CUresult.CUDA_SUCCESS:
            raise RuntimeError(f"the CUDA driver reports {self.message(int(error))}")
        return values[0] if len(values) == 1 else tuple(values)

    def _unload(self, module: Any) -> None:
        with suppress(Exception), self.current():
            self._cuda.cuModuleUnload(module)


class _Loaded:
    """A loaded module; unloaded with this object."""
