// Reductions along the innermost loops, fused with their users: softmax, layer norm.
//
// All members compute a row before the next one, so that it stays in the first cache. LLVM vectorizes
// the loops inside a row.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %row, %loops:$ROWS = transform.structured.fuse %root tile_sizes [$TILES] {apply_cleanup}
      : (!transform.any_op) -> (!transform.any_op, $LOOP_TYPES)
    transform.apply_patterns to %kernel {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.tensor.fold_tensor_empty
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op
    transform.yield
  }
}
