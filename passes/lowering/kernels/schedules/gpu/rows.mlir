// Reductions along the innermost loops, fused with their users, on a GPU: softmax, layer norm.
//
// A block computes a row. The loops inside, and the reductions (`reduce-across-threads`), are
// distributed over its threads; the intermediates of a row are in shared memory.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %row, %blocks = transform.structured.fuse %root tile_sizes [$TILES] {use_forall, apply_cleanup}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mapping = transform.param.constant [$BLOCKS] -> !transform.any_param
    transform.annotate %blocks "mapping" = %mapping : !transform.any_op, !transform.any_param
    transform.apply_patterns to %kernel {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.tensor.fold_tensor_empty
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op
    transform.yield
  }
}
