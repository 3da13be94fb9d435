// A convolution over images, as it lies: channels, rows, columns.
//
// A tile of the result, some channels by some columns of a row, stays in registers while all that it
// sums passes by. For each weight's place the columns of the input are loaded once, and multiplied
// with the weight of each channel.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.generalize %root : (!transform.any_op) -> !transform.any_op
    %tile, %outer:4 = transform.structured.tile_using_for %general
      tile_sizes [1, $CHANNELS, 1, $COLUMNS, 0, 0, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op,
                                !transform.any_op, !transform.any_op)
    %step, %inner:3 = transform.structured.tile_using_for %tile
      tile_sizes [0, 0, 0, 0, 1, 1, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op,
                                !transform.any_op)
    transform.apply_patterns to %kernel {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %sums = transform.structured.match ops{["linalg.generic"]} in %kernel
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %sums : !transform.any_op
    transform.apply_patterns to %kernel {
      transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %kernel
      : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    transform.foreach %loops : !transform.any_op {
    ^bb0(%loop: !transform.any_op):
      transform.loop.hoist_loop_invariant_subsets %loop : !transform.any_op
    }
    transform.apply_patterns to %kernel {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op
    transform.yield
  }
}
