// Products on the int8 tensor cores, for small matrices. A block of four warps makes 2 x 2 tiles, a warp a tile of
// DOWN x ACROSS fragments of 16 x 8; operands are read straight into registers, cut into byte planes there, and shared
// through the caches.
#include "operand.h"
#include "sums.h"

namespace direct {
// As many fragments as the registers hold the sums of, at 4 a weight; as in src/kernel.rs.
template <class P> struct Tile {
  static constexpr u32 DOWN = P::WEIGHTS == 1 ? 4 : P::WEIGHTS <= 4 ? 2 : 1;
  static constexpr u32 ACROSS = P::WEIGHTS <= 4 ? 4 : 2;
  static constexpr u32 ROWS = 16 * DOWN, COLUMNS = 8 * ACROSS;
};

// Where a warp's lines begin: rows group and group + 8 of each fragment, and columns in the same way for two fragments.
template <class P, class X, class Y> struct Starts {
  const X *rows[Tile<P>::DOWN][2];
  const Y *columns[Tile<P>::ACROSS / 2][2];
};

// The products of 32 terms. No branch: all reads are under way before the first product.
template <bool WHOLE, class P, class S, class X, class Y>
FN void step(S &sums, const Lines<X> &x, const Lines<Y> &y, const Starts<P, X, Y> &starts, u32 at) {
  using T = Tile<P>;
  u32 a[T::DOWN][P::OF_X][4];
  EACH(d, T::DOWN) fragment<WHOLE, false, X, P::OF_X>(x, starts.rows[d], at, a[d]);
  EACH(c, T::ACROSS / 2) {
    u32 two[P::OF_Y][4];
    fragment<WHOLE, true, Y, P::OF_Y>(y, starts.columns[c], at, two);
    EACH(j, P::OF_Y) sums.add_pair(a, two[j], j, 2 * c);
  }
}

// The products of terms from .. to, from a multiple of 32.
template <class P, class S, class X, class Y>
FN void add_up(S &sums, const Lines<X> &x, const Lines<Y> &y, u32 row, u32 column, u32 from, u32 to) {
  using T = Tile<P>;
  Starts<P, X, Y> starts;
  EACH(d, T::DOWN) EACH(h, 2) starts.rows[d][h] = x.line(row + 16 * d + 8 * h);
  EACH(c, T::ACROSS / 2) EACH(h, 2) starts.columns[c][h] = y.line(column + 16 * c + 8 * h);
  sums.clear();
  u32 at = from, whole = x.whole && y.whole ? to & ~31u : from;
#pragma unroll 1
  for (; at < whole; at += 32) step<true>(sums, x, y, starts, at);
#pragma unroll 1
  for (; at < to; at += 32) step<false>(sums, x, y, starts, at);
}

template <class Z, class X, class Y> FN void tile(Z *z, const X *x, const Y *y, const Product &p) {
  using P = Planes<Z, X, Y>;
  using T = Tile<P>;
  u32 columns = (p.n + 2 * T::COLUMNS - 1) / (2 * T::COLUMNS), warp = TID_X / 32, group = TID_X % 32 / 4;
  u32 row = (CTAID_X / columns * 2 + warp / 2) * T::ROWS, column = (CTAID_X % columns * 2 + warp % 2) * T::COLUMNS;
  if (row >= p.m || column >= p.n) return; // the whole warp
  Lines<X> rows = lines(x, p.x_row, p.x_k, p.m, p.k);
  Lines<Y> lines_y = lines(y, p.y_column, p.y_k, p.n, p.k);
  Sums<P, T::DOWN, T::ACROSS> sums;
#pragma unroll 1
  for (u32 from = 0; from < p.k; from += least(P::SPAN, p.k - from)) {
    u32 to = from + least(P::SPAN, p.k - from);
    add_up<P>(sums, rows, lines_y, row + group, column + group, from, to);
    sums.store(z, row, column, p, p.add || from != 0);
  }
}

} // namespace direct

#define DIRECT(Z, X, Y)                                                                                                \
  KERNEL __launch_bounds__(128) direct_##Z##_##X##_##Y(Z *z, const X *x, const Y *y, Product p) {                      \
    direct::tile(z, x, y, p);                                                                                          \
  }
PRODUCTS(DIRECT)
