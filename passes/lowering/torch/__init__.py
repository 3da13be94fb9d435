"""The torch dialect, between the backend contract and linalg."""
