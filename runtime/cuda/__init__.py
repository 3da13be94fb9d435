"""Run compiled programs on a GPU through the CUDA driver, with PyTorch's memory and streams."""
