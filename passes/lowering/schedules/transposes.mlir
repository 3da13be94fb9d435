// A transpose: blocks of the two dimensions that lie together in the operand and in the result, so
// that what is read of a line of memory is used before the line is gone. A block is as many rows as a
// vector has numbers, and turned over in registers; blocks at the border are masked.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %block, %loops:$LOOPS = transform.structured.tile_using_for %root tile_sizes [$TILES]
      : (!transform.any_op) -> (!transform.any_op, $LOOP_TYPES)
    transform.structured.vectorize %block $SIZES : !transform.any_op
    transform.yield
  }
}
