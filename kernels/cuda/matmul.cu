// Products on the int8 tensor cores. A block of four warps makes 2 x 2 tiles, a warp a tile of DOWN x ACROSS fragments of
// 16 x 8; each operand is read straight into registers, where its byte planes are split, and shared through the caches.
// Products of planes i and j have weight 2^(8 (i + j)); those at w or above vanish. The highest plane of a narrow operand is
// signed.
#include "product.h"

template <class Z, class X, class Y> struct Plan {
  static constexpr u32 least(u32 a, u32 b) { return a < b ? a : b; }
  static constexpr u32 X_PLANES = least(sizeof(X), sizeof(Z)), Y_PLANES = least(sizeof(Y), sizeof(Z));
  static constexpr bool X_SIGNED = sizeof(X) < sizeof(Z), Y_SIGNED = sizeof(Y) < sizeof(Z);
  // Weights that occur, each with a sum of its own.
  static constexpr u32 WEIGHTS = least(X_PLANES + Y_PLANES - 1, sizeof(Z));
  // As many fragments as the registers hold the sums of, at 4 a weight; as in src/kernel.rs.
  static constexpr u32 DOWN = WEIGHTS == 1 ? 4 : WEIGHTS <= 4 ? 2 : 1;
  static constexpr u32 ACROSS = WEIGHTS <= 4 ? 4 : 2;
  static constexpr u32 ROWS = 16 * DOWN, COLUMNS = 8 * ACROSS;
};

// Four entries of N bytes, as they are read at once.
template <u32 N> struct alignas(N < 4 ? 4 * N : 16) Words {
  u32 w[N];
};

// Lines of an operand: rows of X, or columns of Y.
template <class E> struct Lines {
  const E *base;
  u64 line_stride, stride;
  u32 count, length;
  bool whole; // four entries may be read at once

  // Line `index`; of those beyond the last, whose results nobody stores, the first.
  __device__ inline const E *line(u32 index) const { return base + (index < count ? index * line_stride : 0); }
};

template <class E> FN Lines<E> lines(const E *base, u64 line_stride, u64 stride, u32 count, u32 length) {
  constexpr u64 ALIGNMENT = alignof(Words<sizeof(E)>);
  bool aligned = (u64)base % ALIGNMENT == 0 && line_stride * sizeof(E) % ALIGNMENT == 0;
  return {base, line_stride, stride, count, length, aligned && stride == 1};
}

// Four rows of a byte matrix become its columns, eight permutations.
FN void transpose(u32 w[4]) {
  u32 a = permute(w[0], w[1], 0x5140), b = permute(w[0], w[1], 0x7362);
  u32 c = permute(w[2], w[3], 0x5140), d = permute(w[2], w[3], 0x7362);
  w[0] = permute(a, c, 0x5410), w[1] = permute(a, c, 0x7632);
  w[2] = permute(b, d, 0x5410), w[3] = permute(b, d, 0x7632);
}

// The byte planes of four entries of a line: read at once, or one by one and zero beyond its end.
template <bool WHOLE, class E> FN void planes(const Lines<E> &lines, const E *line, u32 at, u32 plane[sizeof(E)]) {
  constexpr u32 N = sizeof(E);
  u32 w[N];
  if constexpr (WHOLE) {
    __builtin_memcpy(w, (const Words<N> *)(line + at), 4 * N);
  } else {
    E e[4];
    for (u32 i = 0; i < 4; i++) {
      bool inside = at + i < lines.length;
      E entry = line[(inside ? at + i : 0) * lines.stride];
      e[i] = inside ? entry : (E)0;
    }
    __builtin_memcpy(w, e, 4 * N);
  }
  if (N == 1) plane[0] = w[0];
  if (N == 2) plane[0] = permute(w[0], w[N - 1], 0x6420), plane[N - 1] = permute(w[0], w[N - 1], 0x7531);
  if (N == 4) {
    transpose(w);
    for (u32 i = 0; i < N; i++) plane[i] = w[i];
  }
  if (N == 8) {
    // Low and high halves alternate.
    for (u32 half = 0; half < 2; half++) {
      u32 part[4];
      for (u32 i = 0; i < 4; i++) part[i] = w[(2 * i + half) % N];
      transpose(part);
      for (u32 i = 0; i < 4; i++) plane[(4 * half + i) % N] = part[i];
    }
  }
}

#define EACH(I, N) _Pragma("unroll") for (u32 I = 0; I < (N); I++)

// What a warp adds up: for each fragment and weight, four entries.
template <class P> struct Sums {
  u32 at[P::DOWN][P::ACROSS][P::WEIGHTS][4];
};

// Where a warp's lines begin.
template <class P, class X, class Y> struct Starts {
  const X *rows[2 * P::DOWN];
  const Y *columns[P::ACROSS];
};

