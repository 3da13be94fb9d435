"""Composite operators are overridden as PyTorch does it, and left as they were."""

import torch
from torch._subclasses import fake_impls
from torch.export import exported_program
from torch_refine.importer.expansion import composites
from torch_refine.importer.lowering import lowering_table


def _state(divided):
    rules = fake_impls.op_implementations_dict
    return {op: (dict(op.py_kernels), rules.get(op)) for op in divided.composite}


def _keys(divided):
    """What is registered, without the functions, of which PyTorch makes new ones."""
    return {op: (set(kernels), rule is None) for op, (kernels, rule) in _state(divided).items()}


def test_what_is_put_back_is_what_pytorch_registers(monkeypatch):
    monkeypatch.setattr(composites, "_last", None)
    divided = composites.composites(lowering_table())
    before = _state(divided)
    override = vars(exported_program)["_override_composite_implicit_decomp"]
    with divided.overridden():
        first = _state(divided)
    assert _state(divided) == before
    with divided.overridden():
        assert _state(divided) == first != before
    assert _state(divided) == before
    with override(divided.composite):
        assert _keys(divided) == {
            op: (set(kernels), rule is None) for op, (kernels, rule) in first.items()
        }


def test_a_table_is_divided_once(monkeypatch):
    monkeypatch.setattr(composites, "_last", None)
    table = lowering_table()
    divided = composites.composites(table)
    assert composites.composites(dict(table)) is divided
    smaller = {op: each for op, each in table.items() if op != torch.ops.aten.tril.default}
    assert composites.composites(smaller) is not divided


def test_operators_that_are_added_later_are_known():
    divided = composites.composites(lowering_table())
    with torch.library._scoped_library("composites_added", "DEF") as library:
        library.define("twice(Tensor x) -> Tensor")
        library.impl("twice", lambda x: x + x, "CompositeImplicitAutograd")
        operator = torch.ops.composites_added.twice.default
        assert operator not in divided.composite
        assert operator in composites.composites(lowering_table()).composite


def test_kernels_that_are_registered_later_are_kept():
    divided = composites.composites(lowering_table())
    with divided.overridden():
        pass
    operator = next(iter(divided.composite))
    key = torch._C.DispatchKey.Meta
    before = dict(operator.py_kernels)
    operator.py_kernels[key] = lambda *given: None
    try:
        now = _state(divided)
        with divided.overridden():
            assert operator.py_kernels[key] is now[operator][0][key]
        assert _state(divided) == now
    finally:
        operator.py_kernels.clear()
        operator.py_kernels.update(before)
        operator._dispatch_cache.clear()
