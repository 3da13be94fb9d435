// RUN: torch-refine-opt %s --split-input-file "--torch-name-symbolic-inputs=inputs=main:0=[batch,seq%8>=16<=512,?];main:2=[batch,4]" | filecheck %s
// RUN: torch-refine-opt %s --split-input-file "--symbolic-inputs=main:0=[batch, seq%8>=16<=512, ?]" --symbolic-inputs "main:2=[batch,4]" --cse | filecheck %s

// Equal names are one symbol; bounds are those of the size, and a static size stays. An unnamed size has a symbol of its own.

func.func @main(%arg0: !torch.vtensor<[?,?,?],f32>, %arg1: !torch.int, %arg2: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  return %arg2 : !torch.vtensor<[?,4],f32>
}

// CHECK-LABEL: func.func @main
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,?,?],f32>, %{{.*}}: !torch.int, %[[ARG2:.*]]: !torch.vtensor<[?,4],f32>)
// CHECK-NEXT:      %[[BATCH:.*]] = torch.symbolic_int "batch" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:      %[[SEQ:.*]] = torch.symbolic_int "_seq" {min_val = 2, max_val = 64} : !torch.int
// CHECK-NEXT:      %[[S0:.*]] = torch.symbolic_int "s0" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG0]], [%[[BATCH]], %[[SEQ]], %[[S0]]], affine_map<()[s0, s1, s2] -> (s0, s1 * 8, s2)> : !torch.vtensor<[?,?,?],f32>
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG2]], [%[[BATCH]]], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
// CHECK-NEXT:      return

// -----

// A declared symbol of that name is used, and what an argument was bound to is replaced.

func.func @main(%arg0: !torch.vtensor<[?,?,2],f32>, %arg1: !torch.vtensor<[?],f32>, %arg2: !torch.vtensor<[?,4],f32>) {
  %0 = torch.symbolic_int "batch" {min_val = 2, max_val = 9} : !torch.int
  %1 = torch.symbolic_int "s0" {min_val = 2, max_val = 9} : !torch.int
  torch.bind_symbolic_shape %arg2, [%1], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
  torch.bind_symbolic_shape %arg1, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
  return
}

// CHECK-LABEL: func.func @main
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,?,2],f32>, %[[ARG1:.*]]: !torch.vtensor<[?],f32>, %[[ARG2:.*]]: !torch.vtensor<[?,4],f32>)
// CHECK-NEXT:      %[[BATCH:.*]] = torch.symbolic_int "batch" {min_val = 2, max_val = 9} : !torch.int
// CHECK-NEXT:      %[[SEQ:.*]] = torch.symbolic_int "_seq" {min_val = 2, max_val = 64} : !torch.int
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG0]], [%[[BATCH]], %[[SEQ]]], affine_map<()[s0, s1] -> (s0, s1 * 8, 2)> : !torch.vtensor<[?,?,2],f32>
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG2]], [%[[BATCH]]], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG1]], [%[[BATCH]]], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
// CHECK-NEXT:      return