// The products of 32 terms. No branch: all reads are under way before the first product.
template <bool WHOLE, class P, class X, class Y>
FN void step(Sums<P> &sums, const Lines<X> &x, const Lines<Y> &y, const Starts<P, X, Y> &starts, u32 at) {
  u32 quad = TID_X % 4 * 4, a[P::DOWN][P::X_PLANES][4];
  EACH(d, P::DOWN) EACH(h, 4) {
    u32 plane[sizeof(X)];
    planes<WHOLE>(x, starts.rows[2 * d + h % 2], at + quad + h / 2 * 16, plane);
    EACH(i, P::X_PLANES) a[d][i][h] = plane[i];
  }
  EACH(c, P::ACROSS) {
    u32 b[P::Y_PLANES][2];
    EACH(h, 2) {
      u32 plane[sizeof(Y)];
      planes<WHOLE>(y, starts.columns[c], at + quad + h * 16, plane);
      EACH(j, P::Y_PLANES) b[j][h] = plane[j];
    }
    EACH(d, P::DOWN) EACH(i, P::X_PLANES) EACH(j, P::Y_PLANES)
      if (i + j < P::WEIGHTS)
        mma(sums.at[d][c][i + j], a[d][i], b[j], P::X_SIGNED && i == P::X_PLANES - 1,
            P::Y_SIGNED && j == P::Y_PLANES - 1);
  }
}

// The products of terms from .. to, from a multiple of 32.
template <class P, class X, class Y>
FN void add_up(Sums<P> &sums, const Lines<X> &x, const Lines<Y> &y, u32 row, u32 column, u32 from, u32 to) {
  Starts<P, X, Y> starts;
  EACH(i, 2 * P::DOWN) starts.rows[i] = x.line(row + 8 * i);
  EACH(i, P::ACROSS) starts.columns[i] = y.line(column + 8 * i);
  EACH(d, P::DOWN) EACH(c, P::ACROSS) EACH(s, P::WEIGHTS) EACH(e, 4) sums.at[d][c][s][e] = 0;
  u32 at = from, whole = x.whole && y.whole ? to & ~31u : from;
#pragma unroll 1
  for (; at < whole; at += 32) step<true>(sums, x, y, starts, at);
#pragma unroll 1
  for (; at < to; at += 32) step<false>(sums, x, y, starts, at);
}

template <class Z, class X, class Y> FN void tile(Z *z, const X *x, const Y *y, const Product &p) {
  using P = Plan<Z, X, Y>;
  constexpr bool SIGNED = P::X_SIGNED || P::Y_SIGNED;
  static_assert(!SIGNED || P::Y_PLANES <= 4, "signed sums must stay below 2^31");
  u32 columns = (p.n + 2 * P::COLUMNS - 1) / (2 * P::COLUMNS), warp = TID_X / 32, lane = TID_X % 32;
  u32 row = (CTAID_X / columns * 2 + warp / 2) * P::ROWS, column = (CTAID_X % columns * 2 + warp % 2) * P::COLUMNS;
  u32 group = lane / 4, quad = lane % 4;
  if (row >= p.m || column >= p.n) return; // the whole warp
  Lines<X> rows = lines(x, p.x_row, p.x_k, p.m, p.k);
  Lines<Y> lines_y = lines(y, p.y_column, p.y_k, p.n, p.k);
  Sums<P> sums;
  u64 total[P::DOWN][P::ACROSS][4] = {};
  auto weigh = [&] {
    EACH(d, P::DOWN) EACH(c, P::ACROSS) EACH(s, P::WEIGHTS) EACH(e, 4) {
      u32 sum = sums.at[d][c][s][e];
      total[d][c][e] += (SIGNED ? (u64)(i64)(i32)sum : (u64)sum) << (8 * s);
    }
  };
  if constexpr (sizeof(Z) == 8) {
    // 32-bit sums are added up before they can wrap, every 8192 terms: unsigned, 8 products of planes,
    // 8 * 8192 * 255^2 < 2^32; signed, at most 4, 4 * 8192 * 255^2 < 2^31.
    constexpr u32 SPAN = 8192;
    for (u32 from = 0; from < p.k; from += SPAN) {
      add_up(sums, rows, lines_y, row + group, column + group, from, p.k - from < SPAN ? p.k : from + SPAN);
      weigh();
    }
  } else {
    // They may wrap: no more than 32 bits are wanted.
    add_up(sums, rows, lines_y, row + group, column + group, 0, p.k);
    weigh();
  }
  EACH(d, P::DOWN) EACH(c, P::ACROSS) EACH(e, 4) {
    u32 r = row + 16 * d + group + e / 2 * 8, col = column + 8 * c + 2 * quad + e % 2;
    if (r < p.m && col < p.n) {
      Z *to = z + r * p.z_row + col * p.z_column;
      *to = (Z)(total[d][c][e] + (p.add ? *to : 0));
    }
  }
}

#define MATMUL(Z, X, Y)                                                                                                \
  KERNEL __launch_bounds__(128) matmul_##Z##_##X##_##Y(Z *z, const X *x, const Y *y, Product p) { tile(z, x, y, p); }
PRODUCTS(MATMUL)
