"""Split constants of complex elements into pairs of reals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, PassFailure, RunState

_LITERAL = "torch.vtensor.literal"
_DENSE = re.compile(r"\(dense<(.*?)> : tensor<")
_PAIR = re.compile(r"\(([^(),]*),\s*([^(),]*)\)")


@dataclass
class SplitComplexLiterals(Pass):
    """Split constants of complex elements into pairs of reals.

    LLVM has no constants of complex elements: they become those of their parts, which are joined
    when the program runs.

    Before:

    ```mlir
    func.func @f() -> !torch.vtensor<[2],complex<f32>> {
      %0 = torch.vtensor.literal(dense<[(1.0,2.0), (3.0,4.0)]> : tensor<2xcomplex<f32>>) : \
!torch.vtensor<[2],complex<f32>>
      return %0 : !torch.vtensor<[2],complex<f32>>
    }
    ```

    After:

    ```mlir
    func.func @f() -> !torch.vtensor<[2],complex<f32>> {
      // ...
      %1 = torch.aten.view_as_complex %0 : !torch.vtensor<[2,2],f32> -> \
!torch.vtensor<[2],complex<f32>>
      return %1 : !torch.vtensor<[2],complex<f32>>
    }
    ```
    """

    name: ClassVar[str] = "torch-split-complex-literals"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        failed = False
        for each in [each for each in walk(op) if each.name == _LITERAL]:
            type = types.tensor(each.results[0].type)
            if type is None or not str(type.element).startswith("complex"):
                continue
            with each.location, ir.InsertionPoint(each):
                # The bindings read no attribute of complex elements.
                parts = _parts(each.get_asm(), type)
                if parts is None:
                    state.diagnostics.error(each.location, "a complex constant in a resource")
                    failed = True
                    continue
                value = create_value("torch.aten.view_as_complex", each.results[0].type, [parts])
            each.results[0].replace_all_uses_with(value)
            each.erase()
            state.count(self.name, "constants")
        if failed:
            raise PassFailure(self.name)


def _parts(text: str, type: TensorType) -> ir.Value | None:
    """The real and imaginary parts of a constant, in a last dimension; `text` is the op."""
    sizes = [size or 0 for size in type.sizes or ()]
    real = str(type.element).removeprefix("complex<").removesuffix(">")
    found = _DENSE.search(text)
    if found is None:
        return None
    values = _PAIR.sub(r"[\1, \2]", found[1])
    if values.startswith("[") and not values.startswith("[[") and sizes:
        # One number for all elements.
        return _repeated(_literal(values, [2], real), [*sizes, 2], real)
    return _literal(values, [*sizes, 2], real)


def _literal(values: str, sizes: list[int], element: str) -> ir.Value:
    shape = "".join(f"{size}x" for size in sizes)
    content = ir.Attribute.parse(f"dense<{values}> : tensor<{shape}{element}>")
    return create_value(_LITERAL, _tensor(sizes, element), [], {"value": content})


def _tensor(sizes: list[int], element: str) -> ir.Type:
    return ir.Type.parse(f"!torch.vtensor<[{','.join(map(str, sizes))}],{element}>")


def _repeated(value: ir.Value, sizes: list[int], element: str) -> ir.Value:
    """A value, repeated in further dimensions."""
    integer = ir.Type.parse("!torch.int")
    wide = ir.IntegerType.get_signless(64)
    numbers = [
        create_value("torch.constant.int", integer, [], {"value": ir.IntegerAttr.get(wide, size)})
        for size in sizes
    ]
    shape = create_value("torch.prim.ListConstruct", ir.Type.parse("!torch.list<int>"), numbers)
    return create_value("torch.aten.broadcast_to", _tensor(sizes, element), [value, shape])
