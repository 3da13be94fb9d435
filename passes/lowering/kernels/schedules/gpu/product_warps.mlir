// Inside a block, for chips with tensor cores: tiles of both operands are loaded into shared memory,
// $DEPTH elements of the reduction dimension at a time. `contractions-to-mma-sync` multiplies them.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %product = transform.structured.match attributes {torch_refine.product} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %step, %steps = transform.structured.tile_using_for %product tile_sizes [${NOUGHTS}0, 0, $DEPTH]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiles = transform.structured.match attributes {torch_refine.tile} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %loaded, %loop = transform.structured.fuse_into_containing_op %tiles into %steps
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %kernel {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.tensor.fold_tensor_empty
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %warps = transform.structured.match ops{["linalg.generic"]} attributes {iterator_types = [
        #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>,
        #linalg.iterator_type<reduction>]} in %kernel
      : (!transform.any_op) -> !transform.any_op
    transform.annotate %warps "torch_refine.warps" : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op
    transform.yield
  }
}
