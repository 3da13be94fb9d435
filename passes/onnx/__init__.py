"""Conversion of ONNX operators to PyTorch operators."""
