// RUN: torch-refine-opt %s --split-input-file --torch-specialize-symbols="batch=8 seq=128" | filecheck %s
// RUN: torch-refine-opt %s --split-input-file --pass-pipeline="builtin.module(torch-specialize-symbols{symbols=batch=8,seq=128})" | filecheck %s

// Sizes of arguments become static, and with them those of other values; the bindings without symbols go.

func.func @main(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %0 = torch.symbolic_int "batch" {min_val = 1, max_val = 64} : !torch.int
  %1 = torch.symbolic_int "_seq" {min_val = 0, max_val = 64} : !torch.int
  %2 = torch.symbolic_int "width" {min_val = 0, max_val = 64} : !torch.int
  %3 = torch.symbolic_int "max(batch - 3, 0)" {min_val = 0, max_val = 61} : !torch.int
  torch.bind_symbolic_shape %arg0, [%0, %1], affine_map<()[s0, s1] -> (s0, s1 * 8)> : !torch.vtensor<[?,?],f32>
  torch.bind_symbolic_shape %arg1, [%1, %2], affine_map<()[s0, s1] -> (s0 * 8, s1)> : !torch.vtensor<[?,?],f32>
  %int0 = torch.constant.int 0
  %int3 = torch.constant.int 3
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %4 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  %5 = torch.aten.slice.Tensor %4, %int0, %int3, %none, %int1 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.none, !torch.int -> !torch.vtensor<[?,?],f32>
  torch.bind_symbolic_shape %5, [%3, %2], affine_map<()[s0, s1] -> (s0, s1)> : !torch.vtensor<[?,?],f32>
  return %5 : !torch.vtensor<[?,?],f32>
}

// CHECK-LABEL: func.func @main
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[8,128],f32>, %[[ARG1:.*]]: !torch.vtensor<[128,?],f32>) -> !torch.vtensor<[5,?],f32> {
// CHECK-NEXT:      %[[WIDTH:.*]] = torch.symbolic_int "width" {min_val = 0, max_val = 64} : !torch.int
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG1]], [%[[WIDTH]]], affine_map<()[s0] -> (128, s0)> : !torch.vtensor<[128,?],f32>
// CHECK:           %[[V0:.*]] = torch.aten.mm %[[ARG0]], %[[ARG1]] : !torch.vtensor<[8,128],f32>, !torch.vtensor<[128,?],f32> -> !torch.vtensor<[8,?],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.slice.Tensor %[[V0]], {{.*}} -> !torch.vtensor<[5,?],f32>
// CHECK-NEXT:      torch.bind_symbolic_shape %[[V1]], [%[[WIDTH]]], affine_map<()[s0] -> (5, s0)> : !torch.vtensor<[5,?],f32>
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor<[5,?],f32>

// -----

// An op that ties the type of an operand gets a cast to the old one.

func.func @main(%arg0: !torch.vtensor<[?,?],f32>) -> !torch.tuple<vtensor<[?,?],f32>> {
  %0 = torch.symbolic_int "batch" {min_val = 1, max_val = 64} : !torch.int
  %1 = torch.symbolic_int "seq" {min_val = 1, max_val = 128} : !torch.int
  torch.bind_symbolic_shape %arg0, [%0, %1], affine_map<()[s0, s1] -> (s0, s1)> : !torch.vtensor<[?,?],f32>
  %2 = torch.prim.TupleConstruct %arg0 : !torch.vtensor<[?,?],f32> -> !torch.tuple<vtensor<[?,?],f32>>
  return %2 : !torch.tuple<vtensor<[?,?],f32>>
}

// CHECK-LABEL: func.func @main
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[8,128],f32>)
// CHECK:           %[[CAST:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[8,128],f32> to !torch.vtensor<[?,?],f32>
// CHECK-NEXT:      torch.prim.TupleConstruct %[[CAST]] : !torch.vtensor<[?,?],f32> -> !torch.tuple<vtensor<[?,?],f32>>
