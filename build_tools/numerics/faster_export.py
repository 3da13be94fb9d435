"""PyTorch's export, with a cache of the work that is equal for every program.

Decomposing a program of one operator takes 0.4 s, mostly to list and to override all composite
operators of PyTorch, twice. That is negligible for a model, but not for ten thousand calls.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch._ops import OperatorBase
from torch.export import exported_program


@functools.cache
def make_export_faster() -> None:
    """Cache the list of composite operators, which PyTorch recomputes, as users may add some."""
    listed = vars(exported_program)["_collect_all_valid_cia_ops"]
    vars(exported_program)["_collect_all_valid_cia_ops"] = functools.cache(listed)
    registered = OperatorBase.py_impl

    def py_impl(self: OperatorBase, key: Any) -> Callable[[Any], Any]:
        if not isinstance(key, torch._C.DispatchKey) or key == torch._C.DispatchKey.Python:
            return registered(self, key)

        def register(function: Any) -> Any:
            if key in self.py_kernels:
                raise RuntimeError(f"{self} has a kernel for {key}")
            self.py_kernels[key] = function
            self._dispatch_cache.clear()
            return function

        return register

    OperatorBase.py_impl = py_impl  # type: ignore[method-assign,assignment]
