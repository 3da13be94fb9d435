"""Bounds of the windows that have a place, against all windows."""

import random

import pytest
import torch
from torch_refine.abstract_interp_lib.rules.formulas.windows_of_dims import (
    cubic_places,
    linear_places,
    most_windows,
    nearest_places,
)

_SIZES = (1, 2, 3, 4, 5, 7, 10, 33)
_WANTED = (1, 2, 3, 4, 5, 8, 17, 60, 159, 300)


def _nearest(size, wanted, scale):
    return nearest_places(size, wanted, scale, False), False, 0.5


def _exact(size, wanted, scale):
    return nearest_places(size, wanted, scale, True), False, 0.5


def _linear(size, wanted, scale):
    places = linear_places(size, wanted, scale, False, torch.float32)[0]
    return torch.stack(places, 1), False, 1.25


def _aligned(size, wanted, scale):
    places = linear_places(size, wanted, scale, True, torch.float32)[0]
    return torch.stack(places, 1), True, 1.0


def _cubic(size, wanted, scale):
    return torch.stack(cubic_places(size, wanted, scale, False, torch.float32)[0], 1), False, 2.0


@pytest.mark.parametrize("places_of", [_nearest, _exact, _linear, _aligned, _cubic])
def test_no_place_is_in_more_windows(places_of):
    """From the first window that ends behind the place to the last one that has it."""
    choose = random.Random(20261130)
    bounded = 0
    for _ in range(1500):
        size, wanted = choose.choice(_SIZES), choose.choice(_WANTED)
        scales = [None, wanted / size, (wanted + choose.random()) / size, choose.uniform(0.1, 9)]
        scale = choose.choice(scales)
        places, align_corners, reach = places_of(size, wanted, scale)
        most = most_windows(size, wanted, scale, align_corners, reach)
        if most == 0:
            continue
        bounded += most < wanted
        ends = places.amax(1)
        assert bool((ends[1:] >= ends[:-1]).all())
        for place in range(size):
            having = (places == place).any(1).nonzero().flatten().tolist()
            if having:
                first = int((ends >= place).nonzero()[0])
                assert having[-1] - first < most, (size, wanted, scale, place)
    assert bounded > 150
