// Z = X Y mod 2^w on the int8 tensor cores: X row-major m x k, Y column-major k x n, Z row-major. One warp makes a tile of
// 16 x 8; byte planes are split in registers. Products of planes i and j have weight 2^(8 (i + j)); those at w or above vanish.
#include "dev.h"

// Byte planes of elements at .. at + 4 of a line, zero beyond its end.
template <class T> FN void planes(const T *line, bool inside, u32 at, u32 k, u32 plane[sizeof(T)]) {
  for (u32 i = 0; i < sizeof(T); i++) plane[i] = 0;
  for (u32 e = 0; e < 4; e++) {
    u64 value = inside && at + e < k ? line[at + e] : 0;
    for (u32 i = 0; i < sizeof(T); i++) plane[i] |= (u32)(value >> (8 * i) & 255) << (8 * e);
  }
}

template <class T> FN void tile(T *z, const T *x, const T *y, u32 m, u32 n, u32 k) {
  constexpr u32 L = sizeof(T);
  // 32-bit sums may wrap if no more than 32 bits are wanted. For 64 they are added up before they can: every 8192 terms,
  // 8 * 8192 * 255^2 < 2^32.
  constexpr u32 SPAN = 8192;
  u32 lane = TID_X & 31, group = lane / 4, quad = lane % 4, row = CTAID_X * 16, column = CTAID_Y * 8;
  u64 sum[4] = {};
  for (u32 from = 0; from < k; from += SPAN) {
    u32 to = k - from < SPAN ? k : from + SPAN, acc[L][4] = {};
    for (u32 at = from; at < to; at += 32) {
      u32 a[L][4], b[L][2], plane[L];
      for (u32 h = 0; h < 4; h++) {
        u32 r = row + group + h % 2 * 8;
        planes(x + (u64)r * k, r < m, at + quad * 4 + h / 2 * 16, k, plane);
        for (u32 i = 0; i < L; i++) a[i][h] = plane[i];
      }
      for (u32 h = 0; h < 2; h++) {
        u32 c = column + group;
        planes(y + (u64)c * k, c < n, at + quad * 4 + h * 16, k, plane);
        for (u32 i = 0; i < L; i++) b[i][h] = plane[i];
      }
#pragma unroll
      for (u32 i = 0; i < L; i++)
#pragma unroll
        for (u32 j = 0; i + j < L; j++) mma_m16n8k32_u8(acc[i + j], a[i], b[j]);
    }
    for (u32 e = 0; e < 4; e++)
      for (u32 s = 0; s < L; s++) sum[e] += (u64)acc[s][e] << (8 * s);
  }
  for (u32 e = 0; e < 4; e++) {
    u32 r = row + group + e / 2 * 8, c = column + 2 * quad + e % 2;
    if (r < m && c < n) z[(u64)r * n + c] = (T)sum[e];
  }
}

KERNEL matmul8(u8 *z, const u8 *x, const u8 *y, u32 m, u32 n, u32 k) { tile(z, x, y, m, n, k); }
KERNEL matmul16(u16 *z, const u16 *x, const u16 *y, u32 m, u32 n, u32 k) { tile(z, x, y, m, n, k); }
KERNEL matmul32(u32 *z, const u32 *x, const u32 *y, u32 m, u32 n, u32 k) { tile(z, x, y, m, n, k); }
KERNEL matmul64(u64 *z, const u64 *x, const u64 *y, u32 m, u32 n, u32 k) { tile(z, x, y, m, n, k); }
