// Tensors of data-dependent size: count, allocate, and fill in a loop whose stores are always in
// bounds.

// The positions of true elements, in order. Each iteration stores: for a false element, the latest
// position again, to an index that the next one overwrites, or that already holds it. That is
// branchless, and in bounds for any mask.

func.func private @positions(%mask: tensor<?xi1>) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %size = tensor.dim %mask, %zero : tensor<?xi1>
  %cell = tensor.empty() : tensor<i64>
  %start = linalg.fill ins(%none : i64) outs(%cell : tensor<i64>) -> tensor<i64>
  %counted = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } ins(%mask : tensor<?xi1>) outs(%start : tensor<i64>) {
  ^bb0(%in: i1, %out: i64):
    %number = arith.extui %in : i1 to i64
    %sum = arith.addi %out, %number : i64
    linalg.yield %sum : i64
  } -> tensor<i64>
  %wide = tensor.extract %counted[] : tensor<i64>
  %count = arith.index_cast %wide : i64 to index
  %memory = tensor.empty(%count) : tensor<?xi64>
  %last = arith.subi %count, %one : index
  %is_empty = arith.cmpi eq, %count, %zero : index
  %end = arith.select %is_empty, %zero, %size : index
  %filled:3 = scf.for %i = %zero to %end step %one
      iter_args(%at = %zero, %latest = %zero, %before = %memory)
      -> (index, index, tensor<?xi64>) {
    %is_true = tensor.extract %mask[%i] : tensor<?xi1>
    %chosen = arith.select %is_true, %i, %latest : index
    %place = arith.minui %at, %last : index
    %position = arith.index_cast %chosen : index to i64
    %after = tensor.insert %position into %before[%place] : tensor<?xi64>
    %following = arith.addi %at, %one : index
    %next = arith.select %is_true, %following, %at : index
    scf.yield %next, %chosen, %after : index, index, tensor<?xi64>
  }
  return %filled#2 : tensor<?xi64>
}

// Delinearize positions in a tensor into rows of indices: divide by the stride of a dimension, modulo
// its size. Neither strides nor sizes are 0.

func.func private @indices(%positions: tensor<?xi64>, %steps: tensor<?xi64>, %sizes: tensor<?xi64>)
    -> tensor<?x?xi64> {
  %zero = arith.constant 0 : index
  %count = tensor.dim %positions, %zero : tensor<?xi64>
  %rank = tensor.dim %steps, %zero : tensor<?xi64>
  %memory = tensor.empty(%count, %rank) : tensor<?x?xi64>
  %indices = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>,
                     affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%positions, %steps, %sizes : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
    outs(%memory : tensor<?x?xi64>) {
  ^bb0(%position: i64, %step: i64, %size: i64, %out: i64):
    %whole = arith.divui %position, %step : i64
    %index = arith.remui %whole, %size : i64
    linalg.yield %index : i64
  } -> tensor<?x?xi64>
  return %indices : tensor<?x?xi64>
}

// Repeat each position by its count. The sum of counts saturates at 64 bits, for which the allocation
// fails; the inner loop ends with the buffer.

func.func private @repetitions(%repeats: tensor<?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %greatest = arith.constant 0x7FFFFFFFFFFFFFFF : i64
  %size = tensor.dim %repeats, %zero : tensor<?xi64>
  %cell = tensor.empty() : tensor<i64>
  %start = linalg.fill ins(%none : i64) outs(%cell : tensor<i64>) -> tensor<i64>
  %least = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } ins(%repeats : tensor<?xi64>) outs(%start : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %lower = arith.minsi %in, %out : i64
    linalg.yield %lower : i64
  } -> tensor<i64>
  %lowest = tensor.extract %least[] : tensor<i64>
  %is_valid = arith.cmpi sge, %lowest, %none : i64
  cf.assert %is_valid, "repeats can not be negative"
  %counted = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } ins(%repeats : tensor<?xi64>) outs(%start : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %sum = arith.addi %out, %in : i64
    %is_past = arith.cmpi slt, %sum, %none : i64
    %kept = arith.select %is_past, %greatest, %sum : i64
    linalg.yield %kept : i64
  } -> tensor<i64>
  %wide = tensor.extract %counted[] : tensor<i64>
  %count = arith.index_cast %wide : i64 to index
  %memory = tensor.empty(%count) : tensor<?xi64>
  %filled:2 = scf.for %i = %zero to %size step %one iter_args(%at = %zero, %before = %memory)
      -> (index, tensor<?xi64>) {
    %times = tensor.extract %repeats[%i] : tensor<?xi64>
    %steps = arith.index_cast %times : i64 to index
    %sum = arith.addi %at, %steps : index
    %end = arith.minui %sum, %count : index
    %position = arith.index_cast %i : index to i64
    %after = scf.for %place = %at to %end step %one iter_args(%inner = %before)
        -> (tensor<?xi64>) {
      %written = tensor.insert %position into %inner[%place] : tensor<?xi64>
      scf.yield %written : tensor<?xi64>
    }
    scf.yield %end, %after : index, tensor<?xi64>
  }
  return %filled#1 : tensor<?xi64>
}
