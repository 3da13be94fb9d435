from __future__ import annotations

import doctest
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch_refine.importer.model
from torch import Tensor, nn
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.importer import ImportModelError, import_model, module_text
from torch_refine.importer.literals import tensor_attribute

IMAGE = torch.rand(1, 2, 4, 4)
MATRIX = torch.rand(4, 6)
ANY_ROWS = ({0: Dim("rows", min=2, max=64)},)


class Function(nn.Module):
    """A function as a model, so that a case is one line."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, matrix: Tensor) -> Any:
        return self.function(matrix)


def text_of(function: Callable[..., Any], dynamic_shapes: Any = None, **options: Any) -> str:
    return module_text(import_model(Function(function), (MATRIX,), dynamic_shapes, **options))


def operations(module: ir.Module) -> list[ir.Operation]:
    (function,) = module.body.operations
    (block,) = function.regions[0].blocks
    return [view.operation for view in block.operations]


def test_importing_the_package_loads_no_torch() -> None:
    code = "import sys, torch_refine.importer; print(*{'torch', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_example_in_the_documentation() -> None:
    names = {"torch": torch, "import_model": import_model, "module_text": module_text}
    result = doctest.testmod(
        torch_refine.importer.model, extraglobs=names, optionflags=doctest.ELLIPSIS
    )
    assert result.attempted and not result.failed


class TestOperators:
    def test_composite_operators_are_kept_whole(self) -> None:
        text = module_text(import_model(nn.LayerNorm(6), (MATRIX,)))
        assert "torch.aten.layer_norm" in text

    def test_composite_operators_are_decomposed_on_request(self) -> None:
        text = module_text(import_model(nn.LayerNorm(6), (MATRIX,), decompose=True))
        assert "torch.aten.native_layer_norm" in text
        assert "torch.aten.layer_norm" not in text

    def test_in_place_operators_become_functional(self) -> None:
        text = text_of(lambda matrix: matrix.clone().add_(1).relu_())
        assert "torch.aten.add.Scalar" in text and "torch.aten.relu " in text

    def test_operators_unknown_to_the_dialect(self) -> None:
        text = text_of(lambda matrix: torch.where(matrix > 0))
        assert 'torch.operator "torch.aten.where"' in text

    def test_lists_of_weights(self) -> None:
        text = module_text(import_model(nn.LSTM(6, 3), (MATRIX,)))
        assert 'torch.operator "torch.aten.lstm.input"' in text

    def test_switching_gradients_and_autocast(self) -> None:
        def function(matrix: Tensor) -> Tensor:
            with torch.enable_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
                return matrix @ matrix.T

        assert "!torch.vtensor<[4,4],bf16>" in text_of(function)

    def test_a_view_that_decomposing_takes_away(self) -> None:
        """Attention lays its result out so that it can be viewed; its decomposition does not."""

        def function(matrix: Tensor) -> Tensor:
            heads = matrix.view(1, 4, 2, 3).transpose(1, 2)
            attended = nn.functional.scaled_dot_product_attention(heads, heads, heads)
            return attended.transpose(1, 2).view(4, 6)

        assert text_of(function, decompose=True).count("!torch.vtensor<[4,6],f32>") > 1


class TestSizes:
    def test_dynamic_sizes_are_unknown(self) -> None:
        assert "-> !torch.vtensor<[?,6],f32>" in text_of(torch.sin, ANY_ROWS)

    @pytest.mark.parametrize(
        ("size", "operator"),
        [
            (lambda rows: rows % 4, "torch.aten.remainder.int"),
            (lambda rows: torch.sym_max(rows, 3), "torch.prim.max.int"),
            (lambda rows: torch.sym_sum((rows, 3, rows)), "torch.aten.add.int"),
            (lambda rows: torch.sym_int(rows * 1.5), "torch.aten.mul.float"),
            (lambda rows: rows**2, 'torch.operator "torch.aten.pow.int_to_int"'),
            (lambda rows: -(-rows // 4), "torch.aten.floordiv.int"),
        ],
    )
    def test_arithmetic_on_sizes(self, size: Callable[[Any], Any], operator: str) -> None:
        text = text_of(lambda matrix: matrix.new_zeros(size(matrix.shape[0]) + 2), ANY_ROWS)
        assert operator in text

    def test_numbers_as_results(self) -> None:
        text = text_of(lambda matrix: (matrix.shape[0] / 2, matrix.shape[0] > 3, None), ANY_ROWS)
        assert "-> (!torch.float, !torch.bool, !torch.none)" in text


class TestDtypes:
    @pytest.mark.parametrize(
        ("dtype", "number", "element"),
        [
            (torch.bfloat16, 15, "bf16"),
            (torch.complex64, 9, "complex<f32>"),
            (torch.complex128, 10, "complex<f64>"),
            (torch.uint16, 27, "ui16"),
            (torch.uint64, 29, "ui64"),
            (torch.float8_e5m2, 23, "f8E5M2"),
        ],
    )
    def test_numbers_of_dtypes(self, dtype: torch.dtype, number: int, element: str) -> None:
        text = text_of(lambda matrix: matrix.to(dtype))
        assert f"torch.constant.int {number}\n" in text
        assert f"-> !torch.vtensor<[4,6],{element}>" in text

    def test_a_new_tensor_filled_with_a_bool_says_so(self) -> None:
        text = text_of(lambda matrix: torch.full((2,), True))
        assert "torch.constant.int 11\n" in text and "-> !torch.vtensor<[2],i1>" in text

    def test_the_default_dtype_is_said(self, request: pytest.FixtureRequest) -> None:
        request.addfinalizer(lambda: torch.set_default_dtype(torch.float32))
        torch.set_default_dtype(torch.float64)
        text = text_of(lambda matrix: torch.zeros(2))
        assert "torch.constant.int 7\n" in text and "-> !torch.vtensor<[2],f64>" in text


class Buffers(nn.Module):
    """A persistent buffer that changes, one that is not persistent, a constant and a weight."""

    count: Tensor
    mask: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(6))
        self.register_buffer("mask", torch.tensor([True, False] * 3), persistent=False)
        self.offset = torch.rand(6)
        self.weight = nn.Parameter(torch.rand(6))

    def forward(self, matrix: Tensor) -> Tensor:
        self.count.add_(1)
        return (matrix * self.mask + self.offset) * self.weight


class TestWeights:
    def test_every_kind_of_tensor_that_a_model_keeps(self) -> None:
        text = module_text(import_model(Buffers(), (MATRIX,)))
        assert "dense<[true, false, true, false, true, false]> : tensor<6xi1>" in text
        assert text.count("torch.vtensor.literal") == 4

    def test_changed_buffers_are_returned_last(self) -> None:
        text = module_text(import_model(Buffers(), (MATRIX,)))
        assert "-> (!torch.vtensor<[4,6],f32>, !torch.vtensor<[6],f32>)" in text

    def test_inputs_that_are_written_to(self) -> None:
        text = text_of(lambda matrix: matrix.add_(1))
        assert "@main(%arg0: !torch.tensor<[4,6],f32>)" in text
        assert "torch.overwrite.tensor.contents" in text

    def test_values_are_copied(self) -> None:
        model = nn.Linear(6, 2, bias=False)
        module = import_model(model, (MATRIX,))
        before = str(module)
        with torch.no_grad():
            model.weight.zero_()
        assert str(module) == before

    @pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float8_e5m2, torch.complex64])
    @pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0, 2)])
    def test_literals(self, dtype: torch.dtype, shape: tuple[int, ...]) -> None:
        constant = torch.ones(shape).to(dtype)
        text = text_of(lambda matrix: constant.view(shape[::-1]))
        assert "torch.vtensor.literal" in text

    def test_a_channels_last_weight_has_its_values_in_order(self) -> None:
        model = nn.Conv2d(2, 2, 2, bias=False)
        plain = str(import_model(model, (IMAGE,)))
        assert str(import_model(model.to(memory_format=torch.channels_last), (IMAGE,))) == plain

    def test_large_constants_are_elided_and_parse_back(self) -> None:
        mask = torch.rand(4, 6) > 0.5
        linear = nn.Linear(6, 50)
        module = import_model(Function(lambda matrix: linear(matrix * mask)), (MATRIX,))
        text = module_text(module)
        assert "dense_resource<c_" in text and "dense_resource<__elided__> : tensor<4x6xi1>" in text
        assert len(text) < len(str(module)) / 2
        again = ir.Module.parse(text, new_context())
        assert module_text(again) == text


class TestLocations:
    def test_an_operation_has_the_line_and_the_submodule(self) -> None:
        module = import_model(nn.Sequential(Function(torch.sin)), (MATRIX,))
        sine, _ = operations(module)
        assert str(sine.location).startswith('loc("0"(')
        line = Function.forward.__code__.co_firstlineno + 1
        assert f'test_import_model.py":{line}:0' in str(sine.location)

    def test_a_weight_has_its_name_and_place_of_use(self) -> None:
        module = import_model(nn.Sequential(nn.Linear(6, 2)), (MATRIX,))
        weight = operations(module)[0]
        assert str(weight.location).startswith('loc("0.weight"("0"(')

    def test_every_operation_and_argument_has_a_location(self) -> None:
        module = import_model(Buffers(), (MATRIX,))
        assert all(str(one.location) != "loc(unknown)" for one in operations(module))
        (function,) = module.body.operations
        (argument,) = function.regions[0].blocks[0].arguments
        assert str(argument.location).startswith('loc("matrix"(')


def fails(function: Callable[..., Any], **options: Any) -> ImportModelError:
    with pytest.raises(ImportModelError) as raised:
        text_of(function, **options)
    return raised.value


class TestErrors:
    def test_a_branch_on_data_names_its_line(self) -> None:
        def function(matrix: Tensor) -> Tensor:
            return matrix if matrix.sum() > 0 else -matrix

        error = fails(function)
        line = function.__code__.co_firstlineno + 1
        assert error.step == "export"
        assert error.source is not None and error.source.endswith(f"test_import_model.py:{line}")
        assert error.source in str(error) and "data-dependent" in str(error)
        assert "`return matrix if matrix.sum() > 0 else -matrix`" in str(error)
        assert "torch.where" in str(error)

    @pytest.mark.parametrize(
        "function",
        [
            lambda matrix: matrix if matrix.any() else -matrix,
            lambda matrix: [matrix for _ in range(int(matrix.sum()))],
            lambda matrix: matrix[: int(matrix.sum())],
            lambda matrix: matrix if torch.nonzero(matrix).size(0) > 2 else -matrix,
        ],
    )
    def test_what_values_decide_is_one_short_message(
        self, function: Any, capfd: pytest.CaptureFixture[str]
    ) -> None:
        error = fails(function)
        assert error.step == "export"
        assert error.source is not None and "test_import_model.py" in error.source
        (line,) = str(error).splitlines()
        assert "torch.where" in line or "torch.nonzero" in line
        assert 'torch.compile(model, backend="torch_refine")' in line
        # PyTorch prints the graph that it had.
        assert capfd.readouterr().err == ""

    def test_a_class_that_pytorch_cannot_take_apart(self) -> None:
        class Unknown:
            pass

        with pytest.raises(ImportModelError, match=r"register_dataclass\(Unknown\)"):
            import_model(nn.Identity(), (Unknown(),))
        kind = type("NewCache", (), {"__module__": "transformers.cache_utils"})
        with pytest.raises(ImportModelError, match="register_dynamic_cache_export_support"):
            import_model(nn.Identity(), (kind(),))

    def test_an_operator_that_cannot_be_imported_names_its_node(self) -> None:
        error = fails(lambda matrix: torch.add(matrix.cfloat(), matrix.cfloat(), alpha=1j))
        assert (error.step, error.node) == ("import", "add (aten.add.Tensor)")
        assert error.source is not None and "test_import_model.py" in error.source

    def test_an_operator_that_cannot_be_decomposed_names_its_node(self) -> None:
        @torch.library.custom_op("torch_refine_test::once", mutates_args=())
        def once(matrix: Tensor) -> Tensor:
            return matrix.clone()

        @once.register_fake
        def _(matrix: Tensor) -> Tensor:
            if any("run_decompositions" in line for line in stack()):
                raise ValueError("only once")
            return torch.empty_like(matrix)

        error = fails(lambda matrix: once(matrix.clone().add_(1)))
        assert error.step == "decompose" and "only once" in str(error)
        assert error.node == "once (torch_refine_test.once.default)"
        assert error.source is not None and "test_import_model.py" in error.source

    def test_a_constant_that_has_no_dense_values(self) -> None:
        kind = ir.RankedTensorType.parse("tensor<4x4xf32>", new_context())
        with pytest.raises(TypeError, match=r"torch\.sparse_coo tensor; only dense"):
            tensor_attribute(torch.eye(4).to_sparse(), kind, "mask")
        with pytest.raises(TypeError, match="'mask' has no values"):
            tensor_attribute(torch.eye(4, device="meta"), kind, "mask")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                (nn.Linear(6, 2), {"input": MATRIX}),
                "must be a tuple of arguments, not a dict; keyword arguments are passed as kwargs=",
            ),
            (
                (nn.Linear(6, 2), iter([MATRIX])),
                "must be a tuple of arguments, not a list_iterator",
            ),
            ((torch.sin, (MATRIX,)), r"not a builtin.*: wrap it as the `forward` of a torch\.nn"),
            (("model.mlir",), "not a str: torch_refine.load reads a file"),
            ((3,), "model must be a torch.nn.Module or an ExportedProgram, not a int"),
        ],
    )
    def test_arguments_of_the_wrong_kind(self, arguments: tuple[Any, ...], message: str) -> None:
        with pytest.raises(TypeError, match=message):
            import_model(*arguments)

    def test_an_exported_program_takes_no_inputs(self) -> None:
        program = torch.export.export(nn.Linear(6, 2), (MATRIX,))
        assert "torch.aten.linear" in module_text(import_model(program))
        with pytest.raises(TypeError, match="already has its inputs"):
            import_model(program, (MATRIX,))


def stack() -> list[str]:
    frame = sys._getframe()
    names = []
    while frame is not None:
        names.append(frame.f_code.co_name)
        frame = frame.f_back  # type: ignore[assignment]
    return names
