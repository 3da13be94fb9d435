"""The GPU side of a compiled program: loaded kernels, workspace, tensors."""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Sequence
from typing import Any

from torch_refine.runtime.calls.calling import Caller, Frame, Result
from torch_refine.runtime.calls.signature import NumberParameter, Parameter, TensorParameter
from torch_refine.runtime.calls.tensors import ArrayDescriptor, TorchTensors
from torch_refine.runtime.compiling.compiler import Compiled
from torch_refine.runtime.cuda.constants import Constants
from torch_refine.runtime.cuda.interface import Driver
from torch_refine.runtime.cuda.table import Table

# Kernels load vectors of up to 32 bytes.
ALIGNMENT = 32


class CudaTensors(TorchTensors):
    """PyTorch tensors on a GPU; results are in memory allocated by this thread's calls."""

    def __init__(self, table: Table, device: Any) -> None:
        super().__init__(device, ALIGNMENT)
        self.table = table

    def make(self, result: Result, dtype: str) -> Any:
        """A tensor that owns its memory."""
        kind = getattr(self.torch, dtype)
        sizes = result.sizes
        if 0 in sizes:
            return self.torch.empty(sizes, dtype=kind, device=self.device)
        first = result.address - result.allocated
        if result.owns:
            memory = self.table.take(result.allocated)
            if first == 0 and memory.dtype is kind and memory.shape == sizes:
                return memory
        else:
            # A later result of the same call owns it.
            memory = self.table.look(result.allocated)
        count = math.prod(sizes) * kind.itemsize
        found = memory.view(-1).view(self.torch.uint8)[first : first + count].view(kind).view(sizes)
        return found if result.owns else found.clone()


class StateTensors(TorchTensors):
    """A program's state on a GPU.

    Tensors that cannot be passed directly are copied, on the stream of the first call that uses
    them. Calls on other streams wait for the copies, and prevent early reuse of their memory.
    """

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver.device, ALIGNMENT)
        self._driver = driver
        self._copies: list[tuple[weakref.ref[Any], set[int]]] = []
        # The streams with nothing to wait for.
        self._followed: set[int] = set()
        self._marks: list[Any] = []
        self._lock = threading.Lock()

    def contiguous(self, value: Any, order: Sequence[int] | None) -> Any:
        """A tensor with a layout that can be passed."""
        return self._noted(value, super().contiguous(value, order))

    def with_bools(self, value: Any, described: ArrayDescriptor) -> Any:
        """A bool tensor whose bytes are 0 and 1."""
        return self._noted(value, super().with_bools(value, described))

    def _noted(self, value: Any, made: Any) -> Any:
        """Record a tensor made from another, and its stream, if it is a copy."""
        if made is not value:
            if self._driver.is_capturing():
                raise RuntimeError(
                    "weights of the program are copied on its first call, and after they change: "
                    "call it before the capture of a CUDA graph"
                )
            with self._lock:
                self._copies.append((weakref.ref(made), {self._driver.stream()}))
                self._marks.append(self._driver.mark())
                self._followed.clear()
        return made

    def follow(self) -> None:
        """Make PyTorch's current stream wait for copies on other streams."""
        if not self._copies:
            return
        stream = self._driver.stream()
        if stream in self._followed:
            return
        with self._lock:
            self._marks = [mark for mark in self._marks if self._driver.follow(mark)]
            for copy, streams in self._copies:
                tensor = copy()
                if tensor is not None and stream not in streams:
                    self._driver.use(tensor)
                    streams.add(stream)
            self._copies = [each for each in self._copies if each[0]() is not None]
            if not self._marks:
                self._followed.add(stream)


class Gpu:
    """Runs a program whose kernels a driver has loaded.

    The program's function takes `parameters` after its own: its workspace, if any, and the address
    of a table. `state` are the tensors kept between calls.
    """

    def __init__(
        self, driver: Driver, compiled: Compiled, first: int, state: StateTensors | None = None
    ) -> None:
        self.driver = driver
        self._state = state
        self._keeper, self._kernels = driver.load(compiled.assembly, compiled.kernels)
        self._workspace = compiled.workspaces.get("main")
        self._first = first
        number = NumberParameter("int")
        taken = () if self._workspace is None else (TensorParameter((self._workspace,), "uint8"),)
        self.parameters: tuple[Parameter, ...] = (*taken, number)
        self._constants = Constants(driver)
        self._layouts = _layouts_of(compiled)
        self._local = threading.local()

    def tensors(self) -> CudaTensors:
        """This thread's tensors."""
        found: CudaTensors | None = getattr(self._local, "tensors", None)
        if found is None:
            table = Table(self.driver, self._kernels, self._constants, self._layouts)
            found = self._local.tensors = CudaTensors(table, self.driver.device)
        return found

    def call(self, caller: Caller, frame: Frame) -> list[Any]:
        """Enqueue the program's kernels on PyTorch's current stream; returns pending results.

        Raises PyTorch's out-of-memory error, and RuntimeError if a launch or an assertion of the
        program failed.
        """
        table = self.tensors().table
        with self.driver.current():
            if self._state is not None:
                self._state.follow()
            table.begin()
            place = self._first
            if self._workspace is not None:
                memory = table.new(self._workspace)
                caller.set_tensor(frame, place, memory.data_ptr(), (self._workspace,), (1,))
                place += 1
            caller.set_number(frame, place, table.address)
            try:
                return caller.call(frame)
            finally:
                table.check()


def _layouts_of(compiled: Compiled) -> dict[int, tuple[tuple[int, ...], Any]]:
    """Sizes and dtypes of the results of static size, by their size in bytes."""
    import torch

    found: dict[int, tuple[tuple[int, ...], Any]] = {}
    for result in compiled.signature.results:
        if isinstance(result, TensorParameter):
            sizes = tuple(size for size in result.sizes if size is not None)
            dtype = getattr(torch, result.dtype)
            if len(sizes) == len(result.sizes):
                found[math.prod(sizes) * dtype.itemsize] = sizes, dtype
    found.pop(0, None)
    return found
