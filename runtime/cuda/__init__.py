"""Running compiled programs on a GPU, through the CUDA driver, in PyTorch's memory and streams."""
