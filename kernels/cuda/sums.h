// Sums of products of byte planes in registers. Planes i of X and j of Y have products of weight 2^(8 (i + j)); those at w
// or above vanish, those of one weight are added up. The highest plane of a narrow operand is signed.
#pragma once
#include "product.h"
#include "sm80.h"

constexpr u32 least(u32 a, u32 b) { return a < b ? a : b; }

template <class Z, class X, class Y> struct Planes {
  using Word = Z;
  static constexpr u32 OF_X = least(sizeof(X), sizeof(Z)), OF_Y = least(sizeof(Y), sizeof(Z));
  static constexpr bool X_SIGNED = sizeof(X) < sizeof(Z), Y_SIGNED = sizeof(Y) < sizeof(Z);
  // Weights that occur, each with a sum of its own.
  static constexpr u32 WEIGHTS = least(OF_X + OF_Y - 1, sizeof(Z));
  // Terms that may be added up in 32 bits. Of w <= 32 no more are wanted, and sums wrap. For w = 64 a weight has at most
  // 8 pairs of planes, unsigned: 8 * 8192 * 255^2 < 2^32; or 4 where one is signed: 4 * 8192 * 255^2 < 2^31.
  static constexpr u32 SPAN = sizeof(Z) == 8 ? 8192 : ~0u;
  static constexpr u64 PAIRS = least(OF_X, OF_Y);
  static_assert(sizeof(Z) < 8 || PAIRS * SPAN * 255 * 255 < (X_SIGNED || Y_SIGNED ? 1ull << 31 : 1ull << 32));
};

// For DOWN x ACROSS fragments of 16 x 8 entries: of each weight, four entries a lane.
template <class P, u32 DOWN, u32 ACROSS> struct Sums {
  u32 at[DOWN][ACROSS][P::WEIGHTS][4];

  MEMBER void clear() { EACH(d, DOWN) EACH(c, ACROSS) EACH(s, P::WEIGHTS) EACH(e, 4) at[d][c][s][e] = 0; }

  // The products of 32 terms with plane j of Y, for two fragments, `across` and the next; no sum occurs twice. `two` is a
  // lane's share of both.
  MEMBER void add_pair(const u32 a[DOWN][P::OF_X][4], const u32 two[4], u32 j, u32 across) {
    EACH(i, P::OF_X) {
      if (i + j >= P::WEIGHTS) continue;
      bool x_signed = P::X_SIGNED && i == P::OF_X - 1, y_signed = P::Y_SIGNED && j == P::OF_Y - 1;
      EACH(d, DOWN) EACH(c, 2) mma(at[d][across + c][i + j], a[d][i], two + 2 * c, x_signed, y_signed);
    }
  }

  // Weighs the sums and stores them, or adds them to Z, with the first entry of the first fragment at (row, column).
  MEMBER void store(typename P::Word *z, u32 row, u32 column, const Product &p, bool add_to) const {
    constexpr bool SIGNED = P::X_SIGNED || P::Y_SIGNED;
    u32 group = TID_X % 32 / 4, quad = TID_X % 4;
    EACH(d, DOWN) EACH(c, ACROSS) EACH(e, 4) {
      u32 r = row + 16 * d + group + e / 2 * 8, col = column + 8 * c + 2 * quad + e % 2;
      if (r >= p.m || col >= p.n) continue;
      u64 total = 0;
      EACH(s, P::WEIGHTS) {
        u32 sum = at[d][c][s][e];
        total += (SIGNED ? (u64)(i64)(i32)sum : (u64)sum) << (8 * s);
      }
      typename P::Word *to = z + r * p.z_row + col * p.z_column;
      *to = (typename P::Word)(total + (add_to ? *to : 0));
    }
  }
};
