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


def test_operators_of_a_decomposition_are_guarded():
    """The function of the whole operator does not look at all sizes of its weights."""
    width = 8
    sizes = [[24, width], [24], [width, width], [width]]
    last = [*[[width]] * 4, [16, width], [16], [width, 16], [width]]

    def encode(x, *weights):
        return torch.ops.aten._transformer_encoder_layer_fwd(
            x, width, 4, *weights[:4], False, False, 1e-5, *weights[4:]
        )

    inputs = [torch.rand(2, 5, width), *(torch.rand(each) for each in [*sizes, *last])]
    shapes = (tuple({dim: Dim.AUTO for dim in range(each.dim())} for each in inputs),)
    compiled = torch_refine.compile(
        Function(encode), tuple(inputs), dynamic_shapes=shapes, opt_level=0
    )
    torch.testing.assert_close(compiled(*inputs), encode(*inputs), rtol=1e-4, atol=1e-4)
    for wrong in (width - 1, width + 1, 2 * width + 1):
        given = [*inputs[:3], torch.rand(width, wrong), *inputs[4:]]
        with pytest.raises(RuntimeError):
            encode(*given)
        with pytest.raises((RuntimeError, torch_refine.GuardError)):
            compiled(*given)
