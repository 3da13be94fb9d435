"""Code for GPUs: PTX, AMDGPU assembly, and how both are assembled."""
