"""The host's side of GPU programs: memory, copies and launches."""
