"""Programs that the wheel or torch.export compute differently from eager mode are rejected."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.importer import ImportModelError

aten = torch.ops.aten
TRUE, FALSE = torch.tensor([[True, False]]), torch.tensor([[False, True]])
INDEX = torch.tensor([[0, 0]])


@pytest.mark.parametrize("reduce", ["sum", "prod", "amax", "amin"])
def test_scattering_bools(reduce):
    model = Function(lambda a, i, b: aten.scatter_reduce.two(a, 0, i, b, reduce))
    for given in ((TRUE, INDEX, FALSE), (FALSE, INDEX, TRUE), (TRUE, INDEX, TRUE)):
        torch.testing.assert_close(torch_refine.compile(model, given)(*given), model(*given))


def test_the_mean_of_scattered_integers():
    model = Function(lambda a, i, b: aten.scatter_reduce.two(a, 0, i, b, "mean"))
    ints = (torch.tensor([[-8, 1]]), INDEX, torch.tensor([[5, 2]]))
    with pytest.raises(torch_refine.CompileError, match="mean of integers"):
        torch_refine.compile(model, ints)
    floats = (ints[0].float(), INDEX, ints[2].float())
    torch.testing.assert_close(torch_refine.compile(model, floats)(*floats), model(*floats))


def test_sums_and_products_as_bools():
    def reduce(x):
        return (
            x.sum(dtype=torch.bool),
            x.prod(dtype=torch.bool),
            x.sum(0, dtype=torch.bool),
            x.prod(0, True, dtype=torch.bool),
            x.prod(-1, dtype=torch.bool),
        )

    for dtype in (torch.int64, torch.uint8, torch.float32, torch.bool):
        x = torch.tensor([[1, 0, 0], [255, 2, 0]]).to(dtype)
        for found, expected in zip(
            torch_refine.compile(Function(reduce), (x,))(x), reduce(x), strict=True
        ):
            assert torch.equal(found, expected)


def test_scattered_slices_have_the_dtype_of_what_they_are_written_to():
    def scatter(x, y, z):
        return tuple(aten.slice_scatter.default(x, each, 0, 0, 1) for each in (y, z))

    inputs = (torch.arange(4).reshape(2, 2), torch.tensor([[True, False]]), torch.tensor([[7, 8]]))
    for found, expected in zip(
        torch_refine.compile(Function(scatter), inputs)(*inputs), scatter(*inputs), strict=True
    ):
        torch.testing.assert_close(found, expected)


def test_the_variance_of_nothing():
    model = Function(lambda x: x.var(correction=-1))
    assert torch_refine.compile(model, (torch.zeros(0),))(torch.zeros(0)).isnan()


def test_powers_of_a_half_are_roots():
    model = Function(lambda x: (x**0.5, x**-0.5))
    x = torch.tensor([4.0, 0.0, -0.0, -1.0, float("inf"), -float("inf")])
    for found, expected in zip(torch_refine.compile(model, (x,))(x), model(x), strict=True):
        torch.testing.assert_close(found, expected, equal_nan=True)


def test_a_loss_that_the_export_gives_a_dimension():
    model = Function(lambda x, y: aten.multi_margin_loss.default(x, y, 1, 1.0, None, 0))
    with pytest.raises(ImportModelError, match="a dimension that it does not have"):
        torch_refine.compile(model, (torch.randn(4), torch.tensor(2)))
    many = (torch.randn(3, 4), torch.tensor([2, 0, 1]))
    torch.testing.assert_close(torch_refine.compile(model, many)(*many), model(*many))


def _resized(size, wanted, scale):
    shape = "!torch.vtensor<[1,2,{0},{0}],f32>".format
    kind = scale.partition(" ")[0]
    text = f"""
func.func @main(%x: {shape(size)}) -> {shape(wanted)} {{
  %size = torch.constant.int {wanted}
  %sizes = torch.prim.ListConstruct %size, %size : (!torch.int, !torch.int) -> !torch.list<int>
  %scale = torch.constant.{scale}
  %0 = torch.aten.upsample_nearest2d %x, %sizes, %scale, %scale
      : {shape(size)}, !torch.list<int>, !torch.{kind}, !torch.{kind} -> {shape(wanted)}
  return %0 : {shape(wanted)}
}}"""
    return ir.Module.parse(text, new_context())


def test_an_image_of_a_size_that_is_no_multiple():
    image = torch.randn(1, 2, 4, 4)
    for sizes in ([6, 8], [12, 8], [3, 9]):
        resized = Function(lambda x, sizes=sizes: aten.upsample_nearest2d.default(x, sizes))
        torch.testing.assert_close(torch_refine.compile(resized, (image,))(image), resized(image))
    compiled = torch_refine.compile(_resized(4, 6, "none"))
    torch.testing.assert_close(compiled(image), aten.upsample_nearest2d.default(image, [6, 6]))
    with pytest.raises(torch_refine.CompileError, match="upsample_nearest2d has no lowering"):
        torch_refine.compile(_resized(100, 200, "float 1.9"))
    interpolated = Function(lambda x: torch.nn.functional.interpolate(x, size=(6, 3)))
    compiled = torch_refine.compile(interpolated, (image,))
    torch.testing.assert_close(compiled(image), interpolated(image))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_gradients_that_are_composites_on_other_devices(dtype):
    def gradients(x, y):
        return [aten.silu_backward(x, y), aten.mish_backward(x, y), aten.silu_backward(x[0], y[0])]

    inputs = tuple(torch.randn(2, 7).to(dtype))
    compiled = torch_refine.compile(Function(gradients), inputs)
    for found, expected in zip(compiled(*inputs), gradients(*inputs), strict=True):
        torch.testing.assert_close(found, expected)
