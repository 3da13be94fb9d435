"""Tools that need PyTorch: exporting the library, checking it, snapshotting the registry."""
