"""Rounding errors of compiled kernels beside eager mode's."""

import pytest
import torch
from torch_refine.build_tools.accuracy import __main__ as accuracy
from torch_refine.build_tools.accuracy.cases import KERNELS

BY_NAME = {kernel.name: kernel for kernel in KERNELS}
SAMPLED = (
    "erf",
    "log1p",
    "sin",
    "cos",
    "sum of rows",
    "sum of columns",
    "sum of many columns",
    "var of columns",
    "cumsum of columns",
    "logcumsumexp",
    "cross_entropy",
    "matrix and vector",
)


@pytest.mark.parametrize("name", SAMPLED)
def test_errors_are_at_most_twice_those_of_eager_mode(name):
    row = accuracy.measure(BY_NAME[name])
    assert row.is_reached, row


@pytest.mark.parametrize("name", ["sum of rows", "sum of columns", "cumsum"])
def test_errors_with_dynamic_sizes(name):
    row = accuracy.measure(BY_NAME[name], is_dynamic=True)
    assert row.is_reached, row


def test_a_running_sum_is_not_accurate_enough():
    def running(x):
        total = torch.zeros(x.shape[0])
        for column in x.unbind(1):
            total = total + column
        return total

    row = accuracy.measure(BY_NAME["sum of rows"], running)
    assert row.ratio > 5
    assert not row.is_reached
    assert "not reached" in accuracy.document([row])


def test_an_approximation_is_not_accurate_enough():
    row = accuracy.measure(BY_NAME["exp"], lambda x: torch.exp(x) * (1 + 2.0**-21))
    assert not row.is_reached
