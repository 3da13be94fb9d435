"""State kept between calls: weights, buffers, and detection of their changes."""
