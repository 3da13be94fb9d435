// Elementwise ops on a GPU: a thread computes $WIDTH contiguous elements, with vector loads and stores.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %own, %threads = transform.structured.tile_using_forall %root tile_sizes [${ONES}$WIDTH]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %kernel {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %numbers = transform.structured.match ops{["linalg.generic"]} in %kernel
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %numbers : !transform.any_op
    transform.apply_patterns to %kernel {
      transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
