"""Steps of optimizers over lists of tensors at once: `_fused_adam`, `_fused_sgd`, ...

The results are what the lists hold after the step, so each of them is like the list that it is
made from. The learning rate, a number or a tensor, takes no part.
"""

from collections.abc import Sequence
from typing import Any, List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)


def shapes_of(tensors: List[List[int]]) -> List[List[int]]:
    """The shape of every tensor of a list."""
    return [tensor for tensor in tensors]


def dtypes_of(tensors: List[Tuple[int, int]]) -> List[int]:
    """The dtype of every tensor of a list."""
    return [tensor[1] for tensor in tensors]


def adam(
    self: List[List[int]],
    grads: List[List[int]],
    exp_avgs: List[List[int]],
    exp_avg_sqs: List[List[int]],
    max_exp_avg_sqs: List[List[int]],
) -> Tuple[List[List[int]], List[List[int]], List[List[int]], List[List[int]], List[List[int]]]:
    """Weights, gradients and the three states; without `amsgrad` the last list may be empty."""
    return (
        shapes_of(self),
        shapes_of(grads),
        shapes_of(exp_avgs),
        shapes_of(exp_avg_sqs),
        shapes_of(max_exp_avg_sqs),
    )


def adam_dtype(
    self: List[Tuple[int, int]],
    grads: List[Tuple[int, int]],
    exp_avgs: List[Tuple[int, int]],
    exp_avg_sqs: List[Tuple[int, int]],
    max_exp_avg_sqs: List[Tuple[int, int]],
) -> Tuple[List[int], List[int], List[int], List[int], List[int]]:
    """Every tensor keeps its dtype."""
    return (
        dtypes_of(self),
        dtypes_of(grads),
        dtypes_of(exp_avgs),
        dtypes_of(exp_avg_sqs),
        dtypes_of(max_exp_avg_sqs),
    )


def sgd(
    self: List[List[int]], grads: List[List[int]], momentum_buffer_list: List[List[int]]
) -> Tuple[List[List[int]], List[List[int]], List[List[int]]]:
    """Weights, gradients and momenta; without momentum the last list may be empty."""
    return shapes_of(self), shapes_of(grads), shapes_of(momentum_buffer_list)


def sgd_dtype(
    self: List[Tuple[int, int]],
    grads: List[Tuple[int, int]],
    momentum_buffer_list: List[Tuple[int, int]],
) -> Tuple[List[int], List[int], List[int]]:
    """Every tensor keeps its dtype."""
    return dtypes_of(self), dtypes_of(grads), dtypes_of(momentum_buffer_list)


def adagrad(
    self: List[List[int]],
    grads: List[List[int]],
    state_sums: List[List[int]],
    state_steps: List[List[int]],
) -> Tuple[List[List[int]], List[List[int]], List[List[int]], List[List[int]]]:
    """Weights, gradients, sums and counts of steps."""
    return shapes_of(self), shapes_of(grads), shapes_of(state_sums), shapes_of(state_steps)


def adagrad_dtype(
    self: List[Tuple[int, int]],
    grads: List[Tuple[int, int]],
    state_sums: List[Tuple[int, int]],
    state_steps: List[Tuple[int, int]],
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """Every tensor keeps its dtype."""
    return dtypes_of(self), dtypes_of(grads), dtypes_of(state_sums), dtypes_of(state_steps)


def adagrad_tensor_lr(
    self: List[List[int]], grads: List[List[int]], state_sums: List[List[int]]
) -> Tuple[List[List[int]], List[List[int]], List[List[int]]]:
    """Weights, gradients and sums; this overload does not give the counts of steps."""
    return shapes_of(self), shapes_of(grads), shapes_of(state_sums)


def adagrad_tensor_lr_dtype(
    self: List[Tuple[int, int]], grads: List[Tuple[int, int]], state_sums: List[Tuple[int, int]]
) -> Tuple[List[int], List[int], List[int]]:
    """Every tensor keeps its dtype."""
    return dtypes_of(self), dtypes_of(grads), dtypes_of(state_sums)


_LISTS: Sequence[list[TensorCase]] = (
    [T(2, 3), T(4), T()],
    [T(2, dtype=torch.float64), T(0, dtype=torch.float64)],
    [T(2, dtype=torch.bfloat16), T(3, 1, dtype=torch.bfloat16)],
    [T(2, dtype=torch.float16)],
)
_ADAM = {"beta1": 0.9, "beta2": 0.99, "weight_decay": 0.0, "eps": 1e-8, "maximize": False}
_SGD = {"weight_decay": 0.0, "dampening": 0.0, "nesterov": False, "maximize": False}
_ADAGRAD = {"lr_decay": 0.0, "weight_decay": 0.0, "eps": 1e-8, "maximize": False}

# Most of these operators have no meta kernel.


def adam_cases(lr: Any) -> list[Invocation]:
    """Steps without and with a list of maxima."""
    cases = []
    for tensors in _LISTS:
        steps = [T()] * len(tensors)
        for maxima in ([], tensors):
            lists = [*[tensors] * 4, maxima, steps]
            cases.append(Invocation(*lists, device="cpu", lr=lr, amsgrad=maxima != [], **_ADAM))
    return cases


def sgd_cases(lr: Any) -> list[Invocation]:
    """Steps without and with a list of momenta."""
    cases = []
    for tensors in _LISTS:
        for momenta, momentum in (([], 0.0), (tensors, 0.9)):
            settings = {"lr": lr, "momentum": momentum, "is_first_step": False, **_SGD}
            cases.append(Invocation(tensors, tensors, momenta, device="cpu", **settings))
    return cases


def adagrad_cases(lr: Any) -> list[Invocation]:
    """Steps with a count of steps for each tensor."""
    cases = []
    for tensors in _LISTS:
        steps = [T()] * len(tensors)
        cases.append(Invocation(*[tensors] * 3, steps, device="cpu", lr=lr, **_ADAGRAD))
    return cases


_ADAMS = ("aten::_fused_adam", "aten::_fused_adamw")
_ADAMS_TENSOR = ("aten::_fused_adam.tensor_lr", "aten::_fused_adamw.tensor_lr")
shape_family(adam, *_ADAMS, ok=adam_cases(0.1))
shape_family(adam, *_ADAMS_TENSOR, ok=adam_cases(T()))
dtype_family(adam_dtype, *_ADAMS, *_ADAMS_TENSOR)
shape_family(sgd, "aten::_fused_sgd", ok=sgd_cases(0.1))
shape_family(sgd, "aten::_fused_sgd.tensor_lr", ok=sgd_cases(T()))
dtype_family(sgd_dtype, "aten::_fused_sgd", "aten::_fused_sgd.tensor_lr")
shape_family(adagrad, "aten::_fused_adagrad", ok=adagrad_cases(0.1))
dtype_family(adagrad_dtype, "aten::_fused_adagrad")
shape_family(adagrad_tensor_lr, "aten::_fused_adagrad.tensor_lr", ok=adagrad_cases(T()))
dtype_family(adagrad_tensor_lr_dtype, "aten::_fused_adagrad.tensor_lr")
