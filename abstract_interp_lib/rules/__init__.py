"""What several families share: dimensions, broadcasting, promotion."""
