// RUN: torch-refine-opt %s --fold-complex-parts --canonicalize | filecheck %s

#numbers = affine_map<(d0, d1, d2) -> (d0, d1)>
#pairs = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// Both parts, of a known and of an unknown size.

func.func @parts(%arg0: tensor<?x4xcomplex<f32>>) -> (tensor<?x4x1xf32>, tensor<?x4x1xf32>) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x4xcomplex<f32>>
  %0 = tensor.empty(%dim) : tensor<?x4x2xf32>
  %1 = linalg.generic {indexing_maps = [#numbers, #pairs], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x4xcomplex<f32>>) outs(%0 : tensor<?x4x2xf32>) {
  ^bb0(%in: complex<f32>, %out: f32):
    %2 = complex.re %in : complex<f32>
    %3 = complex.im %in : complex<f32>
    %4 = linalg.index 2 : index
    %5 = arith.cmpi eq, %4, %c0 : index
    %6 = arith.select %5, %2, %3 : f32
    linalg.yield %6 : f32
  } -> tensor<?x4x2xf32>
  %re = tensor.extract_slice %1[0, 0, 0] [%dim, 4, 1] [1, 1, 1] : tensor<?x4x2xf32> to tensor<?x4x1xf32>
  %im = tensor.extract_slice %1[0, 0, 1] [%dim, 4, 1] [1, 1, 1] : tensor<?x4x2xf32> to tensor<?x4x1xf32>
  return %re, %im : tensor<?x4x1xf32>, tensor<?x4x1xf32>
}

// CHECK-LABEL: func.func @parts
// CHECK-NOT:     tensor.extract_slice
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<?x4xcomplex<f32>>)
// CHECK:         %[[RE:.+]] = complex.re
// CHECK-NEXT:    linalg.yield %[[RE]]
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<?x4xcomplex<f32>>)
// CHECK:         %[[IM:.+]] = complex.im
// CHECK-NEXT:    linalg.yield %[[IM]]

// Some of the numbers only, and both parts of one.

func.func @others(%arg0: tensor<5x4xcomplex<f32>>) -> (tensor<3x4x1xf32>, tensor<5x4x1xf32>, tensor<1x1x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<5x4x2xf32>
  %1 = linalg.generic {indexing_maps = [#numbers, #pairs], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<5x4xcomplex<f32>>) outs(%0 : tensor<5x4x2xf32>) {
  ^bb0(%in: complex<f32>, %out: f32):
    %2 = complex.re %in : complex<f32>
    %3 = complex.im %in : complex<f32>
    %4 = linalg.index 2 : index
    %5 = arith.cmpi eq, %4, %c0 : index
    %6 = arith.select %5, %2, %3 : f32
    linalg.yield %6 : f32
  } -> tensor<5x4x2xf32>
  %7 = linalg.generic {indexing_maps = [#numbers, #pairs], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<5x4xcomplex<f32>>) outs(%0 : tensor<5x4x2xf32>) {
  ^bb0(%in: complex<f32>, %out: f32):
    %8 = complex.re %in : complex<f32>
    %9 = complex.im %in : complex<f32>
    %10 = linalg.index 2 : index
    %11 = arith.cmpi eq, %10, %c1 : index
    %12 = arith.select %11, %8, %9 : f32
    linalg.yield %12 : f32
  } -> tensor<5x4x2xf32>
  %rows = tensor.extract_slice %1[1, 0, 0] [3, 4, 1] [1, 1, 1] : tensor<5x4x2xf32> to tensor<3x4x1xf32>
  %turned = tensor.extract_slice %7[0, 0, 0] [5, 4, 1] [1, 1, 1] : tensor<5x4x2xf32> to tensor<5x4x1xf32>
  %both = tensor.extract_slice %1[0, 0, 0] [1, 1, 2] [1, 1, 1] : tensor<5x4x2xf32> to tensor<1x1x2xf32>
  return %rows, %turned, %both : tensor<3x4x1xf32>, tensor<5x4x1xf32>, tensor<1x1x2xf32>
}

// CHECK-LABEL:     func.func @others
// CHECK-COUNT-3:   tensor.extract_slice

// From parts that were concatenated; the other way round they are read as pairs.

func.func @created(%arg0: tensor<5x4x1xf32>, %arg1: tensor<5x4x1xf32>) -> (tensor<5x4xcomplex<f32>>, tensor<5x4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.concat dim(2) %arg0, %arg1 : (tensor<5x4x1xf32>, tensor<5x4x1xf32>) -> tensor<5x4x2xf32>
  %1 = tensor.empty() : tensor<5x4xcomplex<f32>>
  %2 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%1 : tensor<5x4xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    %4 = linalg.index 0 : index
    %5 = linalg.index 1 : index
    %6 = tensor.extract %0[%4, %5, %c0] : tensor<5x4x2xf32>
    %7 = tensor.extract %0[%4, %5, %c1] : tensor<5x4x2xf32>
    %8 = complex.create %6, %7 : complex<f32>
    linalg.yield %8 : complex<f32>
  } -> tensor<5x4xcomplex<f32>>
  %3 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%1 : tensor<5x4xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    %4 = linalg.index 0 : index
    %5 = linalg.index 1 : index
    %6 = tensor.extract %0[%4, %5, %c1] : tensor<5x4x2xf32>
    %7 = tensor.extract %0[%4, %5, %c0] : tensor<5x4x2xf32>
    %8 = complex.create %6, %7 : complex<f32>
    linalg.yield %8 : complex<f32>
  } -> tensor<5x4xcomplex<f32>>
  return %2, %3 : tensor<5x4xcomplex<f32>>, tensor<5x4xcomplex<f32>>
}

// CHECK-LABEL: func.func @created
// CHECK:         linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<5x4xf32>, tensor<5x4xf32>) outs(%{{.+}} : tensor<5x4xcomplex<f32>>)
// CHECK-NEXT:    ^bb0(%[[RE:.+]]: f32, %[[IM:.+]]: f32, %{{.+}}: complex<f32>):
// CHECK-NEXT:    complex.create %[[RE]], %[[IM]]
// CHECK:         tensor.extract
// CHECK:         tensor.extract

// Created from the pairs of others: they are the same.

func.func @same(%arg0: tensor<5x4xcomplex<f32>>) -> tensor<5x4xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<5x4x2xf32>
  %1 = linalg.generic {indexing_maps = [#numbers, #pairs], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<5x4xcomplex<f32>>) outs(%0 : tensor<5x4x2xf32>) {
  ^bb0(%in: complex<f32>, %out: f32):
    %2 = complex.re %in : complex<f32>
    %3 = complex.im %in : complex<f32>
    %4 = linalg.index 2 : index
    %5 = arith.cmpi eq, %4, %c0 : index
    %6 = arith.select %5, %2, %3 : f32
    linalg.yield %6 : f32
  } -> tensor<5x4x2xf32>
  %7 = tensor.empty() : tensor<5x4xcomplex<f32>>
  %8 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<5x4xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    %9 = linalg.index 0 : index
    %10 = linalg.index 1 : index
    %11 = tensor.extract %1[%9, %10, %c0] : tensor<5x4x2xf32>
    %12 = tensor.extract %1[%9, %10, %c1] : tensor<5x4x2xf32>
    %13 = complex.create %11, %12 : complex<f32>
    linalg.yield %13 : complex<f32>
  } -> tensor<5x4xcomplex<f32>>
  return %8 : tensor<5x4xcomplex<f32>>
}

// CHECK-LABEL: func.func @same
// CHECK-NEXT:    return %arg0
