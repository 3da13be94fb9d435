"""Lists with identity: reading and changing them."""
