// RUN: torch-refine-opt %s --map-loops-to-gpu | filecheck %s

// A thread for each turn; the last block has threads that have nothing to do. Inner loops run one after
// the other.
func.func @flat(%arg0: memref<?x7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %cst = arith.constant 0.0 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x7xf32>
  scf.parallel (%i) = (%c0) to (%dim) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c7) step (%c1) {
      memref.store %cst, %arg0[%i, %j] : memref<?x7xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
// CHECK-LABEL: func.func @flat
// CHECK:         %[[SIZE:.*]] = memref.dim
// CHECK:         arith.addi %[[SIZE]], %c255
// CHECK:         %[[BLOCKS:.*]] = arith.divui
// CHECK:         %[[GRID:.*]] = arith.maxui %[[BLOCKS]], %c1
// CHECK:         gpu.launch blocks({{.*}}) in ({{.*}} = %[[GRID]],
// CHECK:           %[[AT:.*]] = arith.addi
// CHECK:           %[[INSIDE:.*]] = arith.cmpi slt, %[[AT]], %[[SIZE]]
// CHECK:           scf.if %[[INSIDE]] {
// CHECK:             scf.for
// CHECK:               memref.store
// CHECK-NOT:       gpu.barrier

// Threads share the loops of a block, and wait for each other; what is not parallel is the first one's.
func.func @block(%arg0: memref<5x1000xf32>, %arg1: memref<5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %cst = arith.constant 0.0 : f32
  scf.forall (%i) in (5) {
    %row = memref.alloca() : memref<1000xf32>
    scf.parallel (%j) = (%c0) to (%c1000) step (%c1) {
      memref.store %cst, %row[%j] : memref<1000xf32>
      scf.reduce
    }
    %last = memref.load %row[%c0] : memref<1000xf32>
    memref.store %last, %arg1[%i] : memref<5xf32>
    scf.parallel (%j) = (%c0) to (%c1000) step (%c1) {
      %number = memref.load %row[%j] : memref<1000xf32>
      memref.store %number, %arg0[%i, %j] : memref<5x1000xf32>
      scf.reduce
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @block
// CHECK:         gpu.launch
// CHECK-SAME:      %c5
// CHECK-SAME:      workgroup(%{{.*}} : memref<1000xf32, #gpu.address_space<workgroup>>)
// CHECK:           scf.for %{{.*}} = %[[THREAD:.*]] to %c1000{{.*}} step %c256
// CHECK:           gpu.barrier
// CHECK:           memref.load
// CHECK:           gpu.barrier
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0
// CHECK:           scf.if %[[FIRST]] {
// CHECK-NEXT:        memref.store
// CHECK:           }
// CHECK:           gpu.barrier
// CHECK:           scf.for %{{.*}} = %[[THREAD]] to %c1000
// CHECK-NOT:       gpu.barrier
// CHECK:           gpu.terminator

// A loop around loops of threads is every thread's, with a barrier behind it.
func.func @steps(%arg0: memref<5x512xf32>, %arg1: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  scf.forall (%i) in (5) {
    scf.for %k = %c0 to %arg1 step %c1 {
      scf.parallel (%j) = (%c0) to (%c512) step (%c1) {
        %number = memref.load %arg0[%i, %j] : memref<5x512xf32>
        %twice = arith.addf %number, %number : f32
        memref.store %twice, %arg0[%i, %j] : memref<5x512xf32>
        scf.reduce
      }
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @steps
// CHECK:         scf.for %{{.*}} = %c0 to %arg1
// CHECK:           scf.for %[[TURN:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK:             arith.muli %[[TURN]], %c256
// CHECK:             memref.store
// CHECK:           }
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier

// A number that lies in no loop is one thread's work.
func.func @single(%arg0: memref<f32>) {
  %number = memref.load %arg0[] : memref<f32>
  %twice = arith.addf %number, %number : f32
  memref.store %twice, %arg0[] : memref<f32>
  return
}
// CHECK-LABEL: func.func @single
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %[[ONE:[^,]*]],{{.*}} threads({{.*}}) in (%{{.*}} = %[[ONE]],
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      gpu.terminator

// Blocks of a number that is not known: there is at least one, which has nothing to do if it is 0.
func.func @any_blocks(%arg0: memref<?xf32>, %arg1: index) {
  %cst = arith.constant 0.0 : f32
  scf.forall (%i) in (%arg1) {
    memref.store %cst, %arg0[%i] : memref<?xf32>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @any_blocks
// CHECK:         arith.maxui %arg1, %c1
// CHECK:         gpu.launch blocks(%[[BLOCK:[^,]*]],
// CHECK:           %[[INSIDE:.*]] = arith.cmpi slt, %[[BLOCK]], %arg1
// CHECK-NEXT:      scf.if %[[INSIDE]] {
// CHECK:             memref.store
