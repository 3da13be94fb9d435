// RUN: not torch-refine-opt %s --torch-draw-from-seed --split-input-file 2>&1 | filecheck %s

func.func @loop(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.int) -> !torch.vtensor<[4],f32> {
  %true = torch.constant.bool true
  %zero = torch.constant.float 0.0
  %one = torch.constant.float 1.0
  %none = torch.constant.none
  %0 = torch.prim.Loop %arg1, %true, init(%arg0) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor<[4],f32>):
    // CHECK: error: torch.aten.uniform is not lowered: each iteration of the loop would draw the same random numbers
    %1 = torch.aten.uniform %x, %zero, %one, %none : !torch.vtensor<[4],f32>, !torch.float, !torch.float, !torch.none -> !torch.vtensor<[4],f32>
    torch.prim.Loop.condition %true, iter(%1 : !torch.vtensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func private @called(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %zero = torch.constant.float 0.0
  %one = torch.constant.float 1.0
  %none = torch.constant.none
  // CHECK: error: torch.aten.uniform is not lowered: its function is called by another
  %0 = torch.aten.uniform %arg0, %zero, %one, %none : !torch.vtensor<[4],f32>, !torch.float, !torch.float, !torch.none -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
func.func @calls(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = func.call @called(%arg0) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @list(%arg0: !torch.list<int>) -> !torch.vtensor<[?,?],f32> {
  %none = torch.constant.none
  // CHECK: error: torch.aten.randn is not lowered: its sizes are not a constructed list
  %0 = torch.aten.randn %arg0, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// -----

func.func @complex() -> !torch.vtensor<[2],complex<f32>> {
  %int2 = torch.constant.int 2
  %none = torch.constant.none
  %sizes = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  // CHECK: error: torch.aten.randn is not lowered: the distribution does not support dtype complex<f32>
  %0 = torch.aten.randn %sizes, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2],complex<f32>>
  return %0 : !torch.vtensor<[2],complex<f32>>
}
