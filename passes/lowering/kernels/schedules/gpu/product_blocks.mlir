// A matmul on a GPU: a block computes 64 x 64 elements of the result.
//
// Operands are padded with zeros to whole tiles, along the reduction dimension too, so that all sizes
// inside the block are static.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.product} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %product, %blocks = transform.structured.tile_using_forall %root
      tile_sizes [${LEADING}$ROWS, $COLUMNS] (mapping = [$BLOCKS])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %fill, %filled = transform.structured.fuse_into_containing_op %fills into %blocks
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %whole, %pads, %copies = transform.structured.pad %product
      pad_to_multiple_of [$ROWS, $COLUMNS, $DEPTH] {
        padding_dimensions = [$DIMENSIONS], padding_values = [$ZEROS],
        nofold_flags = [1, 1, 1], copy_back_op = "none"}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.apply_patterns to %kernel {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op
    transform.yield
  }
}
