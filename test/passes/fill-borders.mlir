// RUN: torch-refine-opt %s --fill-borders | filecheck %s

// Two dimensions: the rows before and behind, then the columns between them.
func.func @image(%image: tensor<?x?x3xf32>, %height: index, %width: index, %number: f32) -> tensor<?x?x3xf32> {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %rows = arith.addi %height, %c3 : index
  %columns = arith.addi %width, %c3 : index
  %0 = tensor.empty(%rows, %columns) : tensor<?x?x3xf32>
  %1 = linalg.fill ins(%number : f32) outs(%0 : tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %2 = tensor.insert_slice %image into %1[2, 0, 0] [%height, %width, 3] [1, 1, 1] : tensor<?x?x3xf32> into tensor<?x?x3xf32>
  return %2 : tensor<?x?x3xf32>
}
// CHECK-LABEL: func.func @image
// CHECK:         %[[END:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK:         tensor.empty
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0] [2, %{{.*}}, 3] [1, 1, 1]
// CHECK:         linalg.fill
// CHECK:         tensor.insert_slice
// CHECK:         tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0] [1, %{{.*}}, 3] [1, 1, 1]
// CHECK:         linalg.fill
// CHECK:         tensor.insert_slice
// CHECK:         tensor.extract_slice %{{.*}}[2, %{{.*}}, 0] [%{{.*}}, 3, 3] [1, 1, 1]
// CHECK:         linalg.fill
// CHECK:         tensor.insert_slice
// CHECK-NOT:     linalg.fill
// CHECK:         %[[RESULT:.*]] = tensor.insert_slice %arg0 into %{{.*}}[2, 0, 0]
// CHECK:         return %[[RESULT]]

// How much is behind is not known: what is there is computed.
func.func @unknown_rest(%row: tensor<?xf32>, %offset: index, %size: index, %total: index, %number: f32) -> tensor<?xf32> {
  %0 = tensor.empty(%total) : tensor<?xf32>
  %1 = linalg.fill ins(%number : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.insert_slice %row into %1[%offset] [%size] [1] : tensor<?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}
// CHECK-LABEL: func.func @unknown_rest
// CHECK:         %[[END:.*]] = arith.addi %arg1, %arg2 : index
// CHECK:         %[[REST:.*]] = arith.subi %arg3, %[[END]] : index
// CHECK:         tensor.extract_slice %{{.*}}[0] [%arg1] [1]
// CHECK:         tensor.extract_slice %{{.*}}[%[[END]]] [%[[REST]]] [1]

// What has steps leaves numbers in between: all are filled.
func.func @steps(%row: tensor<3xf32>, %number: f32) -> tensor<6xf32> {
  %0 = tensor.empty() : tensor<6xf32>
  %1 = linalg.fill ins(%number : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  %2 = tensor.insert_slice %row into %1[0] [3] [2] : tensor<3xf32> into tensor<6xf32>
  return %2 : tensor<6xf32>
}
// CHECK-LABEL: func.func @steps
// CHECK-NOT:     extract_slice
// CHECK:         linalg.fill {{.*}} tensor<6xf32>

// The filled tensor is used by something else, too.
func.func @used_twice(%row: tensor<3xf32>, %number: f32) -> (tensor<6xf32>, tensor<6xf32>) {
  %0 = tensor.empty() : tensor<6xf32>
  %1 = linalg.fill ins(%number : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  %2 = tensor.insert_slice %row into %1[1] [3] [1] : tensor<3xf32> into tensor<6xf32>
  return %1, %2 : tensor<6xf32>, tensor<6xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK-NOT:     extract_slice
// CHECK:         linalg.fill {{.*}} tensor<6xf32>

// The empty tensor is written by something else, too: the border is that of another one.
func.func @shared(%row: tensor<3xf32>, %number: f32) -> (tensor<6xf32>, tensor<6xf32>) {
  %0 = tensor.empty() : tensor<6xf32>
  %1 = linalg.fill ins(%number : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  %2 = tensor.insert_slice %row into %1[1] [3] [1] : tensor<3xf32> into tensor<6xf32>
  %3 = linalg.fill ins(%number : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  return %2, %3 : tensor<6xf32>, tensor<6xf32>
}
// CHECK-LABEL: func.func @shared
// CHECK:         %[[SHARED:.*]] = tensor.empty()
// CHECK:         %[[OWN:.*]] = tensor.empty()
// CHECK:         tensor.extract_slice %[[OWN]][0] [1] [1]
// CHECK:         linalg.fill {{.*}} outs(%[[SHARED]]
