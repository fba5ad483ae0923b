// Products by integer multiply-add, one thread an entry, for chips without 8-bit mma of this shape. 128 threads a block.
#include "product.h"

template <class Z, class X, class Y> FN void entry(Z *z, const X *x, const Y *y, const Product &p) {
  u64 at = (u64)CTAID_X * NTID_X + TID_X;
  if (at >= (u64)p.m * p.n) return;
  u64 row = at / p.n, column = at % p.n, sum = 0;
  x += row * p.x_row, y += column * p.y_column, z += row * p.z_row + column * p.z_column;
  for (u32 i = 0; i < p.k; i++) sum += (u64)x[i * p.x_k] * (u64)y[i * p.y_k];
  *z = (Z)(sum + (p.add ? *z : 0));
}

#define IMAD(Z, X, Y)                                                                                                  \
  KERNEL imad_##Z##_##X##_##Y(Z *z, const X *x, const Y *y, Product p) { entry(z, x, y, p); }
PRODUCTS(IMAD)
