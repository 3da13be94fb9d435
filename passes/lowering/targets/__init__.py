"""The processors that code is generated for: what a schedule has to know of them."""
