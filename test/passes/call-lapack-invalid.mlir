// RUN: not torch-refine-opt %s --call-lapack --split-input-file 2>&1 | filecheck %s

// CHECK: error: @a stands for no routine: there is no routine system
func.func private @a(tensor<?x?x?xf32>, tensor<?xi32>) -> (tensor<?x?x?xf32>, tensor<?xi32>) attributes {torch_refine.lapack = "system L"}

// -----

// CHECK: error: @b stands for no routine: potrf takes other letters than 'LL'
func.func private @b(tensor<?x?x?xf32>, tensor<?xi32>) -> (tensor<?x?x?xf32>, tensor<?xi32>) attributes {torch_refine.lapack = "potrf LL"}

// -----

// CHECK: error: @c stands for no routine: potrf takes and returns other arrays
func.func private @c(tensor<?x?xf32>, tensor<?xi32>) -> (tensor<?x?xf32>, tensor<?xi32>) attributes {torch_refine.lapack = "potrf L"}

// -----

// CHECK: error: @d stands for no routine: potrf takes and returns other arrays
func.func private @d(tensor<?x?x?xi8>, tensor<?xi32>) -> (tensor<?x?x?xi8>, tensor<?xi32>) attributes {torch_refine.lapack = "potrf L"}

// -----

// CHECK: error: @e stands for no routine: the attribute must be a string, on a function
func.func private @e(tensor<?x?x?xf32>, tensor<?xi32>) -> (tensor<?x?x?xf32>, tensor<?xi32>) attributes {torch_refine.lapack = 3}

// -----

// CHECK: error: @f stands for no routine: potrf takes and returns other arrays
func.func private @f() attributes {torch_refine.lapack = "potrf L"}
