// RUN: torch-refine-opt %s --split-input-file --torch-refinement-pipeline | filecheck %s
// RUN: torch-refine-opt %s --split-input-file --torch-reified-refinement-pipeline --canonicalize --cse | filecheck %s

// A tensor-parallel layer: the size of the group is not needed for a reduction.

func.func @reduce(%x: !torch.vtensor<[?,16],bf16>) -> !torch.vtensor {
  %group = torch.constant.str "0"
  %sum = torch.constant.str "sum"
  %0 = torch.operator "torch._c10d_functional.all_reduce"(%x, %sum, %group) : (!torch.vtensor<[?,16],bf16>, !torch.str, !torch.str) -> !torch.vtensor
  %1 = torch.operator "torch._c10d_functional.wait_tensor"(%0) : (!torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @reduce
// CHECK: "torch._c10d_functional.all_reduce"{{.*}} -> !torch.vtensor<[?,16],bf16>
// CHECK: "torch._c10d_functional.wait_tensor"{{.*}} -> !torch.vtensor<[?,16],bf16>

// -----

// Dimension 0 is multiplied, and divided, by a known size of the group.

func.func @gather_and_scatter(%x: !torch.vtensor<[6,3],f32>) -> (!torch.vtensor, !torch.vtensor) {
  %group = torch.constant.str "0"
  %avg = torch.constant.str "avg"
  %two = torch.constant.int 2
  %0 = torch.operator "torch._c10d_functional.all_gather_into_tensor"(%x, %two, %group) : (!torch.vtensor<[6,3],f32>, !torch.int, !torch.str) -> !torch.vtensor
  %1 = torch.operator "torch._c10d_functional_autograd.reduce_scatter_tensor"(%x, %avg, %two, %group) : (!torch.vtensor<[6,3],f32>, !torch.str, !torch.int, !torch.str) -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @gather_and_scatter
// CHECK: "torch._c10d_functional.all_gather_into_tensor"{{.*}} -> !torch.vtensor<[12,3],f32>
// CHECK: "torch._c10d_functional_autograd.reduce_scatter_tensor"{{.*}} -> !torch.vtensor<[3,3],f32>

// -----

// A group of unknown size: the other dimensions are known.

func.func @unknown_group(%x: !torch.vtensor<[6,3],f32>, %size: !torch.int) -> (!torch.vtensor, !torch.vtensor) {
  %group = torch.constant.str "0"
  %max = torch.constant.str "max"
  %0 = torch.operator "torch._c10d_functional.all_gather_into_tensor"(%x, %size, %group) : (!torch.vtensor<[6,3],f32>, !torch.int, !torch.str) -> !torch.vtensor
  %1 = torch.operator "torch._c10d_functional.reduce_scatter_tensor"(%x, %max, %size, %group) : (!torch.vtensor<[6,3],f32>, !torch.str, !torch.int, !torch.str) -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @unknown_group
// CHECK: "torch._c10d_functional.all_gather_into_tensor"{{.*}} -> !torch.vtensor<[?,3],f32>
// CHECK: "torch._c10d_functional.reduce_scatter_tensor"{{.*}} -> !torch.vtensor<[?,3],f32>

// -----

// The received rows are counted; sizes may be dynamic.

func.func @exchange(%x: !torch.vtensor<[4,3],f32>, %rows: !torch.int) -> (!torch.vtensor, !torch.vtensor) {
  %group = torch.constant.str "0"
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %given = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %known = torch.prim.ListConstruct %one, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %unknown = torch.prim.ListConstruct %one, %rows : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.operator "torch._c10d_functional.all_to_all_single"(%x, %known, %given, %group) : (!torch.vtensor<[4,3],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor
  %1 = torch.operator "torch._c10d_functional.all_to_all_single"(%x, %unknown, %given, %group) : (!torch.vtensor<[4,3],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @exchange
// CHECK: "torch._c10d_functional.all_to_all_single"{{.*}} -> !torch.vtensor<[3,3],f32>
// CHECK: "torch._c10d_functional.all_to_all_single"{{.*}} -> !torch.vtensor<[?,3],f32>

// -----

// A list of tensors, each gathered alone.

func.func @coalesced(%x: !torch.vtensor<[4,3],f32>, %y: !torch.vtensor<[?],f64>) -> (!torch.vtensor, !torch.vtensor) {
  %group = torch.constant.str "0"
  %two = torch.constant.int 2
  %list = torch.prim.ListConstruct %x, %y : (!torch.vtensor<[4,3],f32>, !torch.vtensor<[?],f64>) -> !torch.list<vtensor>
  %0 = torch.operator "torch._c10d_functional.all_gather_into_tensor_coalesced"(%list, %two, %group) : (!torch.list<vtensor>, !torch.int, !torch.str) -> !torch.list<vtensor>
  %1:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  return %1#0, %1#1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @coalesced
// CHECK: torch.prim.ListUnpack {{.*}} -> !torch.vtensor<[8,3],f32>, !torch.vtensor<[?],f64>

// -----

// Every process makes the same calls in the same order: none is removed, moved or merged with another,
// although no result is used.

func.func @unused(%x: !torch.vtensor<[4],f32>, %y: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  %group = torch.constant.str "0"
  %sum = torch.constant.str "sum"
  %source = torch.constant.int 0
  %0 = torch.operator "torch._c10d_functional.all_reduce"(%x, %sum, %group) : (!torch.vtensor<[4],f32>, !torch.str, !torch.str) -> !torch.vtensor
  %1 = torch.operator "torch._c10d_functional.broadcast"(%y, %source, %group) : (!torch.vtensor<[2],f32>, !torch.int, !torch.str) -> !torch.vtensor
  %2 = torch.operator "torch._c10d_functional.all_reduce"(%x, %sum, %group) : (!torch.vtensor<[4],f32>, !torch.str, !torch.str) -> !torch.vtensor
  %3 = torch.operator "torch._c10d_functional.wait_tensor"(%2) : (!torch.vtensor) -> !torch.vtensor
  return %x : !torch.vtensor<[4],f32>
}

// CHECK-LABEL: func.func @unused
// CHECK-COUNT-1: "torch._c10d_functional.all_reduce"
// CHECK: "torch._c10d_functional.broadcast"{{.*}} -> !torch.vtensor<[2],f32>
// CHECK: "torch._c10d_functional.all_reduce"{{.*}} -> !torch.vtensor<[4],f32>
// CHECK: "torch._c10d_functional.wait_tensor"
// CHECK: return
