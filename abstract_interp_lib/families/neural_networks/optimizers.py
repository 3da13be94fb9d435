"""Fused optimizer steps over tensor lists, and loss scaling.

The results are the lists after the step, so each has the shapes and dtypes of its input list. The
learning rate, a scalar or a tensor, has no influence.
"""

from collections.abc import Sequence
from typing import Any, List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.quantization import (
    check_float32,
    check_floating,
    check_one_element,
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
    """Parameters, gradients and three states; without `amsgrad` the last list may be empty."""
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
    """Parameters, gradients and momenta; without momentum the last list may be empty."""
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
    """Parameters, gradients, state sums and step counts."""
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
    """Parameters, gradients and state sums; this overload returns no step counts."""
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
    """Steps without and with a list of maximum squared averages."""
    cases = []
    for tensors in _LISTS:
        steps = [T()] * len(tensors)
        for maxima in ([], tensors):
            lists = [*[tensors] * 4, maxima, steps]
            cases.append(Invocation(*lists, device="cpu", lr=lr, amsgrad=maxima != [], **_ADAM))
    return cases


def sgd_cases(lr: Any) -> list[Invocation]:
    """Steps without and with a list of momentum buffers."""
    cases = []
    for tensors in _LISTS:
        for momenta, momentum in (([], 0.0), (tensors, 0.9)):
            settings = {"lr": lr, "momentum": momentum, "is_first_step": False, **_SGD}
            cases.append(Invocation(tensors, tensors, momenta, device="cpu", **settings))
    return cases


def adagrad_cases(lr: Any) -> list[Invocation]:
    """Steps with a step count for each tensor."""
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


# Gradient scaling, which avoids underflow of float16 gradients (`torch.amp`).


@shape_function(
    "aten::_amp_foreach_non_finite_check_and_unscale",
    ok=[
        Invocation([T(2, 3), T(4)], T(1), T(1)),
        Invocation([T(2, 3), T(0), T()], T(), T(1, 1), device="cpu"),
        *[
            Invocation([T(2, 3, dtype=dtype), T(4)], T(1), T(1), device="cpu")
            for dtype in (torch.float64, torch.float16, torch.bfloat16)
        ],
    ],
    error=[
        Invocation([T(2, 3)], T(2), T(1)),
        Invocation([T(2, 3)], T(1), T(2)),
    ],
)
def unscaled(
    self: List[List[int]], found_inf: List[int], inv_scale: List[int]
) -> Tuple[List[List[int]], List[int]]:
    """The shapes of the gradients, and of `found_inf`."""
    check_one_element(found_inf, "found_inf")
    check_one_element(inv_scale, "inv_scale")
    return self, found_inf


# The meta kernel accepts other dtypes.
@dtype_function(
    "aten::_amp_foreach_non_finite_check_and_unscale",
    error=[
        Invocation([T(2, dtype=torch.int64)], T(1), T(1), device="cpu"),
        Invocation([T(2)], T(1, dtype=torch.float64), T(1), device="cpu"),
        Invocation([T(2)], T(1), T(1, dtype=torch.float64), device="cpu"),
    ],
)
def unscaled_dtype(
    self: List[Tuple[int, int]], found_inf: Tuple[int, int], inv_scale: Tuple[int, int]
) -> Tuple[List[int], int]:
    """The dtypes of the gradients, which must be floating-point, and float32."""
    check_float32(found_inf[1], "found_inf")
    check_float32(inv_scale[1], "inv_scale")
    for gradient in self:
        check_floating(gradient[1])
    return [gradient[1] for gradient in self], found_inf[1]


def updated_scale(
    self: List[int], growth_tracker: List[int], found_inf: List[int]
) -> Tuple[List[int], List[int]]:
    """The shapes of the scale and of the growth tracker."""
    check_one_element(self, "self")
    check_one_element(growth_tracker, "growth_tracker")
    check_one_element(found_inf, "found_inf")
    return self, growth_tracker


def updated_scale_dtype(
    self: Tuple[int, int], growth_tracker: Tuple[int, int], found_inf: Tuple[int, int]
) -> Tuple[int, int]:
    """float32 and int32."""
    check_float32(self[1], "self")
    check_float32(found_inf[1], "found_inf")
    assert growth_tracker[1] == torch.int32, (
        f"growth_tracker must be of dtype int32, got dtype {growth_tracker[1]}"
    )
    return self[1], growth_tracker[1]


_STEPS = T(1, dtype=torch.int32)
_FACTORS = (2.0, 0.5, 2)
# The meta kernel checks nothing.
shape_family(
    updated_scale,
    "aten::_amp_update_scale",
    ok=[
        Invocation(T(1), _STEPS, T(1), *_FACTORS),
        Invocation(T(1), _STEPS, T(1), *_FACTORS, device="cpu"),
        Invocation(T(), T(1, 1, dtype=torch.int32), T(), *_FACTORS, device="cpu"),
    ],
    error=[
        Invocation(T(2), _STEPS, T(1), *_FACTORS, device="cpu"),
        Invocation(T(1), T(2, dtype=torch.int32), T(1), *_FACTORS, device="cpu"),
        Invocation(T(1), _STEPS, T(2), *_FACTORS, device="cpu"),
    ],
)
dtype_family(
    updated_scale_dtype,
    "aten::_amp_update_scale",
    error=[
        Invocation(T(1, dtype=torch.float64), _STEPS, T(1), *_FACTORS, device="cpu"),
        Invocation(T(1), T(1, dtype=torch.int64), T(1), *_FACTORS, device="cpu"),
        Invocation(T(1), _STEPS, T(1, dtype=torch.float64), *_FACTORS, device="cpu"),
    ],
)
