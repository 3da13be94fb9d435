"""The nesting of a program's inputs and results while it is traced again."""

from __future__ import annotations

import copy
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import replace
from typing import Any

from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch.utils import _pytree as pytree

# Types that PyTorch flattens and builds without running user code.
_PLAIN: tuple[Any, ...] = (tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque, None)


def with_plain_nesting(program: ExportedProgram) -> ExportedProgram:
    """The program with flat tuples of inputs and results, if it nests instances of classes.

    To trace a program again, PyTorch builds and flattens its inputs and results. User classes may
    compute with tensors in that: a cache of `transformers` does, and its ops would not be part of
    the program.
    """
    graph_call = program.module_call_graph[0]
    signature = graph_call.signature
    if signature is None or (_is_plain(signature.in_spec) and _is_plain(signature.out_spec)):
        return program
    names = [
        spec.arg.name
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.USER_INPUT
    ]
    inputs = pytree.tree_structure(((0,) * signature.in_spec.num_leaves, {}))
    results = pytree.tree_structure((0,) * signature.out_spec.num_leaves)
    plain = copy.copy(program)
    plain._module_call_graph = [
        replace(
            graph_call,
            signature=replace(signature, in_spec=inputs, out_spec=results, forward_arg_names=names),
        ),
        *program.module_call_graph[1:],
    ]
    # They have the original nesting.
    plain.example_inputs = None
    return plain


def _is_plain(spec: pytree.TreeSpec) -> bool:
    return spec.type in _PLAIN and all(map(_is_plain, spec.children()))
