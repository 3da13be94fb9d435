// Hoist the accumulators of a loop's iterations into registers.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%function: !transform.any_op) {
    transform.apply_patterns to %function {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %function
      : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    transform.apply_cse to %function : !transform.any_op
    %functions = transform.structured.match ops{["func.func"]} in %function
      : (!transform.any_op) -> !transform.any_op
    %done = transform.structured.hoist_redundant_vector_transfers %functions
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
