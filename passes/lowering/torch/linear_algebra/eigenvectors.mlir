// Eigenvalues and eigenvectors of real matrices, as LAPACK gives them: a pair of conjugate
// eigenvalues has two neighbouring vectors, of real and of imaginary parts.

func.func private @eigenvalues(%reals: tensor<?x?x$T>, %imaginaries: tensor<?x?x$T>)
    -> tensor<?x?xcomplex<$T>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batch = tensor.dim %reals, %c0 : tensor<?x?x$T>
  %size = tensor.dim %reals, %c1 : tensor<?x?x$T>
  %memory = tensor.empty(%batch, %size) : tensor<?x?xcomplex<$T>>
  %found = linalg.generic {
      indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>,
                       affine_map<(b, i) -> (b, i)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%reals, %imaginaries : tensor<?x?x$T>, tensor<?x?x$T>)
      outs(%memory : tensor<?x?xcomplex<$T>>) {
    ^bb0(%real: $T, %imaginary: $T, %out: complex<$T>):
      %value = complex.create %real, %imaginary : complex<$T>
      linalg.yield %value : complex<$T>
  } -> tensor<?x?xcomplex<$T>>
  return %found : tensor<?x?xcomplex<$T>>
}

// The vectors are the rows of `parts`.
func.func private @eigenvectors(%imaginaries: tensor<?x?x$T>, %parts: tensor<?x?x?x$T>)
    -> tensor<?x?x?xcomplex<$T>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0.0 : $T
  %batch = tensor.dim %parts, %c0 : tensor<?x?x?x$T>
  %size = tensor.dim %parts, %c1 : tensor<?x?x?x$T>
  %memory = tensor.empty(%batch, %size, %size) : tensor<?x?x?xcomplex<$T>>
  %last = arith.subi %size, %c1 : index
  %found = linalg.generic {
      indexing_maps = [affine_map<(b, r, c) -> (b, c)>, affine_map<(b, r, c) -> (b, r, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%imaginaries : tensor<?x?x$T>) outs(%memory : tensor<?x?x?xcomplex<$T>>) {
    ^bb0(%in: $T, %out: complex<$T>):
      %b = linalg.index 0 : index
      %row = linalg.index 1 : index
      %vector = linalg.index 2 : index
      // The first of a pair has a positive imaginary part. Neighbours are clamped.
      %is_first = arith.cmpf ogt, %in, %none : $T
      %is_second = arith.cmpf olt, %in, %none : $T
      %before = arith.subi %vector, %c1 : index
      %before_in_bounds = arith.maxsi %before, %c0 : index
      %after = arith.addi %vector, %c1 : index
      %after_in_bounds = arith.minsi %after, %last : index
      %of_reals = arith.select %is_second, %before_in_bounds, %vector : index
      %of_imaginaries = arith.select %is_first, %after_in_bounds, %vector : index
      %real = tensor.extract %parts[%b, %of_reals, %row] : tensor<?x?x?x$T>
      %part = tensor.extract %parts[%b, %of_imaginaries, %row] : tensor<?x?x?x$T>
      %negated = arith.negf %part : $T
      %signed = arith.select %is_second, %negated, %part : $T
      %is_pair = arith.ori %is_first, %is_second : i1
      %imaginary = arith.select %is_pair, %signed, %none : $T
      %value = complex.create %real, %imaginary : complex<$T>
      linalg.yield %value : complex<$T>
  } -> tensor<?x?x?xcomplex<$T>>
  return %found : tensor<?x?x?xcomplex<$T>>
}
