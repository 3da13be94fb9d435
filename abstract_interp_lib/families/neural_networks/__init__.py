"""Layers, losses, attention and optimizers, with their gradients."""
