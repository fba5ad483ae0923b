// Uniform and Gaussian sampling on ChaCha20 (RFC 8439) in counter mode. The last row of the state is
// (thread, round, nonce low, nonce high). Gaussian rounds stay below 2^31; the uniform stream is round 2^31.
#include "dev.h"

struct Key {
  u32 word[8];
  u64 nonce;
};

// tautochrone_gauss::TrialConstants, member for member.
struct Constants {
  u64 k, lemire;
  double step, slope, excess[32];
  u64 powers[16];
  double polynomial[7];
  u32 threshold[32], alias[32];
};

#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER(a, b, c, d)                                                                                            \
  a += b, d = ROTATE(d ^ a, 16), c += d, b = ROTATE(b ^ c, 12), a += b, d = ROTATE(d ^ a, 8), c += d,                  \
  b = ROTATE(b ^ c, 7)

FN void chacha20(const Key &key, u32 thread, u32 round, u32 out[16]) {
  u32 start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key.word[0], key.word[1], key.word[2], key.word[3],
                   key.word[4], key.word[5], key.word[6], key.word[7], thread, round, (u32)key.nonce,
                   (u32)(key.nonce >> 32)};
  u32 x[16];
  for (int i = 0; i < 16; i++) x[i] = start[i];
  for (int i = 0; i < 10; i++) {
    QUARTER(x[0], x[4], x[8], x[12]), QUARTER(x[1], x[5], x[9], x[13]);
    QUARTER(x[2], x[6], x[10], x[14]), QUARTER(x[3], x[7], x[11], x[15]);
    QUARTER(x[0], x[5], x[10], x[15]), QUARTER(x[1], x[6], x[11], x[12]);
    QUARTER(x[2], x[7], x[8], x[13]), QUARTER(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; i++) out[i] = x[i] + start[i];
}

KERNEL uniform(u64 *out, u64 count, Key key) {
  u32 thread = CTAID_X * NTID_X + TID_X, w[16];
  chacha20(key, thread, 1u << 31, w);
  for (u32 i = 0; i < 8; i++) {
    u64 at = (u64)thread * 8 + i;
    if (at < count) out[at] = (u64)w[2 * i + 1] << 32 | w[2 * i];
  }
}

// The tables, entry i in lane i: a shuffle takes the same time for every index, memory might not.
struct Lane {
  u32 threshold, alias, excess_low, excess_high, power_low, power_high;
};

FN u64 shuffle_wide(u32 low, u32 high, u32 lane) { return (u64)shuffle(high, lane) << 32 | shuffle(low, lane); }

// 2^64 2^-e, saturated.
FN u64 acceptance(const Constants &c, const Lane &lane, double e) {
  const double magic = 422212465065984.0; // 1.5 2^48
  double m = e + magic, f = e - (m - magic);
  u64 sixteenths = as_bits(m);
  u64 scale = shuffle_wide(lane.power_low, lane.power_high, (u32)sixteenths & 15) - (sixteenths << 48);
  double q = c.polynomial[0];
  for (int i = 1; i < 7; i++) q = fmad(q, f, c.polynomial[i]);
  double p = as_double(scale) * q;
  return p >= 0x1p64 ? ~0ull : (u64)p;
}

// One trial; see the crate tautochrone-gauss, module facct.
FN bool trial(const Constants &c, const Lane &lane, u32 cell, u32 accept, u64 offset, u64 shared, i64 *z) {
  const u64 low52 = (1ull << 52) - 1, low33 = (1ull << 33) - 1, low21 = (1ull << 21) - 1;
  u32 column = cell & 31, own = 0u - (cell < shuffle(lane.threshold, column));
  u32 x = (own & column) | (~own & shuffle(lane.alias, column));
  unsigned __int128 product = (unsigned __int128)(offset & low52) * c.k;
  u64 y = (u64)(product >> 52);
  bool exact = ((u64)product & low52) >= c.lemire;
  u64 sign = 0ull - (accept & 1);
  *z = (i64)(((c.k * x + y) ^ sign) - sign);
  double t = (double)y * c.step, u = fmad((double)x, c.slope, t);
  double e = fmad(t, u, as_double(shuffle_wide(lane.excess_low, lane.excess_high, x)));
  u64 low = (shared & low21) | (offset >> 31 & ~low21);
  u64 draw = ((u64)accept << 32 & ~low33) | (low & low33);
  return (draw < acceptance(c, lane, e)) & exact & !((sign != 0) & (*z == 0));
}

// Every warp fills its own `share` samples: accepted trials are compacted in (round, trial, lane) order. A block of
// ChaCha20 makes three trials: words 4 i .. 4 i + 4, and 21 bits of words 12 and 13.
KERNEL facct(i64 *out, u64 count, u32 share, Key key, const Constants *constants) {
  u32 thread = CTAID_X * NTID_X + TID_X, self = thread & 31;
  u64 first = (u64)(thread >> 5) * share;
  u32 want = first >= count ? 0 : count - first < share ? (u32)(count - first) : share;
  const Constants &c = *constants;
  u64 excess = as_bits(c.excess[self]), power = c.powers[self & 15];
  Lane lane = {c.threshold[self], c.alias[self], (u32)excess, (u32)(excess >> 32), (u32)power, (u32)(power >> 32)};
  u32 done = 0;
#pragma unroll 1
  for (u32 round = 0; done < want; round++) {
    u32 w[16];
    chacha20(key, thread, round, w);
    u64 shared = (u64)w[13] << 32 | w[12];
    for (u32 i = 0; i < 3; i++) {
      i64 z;
      bool accepted = trial(c, lane, w[4 * i], w[4 * i + 1], (u64)w[4 * i + 3] << 32 | w[4 * i + 2],
                            shared >> (21 * i), &z);
      u32 mask = ballot(accepted), at = done + (u32)__builtin_popcount(mask & ((1u << self) - 1));
      if (accepted && at < want) out[first + at] = z;
      done += (u32)__builtin_popcount(mask);
    }
  }
}
