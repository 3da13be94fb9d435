// What calls of LAPACK need around them, on matrices in a batch. $T is the element type of the
// matrices, $R that of their parts; $ZERO and $ONE are numbers.

// The matrices transposed: what is row-major becomes column-major, and back.
func.func private @transposed(%matrices: tensor<?x?x?x$T>) -> tensor<?x?x?x$T> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %batch = tensor.dim %matrices, %c0 : tensor<?x?x?x$T>
  %rows = tensor.dim %matrices, %c1 : tensor<?x?x?x$T>
  %columns = tensor.dim %matrices, %c2 : tensor<?x?x?x$T>
  %memory = tensor.empty(%batch, %columns, %rows) : tensor<?x?x?x$T>
  %found = linalg.transpose ins(%matrices : tensor<?x?x?x$T>) outs(%memory : tensor<?x?x?x$T>)
      permutation = [0, 2, 1]
  return %found : tensor<?x?x?x$T>
}

// The matrices with zeros above the diagonal.
func.func private @lower(%matrices: tensor<?x?x?x$T>) -> tensor<?x?x?x$T> {
  %zero = $ZERO
  %found = linalg.generic {
      indexing_maps = [affine_map<(b, r, c) -> (b, r, c)>, affine_map<(b, r, c) -> (b, r, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%matrices : tensor<?x?x?x$T>) outs(%matrices : tensor<?x?x?x$T>) {
    ^bb0(%in: $T, %out: $T):
      %row = linalg.index 1 : index
      %column = linalg.index 2 : index
      %is_part = arith.cmpi sge, %row, %column : index
      %element = arith.select %is_part, %in, %zero : $T
      linalg.yield %element : $T
  } -> tensor<?x?x?x$T>
  return %found : tensor<?x?x?x$T>
}

// The matrices with zeros below the diagonal.
func.func private @upper(%matrices: tensor<?x?x?x$T>) -> tensor<?x?x?x$T> {
  %zero = $ZERO
  %found = linalg.generic {
      indexing_maps = [affine_map<(b, r, c) -> (b, r, c)>, affine_map<(b, r, c) -> (b, r, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%matrices : tensor<?x?x?x$T>) outs(%matrices : tensor<?x?x?x$T>) {
    ^bb0(%in: $T, %out: $T):
      %row = linalg.index 1 : index
      %column = linalg.index 2 : index
      %is_part = arith.cmpi sle, %row, %column : index
      %element = arith.select %is_part, %in, %zero : $T
      linalg.yield %element : $T
  } -> tensor<?x?x?x$T>
  return %found : tensor<?x?x?x$T>
}

// Hermitian matrices by their lower triangles.
func.func private @from_lower(%matrices: tensor<?x?x?x$T>) -> tensor<?x?x?x$T> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batch = tensor.dim %matrices, %c0 : tensor<?x?x?x$T>
  %size = tensor.dim %matrices, %c1 : tensor<?x?x?x$T>
  %memory = tensor.empty(%batch, %size, %size) : tensor<?x?x?x$T>
  %found = linalg.generic {
      indexing_maps = [affine_map<(b, r, c) -> (b, r, c)>, affine_map<(b, r, c) -> (b, c, r)>,
                       affine_map<(b, r, c) -> (b, r, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%matrices, %matrices : tensor<?x?x?x$T>, tensor<?x?x?x$T>)
      outs(%memory : tensor<?x?x?x$T>) {
    ^bb0(%in: $T, %across: $T, %out: $T):
      %row = linalg.index 1 : index
      %column = linalg.index 2 : index
      %is_part = arith.cmpi sge, %row, %column : index
      $CONJUGATE
      %element = arith.select %is_part, %in, $CONJUGATED : $T
      linalg.yield %element : $T
  } -> tensor<?x?x?x$T>
  return %found : tensor<?x?x?x$T>
}

// Hermitian matrices by their upper triangles.
func.func private @from_upper(%matrices: tensor<?x?x?x$T>) -> tensor<?x?x?x$T> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batch = tensor.dim %matrices, %c0 : tensor<?x?x?x$T>
  %size = tensor.dim %matrices, %c1 : tensor<?x?x?x$T>
  %memory = tensor.empty(%batch, %size, %size) : tensor<?x?x?x$T>
  %found = linalg.generic {
      indexing_maps = [affine_map<(b, r, c) -> (b, r, c)>, affine_map<(b, r, c) -> (b, c, r)>,
                       affine_map<(b, r, c) -> (b, r, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%matrices, %matrices : tensor<?x?x?x$T>, tensor<?x?x?x$T>)
      outs(%memory : tensor<?x?x?x$T>) {
    ^bb0(%in: $T, %across: $T, %out: $T):
      %row = linalg.index 1 : index
      %column = linalg.index 2 : index
      %is_part = arith.cmpi sle, %row, %column : index
      $CONJUGATE
      %element = arith.select %is_part, %in, $CONJUGATED : $T
      linalg.yield %element : $T
  } -> tensor<?x?x?x$T>
  return %found : tensor<?x?x?x$T>
}

// Matrices with ones on the diagonal and zeros elsewhere.
func.func private @identity(%batch: index, %rows: index, %columns: index) -> tensor<?x?x?x$T> {
  %zero = $ZERO
  %one = $ONE
  %memory = tensor.empty(%batch, %rows, %columns) : tensor<?x?x?x$T>
  %found = linalg.generic {
      indexing_maps = [affine_map<(b, r, c) -> (b, r, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%memory : tensor<?x?x?x$T>) {
    ^bb0(%out: $T):
      %row = linalg.index 1 : index
      %column = linalg.index 2 : index
      %is_part = arith.cmpi eq, %row, %column : index
      %element = arith.select %is_part, %one, %zero : $T
      linalg.yield %element : $T
  } -> tensor<?x?x?x$T>
  return %found : tensor<?x?x?x$T>
}

// Vectors of zeros.
func.func private @zeros(%batch: index, %size: index) -> tensor<?x?x$T> {
  %zero = $ZERO
  %memory = tensor.empty(%batch, %size) : tensor<?x?x$T>
  %found = linalg.fill ins(%zero : $T) outs(%memory : tensor<?x?x$T>) -> tensor<?x?x$T>
  return %found : tensor<?x?x$T>
}

func.func private @real_zeros(%batch: index, %size: index) -> tensor<?x?x$R> {
  %zero = arith.constant 0.0 : $R
  %memory = tensor.empty(%batch, %size) : tensor<?x?x$R>
  %found = linalg.fill ins(%zero : $R) outs(%memory : tensor<?x?x$R>) -> tensor<?x?x$R>
  return %found : tensor<?x?x$R>
}

func.func private @integer_zeros(%batch: index, %size: index) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %memory = tensor.empty(%batch, %size) : tensor<?x?xi32>
  %found = linalg.fill ins(%zero : i32) outs(%memory : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %found : tensor<?x?xi32>
}

func.func private @info(%batch: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %memory = tensor.empty(%batch) : tensor<?xi32>
  %found = linalg.fill ins(%zero : i32) outs(%memory : tensor<?xi32>) -> tensor<?xi32>
  return %found : tensor<?xi32>
}

// Whether all numbers are 0.
func.func private @are_zero(%info: tensor<?xi32>) -> i1 {
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %memory = tensor.empty() : tensor<i1>
  %start = linalg.fill ins(%true : i1) outs(%memory : tensor<i1>) -> tensor<i1>
  %all = linalg.generic {
      indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> ()>],
      iterator_types = ["reduction"]}
      ins(%info : tensor<?xi32>) outs(%start : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %is_zero = arith.cmpi eq, %in, %zero : i32
      %both = arith.andi %is_zero, %out : i1
      linalg.yield %both : i1
  } -> tensor<i1>
  %found = tensor.extract %all[] : tensor<i1>
  return %found : i1
}

// Whether all numbers, without their signs, are in 1 ... size.
func.func private @are_pivots(%pivots: tensor<?x?xi32>, %size: index) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %most = arith.index_cast %size : index to i32
  %memory = tensor.empty() : tensor<i1>
  %start = linalg.fill ins(%true : i1) outs(%memory : tensor<i1>) -> tensor<i1>
  %all = linalg.generic {
      indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%pivots : tensor<?x?xi32>) outs(%start : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %negated = arith.subi %zero, %in : i32
      %size_of = arith.maxsi %in, %negated : i32
      %before = arith.subi %size_of, %one : i32
      %is_pivot = arith.cmpi ult, %before, %most : i32
      %both = arith.andi %is_pivot, %out : i1
      linalg.yield %both : i1
  } -> tensor<i1>
  %found = tensor.extract %all[] : tensor<i1>
  return %found : i1
}

// Whether negative numbers are in pairs of neighbours, each of which is a block of two rows.
func.func private @are_paired(%pivots: tensor<?x?xi32>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %false = arith.constant false
  %batch = tensor.dim %pivots, %c0 : tensor<?x?xi32>
  %size = tensor.dim %pivots, %c1 : tensor<?x?xi32>
  %found = scf.for %b = %c0 to %batch step %c1 iter_args(%so_far = %true) -> (i1) {
    %inner:2 = scf.for %i = %c0 to %size step %c1 iter_args(%before = %so_far, %is_open = %false)
        -> (i1, i1) {
      %pivot = tensor.extract %pivots[%b, %i] : tensor<?x?xi32>
      %is_negative = arith.cmpi slt, %pivot, %zero : i32
      %closes = arith.ori %is_negative, %is_open : i1
      %is_single = arith.xori %closes, %is_open : i1
      %fits = arith.cmpi eq, %closes, %is_negative : i1
      %valid = arith.andi %before, %fits : i1
      scf.yield %valid, %is_single : i1, i1
    }
    %is_closed = arith.xori %inner#1, %true : i1
    %valid = arith.andi %inner#0, %is_closed : i1
    scf.yield %valid : i1
  }
  return %found : i1
}

// Whether no number is infinite or NaN.
func.func private @are_finite(%matrices: tensor<?x?x?x$T>) -> i1 {
  %none = arith.constant 0.0 : $R
  %true = arith.constant true
  %memory = tensor.empty() : tensor<i1>
  %start = linalg.fill ins(%true : i1) outs(%memory : tensor<i1>) -> tensor<i1>
  %all = linalg.generic {
      indexing_maps = [affine_map<(b, r, c) -> (b, r, c)>, affine_map<(b, r, c) -> ()>],
      iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%matrices : tensor<?x?x?x$T>) outs(%start : tensor<i1>) {
    ^bb0(%in: $T, %out: i1):
      $PARTS
      // The difference of an infinity and itself is NaN.
      %first = arith.subf $ONE_PART, $ONE_PART : $R
      %second = arith.subf $OTHER_PART, $OTHER_PART : $R
      %difference = arith.addf %first, %second : $R
      %is_finite = arith.cmpf oeq, %difference, %none : $R
      %both = arith.andi %is_finite, %out : i1
      linalg.yield %both : i1
  } -> tensor<i1>
  %found = tensor.extract %all[] : tensor<i1>
  return %found : i1
}

// Whether all numbers are positive.
func.func private @are_positive(%pivots: tensor<?x?xi32>) -> i1 {
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %memory = tensor.empty() : tensor<i1>
  %start = linalg.fill ins(%true : i1) outs(%memory : tensor<i1>) -> tensor<i1>
  %all = linalg.generic {
      indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%pivots : tensor<?x?xi32>) outs(%start : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %is_positive = arith.cmpi sgt, %in, %zero : i32
      %both = arith.andi %is_positive, %out : i1
      linalg.yield %both : i1
  } -> tensor<i1>
  %found = tensor.extract %all[] : tensor<i1>
  return %found : i1
}

// The matrices whose product with the LU factors is the original: rows were swapped in the order of
// the pivots, which count from 1 and must be valid.
func.func private @permutation(%pivots: tensor<?x?xi32>, %rows: index) -> tensor<?x?x?x$T> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = $ZERO
  %one = $ONE
  %batch = tensor.dim %pivots, %c0 : tensor<?x?xi32>
  %count = tensor.dim %pivots, %c1 : tensor<?x?xi32>
  %memory = tensor.empty(%batch, %rows) : tensor<?x?xindex>
  %start = linalg.generic {
      indexing_maps = [affine_map<(b, r) -> (b, r)>],
      iterator_types = ["parallel", "parallel"]}
      outs(%memory : tensor<?x?xindex>) {
    ^bb0(%out: index):
      %row = linalg.index 1 : index
      linalg.yield %row : index
  } -> tensor<?x?xindex>
  %origins = scf.for %b = %c0 to %batch step %c1 iter_args(%of_batch = %start)
      -> (tensor<?x?xindex>) {
    %swapped = scf.for %i = %c0 to %count step %c1 iter_args(%before = %of_batch)
        -> (tensor<?x?xindex>) {
      %pivot = tensor.extract %pivots[%b, %i] : tensor<?x?xi32>
      %number = arith.index_cast %pivot : i32 to index
      %other = arith.subi %number, %c1 : index
      %one_row = tensor.extract %before[%b, %i] : tensor<?x?xindex>
      %other_row = tensor.extract %before[%b, %other] : tensor<?x?xindex>
      %half = tensor.insert %other_row into %before[%b, %i] : tensor<?x?xindex>
      %after = tensor.insert %one_row into %half[%b, %other] : tensor<?x?xindex>
      scf.yield %after : tensor<?x?xindex>
    }
    scf.yield %swapped : tensor<?x?xindex>
  }
  %matrices = tensor.empty(%batch, %rows, %rows) : tensor<?x?x?x$T>
  %found = linalg.generic {
      indexing_maps = [affine_map<(b, r, c) -> (b, c)>, affine_map<(b, r, c) -> (b, r, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%origins : tensor<?x?xindex>) outs(%matrices : tensor<?x?x?x$T>) {
    ^bb0(%in: index, %out: $T):
      %row = linalg.index 1 : index
      %is_one = arith.cmpi eq, %in, %row : index
      %element = arith.select %is_one, %one, %zero : $T
      linalg.yield %element : $T
  } -> tensor<?x?x?x$T>
  return %found : tensor<?x?x?x$T>
}
