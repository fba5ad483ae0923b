// Products on the int8 tensor cores. One warp makes a tile of 16 x 8; byte planes are split in registers. Products of planes i
// and j have weight 2^(8 (i + j)); those at w or above vanish. The highest plane of a narrow operand is signed.
#include "product.h"

template <class Z, class E> struct Planes {
  static constexpr u32 COUNT = sizeof(E) < sizeof(Z) ? sizeof(E) : sizeof(Z);
  static constexpr bool SIGNED = sizeof(E) < sizeof(Z) && (E)-1 < (E)1;
};

// Byte planes of entries at .. at + 4 of a line, zero beyond its end.
template <u32 L, class E> FN void planes(const E *line, u64 stride, bool inside, u32 at, u32 k, u32 plane[L]) {
  for (u32 i = 0; i < L; i++) plane[i] = 0;
  for (u32 e = 0; e < 4; e++) {
    u64 value = inside && at + e < k ? (u64)line[(at + e) * stride] : 0;
    for (u32 i = 0; i < L; i++) plane[i] |= (u32)(value >> (8 * i) & 255) << (8 * e);
  }
}

template <class Z, class X, class Y> FN void tile(Z *z, const X *x, const Y *y, const Product &p) {
  constexpr u32 L = sizeof(Z), LX = Planes<Z, X>::COUNT, LY = Planes<Z, Y>::COUNT;
  constexpr bool SX = Planes<Z, X>::SIGNED, SY = Planes<Z, Y>::SIGNED;
  // 32-bit sums may wrap if no more than 32 bits are wanted. For 64 they are added up before they can, every 8192 terms:
  // unsigned, 8 products of planes, 8 * 8192 * 255^2 < 2^32; signed, at most 4, 4 * 8192 * 255^2 < 2^31.
  constexpr u32 SPAN = 8192;
  static_assert(!(SX || SY) || LX < 5 || LY < 5, "signed sums must stay below 2^31");
  u32 columns = (p.n + 7) / 8, row = CTAID_X / columns * 16, column = CTAID_X % columns * 8;
  u32 lane = TID_X & 31, group = lane / 4, quad = lane % 4;
  u64 sum[4] = {};
  for (u32 from = 0; from < p.k; from += SPAN) {
    u32 to = p.k - from < SPAN ? p.k : from + SPAN, acc[L][4] = {};
    for (u32 at = from; at < to; at += 32) {
      u32 a[LX][4], b[LY][2], plane[8];
      for (u32 h = 0; h < 4; h++) {
        u32 r = row + group + h % 2 * 8;
        planes<LX>(x + r * p.x_row, p.x_k, r < p.m, at + quad * 4 + h / 2 * 16, to, plane);
        for (u32 i = 0; i < LX; i++) a[i][h] = plane[i];
      }
      for (u32 h = 0; h < 2; h++) {
        u32 c = column + group;
        planes<LY>(y + c * p.y_column, p.y_k, c < p.n, at + quad * 4 + h * 16, to, plane);
        for (u32 i = 0; i < LY; i++) b[i][h] = plane[i];
      }
#pragma unroll
      for (u32 i = 0; i < LX; i++)
#pragma unroll
        for (u32 j = 0; j < LY && i + j < L; j++)
          mma(acc[i + j], a[i], b[j], SX && i == LX - 1, SY && j == LY - 1);
    }
    for (u32 e = 0; e < 4; e++)
      for (u32 s = 0; s < L; s++) sum[e] += (SX || SY ? (u64)(i64)(i32)acc[s][e] : (u64)acc[s][e]) << (8 * s);
  }
  for (u32 e = 0; e < 4; e++) {
    u32 r = row + group + e / 2 * 8, c = column + 2 * quad + e % 2;
    if (r >= p.m || c >= p.n) continue;
    Z *to = z + r * p.z_row + c * p.z_column;
    *to = (Z)(sum[e] + (p.add ? *to : 0));
  }
}

#define MATMUL(Z, X, Y)                                                                                                \
  KERNEL matmul_##Z##_##X##_##Y(Z *z, const X *x, const Y *y, Product p) { tile(z, x, y, p); }
PRODUCTS(MATMUL)
