"""Programs that run in parts: compiled code, and PyTorch for operators without lowering."""
