"""The GPU's part of a compiled program: loaded kernels, memory to work in, tensors."""

from __future__ import annotations

import threading
import weakref
from typing import Any

from torch_refine.runtime.calling import Caller, Frame, Result
from torch_refine.runtime.compiler import Compiled
from torch_refine.runtime.cuda.table import Driver, Table
from torch_refine.runtime.signature import NumberParameter, Parameter, TensorParameter
from torch_refine.runtime.tensors import TorchTensors

# Kernels load four numbers at a time, of up to eight bytes.
ALIGNMENT = 32


class CudaTensors(TorchTensors):
    """Tensors of PyTorch on a GPU; results are in memory that one thread's calls allocate."""

    def __init__(self, table: Table, device: Any) -> None:
        super().__init__(device, ALIGNMENT)
        self.table = table
        # A later result of the same call may be of the same memory.
        self._owners: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()

    def make(self, result: Result, dtype: str) -> Any:
        """A tensor that owns its memory."""
        kind = getattr(self.torch, dtype)
        if 0 in result.sizes:
            return self.torch.empty(result.sizes, dtype=kind, device=self.device)
        count = kind.itemsize
        for size in result.sizes:
            count *= size
        if not result.owns:
            return self._owners[result.allocated].clone().view(result.sizes)
        memory = self.table.take(result.allocated)
        made = memory[:count].view(kind).view(result.sizes)
        self._owners[result.allocated] = made
        return made


class Gpu:
    """Runs a program whose kernels a driver has loaded.

    The program's function takes `parameters` after its own: the memory that it works in, if any,
    and the address of a table.
    """

    def __init__(self, driver: Driver, compiled: Compiled, first: int) -> None:
        self.driver = driver
        self._keeper, self._kernels = driver.load(compiled.assembly, compiled.kernels)
        self._workspace = compiled.workspaces.get("main")
        self._first = first
        number = NumberParameter("int")
        taken = () if self._workspace is None else (TensorParameter((self._workspace,), "uint8"),)
        self.parameters: tuple[Parameter, ...] = (*taken, number)
        self._local = threading.local()

    def tensors(self) -> CudaTensors:
        """This thread's tensors."""
        found: CudaTensors | None = getattr(self._local, "tensors", None)
        if found is None:
            table = Table(self.driver, self._kernels)
            found = self._local.tensors = CudaTensors(table, self.driver.device)
        return found

    def call(self, caller: Caller, frame: Frame) -> list[Any]:
        """Put the program's kernels into PyTorch's current stream; the results, to be computed.

        Raises what PyTorch raises if there is no memory, and RuntimeError if a launch or an
        assertion of the program failed.
        """
        table = self.tensors().table
        with self.driver.current():
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
