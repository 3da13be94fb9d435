// The element functions, written by `make library`. Do not edit: change the Python.
func.func private @__torch__.torch_refine.abstract_interp_lib.elements.wrapped(%arg0: !torch.int) -> !torch.int {
  return %arg0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.gamma_fraction(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %float2.000000e00 = torch.constant.float 2.000000e+00
  %float9.999990e-17 = torch.constant.float 9.9999999999999997E-17
  %float1.000000e04 = torch.constant.float 1.000000e+04
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %float1.000000e-300 = torch.constant.float 1.000000e-300
  %float9.999990e299 = torch.constant.float 9.999999999999999E+299
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %0 = torch.aten.add.float %arg1, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.sub.float %0, %arg0 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.div.float %float1.000000e00, %1 : !torch.float, !torch.float -> !torch.float
  %3:5 = torch.prim.Loop %int9223372036854775807, %true, init(%2, %1, %float1.000000e00, %2, %float9.999990e299) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.float, %arg5: !torch.float, %arg6: !torch.float, %arg7: !torch.float):
    %7 = torch.aten.sub.float %arg0, %arg5 : !torch.float, !torch.float -> !torch.float
    %8 = torch.aten.mul.float %arg5, %7 : !torch.float, !torch.float -> !torch.float
    %9 = torch.aten.add.float %arg4, %float2.000000e00 : !torch.float, !torch.float -> !torch.float
    %10 = torch.aten.mul.float %8, %arg6 : !torch.float, !torch.float -> !torch.float
    %11 = torch.aten.add.float %10, %9 : !torch.float, !torch.float -> !torch.float
    %12 = torch.aten.eq.float %11, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
    %13 = torch.prim.If %12 -> (!torch.float) {
      torch.prim.If.yield %float1.000000e-300 : !torch.float
    } else {
      torch.prim.If.yield %11 : !torch.float
    }
    %14 = torch.aten.div.float %8, %arg7 : !torch.float, !torch.float -> !torch.float
    %15 = torch.aten.add.float %9, %14 : !torch.float, !torch.float -> !torch.float
    %16 = torch.aten.eq.float %15, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
    %17 = torch.prim.If %16 -> (!torch.float) {
      torch.prim.If.yield %float1.000000e-300 : !torch.float
    } else {
      torch.prim.If.yield %15 : !torch.float
    }
    %18 = torch.aten.div.float %float1.000000e00, %13 : !torch.float, !torch.float -> !torch.float
    %19 = torch.aten.mul.float %18, %17 : !torch.float, !torch.float -> !torch.float
    %20 = torch.aten.mul.float %arg3, %19 : !torch.float, !torch.float -> !torch.float
    %21 = torch.aten.add.float %arg5, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
    %22 = torch.aten.lt.float %21, %float1.000000e04 : !torch.float, !torch.float -> !torch.bool
    %23 = torch.prim.If %22 -> (!torch.bool) {
      %24 = torch.aten.sub.float %19, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
      %25 = torch.operator "torch.prim.abs.float"(%24) : (!torch.float) -> !torch.float 
      %26 = torch.aten.gt.float %25, %float9.999990e-17 : !torch.float, !torch.float -> !torch.bool
      torch.prim.If.yield %26 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    torch.prim.Loop.condition %23, iter(%20, %9, %21, %18, %17 : !torch.float, !torch.float, !torch.float, !torch.float, !torch.float)
  } : (!torch.int, !torch.bool, !torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float)
  %4 = torch.aten.mul.float %3#0, %arg0 : !torch.float, !torch.float -> !torch.float
  %5 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.gamma_summand(%arg0, %arg1) : (!torch.float, !torch.float) -> !torch.float
  %6 = torch.aten.mul.float %4, %5 : !torch.float, !torch.float -> !torch.float
  return %6 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.gamma_series(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %float1.000000e-17 = torch.constant.float 1.000000e-17
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %true = torch.constant.bool true
  %0:3 = torch.prim.Loop %int9223372036854775807, %true, init(%float1.000000e00, %arg0, %float1.000000e00) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.float, %arg5: !torch.float):
    %3 = torch.aten.add.float %arg4, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
    %4 = torch.aten.mul.float %arg5, %arg1 : !torch.float, !torch.float -> !torch.float
    %5 = torch.aten.div.float %4, %3 : !torch.float, !torch.float -> !torch.float
    %6 = torch.aten.add.float %arg3, %5 : !torch.float, !torch.float -> !torch.float
    %7 = torch.aten.mul.float %float1.000000e-17, %6 : !torch.float, !torch.float -> !torch.float
    %8 = torch.aten.gt.float %5, %7 : !torch.float, !torch.float -> !torch.bool
    torch.prim.Loop.condition %8, iter(%6, %3, %5 : !torch.float, !torch.float, !torch.float)
  } : (!torch.int, !torch.bool, !torch.float, !torch.float, !torch.float) -> (!torch.float, !torch.float, !torch.float)
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.gamma_summand(%arg0, %arg1) : (!torch.float, !torch.float) -> !torch.float
  %2 = torch.aten.mul.float %0#0, %1 : !torch.float, !torch.float -> !torch.float
  return %2 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.gamma_summand(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %float6.283190e00 = torch.constant.float 6.2831853071795862
  %float5.000000e-01 = torch.constant.float 5.000000e-01
  %float1.000000e01 = torch.constant.float 1.000000e+01
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %0 = torch.aten.lt.float %arg0, %float1.000000e01 : !torch.float, !torch.float -> !torch.bool
  %1:2 = torch.prim.Loop %int9223372036854775807, %0, init(%arg0, %float1.000000e00) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.float):
    %11 = torch.aten.add.float %arg3, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
    %12 = torch.aten.mul.float %arg4, %11 : !torch.float, !torch.float -> !torch.float
    %13 = torch.aten.lt.float %11, %float1.000000e01 : !torch.float, !torch.float -> !torch.bool
    torch.prim.Loop.condition %13, iter(%11, %12 : !torch.float, !torch.float)
  } : (!torch.int, !torch.bool, !torch.float, !torch.float) -> (!torch.float, !torch.float)
  %2 = torch.aten.eq.float %1#0, %arg0 : !torch.float, !torch.float -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.float) {
    %11 = torch.aten.sub.float %arg1, %arg0 : !torch.float, !torch.float -> !torch.float
    %12 = torch.aten.div.float %11, %arg0 : !torch.float, !torch.float -> !torch.float
    %13 = torch.operator "torch.prim.abs.float"(%12) : (!torch.float) -> !torch.float 
    %14 = torch.aten.lt.float %13, %float5.000000e-01 : !torch.float, !torch.float -> !torch.bool
    %15 = torch.prim.If %14 -> (!torch.float) {
      %18 = torch.operator "torch.aten.log1p.float"(%12) : (!torch.float) -> !torch.float 
      torch.prim.If.yield %18 : !torch.float
    } else {
      %18 = torch.aten.div.float %arg1, %arg0 : !torch.float, !torch.float -> !torch.float
      %19 = torch.operator "torch.aten.log.float"(%18) : (!torch.float) -> !torch.float 
      torch.prim.If.yield %19 : !torch.float
    }
    %16 = torch.aten.sub.float %15, %12 : !torch.float, !torch.float -> !torch.float
    %17 = torch.aten.mul.float %arg0, %16 : !torch.float, !torch.float -> !torch.float
    torch.prim.If.yield %17 : !torch.float
  } else {
    %11 = torch.operator "torch.aten.log.float"(%arg1) : (!torch.float) -> !torch.float 
    %12 = torch.aten.mul.float %arg0, %11 : !torch.float, !torch.float -> !torch.float
    %13 = torch.aten.sub.float %12, %arg1 : !torch.float, !torch.float -> !torch.float
    %14 = torch.operator "torch.aten.log.float"(%1#0) : (!torch.float) -> !torch.float 
    %15 = torch.aten.mul.float %1#0, %14 : !torch.float, !torch.float -> !torch.float
    %16 = torch.aten.sub.float %13, %15 : !torch.float, !torch.float -> !torch.float
    %17 = torch.aten.add.float %16, %1#0 : !torch.float, !torch.float -> !torch.float
    torch.prim.If.yield %17 : !torch.float
  }
  %4 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.stirling_correction(%1#0) : (!torch.float) -> !torch.float
  %5 = torch.aten.sub.float %3, %4 : !torch.float, !torch.float -> !torch.float
  %6 = torch.operator "torch.aten.exp.float"(%5) : (!torch.float) -> !torch.float 
  %7 = torch.aten.mul.float %1#1, %6 : !torch.float, !torch.float -> !torch.float
  %8 = torch.aten.mul.float %float6.283190e00, %1#0 : !torch.float, !torch.float -> !torch.float
  %9 = torch.operator "torch.aten.sqrt.float"(%8) : (!torch.float) -> !torch.float 
  %10 = torch.aten.div.float %7, %9 : !torch.float, !torch.float -> !torch.float
  return %10 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.is_pole_of_zeta(%arg0: !torch.float, %arg1: !torch.float) -> !torch.bool {
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %0 = torch.aten.eq.float %arg0, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %2 = torch.aten.lt.float %arg0, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
    %3 = torch.aten.__not__ %2 : !torch.bool -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.bool) {
      %6 = torch.operator "torch.aten.le.float"(%arg1, %float0.000000e00) : (!torch.float, !torch.float) -> !torch.bool 
      torch.prim.If.yield %6 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %5 = torch.prim.If %4 -> (!torch.bool) {
      %6 = torch.operator "torch.aten.floordiv.float"(%arg1, %float1.000000e00) : (!torch.float, !torch.float) -> !torch.float 
      %7 = torch.aten.eq.float %6, %arg1 : !torch.float, !torch.float -> !torch.bool
      torch.prim.If.yield %7 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    torch.prim.If.yield %5 : !torch.bool
  }
  return %1 : !torch.bool
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.float, %arg4: !torch.float) -> !torch.float {
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %0 = torch.aten.add.float %arg1, %arg3 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.mul.float %0, %arg2 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.mul.float %arg0, %1 : !torch.float, !torch.float -> !torch.float
  %3 = torch.aten.add.float %arg1, %arg3 : !torch.float, !torch.float -> !torch.float
  %4 = torch.aten.add.float %3, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
  %5 = torch.aten.mul.float %4, %arg2 : !torch.float, !torch.float -> !torch.float
  %6 = torch.aten.mul.float %2, %5 : !torch.float, !torch.float -> !torch.float
  %7 = torch.aten.add.float %arg4, %6 : !torch.float, !torch.float -> !torch.float
  return %7 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.regularised(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.float {
  %float1.000000e04 = torch.constant.float 1.000000e+04
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %true = torch.constant.bool true
  %floatNaN = torch.constant.float 0x7FF8000000000000
  %false = torch.constant.bool false
  %0 = torch.aten.lt.float %arg1, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %3 = torch.aten.lt.float %arg0, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
    torch.prim.If.yield %3 : !torch.bool
  }
  %2 = torch.prim.If %1 -> (!torch.float) {
    torch.prim.If.yield %floatNaN : !torch.float
  } else {
    %3 = torch.aten.eq.float %arg0, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.float) {
      %5 = torch.aten.gt.float %arg1, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      %6 = torch.prim.If %5 -> (!torch.float) {
        %7 = torch.prim.If %arg2 -> (!torch.float) {
          torch.prim.If.yield %float0.000000e00 : !torch.float
        } else {
          torch.prim.If.yield %float1.000000e00 : !torch.float
        }
        torch.prim.If.yield %7 : !torch.float
      } else {
        torch.prim.If.yield %floatNaN : !torch.float
      }
      torch.prim.If.yield %6 : !torch.float
    } else {
      %5 = torch.aten.eq.float %arg1, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      %6 = torch.prim.If %5 -> (!torch.bool) {
        torch.prim.If.yield %true : !torch.bool
      } else {
        %8 = torch.operator "torch.aten.isinf.float"(%arg0) : (!torch.float) -> !torch.bool 
        %9 = torch.prim.If %8 -> (!torch.bool) {
          %10 = torch.operator "torch.aten.isinf.float"(%arg1) : (!torch.float) -> !torch.bool 
          %11 = torch.aten.__not__ %10 : !torch.bool -> !torch.bool
          torch.prim.If.yield %11 : !torch.bool
        } else {
          torch.prim.If.yield %false : !torch.bool
        }
        torch.prim.If.yield %9 : !torch.bool
      }
      %7 = torch.prim.If %6 -> (!torch.float) {
        %8 = torch.prim.If %arg2 -> (!torch.float) {
          torch.prim.If.yield %float1.000000e00 : !torch.float
        } else {
          torch.prim.If.yield %float0.000000e00 : !torch.float
        }
        torch.prim.If.yield %8 : !torch.float
      } else {
        %8 = torch.operator "torch.aten.isinf.float"(%arg1) : (!torch.float) -> !torch.bool 
        %9 = torch.prim.If %8 -> (!torch.bool) {
          %11 = torch.operator "torch.aten.isinf.float"(%arg0) : (!torch.float) -> !torch.bool 
          %12 = torch.aten.__not__ %11 : !torch.bool -> !torch.bool
          torch.prim.If.yield %12 : !torch.bool
        } else {
          torch.prim.If.yield %false : !torch.bool
        }
        %10 = torch.prim.If %9 -> (!torch.float) {
          %11 = torch.prim.If %arg2 -> (!torch.float) {
            torch.prim.If.yield %float0.000000e00 : !torch.float
          } else {
            torch.prim.If.yield %float1.000000e00 : !torch.float
          }
          torch.prim.If.yield %11 : !torch.float
        } else {
          %11 = torch.aten.ge.float %arg0, %float1.000000e04 : !torch.float, !torch.float -> !torch.bool
          %12 = torch.prim.If %11 -> (!torch.bool) {
            %14 = torch.operator "torch.aten.isnan.float"(%arg1) : (!torch.float) -> !torch.bool 
            %15 = torch.aten.__not__ %14 : !torch.bool -> !torch.bool
            torch.prim.If.yield %15 : !torch.bool
          } else {
            torch.prim.If.yield %false : !torch.bool
          }
          %13 = torch.prim.If %12 -> (!torch.float) {
            %14 = torch.operator "torch.aten.isinf.float"(%arg0) : (!torch.float) -> !torch.bool 
            %15 = torch.aten.__not__ %14 : !torch.bool -> !torch.bool
            %16 = torch.prim.If %15 -> (!torch.float) {
              %17 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.uniform_gamma(%arg0, %arg1, %arg2) : (!torch.float, !torch.float, !torch.bool) -> !torch.float
              torch.prim.If.yield %17 : !torch.float
            } else {
              torch.prim.If.yield %floatNaN : !torch.float
            }
            torch.prim.If.yield %16 : !torch.float
          } else {
            %14 = torch.operator "torch.aten.le.float"(%arg1, %float1.000000e00) : (!torch.float, !torch.float) -> !torch.bool 
            %15 = torch.prim.If %14 -> (!torch.bool) {
              torch.prim.If.yield %true : !torch.bool
            } else {
              %17 = torch.operator "torch.aten.le.float"(%arg1, %arg0) : (!torch.float, !torch.float) -> !torch.bool 
              torch.prim.If.yield %17 : !torch.bool
            }
            %16 = torch.prim.If %15 -> (!torch.float) {
              %17 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.gamma_series(%arg0, %arg1) : (!torch.float, !torch.float) -> !torch.float
              %18 = torch.prim.If %arg2 -> (!torch.float) {
                %19 = torch.aten.sub.float %float1.000000e00, %17 : !torch.float, !torch.float -> !torch.float
                torch.prim.If.yield %19 : !torch.float
              } else {
                torch.prim.If.yield %17 : !torch.float
              }
              torch.prim.If.yield %18 : !torch.float
            } else {
              %17 = torch.aten.gt.float %arg1, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
              %18 = torch.prim.If %17 -> (!torch.float) {
                %19 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.gamma_fraction(%arg0, %arg1) : (!torch.float, !torch.float) -> !torch.float
                %20 = torch.prim.If %arg2 -> (!torch.float) {
                  torch.prim.If.yield %19 : !torch.float
                } else {
                  %21 = torch.aten.sub.float %float1.000000e00, %19 : !torch.float, !torch.float -> !torch.float
                  torch.prim.If.yield %21 : !torch.float
                }
                torch.prim.If.yield %20 : !torch.float
              } else {
                torch.prim.If.yield %floatNaN : !torch.float
              }
              torch.prim.If.yield %18 : !torch.float
            }
            torch.prim.If.yield %16 : !torch.float
          }
          torch.prim.If.yield %13 : !torch.float
        }
        torch.prim.If.yield %10 : !torch.float
      }
      torch.prim.If.yield %7 : !torch.float
    }
    torch.prim.If.yield %4 : !torch.float
  }
  return %2 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.stirling_correction(%arg0: !torch.float) -> !torch.float {
  %float8.333330e-02 = torch.constant.float 0.083333333333333329
  %float7.936510e-04 = torch.constant.float 7.9365079365079365E-4
  %float8.417500e-04 = torch.constant.float 8.4175084175084182E-4
  %float6.410260e-03 = torch.constant.float 0.00641025641025641
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %float-1.917530e-03 = torch.constant.float -0.0019175269175269176
  %float-5.952380e-04 = torch.constant.float -5.9523809523809529E-4
  %float-2.777780e-03 = torch.constant.float -0.0027777777777777779
  %0 = torch.aten.div.float %float1.000000e00, %arg0 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.mul.float %0, %0 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.mul.float %1, %float6.410260e-03 : !torch.float, !torch.float -> !torch.float
  %3 = torch.aten.add.float %float-1.917530e-03, %2 : !torch.float, !torch.float -> !torch.float
  %4 = torch.aten.mul.float %1, %3 : !torch.float, !torch.float -> !torch.float
  %5 = torch.aten.add.float %float8.417500e-04, %4 : !torch.float, !torch.float -> !torch.float
  %6 = torch.aten.mul.float %1, %5 : !torch.float, !torch.float -> !torch.float
  %7 = torch.aten.add.float %float-5.952380e-04, %6 : !torch.float, !torch.float -> !torch.float
  %8 = torch.aten.mul.float %1, %7 : !torch.float, !torch.float -> !torch.float
  %9 = torch.aten.add.float %float7.936510e-04, %8 : !torch.float, !torch.float -> !torch.float
  %10 = torch.aten.mul.float %1, %9 : !torch.float, !torch.float -> !torch.float
  %11 = torch.aten.add.float %float-2.777780e-03, %10 : !torch.float, !torch.float -> !torch.float
  %12 = torch.aten.mul.float %1, %11 : !torch.float, !torch.float -> !torch.float
  %13 = torch.aten.add.float %float8.333330e-02, %12 : !torch.float, !torch.float -> !torch.float
  %14 = torch.aten.mul.float %0, %13 : !torch.float, !torch.float -> !torch.float
  return %14 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.uniform_difference(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %float6.283190e00 = torch.constant.float 6.2831853071795862
  %float4.133600e-03 = torch.constant.float 0.0041335978835978834
  %float7.716040e-04 = torch.constant.float 7.716049382716049E-4
  %float2.645500e-03 = torch.constant.float 0.0026455026455026454
  %float2.057610e-04 = torch.constant.float 2.0576131687242798E-4
  %float7.649160e-06 = torch.constant.float 7.6491609160811098E-6
  %float8.333330e-02 = torch.constant.float 0.083333333333333329
  %float1.157410e-03 = torch.constant.float 0.0011574074074074073
  %float3.527340e-04 = torch.constant.float 3.5273368606701942E-4
  %float3.919260e-05 = torch.constant.float 3.9192631785224377E-5
  %float8.296710e-07 = torch.constant.float 8.2967113409530865E-7
  %float6.707850e-09 = torch.constant.float 6.7078535434014984E-9
  %float1.026180e-08 = torch.constant.float 1.0261809784240309E-8
  %float9.147690e-10 = torch.constant.float 9.1476995822367902E-10
  %float-4.382040e-09 = torch.constant.float -4.3820360184533529E-9
  %float-1.766600e-07 = torch.constant.float -1.7665952736826078E-7
  %float-1.854060e-06 = torch.constant.float -1.85406221071516E-6
  %float-2.185450e-06 = torch.constant.float -2.185448510679992E-6
  %float-1.787550e-04 = torch.constant.float -1.787551440329218E-4
  %float-1.481480e-02 = torch.constant.float -0.014814814814814815
  %float-3.333330e-01 = torch.constant.float -0.33333333333333331
  %float-1.612090e-06 = torch.constant.float -1.6120900894563446E-6
  %float-1.809860e-05 = torch.constant.float -1.8098550334489977E-5
  %float-4.018780e-07 = torch.constant.float -4.018775720164609E-7
  %float-9.902260e-04 = torch.constant.float -9.9022633744855963E-4
  %float-3.472220e-03 = torch.constant.float -0.003472222222222222
  %float-1.851850e-03 = torch.constant.float -0.0018518518518518519
  %float-2.681330e-03 = torch.constant.float -0.0026813271604938273
  %float-5.000000e-01 = torch.constant.float -5.000000e-01
  %0 = torch.aten.mul.float %arg1, %float9.147690e-10 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.add.float %float-4.382040e-09, %0 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.mul.float %arg1, %1 : !torch.float, !torch.float -> !torch.float
  %3 = torch.aten.add.float %float1.026180e-08, %2 : !torch.float, !torch.float -> !torch.float
  %4 = torch.aten.mul.float %arg1, %3 : !torch.float, !torch.float -> !torch.float
  %5 = torch.aten.add.float %float6.707850e-09, %4 : !torch.float, !torch.float -> !torch.float
  %6 = torch.aten.mul.float %arg1, %5 : !torch.float, !torch.float -> !torch.float
  %7 = torch.aten.add.float %float-1.766600e-07, %6 : !torch.float, !torch.float -> !torch.float
  %8 = torch.aten.mul.float %arg1, %7 : !torch.float, !torch.float -> !torch.float
  %9 = torch.aten.add.float %float8.296710e-07, %8 : !torch.float, !torch.float -> !torch.float
  %10 = torch.aten.mul.float %arg1, %9 : !torch.float, !torch.float -> !torch.float
  %11 = torch.aten.add.float %float-1.854060e-06, %10 : !torch.float, !torch.float -> !torch.float
  %12 = torch.aten.mul.float %arg1, %11 : !torch.float, !torch.float -> !torch.float
  %13 = torch.aten.add.float %float-2.185450e-06, %12 : !torch.float, !torch.float -> !torch.float
  %14 = torch.aten.mul.float %arg1, %13 : !torch.float, !torch.float -> !torch.float
  %15 = torch.aten.add.float %float3.919260e-05, %14 : !torch.float, !torch.float -> !torch.float
  %16 = torch.aten.mul.float %arg1, %15 : !torch.float, !torch.float -> !torch.float
  %17 = torch.aten.add.float %float-1.787550e-04, %16 : !torch.float, !torch.float -> !torch.float
  %18 = torch.aten.mul.float %arg1, %17 : !torch.float, !torch.float -> !torch.float
  %19 = torch.aten.add.float %float3.527340e-04, %18 : !torch.float, !torch.float -> !torch.float
  %20 = torch.aten.mul.float %arg1, %19 : !torch.float, !torch.float -> !torch.float
  %21 = torch.aten.add.float %float1.157410e-03, %20 : !torch.float, !torch.float -> !torch.float
  %22 = torch.aten.mul.float %arg1, %21 : !torch.float, !torch.float -> !torch.float
  %23 = torch.aten.add.float %float-1.481480e-02, %22 : !torch.float, !torch.float -> !torch.float
  %24 = torch.aten.mul.float %arg1, %23 : !torch.float, !torch.float -> !torch.float
  %25 = torch.aten.add.float %float8.333330e-02, %24 : !torch.float, !torch.float -> !torch.float
  %26 = torch.aten.mul.float %arg1, %25 : !torch.float, !torch.float -> !torch.float
  %27 = torch.aten.add.float %float-3.333330e-01, %26 : !torch.float, !torch.float -> !torch.float
  %28 = torch.aten.mul.float %arg1, %float-1.612090e-06 : !torch.float, !torch.float -> !torch.float
  %29 = torch.aten.add.float %float7.649160e-06, %28 : !torch.float, !torch.float -> !torch.float
  %30 = torch.aten.mul.float %arg1, %29 : !torch.float, !torch.float -> !torch.float
  %31 = torch.aten.add.float %float-1.809860e-05, %30 : !torch.float, !torch.float -> !torch.float
  %32 = torch.aten.mul.float %arg1, %31 : !torch.float, !torch.float -> !torch.float
  %33 = torch.aten.add.float %float-4.018780e-07, %32 : !torch.float, !torch.float -> !torch.float
  %34 = torch.aten.mul.float %arg1, %33 : !torch.float, !torch.float -> !torch.float
  %35 = torch.aten.add.float %float2.057610e-04, %34 : !torch.float, !torch.float -> !torch.float
  %36 = torch.aten.mul.float %arg1, %35 : !torch.float, !torch.float -> !torch.float
  %37 = torch.aten.add.float %float-9.902260e-04, %36 : !torch.float, !torch.float -> !torch.float
  %38 = torch.aten.mul.float %arg1, %37 : !torch.float, !torch.float -> !torch.float
  %39 = torch.aten.add.float %float2.645500e-03, %38 : !torch.float, !torch.float -> !torch.float
  %40 = torch.aten.mul.float %arg1, %39 : !torch.float, !torch.float -> !torch.float
  %41 = torch.aten.add.float %float-3.472220e-03, %40 : !torch.float, !torch.float -> !torch.float
  %42 = torch.aten.mul.float %arg1, %41 : !torch.float, !torch.float -> !torch.float
  %43 = torch.aten.add.float %float-1.851850e-03, %42 : !torch.float, !torch.float -> !torch.float
  %44 = torch.aten.mul.float %arg1, %float7.716040e-04 : !torch.float, !torch.float -> !torch.float
  %45 = torch.aten.add.float %float-2.681330e-03, %44 : !torch.float, !torch.float -> !torch.float
  %46 = torch.aten.mul.float %arg1, %45 : !torch.float, !torch.float -> !torch.float
  %47 = torch.aten.add.float %float4.133600e-03, %46 : !torch.float, !torch.float -> !torch.float
  %48 = torch.aten.div.float %47, %arg0 : !torch.float, !torch.float -> !torch.float
  %49 = torch.aten.add.float %43, %48 : !torch.float, !torch.float -> !torch.float
  %50 = torch.aten.div.float %49, %arg0 : !torch.float, !torch.float -> !torch.float
  %51 = torch.aten.add.float %27, %50 : !torch.float, !torch.float -> !torch.float
  %52 = torch.aten.mul.float %float-5.000000e-01, %arg0 : !torch.float, !torch.float -> !torch.float
  %53 = torch.aten.mul.float %52, %arg1 : !torch.float, !torch.float -> !torch.float
  %54 = torch.aten.mul.float %53, %arg1 : !torch.float, !torch.float -> !torch.float
  %55 = torch.operator "torch.aten.exp.float"(%54) : (!torch.float) -> !torch.float 
  %56 = torch.aten.mul.float %float6.283190e00, %arg0 : !torch.float, !torch.float -> !torch.float
  %57 = torch.operator "torch.aten.sqrt.float"(%56) : (!torch.float) -> !torch.float 
  %58 = torch.aten.div.float %55, %57 : !torch.float, !torch.float -> !torch.float
  %59 = torch.aten.mul.float %58, %51 : !torch.float, !torch.float -> !torch.float
  return %59 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.uniform_gamma(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.float {
  %float4.000000e-01 = torch.constant.float 4.000000e-01
  %float2.000000e00 = torch.constant.float 2.000000e+00
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %float5.000000e-01 = torch.constant.float 5.000000e-01
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %float-5.000000e-01 = torch.constant.float -5.000000e-01
  %true = torch.constant.bool true
  %float-1.000000e00 = torch.constant.float -1.000000e+00
  %float-4.000000e-01 = torch.constant.float -4.000000e-01
  %0 = torch.aten.sub.float %arg1, %arg0 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.div.float %0, %arg0 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.lt.float %1, %float-5.000000e-01 : !torch.float, !torch.float -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %5 = torch.aten.gt.float %1, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
    torch.prim.If.yield %5 : !torch.bool
  }
  %4 = torch.prim.If %3 -> (!torch.float) {
    %5 = torch.aten.lt.float %1, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
    %6 = torch.aten.eq.bool %arg2, %5 : !torch.bool, !torch.bool -> !torch.bool
    %7 = torch.prim.If %6 -> (!torch.float) {
      torch.prim.If.yield %float1.000000e00 : !torch.float
    } else {
      torch.prim.If.yield %float0.000000e00 : !torch.float
    }
    torch.prim.If.yield %7 : !torch.float
  } else {
    %5 = torch.operator "torch.aten.log1p.float"(%1) : (!torch.float) -> !torch.float 
    %6 = torch.aten.sub.float %1, %5 : !torch.float, !torch.float -> !torch.float
    %7 = torch.aten.mul.float %float2.000000e00, %6 : !torch.float, !torch.float -> !torch.float
    %8 = torch.operator "torch.prim.max.float"(%7, %float0.000000e00) : (!torch.float, !torch.float) -> !torch.float 
    %9 = torch.operator "torch.aten.sqrt.float"(%8) : (!torch.float) -> !torch.float 
    %10 = torch.aten.lt.float %1, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
    %11 = torch.prim.If %10 -> (!torch.float) {
      %23 = torch.aten.neg.float %9 : !torch.float -> !torch.float
      torch.prim.If.yield %23 : !torch.float
    } else {
      torch.prim.If.yield %9 : !torch.float
    }
    %12 = torch.prim.If %arg2 -> (!torch.float) {
      torch.prim.If.yield %float1.000000e00 : !torch.float
    } else {
      torch.prim.If.yield %float-1.000000e00 : !torch.float
    }
    %13 = torch.operator "torch.prim.min.float"(%11, %float4.000000e-01) : (!torch.float, !torch.float) -> !torch.float 
    %14 = torch.operator "torch.prim.max.float"(%13, %float-4.000000e-01) : (!torch.float, !torch.float) -> !torch.float 
    %15 = torch.aten.mul.float %12, %11 : !torch.float, !torch.float -> !torch.float
    %16 = torch.aten.mul.float %float5.000000e-01, %arg0 : !torch.float, !torch.float -> !torch.float
    %17 = torch.operator "torch.aten.sqrt.float"(%16) : (!torch.float) -> !torch.float 
    %18 = torch.aten.mul.float %15, %17 : !torch.float, !torch.float -> !torch.float
    %19 = torch.operator "torch.aten.erfc.float"(%18) : (!torch.float) -> !torch.float 
    %20 = torch.aten.mul.float %float5.000000e-01, %19 : !torch.float, !torch.float -> !torch.float
    %21 = torch.aten.eq.float %14, %11 : !torch.float, !torch.float -> !torch.bool
    %22 = torch.prim.If %21 -> (!torch.float) {
      %23 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.uniform_difference(%arg0, %11) : (!torch.float, !torch.float) -> !torch.float
      %24 = torch.aten.mul.float %12, %23 : !torch.float, !torch.float -> !torch.float
      %25 = torch.aten.add.float %20, %24 : !torch.float, !torch.float -> !torch.float
      torch.prim.If.yield %25 : !torch.float
    } else {
      torch.prim.If.yield %20 : !torch.float
    }
    torch.prim.If.yield %22 : !torch.float
  }
  return %4 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.zeta_from(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.float) -> !torch.float {
  %float8.333330e-02 = torch.constant.float 0.083333333333333329
  %float3.000000e00 = torch.constant.float 3.000000e+00
  %float3.306880e-05 = torch.constant.float 3.3068783068783071E-5
  %float5.000000e00 = torch.constant.float 5.000000e+00
  %float7.000000e00 = torch.constant.float 7.000000e+00
  %float2.087680e-08 = torch.constant.float 2.08767569878681E-8
  %float9.000000e00 = torch.constant.float 9.000000e+00
  %float1.100000e01 = torch.constant.float 1.100000e+01
  %float1.338250e-11 = torch.constant.float 1.3382536530684679E-11
  %float1.300000e01 = torch.constant.float 1.300000e+01
  %float1.500000e01 = torch.constant.float 1.500000e+01
  %float8.586060e-15 = torch.constant.float 8.5860620562778452E-15
  %float1.700000e01 = torch.constant.float 1.700000e+01
  %float1.900000e01 = torch.constant.float 1.900000e+01
  %float5.509000e-18 = torch.constant.float 5.5090028283602295E-18
  %float2.100000e01 = torch.constant.float 2.100000e+01
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %float-1.395450e-19 = torch.constant.float -1.3954464685812522E-19
  %float-2.174870e-16 = torch.constant.float -2.1748686985580619E-16
  %float-3.389680e-13 = torch.constant.float -3.3896802963225827E-13
  %float-5.284190e-10 = torch.constant.float -5.2841901386874932E-10
  %float-8.267190e-07 = torch.constant.float -8.2671957671957675E-7
  %float-1.388890e-03 = torch.constant.float -0.0013888888888888889
  %0 = torch.aten.div.float %float1.000000e00, %arg1 : !torch.float, !torch.float -> !torch.float
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%float-1.395450e-19, %arg0, %0, %float2.100000e01, %float5.509000e-18) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%1, %arg0, %0, %float1.900000e01, %float-2.174870e-16) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %3 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%2, %arg0, %0, %float1.700000e01, %float8.586060e-15) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %4 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%3, %arg0, %0, %float1.500000e01, %float-3.389680e-13) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %5 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%4, %arg0, %0, %float1.300000e01, %float1.338250e-11) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %6 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%5, %arg0, %0, %float1.100000e01, %float-5.284190e-10) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %7 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%6, %arg0, %0, %float9.000000e00, %float2.087680e-08) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %8 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%7, %arg0, %0, %float7.000000e00, %float-8.267190e-07) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %9 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%8, %arg0, %0, %float5.000000e00, %float3.306880e-05) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %10 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%9, %arg0, %0, %float3.000000e00, %float-1.388890e-03) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %11 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.next_correction(%10, %arg0, %0, %float1.000000e00, %float8.333330e-02) : (!torch.float, !torch.float, !torch.float, !torch.float, !torch.float) -> !torch.float
  %12 = torch.aten.mul.float %arg2, %arg1 : !torch.float, !torch.float -> !torch.float
  %13 = torch.aten.sub.float %arg0, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
  %14 = torch.aten.div.float %12, %13 : !torch.float, !torch.float -> !torch.float
  %15 = torch.aten.mul.float %arg0, %0 : !torch.float, !torch.float -> !torch.float
  %16 = torch.aten.mul.float %arg2, %15 : !torch.float, !torch.float -> !torch.float
  %17 = torch.aten.mul.float %16, %11 : !torch.float, !torch.float -> !torch.float
  %18 = torch.aten.add.float %14, %17 : !torch.float, !torch.float -> !torch.float
  return %18 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_t(%arg0: !torch.float, %arg1: !torch.int, %arg2: !torch.int) -> !torch.float {
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %int0 = torch.constant.int 0
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %false = torch.constant.bool false
  %0 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.float) {
    %2 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
    %3 = torch.aten.eq.float %2, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.float) {
      %5 = torch.aten.gt.float %arg0, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      %6 = torch.prim.If %5 -> (!torch.float) {
        torch.prim.If.yield %float1.000000e00 : !torch.float
      } else {
        %7 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.sign_of_power(%arg1) : (!torch.int) -> !torch.float
        torch.prim.If.yield %7 : !torch.float
      }
      torch.prim.If.yield %6 : !torch.float
    } else {
      %5 = torch.aten.gt.int %arg1, %arg2 : !torch.int, !torch.int -> !torch.bool
      %6 = torch.prim.If %5 -> (!torch.bool) {
        %8 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
        %9 = torch.aten.lt.float %8, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
        torch.prim.If.yield %9 : !torch.bool
      } else {
        torch.prim.If.yield %false : !torch.bool
      }
      %7 = torch.prim.If %6 -> (!torch.float) {
        %8 = torch.aten.Float.Scalar %arg1 : !torch.int -> !torch.float
        %9 = torch.operator "torch.aten.acos.float"(%arg0) : (!torch.float) -> !torch.float 
        %10 = torch.aten.mul.float %8, %9 : !torch.float, !torch.float -> !torch.float
        %11 = torch.operator "torch.aten.cos.float"(%10) : (!torch.float) -> !torch.float 
        torch.prim.If.yield %11 : !torch.float
      } else {
        %8 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
        %9 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.three_terms(%float1.000000e00, %arg0, %8, %arg1) : (!torch.float, !torch.float, !torch.float, !torch.int) -> !torch.float
        torch.prim.If.yield %9 : !torch.float
      }
      torch.prim.If.yield %7 : !torch.float
    }
    torch.prim.If.yield %4 : !torch.float
  } else {
    torch.prim.If.yield %float0.000000e00 : !torch.float
  }
  return %1 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_u(%arg0: !torch.float, %arg1: !torch.int, %arg2: !torch.int) -> !torch.float {
  %int1 = torch.constant.int 1
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %int0 = torch.constant.int 0
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %false = torch.constant.bool false
  %0 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.float) {
    %2 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
    %3 = torch.aten.eq.float %2, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.float) {
      %5 = torch.aten.add.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
      %6 = torch.aten.Float.Scalar %5 : !torch.int -> !torch.float
      %7 = torch.aten.lt.float %arg0, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      %8 = torch.prim.If %7 -> (!torch.float) {
        %9 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.sign_of_power(%arg1) : (!torch.int) -> !torch.float
        %10 = torch.aten.mul.float %6, %9 : !torch.float, !torch.float -> !torch.float
        torch.prim.If.yield %10 : !torch.float
      } else {
        torch.prim.If.yield %6 : !torch.float
      }
      torch.prim.If.yield %8 : !torch.float
    } else {
      %5 = torch.aten.gt.int %arg1, %arg2 : !torch.int, !torch.int -> !torch.bool
      %6 = torch.prim.If %5 -> (!torch.bool) {
        %8 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
        %9 = torch.aten.lt.float %8, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
        torch.prim.If.yield %9 : !torch.bool
      } else {
        torch.prim.If.yield %false : !torch.bool
      }
      %7 = torch.prim.If %6 -> (!torch.float) {
        %8 = torch.operator "torch.aten.acos.float"(%arg0) : (!torch.float) -> !torch.float 
        %9 = torch.aten.add.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
        %10 = torch.aten.Float.Scalar %9 : !torch.int -> !torch.float
        %11 = torch.aten.mul.float %10, %8 : !torch.float, !torch.float -> !torch.float
        %12 = torch.operator "torch.aten.sin.float"(%11) : (!torch.float) -> !torch.float 
        %13 = torch.operator "torch.aten.sin.float"(%8) : (!torch.float) -> !torch.float 
        %14 = torch.aten.div.float %12, %13 : !torch.float, !torch.float -> !torch.float
        torch.prim.If.yield %14 : !torch.float
      } else {
        %8 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
        %9 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
        %10 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.three_terms(%float1.000000e00, %8, %9, %arg1) : (!torch.float, !torch.float, !torch.float, !torch.int) -> !torch.float
        torch.prim.If.yield %10 : !torch.float
      }
      torch.prim.If.yield %7 : !torch.float
    }
    torch.prim.If.yield %4 : !torch.float
  } else {
    torch.prim.If.yield %float0.000000e00 : !torch.float
  }
  return %1 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_v(%arg0: !torch.float, %arg1: !torch.int, %arg2: !torch.int) -> !torch.float {
  %float2.000000e00 = torch.constant.float 2.000000e+00
  %float5.000000e-01 = torch.constant.float 5.000000e-01
  %int1 = torch.constant.int 1
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %int0 = torch.constant.int 0
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %false = torch.constant.bool false
  %0 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.float) {
    %2 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
    %3 = torch.aten.eq.float %2, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.float) {
      %5 = torch.aten.lt.float %arg0, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      %6 = torch.prim.If %5 -> (!torch.float) {
        %7 = torch.aten.add.int %arg1, %arg1 : !torch.int, !torch.int -> !torch.int
        %8 = torch.aten.add.int %7, %int1 : !torch.int, !torch.int -> !torch.int
        %9 = torch.aten.Float.Scalar %8 : !torch.int -> !torch.float
        %10 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.sign_of_power(%arg1) : (!torch.int) -> !torch.float
        %11 = torch.aten.mul.float %9, %10 : !torch.float, !torch.float -> !torch.float
        torch.prim.If.yield %11 : !torch.float
      } else {
        torch.prim.If.yield %float1.000000e00 : !torch.float
      }
      torch.prim.If.yield %6 : !torch.float
    } else {
      %5 = torch.aten.gt.int %arg1, %arg2 : !torch.int, !torch.int -> !torch.bool
      %6 = torch.prim.If %5 -> (!torch.bool) {
        %8 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
        %9 = torch.aten.lt.float %8, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
        torch.prim.If.yield %9 : !torch.bool
      } else {
        torch.prim.If.yield %false : !torch.bool
      }
      %7 = torch.prim.If %6 -> (!torch.float) {
        %8 = torch.operator "torch.aten.acos.float"(%arg0) : (!torch.float) -> !torch.float 
        %9 = torch.aten.Float.Scalar %arg1 : !torch.int -> !torch.float
        %10 = torch.aten.add.float %9, %float5.000000e-01 : !torch.float, !torch.float -> !torch.float
        %11 = torch.aten.mul.float %10, %8 : !torch.float, !torch.float -> !torch.float
        %12 = torch.operator "torch.aten.cos.float"(%11) : (!torch.float) -> !torch.float 
        %13 = torch.aten.div.float %8, %float2.000000e00 : !torch.float, !torch.float -> !torch.float
        %14 = torch.operator "torch.aten.cos.float"(%13) : (!torch.float) -> !torch.float 
        %15 = torch.aten.div.float %12, %14 : !torch.float, !torch.float -> !torch.float
        torch.prim.If.yield %15 : !torch.float
      } else {
        %8 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
        %9 = torch.aten.sub.float %8, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
        %10 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
        %11 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.three_terms(%float1.000000e00, %9, %10, %arg1) : (!torch.float, !torch.float, !torch.float, !torch.int) -> !torch.float
        torch.prim.If.yield %11 : !torch.float
      }
      torch.prim.If.yield %7 : !torch.float
    }
    torch.prim.If.yield %4 : !torch.float
  } else {
    torch.prim.If.yield %float0.000000e00 : !torch.float
  }
  return %1 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_w(%arg0: !torch.float, %arg1: !torch.int, %arg2: !torch.int) -> !torch.float {
  %float2.000000e00 = torch.constant.float 2.000000e+00
  %float5.000000e-01 = torch.constant.float 5.000000e-01
  %int1 = torch.constant.int 1
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %int0 = torch.constant.int 0
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %false = torch.constant.bool false
  %0 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.float) {
    %2 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
    %3 = torch.aten.eq.float %2, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.float) {
      %5 = torch.aten.add.int %arg1, %arg1 : !torch.int, !torch.int -> !torch.int
      %6 = torch.aten.add.int %5, %int1 : !torch.int, !torch.int -> !torch.int
      %7 = torch.aten.Float.Scalar %6 : !torch.int -> !torch.float
      %8 = torch.aten.lt.float %arg0, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      %9 = torch.prim.If %8 -> (!torch.float) {
        %10 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.sign_of_power(%arg1) : (!torch.int) -> !torch.float
        torch.prim.If.yield %10 : !torch.float
      } else {
        torch.prim.If.yield %7 : !torch.float
      }
      torch.prim.If.yield %9 : !torch.float
    } else {
      %5 = torch.aten.gt.int %arg1, %arg2 : !torch.int, !torch.int -> !torch.bool
      %6 = torch.prim.If %5 -> (!torch.bool) {
        %8 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
        %9 = torch.aten.lt.float %8, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
        torch.prim.If.yield %9 : !torch.bool
      } else {
        torch.prim.If.yield %false : !torch.bool
      }
      %7 = torch.prim.If %6 -> (!torch.float) {
        %8 = torch.operator "torch.aten.acos.float"(%arg0) : (!torch.float) -> !torch.float 
        %9 = torch.aten.Float.Scalar %arg1 : !torch.int -> !torch.float
        %10 = torch.aten.add.float %9, %float5.000000e-01 : !torch.float, !torch.float -> !torch.float
        %11 = torch.aten.mul.float %10, %8 : !torch.float, !torch.float -> !torch.float
        %12 = torch.operator "torch.aten.sin.float"(%11) : (!torch.float) -> !torch.float 
        %13 = torch.aten.div.float %8, %float2.000000e00 : !torch.float, !torch.float -> !torch.float
        %14 = torch.operator "torch.aten.sin.float"(%13) : (!torch.float) -> !torch.float 
        %15 = torch.aten.div.float %12, %14 : !torch.float, !torch.float -> !torch.float
        torch.prim.If.yield %15 : !torch.float
      } else {
        %8 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
        %9 = torch.aten.add.float %8, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
        %10 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
        %11 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.three_terms(%float1.000000e00, %9, %10, %arg1) : (!torch.float, !torch.float, !torch.float, !torch.int) -> !torch.float
        torch.prim.If.yield %11 : !torch.float
      }
      torch.prim.If.yield %7 : !torch.float
    }
    torch.prim.If.yield %4 : !torch.float
  } else {
    torch.prim.If.yield %float0.000000e00 : !torch.float
  }
  return %1 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.hermite(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.int, %arg3: !torch.int) -> !torch.float {
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %int1 = torch.constant.int 1
  %int512 = torch.constant.int 512
  %int128 = torch.constant.int 128
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %int0 = torch.constant.int 0
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %floatNaN = torch.constant.float 0x7FF8000000000000
  %false = torch.constant.bool false
  %0 = torch.aten.lt.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.float) {
    torch.prim.If.yield %float0.000000e00 : !torch.float
  } else {
    %2 = torch.aten.eq.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.float) {
      torch.prim.If.yield %float1.000000e00 : !torch.float
    } else {
      %4 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.is_single() : () -> !torch.bool
      %5 = torch.prim.If %4 -> (!torch.int) {
        torch.prim.If.yield %int128 : !torch.int
      } else {
        torch.prim.If.yield %int512 : !torch.int
      }
      %6 = torch.aten.gt.int %arg3, %5 : !torch.int, !torch.int -> !torch.bool
      %7 = torch.prim.If %6 -> (!torch.float) {
        torch.prim.If.yield %floatNaN : !torch.float
      } else {
        %8 = torch.aten.lt.int %int1, %arg3 : !torch.int, !torch.int -> !torch.bool
        %9 = torch.prim.If %8 -> (!torch.bool) {
          %11 = torch.operator "torch.aten.isnan.float"(%arg1) : (!torch.float) -> !torch.bool 
          %12 = torch.aten.__not__ %11 : !torch.bool -> !torch.bool
          torch.prim.If.yield %12 : !torch.bool
        } else {
          torch.prim.If.yield %false : !torch.bool
        }
        %10:3 = torch.prim.Loop %int9223372036854775807, %9, init(%arg1, %float1.000000e00, %int1) {
        ^bb0(%arg4: !torch.int, %arg5: !torch.float, %arg6: !torch.float, %arg7: !torch.int):
          %11 = torch.aten.mul.float %arg1, %arg5 : !torch.float, !torch.float -> !torch.float
          %12 = torch.aten.mul.int %arg2, %arg7 : !torch.int, !torch.int -> !torch.int
          %13 = torch.aten.Float.Scalar %12 : !torch.int -> !torch.float
          %14 = torch.aten.mul.float %13, %arg6 : !torch.float, !torch.float -> !torch.float
          %15 = torch.aten.sub.float %11, %14 : !torch.float, !torch.float -> !torch.float
          %16 = torch.aten.add.int %arg7, %int1 : !torch.int, !torch.int -> !torch.int
          %17 = torch.aten.lt.int %16, %arg3 : !torch.int, !torch.int -> !torch.bool
          %18 = torch.prim.If %17 -> (!torch.bool) {
            %19 = torch.operator "torch.aten.isnan.float"(%15) : (!torch.float) -> !torch.bool 
            %20 = torch.aten.__not__ %19 : !torch.bool -> !torch.bool
            torch.prim.If.yield %20 : !torch.bool
          } else {
            torch.prim.If.yield %false : !torch.bool
          }
          torch.prim.Loop.condition %18, iter(%15, %arg5, %16 : !torch.float, !torch.float, !torch.int)
        } : (!torch.int, !torch.bool, !torch.float, !torch.float, !torch.int) -> (!torch.float, !torch.float, !torch.int)
        torch.prim.If.yield %10#0 : !torch.float
      }
      torch.prim.If.yield %7 : !torch.float
    }
    torch.prim.If.yield %3 : !torch.float
  }
  return %1 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.is_single() -> !torch.bool {
  %false = torch.constant.bool false
  return %false : !torch.bool
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.sign_of_power(%arg0: !torch.int) -> !torch.float {
  %int2 = torch.constant.int 2
  %float2.000000e00 = torch.constant.float 2.000000e+00
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %0 = torch.aten.remainder.int %arg0, %int2 : !torch.int, !torch.int -> !torch.int
  %1 = torch.aten.Float.Scalar %0 : !torch.int -> !torch.float
  %2 = torch.aten.mul.float %float2.000000e00, %1 : !torch.float, !torch.float -> !torch.float
  %3 = torch.aten.sub.float %float1.000000e00, %2 : !torch.float, !torch.float -> !torch.float
  return %3 : !torch.float
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.three_terms(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.int) -> !torch.float {
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %0 = torch.aten.eq.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.float) {
    torch.prim.If.yield %arg0 : !torch.float
  } else {
    torch.prim.If.yield %arg1 : !torch.float
  }
  %2 = torch.aten.lt.int %int1, %arg3 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    %5 = torch.operator "torch.aten.isnan.float"(%1) : (!torch.float) -> !torch.bool 
    %6 = torch.aten.__not__ %5 : !torch.bool -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  %4:3 = torch.prim.Loop %int9223372036854775807, %3, init(%1, %arg0, %int1) {
  ^bb0(%arg4: !torch.int, %arg5: !torch.float, %arg6: !torch.float, %arg7: !torch.int):
    %5 = torch.aten.mul.float %arg2, %arg5 : !torch.float, !torch.float -> !torch.float
    %6 = torch.aten.sub.float %5, %arg6 : !torch.float, !torch.float -> !torch.float
    %7 = torch.aten.add.int %arg7, %int1 : !torch.int, !torch.int -> !torch.int
    %8 = torch.aten.lt.int %7, %arg3 : !torch.int, !torch.int -> !torch.bool
    %9 = torch.prim.If %8 -> (!torch.bool) {
      %10 = torch.operator "torch.aten.isnan.float"(%6) : (!torch.float) -> !torch.bool 
      %11 = torch.aten.__not__ %10 : !torch.bool -> !torch.bool
      torch.prim.If.yield %11 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    torch.prim.Loop.condition %9, iter(%6, %arg5, %7 : !torch.float, !torch.float, !torch.int)
  } : (!torch.int, !torch.bool, !torch.float, !torch.float, !torch.int) -> (!torch.float, !torch.float, !torch.int)
  return %4#0 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.gcd(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %int0 = torch.constant.int 0
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %false = torch.constant.bool false
  %0 = torch.operator "torch.prim.abs.int"(%arg0) : (!torch.int) -> !torch.int 
  %1 = call @__torch__.torch_refine.abstract_interp_lib.elements.wrapped(%0) : (!torch.int) -> !torch.int
  %2 = torch.operator "torch.prim.abs.int"(%arg1) : (!torch.int) -> !torch.int 
  %3 = call @__torch__.torch_refine.abstract_interp_lib.elements.wrapped(%2) : (!torch.int) -> !torch.int
  %4 = torch.aten.ne.int %1, %int0 : !torch.int, !torch.int -> !torch.bool
  %5:2 = torch.prim.Loop %int9223372036854775807, %4, init(%3, %1) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int):
    %6 = torch.aten.remainder.int %arg3, %arg4 : !torch.int, !torch.int -> !torch.int
    %7 = torch.aten.ne.int %6, %int0 : !torch.int, !torch.int -> !torch.bool
    %8 = torch.prim.If %7 -> (!torch.bool) {
      %11 = torch.aten.lt.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
      %12 = torch.aten.lt.int %arg4, %int0 : !torch.int, !torch.int -> !torch.bool
      %13 = torch.aten.ne.bool %11, %12 : !torch.bool, !torch.bool -> !torch.bool
      torch.prim.If.yield %13 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %9 = torch.prim.If %8 -> (!torch.int) {
      %11 = torch.aten.sub.int %6, %arg4 : !torch.int, !torch.int -> !torch.int
      torch.prim.If.yield %11 : !torch.int
    } else {
      torch.prim.If.yield %6 : !torch.int
    }
    %10 = torch.aten.ne.int %9, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.Loop.condition %10, iter(%arg4, %9 : !torch.int, !torch.int)
  } : (!torch.int, !torch.bool, !torch.int, !torch.int) -> (!torch.int, !torch.int)
  return %5#0 : !torch.int
}
func.func private @__torch_mlir_element_fn.aten.igamma(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %false = torch.constant.bool false
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.regularised(%arg0, %arg1, %false) : (!torch.float, !torch.float, !torch.bool) -> !torch.float
  return %0 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.igammac(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %true = torch.constant.bool true
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.regularised(%arg0, %arg1, %true) : (!torch.float, !torch.float, !torch.bool) -> !torch.float
  return %0 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_chebyshev_polynomial_t(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int6 = torch.constant.int 6
  %0 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_t(%arg0, %0, %int6) : (!torch.float, !torch.int, !torch.int) -> !torch.float
  return %1 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_chebyshev_polynomial_u(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int8 = torch.constant.int 8
  %0 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_u(%arg0, %0, %int8) : (!torch.float, !torch.int, !torch.int) -> !torch.float
  return %1 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_chebyshev_polynomial_v(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int8 = torch.constant.int 8
  %0 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_v(%arg0, %0, %int8) : (!torch.float, !torch.int, !torch.int) -> !torch.float
  return %1 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_chebyshev_polynomial_w(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int8 = torch.constant.int 8
  %0 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_w(%arg0, %0, %int8) : (!torch.float, !torch.int, !torch.int) -> !torch.float
  return %1 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_hermite_polynomial_h(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int2 = torch.constant.int 2
  %0 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.hermite(%arg0, %0, %int2, %1) : (!torch.float, !torch.float, !torch.int, !torch.int) -> !torch.float
  return %2 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_hermite_polynomial_he(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int1 = torch.constant.int 1
  %0 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.hermite(%arg0, %arg0, %int1, %0) : (!torch.float, !torch.float, !torch.int, !torch.int) -> !torch.float
  return %1 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_laguerre_polynomial_l(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %int1 = torch.constant.int 1
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %int0 = torch.constant.int 0
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %0 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %1 = torch.aten.sub.float %float1.000000e00, %arg0 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.lt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.float) {
    torch.prim.If.yield %float0.000000e00 : !torch.float
  } else {
    %4 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
    %5 = torch.prim.If %4 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %7 = torch.aten.eq.float %arg0, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      torch.prim.If.yield %7 : !torch.bool
    }
    %6 = torch.prim.If %5 -> (!torch.float) {
      torch.prim.If.yield %float1.000000e00 : !torch.float
    } else {
      %7 = torch.aten.lt.int %int1, %0 : !torch.int, !torch.int -> !torch.bool
      %8 = torch.prim.If %7 -> (!torch.bool) {
        %10 = torch.operator "torch.aten.isnan.float"(%1) : (!torch.float) -> !torch.bool 
        %11 = torch.aten.__not__ %10 : !torch.bool -> !torch.bool
        torch.prim.If.yield %11 : !torch.bool
      } else {
        torch.prim.If.yield %false : !torch.bool
      }
      %9:3 = torch.prim.Loop %int9223372036854775807, %8, init(%1, %float1.000000e00, %int1) {
      ^bb0(%arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.float, %arg5: !torch.int):
        %10 = torch.aten.Float.Scalar %arg5 : !torch.int -> !torch.float
        %11 = torch.aten.add.float %10, %10 : !torch.float, !torch.float -> !torch.float
        %12 = torch.aten.sub.float %float1.000000e00, %arg0 : !torch.float, !torch.float -> !torch.float
        %13 = torch.aten.add.float %11, %12 : !torch.float, !torch.float -> !torch.float
        %14 = torch.aten.mul.float %13, %arg3 : !torch.float, !torch.float -> !torch.float
        %15 = torch.aten.mul.float %10, %arg4 : !torch.float, !torch.float -> !torch.float
        %16 = torch.aten.sub.float %14, %15 : !torch.float, !torch.float -> !torch.float
        %17 = torch.aten.add.float %10, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
        %18 = torch.aten.div.float %16, %17 : !torch.float, !torch.float -> !torch.float
        %19 = torch.aten.add.int %arg5, %int1 : !torch.int, !torch.int -> !torch.int
        %20 = torch.aten.lt.int %19, %0 : !torch.int, !torch.int -> !torch.bool
        %21 = torch.prim.If %20 -> (!torch.bool) {
          %22 = torch.operator "torch.aten.isnan.float"(%18) : (!torch.float) -> !torch.bool 
          %23 = torch.aten.__not__ %22 : !torch.bool -> !torch.bool
          torch.prim.If.yield %23 : !torch.bool
        } else {
          torch.prim.If.yield %false : !torch.bool
        }
        torch.prim.Loop.condition %21, iter(%18, %arg3, %19 : !torch.float, !torch.float, !torch.int)
      } : (!torch.int, !torch.bool, !torch.float, !torch.float, !torch.int) -> (!torch.float, !torch.float, !torch.int)
      torch.prim.If.yield %9#0 : !torch.float
    }
    torch.prim.If.yield %6 : !torch.float
  }
  return %3 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_legendre_polynomial_p(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %int1 = torch.constant.int 1
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %int0 = torch.constant.int 0
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %false = torch.constant.bool false
  %0 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %1 = torch.aten.lt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.float) {
    torch.prim.If.yield %float0.000000e00 : !torch.float
  } else {
    %3 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.float) {
      torch.prim.If.yield %float1.000000e00 : !torch.float
    } else {
      %5 = torch.operator "torch.prim.abs.float"(%arg0) : (!torch.float) -> !torch.float 
      %6 = torch.aten.eq.float %5, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
      %7 = torch.prim.If %6 -> (!torch.float) {
        %8 = torch.aten.gt.float %arg0, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
        %9 = torch.prim.If %8 -> (!torch.float) {
          torch.prim.If.yield %float1.000000e00 : !torch.float
        } else {
          %10 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.sign_of_power(%0) : (!torch.int) -> !torch.float
          torch.prim.If.yield %10 : !torch.float
        }
        torch.prim.If.yield %9 : !torch.float
      } else {
        %8 = torch.aten.lt.int %int1, %0 : !torch.int, !torch.int -> !torch.bool
        %9 = torch.prim.If %8 -> (!torch.bool) {
          %11 = torch.operator "torch.aten.isnan.float"(%arg0) : (!torch.float) -> !torch.bool 
          %12 = torch.aten.__not__ %11 : !torch.bool -> !torch.bool
          torch.prim.If.yield %12 : !torch.bool
        } else {
          torch.prim.If.yield %false : !torch.bool
        }
        %10:3 = torch.prim.Loop %int9223372036854775807, %9, init(%arg0, %float1.000000e00, %int1) {
        ^bb0(%arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.float, %arg5: !torch.int):
          %11 = torch.aten.Float.Scalar %arg5 : !torch.int -> !torch.float
          %12 = torch.aten.add.float %11, %11 : !torch.float, !torch.float -> !torch.float
          %13 = torch.aten.add.float %12, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
          %14 = torch.aten.mul.float %13, %arg0 : !torch.float, !torch.float -> !torch.float
          %15 = torch.aten.mul.float %14, %arg3 : !torch.float, !torch.float -> !torch.float
          %16 = torch.aten.mul.float %11, %arg4 : !torch.float, !torch.float -> !torch.float
          %17 = torch.aten.sub.float %15, %16 : !torch.float, !torch.float -> !torch.float
          %18 = torch.aten.add.float %11, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
          %19 = torch.aten.div.float %17, %18 : !torch.float, !torch.float -> !torch.float
          %20 = torch.aten.add.int %arg5, %int1 : !torch.int, !torch.int -> !torch.int
          %21 = torch.aten.lt.int %20, %0 : !torch.int, !torch.int -> !torch.bool
          %22 = torch.prim.If %21 -> (!torch.bool) {
            %23 = torch.operator "torch.aten.isnan.float"(%19) : (!torch.float) -> !torch.bool 
            %24 = torch.aten.__not__ %23 : !torch.bool -> !torch.bool
            torch.prim.If.yield %24 : !torch.bool
          } else {
            torch.prim.If.yield %false : !torch.bool
          }
          torch.prim.Loop.condition %22, iter(%19, %arg3, %20 : !torch.float, !torch.float, !torch.int)
        } : (!torch.int, !torch.bool, !torch.float, !torch.float, !torch.int) -> (!torch.float, !torch.float, !torch.int)
        torch.prim.If.yield %10#0 : !torch.float
      }
      torch.prim.If.yield %7 : !torch.float
    }
    torch.prim.If.yield %4 : !torch.float
  }
  return %2 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_shifted_chebyshev_polynomial_t(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int6 = torch.constant.int 6
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %0 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.sub.float %0, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_t(%1, %2, %int6) : (!torch.float, !torch.int, !torch.int) -> !torch.float
  return %3 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_shifted_chebyshev_polynomial_u(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int6 = torch.constant.int 6
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %0 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.sub.float %0, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_u(%1, %2, %int6) : (!torch.float, !torch.int, !torch.int) -> !torch.float
  return %3 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_shifted_chebyshev_polynomial_v(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int6 = torch.constant.int 6
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %0 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.sub.float %0, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_v(%1, %2, %int6) : (!torch.float, !torch.int, !torch.int) -> !torch.float
  return %3 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_shifted_chebyshev_polynomial_w(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %int4 = torch.constant.int 4
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %0 = torch.aten.add.float %arg0, %arg0 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.sub.float %0, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.Int.float %arg1 : !torch.float -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.polynomials.chebyshev_w(%1, %2, %int4) : (!torch.float, !torch.int, !torch.int) -> !torch.float
  return %3 : !torch.float
}
func.func private @__torch_mlir_element_fn.aten.special_zeta(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %float5.000000e-01 = torch.constant.float 5.000000e-01
  %int1 = torch.constant.int 1
  %float1.110000e-16 = torch.constant.float 1.110000e-16
  %float9.000000e00 = torch.constant.float 9.000000e+00
  %int9 = torch.constant.int 9
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %int0 = torch.constant.int 0
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %floatNaN = torch.constant.float 0x7FF8000000000000
  %floatInf = torch.constant.float 0x7FF0000000000000
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.is_pole_of_zeta(%arg0, %arg1) : (!torch.float, !torch.float) -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.float) {
    torch.prim.If.yield %floatInf : !torch.float
  } else {
    %2 = torch.aten.gt.float %arg0, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.bool) {
      %6 = torch.operator "torch.aten.isnan.float"(%arg1) : (!torch.float) -> !torch.bool 
      %7 = torch.aten.__not__ %6 : !torch.bool -> !torch.bool
      torch.prim.If.yield %7 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %4 = torch.prim.If %3 -> (!torch.bool) {
      %6 = torch.aten.gt.float %arg1, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      %7 = torch.prim.If %6 -> (!torch.bool) {
        torch.prim.If.yield %true : !torch.bool
      } else {
        %8 = torch.operator "torch.aten.floordiv.float"(%arg0, %float1.000000e00) : (!torch.float, !torch.float) -> !torch.float 
        %9 = torch.aten.eq.float %8, %arg0 : !torch.float, !torch.float -> !torch.bool
        torch.prim.If.yield %9 : !torch.bool
      }
      torch.prim.If.yield %7 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %5 = torch.prim.If %4 -> (!torch.float) {
      %6 = torch.aten.neg.float %arg0 : !torch.float -> !torch.float
      %7 = torch.operator "torch.aten.pow.float"(%arg1, %6) : (!torch.float, !torch.float) -> !torch.float 
      %8:5 = torch.prim.Loop %int9223372036854775807, %true, init(%false, %arg1, %7, %7, %int0) {
      ^bb0(%arg2: !torch.int, %arg3: !torch.bool, %arg4: !torch.float, %arg5: !torch.float, %arg6: !torch.float, %arg7: !torch.int):
        %11 = torch.aten.add.float %arg4, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
        %12 = torch.aten.neg.float %arg0 : !torch.float -> !torch.float
        %13 = torch.operator "torch.aten.pow.float"(%11, %12) : (!torch.float, !torch.float) -> !torch.float 
        %14 = torch.aten.add.float %arg6, %13 : !torch.float, !torch.float -> !torch.float
        %15 = torch.operator "torch.prim.abs.float"(%13) : (!torch.float) -> !torch.float 
        %16 = torch.operator "torch.prim.abs.float"(%14) : (!torch.float) -> !torch.float 
        %17 = torch.aten.mul.float %float1.110000e-16, %16 : !torch.float, !torch.float -> !torch.float
        %18 = torch.aten.lt.float %15, %17 : !torch.float, !torch.float -> !torch.bool
        %19 = torch.aten.add.int %arg7, %int1 : !torch.int, !torch.int -> !torch.int
        %20 = torch.aten.lt.int %19, %int9 : !torch.int, !torch.int -> !torch.bool
        %21 = torch.prim.If %20 -> (!torch.bool) {
          torch.prim.If.yield %true : !torch.bool
        } else {
          %23 = torch.operator "torch.aten.le.float"(%11, %float9.000000e00) : (!torch.float, !torch.float) -> !torch.bool 
          torch.prim.If.yield %23 : !torch.bool
        }
        %22 = torch.prim.If %21 -> (!torch.bool) {
          %23 = torch.aten.__not__ %18 : !torch.bool -> !torch.bool
          torch.prim.If.yield %23 : !torch.bool
        } else {
          torch.prim.If.yield %false : !torch.bool
        }
        torch.prim.Loop.condition %22, iter(%18, %11, %13, %14, %19 : !torch.bool, !torch.float, !torch.float, !torch.float, !torch.int)
      } : (!torch.int, !torch.bool, !torch.bool, !torch.float, !torch.float, !torch.float, !torch.int) -> (!torch.bool, !torch.float, !torch.float, !torch.float, !torch.int)
      %9 = torch.aten.__not__ %8#0 : !torch.bool -> !torch.bool
      %10 = torch.prim.If %9 -> (!torch.float) {
        %11 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.zeta_from(%arg0, %8#1, %8#2) : (!torch.float, !torch.float, !torch.float) -> !torch.float
        %12 = torch.aten.mul.float %float5.000000e-01, %8#2 : !torch.float, !torch.float -> !torch.float
        %13 = torch.aten.sub.float %11, %12 : !torch.float, !torch.float -> !torch.float
        %14 = torch.aten.add.float %8#3, %13 : !torch.float, !torch.float -> !torch.float
        torch.prim.If.yield %14 : !torch.float
      } else {
        torch.prim.If.yield %8#3 : !torch.float
      }
      torch.prim.If.yield %10 : !torch.float
    } else {
      torch.prim.If.yield %floatNaN : !torch.float
    }
    torch.prim.If.yield %5 : !torch.float
  }
  return %1 : !torch.float
}
func.func private @__torch_mlir_element_fn.prims.gcd(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %int0 = torch.constant.int 0
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %false = torch.constant.bool false
  %0 = torch.operator "torch.prim.abs.int"(%arg0) : (!torch.int) -> !torch.int 
  %1 = call @__torch__.torch_refine.abstract_interp_lib.elements.wrapped(%0) : (!torch.int) -> !torch.int
  %2 = torch.operator "torch.prim.abs.int"(%arg1) : (!torch.int) -> !torch.int 
  %3 = call @__torch__.torch_refine.abstract_interp_lib.elements.wrapped(%2) : (!torch.int) -> !torch.int
  %4 = torch.aten.ne.int %1, %int0 : !torch.int, !torch.int -> !torch.bool
  %5:2 = torch.prim.Loop %int9223372036854775807, %4, init(%3, %1) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int):
    %6 = torch.aten.remainder.int %arg3, %arg4 : !torch.int, !torch.int -> !torch.int
    %7 = torch.aten.ne.int %6, %int0 : !torch.int, !torch.int -> !torch.bool
    %8 = torch.prim.If %7 -> (!torch.bool) {
      %11 = torch.aten.lt.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
      %12 = torch.aten.lt.int %arg4, %int0 : !torch.int, !torch.int -> !torch.bool
      %13 = torch.aten.ne.bool %11, %12 : !torch.bool, !torch.bool -> !torch.bool
      torch.prim.If.yield %13 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %9 = torch.prim.If %8 -> (!torch.int) {
      %11 = torch.aten.sub.int %6, %arg4 : !torch.int, !torch.int -> !torch.int
      torch.prim.If.yield %11 : !torch.int
    } else {
      torch.prim.If.yield %6 : !torch.int
    }
    %10 = torch.aten.ne.int %9, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.Loop.condition %10, iter(%arg4, %9 : !torch.int, !torch.int)
  } : (!torch.int, !torch.bool, !torch.int, !torch.int) -> (!torch.int, !torch.int)
  return %5#0 : !torch.int
}
func.func private @__torch_mlir_element_fn.prims.igamma(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %false = torch.constant.bool false
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.regularised(%arg0, %arg1, %false) : (!torch.float, !torch.float, !torch.bool) -> !torch.float
  return %0 : !torch.float
}
func.func private @__torch_mlir_element_fn.prims.igammac(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %true = torch.constant.bool true
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.regularised(%arg0, %arg1, %true) : (!torch.float, !torch.float, !torch.bool) -> !torch.float
  return %0 : !torch.float
}
func.func private @__torch_mlir_element_fn.prims.zeta(%arg0: !torch.float, %arg1: !torch.float) -> !torch.float {
  %float5.000000e-01 = torch.constant.float 5.000000e-01
  %int1 = torch.constant.int 1
  %float1.110000e-16 = torch.constant.float 1.110000e-16
  %float9.000000e00 = torch.constant.float 9.000000e+00
  %int9 = torch.constant.int 9
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %int0 = torch.constant.int 0
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %float1.000000e00 = torch.constant.float 1.000000e+00
  %floatNaN = torch.constant.float 0x7FF8000000000000
  %floatInf = torch.constant.float 0x7FF0000000000000
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.is_pole_of_zeta(%arg0, %arg1) : (!torch.float, !torch.float) -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.float) {
    torch.prim.If.yield %floatInf : !torch.float
  } else {
    %2 = torch.aten.gt.float %arg0, %float1.000000e00 : !torch.float, !torch.float -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.bool) {
      %6 = torch.operator "torch.aten.isnan.float"(%arg1) : (!torch.float) -> !torch.bool 
      %7 = torch.aten.__not__ %6 : !torch.bool -> !torch.bool
      torch.prim.If.yield %7 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %4 = torch.prim.If %3 -> (!torch.bool) {
      %6 = torch.aten.gt.float %arg1, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
      %7 = torch.prim.If %6 -> (!torch.bool) {
        torch.prim.If.yield %true : !torch.bool
      } else {
        %8 = torch.operator "torch.aten.floordiv.float"(%arg0, %float1.000000e00) : (!torch.float, !torch.float) -> !torch.float 
        %9 = torch.aten.eq.float %8, %arg0 : !torch.float, !torch.float -> !torch.bool
        torch.prim.If.yield %9 : !torch.bool
      }
      torch.prim.If.yield %7 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %5 = torch.prim.If %4 -> (!torch.float) {
      %6 = torch.aten.neg.float %arg0 : !torch.float -> !torch.float
      %7 = torch.operator "torch.aten.pow.float"(%arg1, %6) : (!torch.float, !torch.float) -> !torch.float 
      %8:5 = torch.prim.Loop %int9223372036854775807, %true, init(%false, %arg1, %7, %7, %int0) {
      ^bb0(%arg2: !torch.int, %arg3: !torch.bool, %arg4: !torch.float, %arg5: !torch.float, %arg6: !torch.float, %arg7: !torch.int):
        %11 = torch.aten.add.float %arg4, %float1.000000e00 : !torch.float, !torch.float -> !torch.float
        %12 = torch.aten.neg.float %arg0 : !torch.float -> !torch.float
        %13 = torch.operator "torch.aten.pow.float"(%11, %12) : (!torch.float, !torch.float) -> !torch.float 
        %14 = torch.aten.add.float %arg6, %13 : !torch.float, !torch.float -> !torch.float
        %15 = torch.operator "torch.prim.abs.float"(%13) : (!torch.float) -> !torch.float 
        %16 = torch.operator "torch.prim.abs.float"(%14) : (!torch.float) -> !torch.float 
        %17 = torch.aten.mul.float %float1.110000e-16, %16 : !torch.float, !torch.float -> !torch.float
        %18 = torch.aten.lt.float %15, %17 : !torch.float, !torch.float -> !torch.bool
        %19 = torch.aten.add.int %arg7, %int1 : !torch.int, !torch.int -> !torch.int
        %20 = torch.aten.lt.int %19, %int9 : !torch.int, !torch.int -> !torch.bool
        %21 = torch.prim.If %20 -> (!torch.bool) {
          torch.prim.If.yield %true : !torch.bool
        } else {
          %23 = torch.operator "torch.aten.le.float"(%11, %float9.000000e00) : (!torch.float, !torch.float) -> !torch.bool 
          torch.prim.If.yield %23 : !torch.bool
        }
        %22 = torch.prim.If %21 -> (!torch.bool) {
          %23 = torch.aten.__not__ %18 : !torch.bool -> !torch.bool
          torch.prim.If.yield %23 : !torch.bool
        } else {
          torch.prim.If.yield %false : !torch.bool
        }
        torch.prim.Loop.condition %22, iter(%18, %11, %13, %14, %19 : !torch.bool, !torch.float, !torch.float, !torch.float, !torch.int)
      } : (!torch.int, !torch.bool, !torch.bool, !torch.float, !torch.float, !torch.float, !torch.int) -> (!torch.bool, !torch.float, !torch.float, !torch.float, !torch.int)
      %9 = torch.aten.__not__ %8#0 : !torch.bool -> !torch.bool
      %10 = torch.prim.If %9 -> (!torch.float) {
        %11 = func.call @__torch__.torch_refine.abstract_interp_lib.families.elements.gamma_and_zeta.zeta_from(%arg0, %8#1, %8#2) : (!torch.float, !torch.float, !torch.float) -> !torch.float
        %12 = torch.aten.mul.float %float5.000000e-01, %8#2 : !torch.float, !torch.float -> !torch.float
        %13 = torch.aten.sub.float %11, %12 : !torch.float, !torch.float -> !torch.float
        %14 = torch.aten.add.float %8#3, %13 : !torch.float, !torch.float -> !torch.float
        torch.prim.If.yield %14 : !torch.float
      } else {
        torch.prim.If.yield %8#3 : !torch.float
      }
      torch.prim.If.yield %10 : !torch.float
    } else {
      torch.prim.If.yield %floatNaN : !torch.float
    }
    torch.prim.If.yield %5 : !torch.float
  }
  return %1 : !torch.float
}
