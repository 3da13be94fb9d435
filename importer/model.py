"""`import_model`: import a PyTorch model as a module of the `torch` dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch
    from torch.export import ExportedProgram
    from torch_refine.dialect.bindings import ir


def import_model(
    model: torch.nn.Module | ExportedProgram,
    example_inputs: Sequence[Any] | torch.Tensor = (),
    dynamic_shapes: Any = None,
    *,
    decompose: bool = False,
    kwargs: Mapping[str, Any] | None = None,
    context: ir.Context | None = None,
) -> ir.Module:
    """Export a model with `torch.export` and import it with its operators as written.

    Every tensor in the module has the shape and dtype of PyTorch's fake tensor, with `?` for a size
    that depends on a dynamic one. Every operation has the location of the line of the model that
    created it, inside a name location with the path of the submodule.

    Args:
        model: a module, exported as it is (call `model.eval()` first for inference), or a
            program that was exported already; neither is changed.
        example_inputs: the positional arguments of one call, as a tuple, or one tensor; tensors may
            be nested in tuples, lists, dicts and what `torch.export` knows. Only their shapes,
            dtypes and devices matter. Not given with an exported program.
        dynamic_shapes: which dims are dynamic, as `torch.export.export` takes it; without it
            every size is that of the example. Not given with an exported program.
        decompose: rewrite composite operators into core ATen ones, by PyTorch's own table; else
            they are kept whole.
        kwargs: the keyword arguments of the call.
        context: where the module is made; a new context with the dialects registered if None.

    Returns:
        A verified module with one function `@main`. It takes the tensors of the inputs in order,
        as value tensors; one that the model writes to is a `!torch.tensor` and is overwritten.
        It returns the tensors of the model's result in order, then the new value of each buffer
        that the model changes, such as the running means of a batch norm in training. Weights are
        copied into `torch.vtensor.literal`.

    Raises:
        ImportModelError: the model cannot be exported, or an operator cannot be imported.
        TypeError: an argument is not of the kind described here.

    >>> model = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU())
    >>> batch = torch.export.Dim("batch")
    >>> module = import_model(model, (torch.rand(3, 4),), ({0: batch},))
    >>> print(module_text(module))
    module {
      func.func @main(%arg0: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,2],f32> ...
    """
    import torch
    from torch.export import ExportedProgram
    from torch_refine.dialect.bindings import new_context
    from torch_refine.importer.arguments import kind_of, positional, refuse_examples
    from torch_refine.importer.export import export_program, prepare_program
    from torch_refine.importer.program import import_program

    if isinstance(model, ExportedProgram):
        refuse_examples(example_inputs, kwargs, dynamic_shapes)
        program = model
    elif isinstance(model, torch.nn.Module):
        program = export_program(model, positional(example_inputs), kwargs or {}, dynamic_shapes)
    else:
        given = kind_of(model)
        raise TypeError(f"model must be a torch.nn.Module or an ExportedProgram, not {given}")
    prepared = prepare_program(program, decompose=decompose, reuse=program is not model)
    return import_program(prepared, new_context() if context is None else context)
