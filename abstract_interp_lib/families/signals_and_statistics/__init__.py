"""Fourier transforms, statistics and numerical calculus."""
