// Z = X Y mod 2^w by integer multiply-add, one thread an element, for chips without 8-bit mma of this shape. Layouts as in
// matmul.cu; 128 threads a block.
#define WITHOUT_MMA
#include "dev.h"

template <class T> FN void element(T *z, const T *x, const T *y, u32 m, u32 n, u32 k) {
  u64 at = (u64)CTAID_X * NTID_X + TID_X;
  if (at >= (u64)m * n) return;
  const T *row = x + at / n * k, *column = y + at % n * k;
  T sum = 0;
  for (u32 i = 0; i < k; i++) sum = (T)(sum + (u64)row[i] * column[i]);
  z[at] = sum;
}

KERNEL imad8(u8 *z, const u8 *x, const u8 *y, u32 m, u32 n, u32 k) { element(z, x, y, m, n, k); }
KERNEL imad16(u16 *z, const u16 *x, const u16 *y, u32 m, u32 n, u32 k) { element(z, x, y, m, n, k); }
KERNEL imad32(u32 *z, const u32 *x, const u32 *y, u32 m, u32 n, u32 k) { element(z, x, y, m, n, k); }
KERNEL imad64(u64 *z, const u64 *x, const u64 *y, u32 m, u32 n, u32 k) { element(z, x, y, m, n, k); }
