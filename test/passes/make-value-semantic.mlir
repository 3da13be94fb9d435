// RUN: torch-refine-opt %s --split-input-file --torch-make-value-semantic | filecheck %s

// What is read between two writes is what the first one left.

func.func @twice(%arg0: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
  %0 = torch.copy.to_tensor %arg0 : !torch.tensor<[2],f32>
  %1 = torch.aten.relu_ %0 : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %2 = torch.copy.to_vtensor %0 : !torch.vtensor<[2],f32>
  %3 = torch.aten.tanh_ %0 : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %4 = torch.copy.to_vtensor %0 : !torch.vtensor<[2],f32>
  return %2, %4 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @twice
// CHECK-NEXT:    %[[FIRST:.*]] = torch.aten.relu %arg0
// CHECK-NEXT:    %[[SECOND:.*]] = torch.aten.tanh %[[FIRST]]
// CHECK-NEXT:    return %[[FIRST]], %[[SECOND]]

// -----

// Operators that the wheel's passes refuse do not meet them without need.

func.func @unregistered(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.operator "torch.aten.foo"(%arg0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @unregistered
// CHECK-NEXT:    torch.operator "torch.aten.foo"
