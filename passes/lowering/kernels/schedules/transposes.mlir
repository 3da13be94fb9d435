// A transpose: tile the two dimensions that are contiguous in the operand and in the result, so that
// each cache line is fully used before it is evicted. A tile has as many rows as a vector has lanes,
// and is transposed in registers; tiles at the border are masked.

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
