// RUN: torch-refine-opt %s --bound-shift-amounts | filecheck %s

// By a known amount: less than the width, or not.

func.func @known(%arg0: i8) -> (i8, i8, i8) {
  %c7 = arith.constant 7 : i8
  %c8 = arith.constant 8 : i8
  %0 = arith.shli %arg0, %c7 : i8
  %1 = arith.shrsi %arg0, %c8 : i8
  %2 = arith.shrui %arg0, %c8 : i8
  return %0, %1, %2 : i8, i8, i8
}

// CHECK-LABEL: func.func @known(
// CHECK:         %[[FIRST:.*]] = arith.shli
// CHECK-NEXT:    arith.constant 7 : i8
// CHECK-NEXT:    %[[AMOUNT:.*]] = arith.minui
// CHECK-NEXT:    %[[SECOND:.*]] = arith.shrsi %{{.*}}, %[[AMOUNT]]
// CHECK-NEXT:    %[[SHIFTED:.*]] = arith.shrui
// CHECK:         %[[KEEPS:.*]] = arith.cmpi ult
// CHECK:         %[[THIRD:.*]] = arith.select %[[KEEPS]], %[[SHIFTED]]
// CHECK-NEXT:    return %[[FIRST]], %[[SECOND]], %[[THIRD]]
