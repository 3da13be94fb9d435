"""Python functions into library functions: compiled by TorchScript, checked, exported."""
