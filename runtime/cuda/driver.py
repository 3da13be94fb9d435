"""The CUDA driver, through NVIDIA's package `cuda-bindings`."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib.util import find_spec
from typing import Any

from torch_refine.dialect.requirements import how_to_install
from torch_refine.passes.lowering.gpu.code.chips import NVIDIA, capability
from torch_refine.runtime.compiling.compiler import CompileError
from torch_refine.runtime.cuda.interface import Driver

# The oldest CUDA version whose driver functions have the signatures used here: 12.0.
_VERSION = 12000
_IS_CURRENT = nullcontext()
# Errors of kernels, after which every function of the driver fails.
_FATAL = (
    "CUDA_ERROR_ASSERT",
    "CUDA_ERROR_ILLEGAL_ADDRESS",
    "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    "CUDA_ERROR_LAUNCH_FAILED",
    "CUDA_ERROR_MISALIGNED_ADDRESS",
)
_LOST = (
    "a kernel that was launched before has stopped, as it does where an assertion of the program "
    "fails, such as that of an index; this process cannot use the GPU any longer: start another, "
    "and run the model in eager mode, or compiled for the CPU, to see which assertion it is"
)


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
        self.device = torch.device(device)
        self.chip = chip_of(device)
        properties = torch.cuda.get_device_properties(device)
        self._shared_bytes = int(properties.shared_memory_per_block_optin)  # type: ignore[attr-defined]
        with torch.cuda.device(device):
            self._index = self._device_index()
            # PyTorch creates its context lazily, on first use.
            torch.cuda.current_stream().synchronize()
            self._context = self._done(driver.cuCtxGetCurrent())
            self._context_address = int(self._context)
            # Through ctypes, as each object of the package takes longer than this call.
            self._get_context = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(
                self._address("cuCtxGetCurrent")
            )
            self.launch = self._address("cuLaunchKernel")
            self.copy = self._address("cuMemcpyAsync")

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
        # As `torch.cuda.current_stream` without its object.
        return int(self._torch._C._cuda_getCurrentRawStream(self._index))

    def current(self) -> AbstractContextManager[None]:
        """A context manager that makes the device current in this thread.

        PyTorch makes its context current in a thread on the first CUDA call there, which it may
        omit for the current device, and for cached memory. Other libraries may make others current
        at any time, so each call looks.
        """
        found = ctypes.c_void_p()
        error = self._get_context(ctypes.addressof(found))
        if (
            error == 0
            and found.value == self._context_address
            # Otherwise PyTorch changes both when it allocates on this device, and back.
            and self._device_index() == self._index
        ):
            return _IS_CURRENT
        return self._pushed()

    @contextmanager
    def _pushed(self) -> Iterator[None]:
        with self._torch.cuda.device(self.device):
            self._done(self._cuda.cuCtxPushCurrent(self._context))
            try:
                yield
            finally:
                self._done(self._cuda.cuCtxPopCurrent())

    def is_capturing(self) -> bool:
        """Whether PyTorch's current stream is captured in a CUDA graph."""
        with self._torch.cuda.device(self.device):
            return bool(self._torch.cuda.is_current_stream_capturing())

    def mark(self) -> Any:
        """An event recorded on PyTorch's current stream."""
        event = self._torch.cuda.Event()
        event.record(self._torch.cuda.current_stream(self.device))
        return event

    def follow(self, mark: Any) -> bool:
        """Make PyTorch's current stream wait for an event; False if it has completed already."""
        if self.is_capturing():
            # Neither may be asked of it, nor waited for.
            return self._is_pending(mark)
        if mark.query():
            return False
        self._torch.cuda.current_stream(self.device).wait_event(mark)
        return True

    def _is_pending(self, mark: Any) -> bool:
        """During a capture: False if an event has completed, as one before it must have."""
        cuda = self._cuda
        relaxed = cuda.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
        before = self._done(cuda.cuThreadExchangeStreamCaptureMode(relaxed))
        try:
            is_done = mark.query()
        finally:
            self._done(cuda.cuThreadExchangeStreamCaptureMode(before))
        if not is_done:
            raise RuntimeError(
                "weights of the program are still being copied: call torch.cuda.synchronize() "
                "before the capture of a CUDA graph"
            )
        return False

    def use(self, tensor: Any) -> None:
        """Record the use of a tensor by the current stream, if another stream allocated it."""
        tensor.record_stream(self._torch.cuda.current_stream(self.device))

    def message(self, error: int) -> str:
        """The driver's description of an error."""
        code = self._cuda.CUresult(error)
        texts = [self._cuda.cuGetErrorName(code)[1], self._cuda.cuGetErrorString(code)[1]]
        said = ": ".join(text.decode() for text in texts if text)
        return f"{said}; {_LOST}" if code in _lost_codes(self._cuda.CUresult) else said

    def _device_index(self) -> int:
        """PyTorch's current device."""
        return int(self._torch._C._cuda_getDevice())

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


def _lost_codes(codes: Any) -> list[Any]:
    return [getattr(codes, name) for name in _FATAL]


class _Loaded:
    """A loaded module; unloaded with this object."""
