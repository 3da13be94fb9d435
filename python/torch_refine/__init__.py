"""torch-refine: shapes and dtypes for every value of a PyTorch program."""
