// Products over Z_2^w: Z = X Y, or Z += X Y, with w the width of Z's words. X is m x k, Y is k x n. Operands narrower than
// Z are signed; others are words modulo 2^w. Strides are in entries, for rows and columns of each matrix.
#pragma once
#include "dev.h"

struct Product {
  u64 z_row, z_column, x_row, x_k, y_column, y_k;
  u32 m, n, k, add;
};

// Types of Z, X and Y for which there are kernels; as in src/kernel.rs.
#define PRODUCTS(KERNEL_OF)                                                                                            \
  KERNEL_OF(u8, u8, u8)                                                                                                \
  KERNEL_OF(u16, u16, i8) KERNEL_OF(u16, u16, u16)                                                                     \
  KERNEL_OF(u32, u32, i8) KERNEL_OF(u32, u32, i16) KERNEL_OF(u32, u32, u32) KERNEL_OF(u32, i8, i8)                     \
  KERNEL_OF(u64, u64, i8) KERNEL_OF(u64, u64, i16) KERNEL_OF(u64, u64, i32) KERNEL_OF(u64, u64, u64)
