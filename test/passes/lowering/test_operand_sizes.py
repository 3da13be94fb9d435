"""Sizes of dynamic programs: which are 1, and equality of operand sizes."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context

ANY = ({0: Dim.AUTO, 1: Dim.AUTO, 2: Dim.AUTO},)


@pytest.mark.parametrize("opt_level", [1, 3])
@pytest.mark.parametrize(
    "model",
    [
        lambda x: x + torch.chunk(x, 5, 1)[4],
        lambda x: x * x[:, -1:],
        lambda x: x - torch.chunk(x, 5, 1)[0] @ torch.ones(5, 5),
        lambda x: x.tensor_split(5, 1)[1].expand(-1, 5, -1) * x,
    ],
    ids=["last piece", "last row", "product", "split"],
)
def test_a_piece_of_one_is_broadcast(model, opt_level):
    x = torch.randn(4, 5, 5)
    compiled = torch_refine.compile(
        Function(model), (x,), dynamic_shapes=(ANY,), opt_level=opt_level
    )
    torch.testing.assert_close(compiled(x), model(x))


def test_sizes_that_an_ir_program_takes_for_equal_are_compared():
    text = """
    func.func @main(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>)
        -> !torch.vtensor<[?],f32> attributes {torch.assume_strict_symbolic_shapes} {
      %int1 = torch.constant.int 1
      %0 = torch.aten.add.Tensor %a, %b, %int1 : !torch.vtensor<[?],f32>,
          !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
      return %0 : !torch.vtensor<[?],f32>
    }
    """
    compiled = torch_refine.compile(ir.Module.parse(text, context=new_context()))
    x = torch.randn(1000)
    torch.testing.assert_close(compiled(x, x), x + x)
    with pytest.raises(torch_refine.GuardError, match="do not broadcast: 1000 and 3"):
        compiled(x, x[:3])
    # Eager mode broadcasts it; the attribute says that no size is 1.
    with pytest.raises(RuntimeError, match="do not match"):
        compiled(x, x[:1])
