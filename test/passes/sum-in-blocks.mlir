// RUN: torch-refine-opt %s --sum-in-blocks | filecheck %s

// Each innermost loop is a block, as all have 1,024 terms at most; the total is that of all loops.
// CHECK-LABEL: func.func @nested
// CHECK:         %[[START:.*]] = memref.load %arg1
// CHECK:         %[[ALL:.*]]:2 = scf.for {{.*}} iter_args(%[[TOTAL:.*]] = %[[START]], %[[ERROR:.*]] = %{{.*}}) -> (f32, f32)
// CHECK:           %[[BLOCK:.*]] = scf.for {{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (f32)
// CHECK:             arith.addf %{{.*}}, %[[SO_FAR]] fastmath<reassoc,contract>
// CHECK-NOT:         memref.store
// CHECK:           arith.addf %[[TOTAL]], %[[BLOCK]] : f32
// CHECK:         %[[EXACT:.*]] = arith.addf %[[ALL]]#0, %[[ALL]]#1
// CHECK:         %[[FOUND:.*]] = arith.select %{{.*}}, %[[ALL]]#0, %[[EXACT]]
// CHECK:         memref.store %[[FOUND]], %arg1
func.func @nested(%x: memref<900x100xf32>, %y: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c900 = arith.constant 900 : index
  scf.for %i = %c0 to %c900 step %c1 {
    scf.for %j = %c0 to %c100 step %c1 {
      %0 = memref.load %x[%i, %j] : memref<900x100xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = memref.load %y[] : memref<f32>
      %3 = arith.addf %1, %2 : f32
      memref.store %3, %y[] : memref<f32>
    }
  }
  return
}

// A loop that loads by an index is not vectorized: its blocks have 64 terms.
// CHECK-LABEL: func.func @gathered
// CHECK:         %[[STRIDE:.*]] = arith.constant 64 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STRIDE]] iter_args
func.func @gathered(%x: memref<?xf64>, %i: memref<1000xindex>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  scf.for %j = %c0 to %c1000 step %c1 {
    %0 = memref.load %i[%j] : memref<1000xindex>
    %1 = memref.load %x[%0] : memref<?xf64>
    %2 = memref.load %y[%c0] : memref<1xf64>
    %3 = arith.addf %1, %2 : f64
    memref.store %3, %y[%c0] : memref<1xf64>
  }
  return
}

// Columns are added in strips of 1,024, in blocks of 64 rows. Few rows of a dynamic number are added
// as before.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-3: memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:               scf.for
// CHECK:                 scf.for
// CHECK:                   arith.addf
// CHECK:               scf.for
// CHECK-COUNT-7:         {{arith.addf|arith.subf}}
// CHECK:             scf.for
// CHECK:         } else {
// CHECK:           scf.for
// CHECK-NEXT:        scf.for
// CHECK-NEXT:          memref.load
func.func @rows(%x: memref<?x3000xf32>, %y: memref<3000xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3000 = arith.constant 3000 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c3000 step %c1 {
      %0 = memref.load %x[%i, %j] : memref<?x3000xf32>
      %1 = memref.load %y[%j] : memref<3000xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %y[%j] : memref<3000xf32>
    }
  }
  return
}

// Short sums, products, integers, and loops that store or read something else stay as they are.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     iter_args
// CHECK-NOT:     alloca
// CHECK:         return
func.func @others(%x: memref<9000xf32>, %i: memref<9000xi64>, %y: memref<f32>, %k: memref<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %c9000 = arith.constant 9000 : index
  scf.for %j = %c0 to %c1000 step %c1 {
    %0 = memref.load %x[%j] : memref<9000xf32>
    %1 = memref.load %y[] : memref<f32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %y[] : memref<f32>
  }
  scf.for %j = %c0 to %c9000 step %c1 {
    %0 = memref.load %x[%j] : memref<9000xf32>
    %1 = memref.load %y[] : memref<f32>
    %2 = arith.mulf %0, %1 : f32
    memref.store %2, %y[] : memref<f32>
  }
  scf.for %j = %c0 to %c9000 step %c1 {
    %0 = memref.load %i[%j] : memref<9000xi64>
    %1 = memref.load %k[] : memref<i64>
    %2 = arith.addi %0, %1 : i64
    memref.store %2, %k[] : memref<i64>
  }
  scf.for %j = %c0 to %c9000 step %c1 {
    %0 = memref.load %x[%j] : memref<9000xf32>
    %1 = memref.load %y[] : memref<f32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %y[] : memref<f32>
    memref.store %2, %x[%j] : memref<9000xf32>
  }
  scf.for %j = %c0 to %c9000 step %c1 {
    %0 = memref.load %x[%j] : memref<9000xf32>
    %1 = memref.load %x[%c1] : memref<9000xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %x[%c1] : memref<9000xf32>
  }
  return
}
