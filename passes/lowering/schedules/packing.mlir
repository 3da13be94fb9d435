// Packing an operand of a product: a copy, with zeros where there is nothing to copy.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %packs = transform.structured.match ops{["linalg.pack"]} in %kernel
      : (!transform.any_op) -> !transform.op<"linalg.pack">
    transform.foreach %packs : !transform.op<"linalg.pack"> {
    ^bb0(%pack: !transform.op<"linalg.pack">):
      %p, %e, %t = transform.structured.lower_pack %pack
        : (!transform.op<"linalg.pack">)
        -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">,
            !transform.op<"linalg.transpose">)
    }
    transform.apply_patterns to %kernel {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
