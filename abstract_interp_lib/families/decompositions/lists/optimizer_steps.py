"""Steps of fused optimizers, and the scaling of gradients.

As PyTorch's kernels for CPUs, they compute 16-bit floats in float32, and round each new value once.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype


def number_of(self: torch.Tensor) -> torch.Tensor:
    """A tensor of one element as a 0-dim one of float64, as Python has it."""
    shape: List[int] = []
    return in_dtype(torch.reshape(self, shape), torch.float64)


def gradient_of(grad: torch.Tensor, grad_scale: Optional[torch.Tensor]) -> torch.Tensor:
    """A gradient in the dtype that a step is computed in, unscaled."""
    wide = in_dtype(grad, computation_dtype(grad.dtype))
    if grad_scale is not None:
        wide = torch.div(wide, in_dtype(number_of(grad_scale), wide.dtype))
    return wide


def unless_found(
    old: torch.Tensor, new: torch.Tensor, found_inf: Optional[torch.Tensor]
) -> torch.Tensor:
    """The new value in the dtype of the old one, which remains where an infinity was found."""
    rounded = in_dtype(new, old.dtype)
    if found_inf is not None:
        return torch.where(torch.eq(number_of(found_inf), 1.0), old, rounded)
    return rounded


def direction(
    wide: torch.Tensor, param: torch.Tensor, weight_decay: float, maximize: bool
) -> torch.Tensor:
    """The gradient to descend, with that of a squared norm of the parameters."""
    found = torch.neg(wide) if maximize else wide
    return torch.add(found, torch.mul(param, weight_decay)) if weight_decay != 0.0 else found


def adam_steps(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    exp_avgs: List[torch.Tensor],
    exp_avg_sqs: List[torch.Tensor],
    max_exp_avg_sqs: List[torch.Tensor],
    state_steps: List[torch.Tensor],
    lr: torch.Tensor,
    beta1: float,
    beta2: float,
    weight_decay: float,
    eps: float,
    amsgrad: bool,
    maximize: bool,
    grad_scale: Optional[torch.Tensor],
    found_inf: Optional[torch.Tensor],
    decoupled: int,
) -> Tuple[
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
]:
    """Parameters, gradients, and averages after a step; `decoupled` weights decay by themselves."""
    params: List[torch.Tensor] = []
    unscaled: List[torch.Tensor] = []
    means: List[torch.Tensor] = []
    squares: List[torch.Tensor] = []
    largest: List[torch.Tensor] = []
    for index in range(len(self)):
        grad = gradient_of(grads[index], grad_scale)
        dtype = grad.dtype
        unscaled.append(unless_found(grads[index], grad, found_inf))
        param = in_dtype(self[index], dtype)
        if decoupled == 1:
            grad = direction(grad, param, 0.0, maximize)
            if weight_decay != 0.0:
                kept = torch.rsub(torch.mul(lr, weight_decay), 1.0)
                param = torch.mul(param, in_dtype(kept, dtype))
        else:
            grad = direction(grad, param, weight_decay, maximize)
        mean = torch.lerp(in_dtype(exp_avgs[index], dtype), grad, 1.0 - beta1)
        square = torch.add(
            torch.mul(in_dtype(exp_avg_sqs[index], dtype), beta2),
            torch.mul(torch.mul(grad, 1.0 - beta2), grad),
        )
        bound = square
        if amsgrad:
            bound = torch.maximum(in_dtype(max_exp_avg_sqs[index], dtype), square)
            largest.append(unless_found(max_exp_avg_sqs[index], bound, found_inf))
        step = number_of(state_steps[index])
        rate = torch.div(lr, torch.rsub(torch.pow(beta1, step), 1.0))
        correction = torch.sqrt(torch.rsub(torch.pow(beta2, step), 1.0))
        divisor = torch.add(torch.div(torch.sqrt(bound), in_dtype(correction, dtype)), eps)
        moved = torch.div(torch.mul(mean, in_dtype(rate, dtype)), divisor)
        params.append(unless_found(self[index], torch.sub(param, moved), found_inf))
        means.append(unless_found(exp_avgs[index], mean, found_inf))
        squares.append(unless_found(exp_avg_sqs[index], square, found_inf))
    if not amsgrad:
        largest = max_exp_avg_sqs
    return params, unscaled, means, squares, largest


def adam(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    exp_avgs: List[torch.Tensor],
    exp_avg_sqs: List[torch.Tensor],
    max_exp_avg_sqs: List[torch.Tensor],
    state_steps: List[torch.Tensor],
    lr: float,
    beta1: float,
    beta2: float,
    weight_decay: float,
    eps: float,
    amsgrad: bool,
    maximize: bool,
    grad_scale: Optional[torch.Tensor],
    found_inf: Optional[torch.Tensor],
    decoupled: int,
) -> Tuple[
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
]:
    """A step of Adam."""
    shape: List[int] = []
    return adam_steps(
        self,
        grads,
        exp_avgs,
        exp_avg_sqs,
        max_exp_avg_sqs,
        state_steps,
        torch.full(shape, lr, dtype=torch.float64),
        beta1,
        beta2,
        weight_decay,
        eps,
        amsgrad,
        maximize,
        grad_scale,
        found_inf,
        decoupled,
    )


def adam_by_tensor(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    exp_avgs: List[torch.Tensor],
    exp_avg_sqs: List[torch.Tensor],
    max_exp_avg_sqs: List[torch.Tensor],
    state_steps: List[torch.Tensor],
    lr: torch.Tensor,
    beta1: float,
    beta2: float,
    weight_decay: float,
    eps: float,
    amsgrad: bool,
    maximize: bool,
    grad_scale: Optional[torch.Tensor],
    found_inf: Optional[torch.Tensor],
    decoupled: int,
) -> Tuple[
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
    List[torch.Tensor],
]:
    """A step of Adam, whose learning rate is a tensor."""
    return adam_steps(
        self,
        grads,
        exp_avgs,
        exp_avg_sqs,
        max_exp_avg_sqs,
        state_steps,
        number_of(lr),
        beta1,
        beta2,
        weight_decay,
        eps,
        amsgrad,
        maximize,
        grad_scale,
        found_inf,
        decoupled,
    )


decomposition_family(adam, "aten::_fused_adam", decoupled=0)
decomposition_family(adam, "aten::_fused_adamw", decoupled=1)
decomposition_family(adam_by_tensor, "aten::_fused_adam.tensor_lr", decoupled=0)
decomposition_family(adam_by_tensor, "aten::_fused_adamw.tensor_lr", decoupled=1)


def sgd_steps(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    momentum_buffer_list: List[torch.Tensor],
    weight_decay: float,
    momentum: float,
    lr: torch.Tensor,
    dampening: float,
    nesterov: bool,
    maximize: bool,
    is_first_step: bool,
    grad_scale: Optional[torch.Tensor],
    found_inf: Optional[torch.Tensor],
) -> Tuple[List[torch.Tensor], List[torch.Tensor], List[torch.Tensor]]:
    """Parameters, gradients and momenta after a step."""
    params: List[torch.Tensor] = []
    unscaled: List[torch.Tensor] = []
    momenta: List[torch.Tensor] = []
    for index in range(len(self)):
        grad = gradient_of(grads[index], grad_scale)
        dtype = grad.dtype
        # PyTorch's kernel leaves the parameters as they are, but for the last elements.
        assert dtype == self[index].dtype, "PyTorch has no right results for 16 bits"
        unscaled.append(unless_found(grads[index], grad, found_inf))
        param = in_dtype(self[index], dtype)
        grad = direction(grad, param, weight_decay, maximize)
        if momentum != 0.0:
            moving = grad
            if not is_first_step:
                moving = torch.add(
                    torch.mul(in_dtype(momentum_buffer_list[index], dtype), momentum),
                    torch.mul(grad, 1.0 - dampening),
                )
            momenta.append(unless_found(momentum_buffer_list[index], moving, found_inf))
            grad = torch.add(grad, torch.mul(moving, momentum)) if nesterov else moving
        moved = torch.sub(param, torch.mul(grad, in_dtype(lr, dtype)))
        params.append(unless_found(self[index], moved, found_inf))
    if momentum == 0.0:
        momenta = momentum_buffer_list
    return params, unscaled, momenta


@decomposition("aten::_fused_sgd")
def sgd(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    momentum_buffer_list: List[torch.Tensor],
    weight_decay: float,
    momentum: float,
    lr: float,
    dampening: float,
    nesterov: bool,
    maximize: bool,
    is_first_step: bool,
    grad_scale: Optional[torch.Tensor] = None,
    found_inf: Optional[torch.Tensor] = None,
) -> Tuple[List[torch.Tensor], List[torch.Tensor], List[torch.Tensor]]:
    """A step of gradient descent."""
    shape: List[int] = []
    return sgd_steps(
        self,
        grads,
        momentum_buffer_list,
        weight_decay,
        momentum,
        torch.full(shape, lr, dtype=torch.float64),
        dampening,
        nesterov,
        maximize,
        is_first_step,
        grad_scale,
        found_inf,
    )


@decomposition("aten::_fused_sgd.tensor_lr")
def sgd_by_tensor(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    momentum_buffer_list: List[torch.Tensor],
    weight_decay: float,
    momentum: float,
    lr: torch.Tensor,
    dampening: float,
    nesterov: bool,
    maximize: bool,
    is_first_step: bool,
    grad_scale: Optional[torch.Tensor] = None,
    found_inf: Optional[torch.Tensor] = None,
) -> Tuple[List[torch.Tensor], List[torch.Tensor], List[torch.Tensor]]:
    """A step of gradient descent, whose learning rate is a tensor."""
    return sgd_steps(
        self,
        grads,
        momentum_buffer_list,
        weight_decay,
        momentum,
        number_of(lr),
        dampening,
        nesterov,
        maximize,
        is_first_step,
        grad_scale,
        found_inf,
    )


def adagrad_steps(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    state_sums: List[torch.Tensor],
    state_steps: List[torch.Tensor],
    lr: torch.Tensor,
    lr_decay: float,
    weight_decay: float,
    eps: float,
    maximize: bool,
    grad_scale: Optional[torch.Tensor],
    found_inf: Optional[torch.Tensor],
) -> Tuple[List[torch.Tensor], List[torch.Tensor], List[torch.Tensor]]:
    """Parameters, gradients and sums of squares after a step."""
    params: List[torch.Tensor] = []
    unscaled: List[torch.Tensor] = []
    sums: List[torch.Tensor] = []
    for index in range(len(self)):
        grad = gradient_of(grads[index], grad_scale)
        dtype = grad.dtype
        unscaled.append(unless_found(grads[index], grad, found_inf))
        param = in_dtype(self[index], dtype)
        grad = direction(grad, param, weight_decay, maximize)
        total = torch.add(in_dtype(state_sums[index], dtype), torch.mul(grad, grad))
        sums.append(unless_found(state_sums[index], total, found_inf))
        before = torch.sub(number_of(state_steps[index]), 1.0)
        rate = torch.div(lr, torch.add(torch.mul(before, lr_decay), 1.0))
        moved = torch.div(torch.mul(grad, in_dtype(rate, dtype)), torch.add(torch.sqrt(total), eps))
        params.append(unless_found(self[index], torch.sub(param, moved), found_inf))
    return params, unscaled, sums


@decomposition("aten::_fused_adagrad")
def adagrad(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    state_sums: List[torch.Tensor],
    state_steps: List[torch.Tensor],
    lr: float,
    lr_decay: float,
    weight_decay: float,
    eps: float,
    maximize: bool,
    grad_scale: Optional[torch.Tensor] = None,
    found_inf: Optional[torch.Tensor] = None,
) -> Tuple[List[torch.Tensor], List[torch.Tensor], List[torch.Tensor], List[torch.Tensor]]:
    """A step of Adagrad, which counts no steps itself."""
    shape: List[int] = []
    params, unscaled, sums = adagrad_steps(
        self,
        grads,
        state_sums,
        state_steps,
        torch.full(shape, lr, dtype=torch.float64),
        lr_decay,
        weight_decay,
        eps,
        maximize,
        grad_scale,
        found_inf,
    )
    return params, unscaled, sums, state_steps


@decomposition("aten::_fused_adagrad.tensor_lr")
def adagrad_by_tensor(
    self: List[torch.Tensor],
    grads: List[torch.Tensor],
    state_sums: List[torch.Tensor],
    state_steps: List[torch.Tensor],
    lr: torch.Tensor,
    lr_decay: float,
    weight_decay: float,
    eps: float,
    maximize: bool,
    grad_scale: Optional[torch.Tensor] = None,
    found_inf: Optional[torch.Tensor] = None,
) -> Tuple[List[torch.Tensor], List[torch.Tensor], List[torch.Tensor]]:
    """A step of Adagrad, whose learning rate is a tensor."""
    return adagrad_steps(
        self,
        grads,
        state_sums,
        state_steps,
        number_of(lr),
        lr_decay,
        weight_decay,
        eps,
        maximize,
        grad_scale,
        found_inf,
    )


@decomposition("aten::_amp_foreach_non_finite_check_and_unscale")
def unscale(
    self: List[torch.Tensor], found_inf: torch.Tensor, inv_scale: torch.Tensor
) -> Tuple[List[torch.Tensor], torch.Tensor]:
    """The gradients times a number, and whether one is not finite."""
    found = found_inf
    unscaled: List[torch.Tensor] = []
    shape: List[int] = []
    for index in range(len(self)):
        grad = self[index]
        wide = in_dtype(grad, computation_dtype(grad.dtype))
        # A difference to itself is 0 for finite numbers only.
        rest = torch.sub(wide, wide)
        some = torch.any(torch.ne(rest, 0.0))
        found = torch.where(some, torch.ones_like(found), found)
        factor = in_dtype(torch.reshape(inv_scale, shape), wide.dtype)
        unscaled.append(in_dtype(torch.mul(wide, factor), grad.dtype))
    return unscaled, found


@decomposition("aten::_amp_update_scale")
def update_scale(
    self: torch.Tensor,
    growth_tracker: torch.Tensor,
    found_inf: torch.Tensor,
    scale_growth_factor: float,
    scale_backoff_factor: float,
    growth_interval: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Smaller after an infinity; larger after some steps without, unless it would be infinite."""
    found = torch.reshape(torch.ne(found_inf, 0.0), self.size())
    wide = in_dtype(self, torch.float64)
    smaller = in_dtype(torch.mul(wide, scale_backoff_factor), self.dtype)
    larger = in_dtype(torch.mul(wide, scale_growth_factor), self.dtype)
    count = torch.add(growth_tracker, 1)
    grows = torch.eq(count, growth_interval)
    is_finite = torch.lt(torch.abs(larger), float("inf"))
    shaped = torch.reshape(grows, self.size())
    kept = torch.where(torch.logical_and(shaped, is_finite), larger, self)
    starts = torch.logical_or(grows, torch.reshape(found, growth_tracker.size()))
    count = torch.where(starts, torch.zeros_like(count), count)
    return torch.where(found, smaller, kept), count
