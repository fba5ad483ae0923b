// Constant-time lattice cryptography in C: streams of randomness, discrete Gaussian samplers, exact
// products modulo 2^32 and 2^64, lattice proofs and their checks. Written by cbindgen, from the
// sources in crates/capi.
//
// Promises. Unless a function says otherwise, a pointer must not be null, and an array must be
// aligned and have as many elements as is said; null, alignment, overlap and lengths that cannot be
// are errors. An array of length 0 may be null. Memory that is read must be initialised, and nobody
// else may write it during the call; memory that is written need not be initialised (but matrices),
// and nobody else may use it during the call. Handles come from a function `_new`, `_new_*` or
// `_open` and go to the function `_free` of their kind, once. After an error, the pointer at `out`
// is null.
//
// Threads. Every function may be called by any thread. Streams are for one thread at a time;
// samplers and statements may be shared. Products, proofs and checks use a pool of threads of
// RAYON_NUM_THREADS, by default one a core, which the first of them in a process starts: a child
// made by `fork` has threads of its own.
//
// Environment. TAUTOCHRONE_ISA caps the instruction sets: portable, neon, avx2, avx2-gfni,
// avx512-base, avx512, amx.
//
// Names and values may change until version 1.0.


#ifndef TAUTOCHRONE_H
#define TAUTOCHRONE_H

#include <stddef.h>
#include <stdint.h>
#if defined(__GNUC__)
#define TAUTOCHRONE_MUST_USE __attribute__((warn_unused_result))
#else
#define TAUTOCHRONE_MUST_USE
#endif


// Entries of 8 bits in two's complement.
#define TAUTOCHRONE_I8 1

// Entries of 16 bits in two's complement.
#define TAUTOCHRONE_I16 2

// Entries of 32 bits in two's complement.
#define TAUTOCHRONE_I32 3

// Entries of 64 bits in two's complement.
#define TAUTOCHRONE_I64 4

// Unsigned entries of 8 bits.
#define TAUTOCHRONE_U8 5

// Unsigned entries of 16 bits.
#define TAUTOCHRONE_U16 6

// Unsigned entries of 32 bits; of a result: modulo 2^32.
#define TAUTOCHRONE_U32 7

// Unsigned entries of 64 bits; of a result: modulo 2^64.
#define TAUTOCHRONE_U64 8

// A flag: go on although a statement's parameters are insecure. Whoever wrote the statement chose
// them, and a proof then shows little or nothing.
#define TAUTOCHRONE_ACCEPT_INSECURE 1

// Bytes of a seed.
#define TAUTOCHRONE_SEED_BYTES 32

// The result of a call.
typedef enum {
  // Done; of a check: the proof is valid.
  TAUTOCHRONE_STATUS_OK = 0,
  // The proof is not valid: it shows nothing about this statement in this context.
  TAUTOCHRONE_STATUS_INVALID = 1,
  // A pointer is null where none may be.
  TAUTOCHRONE_STATUS_NULL = 2,
  // An array is too short for its stated contents, misaligned, or overlaps another.
  TAUTOCHRONE_STATUS_ARRAY = 3,
  // A value that cannot be served.
  TAUTOCHRONE_STATUS_PARAMETER = 4,
  // The statement's parameters give less security than they claim.
  TAUTOCHRONE_STATUS_INSECURE = 5,
  // The bytes are no statement or no proof, or are cut off.
  TAUTOCHRONE_STATUS_MALFORMED = 6,
  // A file cannot be read.
  TAUTOCHRONE_STATUS_IO = 7,
  // The operating system delivered no entropy.
  TAUTOCHRONE_STATUS_ENTROPY = 8,
  // A fault of the library itself. Free the handles of this call, and do nothing else with them.
  TAUTOCHRONE_STATUS_INTERNAL = 9,
} tautochrone_status;

// A sampler of a discrete Gaussian: P(z) proportional to exp(-z^2 / (2 sigma^2)). It does not
// change: threads may share it, each with a stream of its own.
typedef struct tautochrone_sampler tautochrone_sampler;

// A statement, against which any number of proofs are checked. It does not change: threads may
// share it.
typedef struct tautochrone_statement tautochrone_statement;

// A stream of secret random bytes: AES-128 in counter mode. One thread may use it at a time.
typedef struct tautochrone_stream tautochrone_stream;

// A matrix to be read: entry (i, j) is element i row_stride + j column_stride of `data`.
typedef struct {
  // The elements, all initialised.
  const void *data;
  // Number of elements at `data`.
  size_t len;
  // Their type: TAUTOCHRONE_I8 to TAUTOCHRONE_U64.
  uint32_t entry;
  // Rows.
  size_t rows;
  // Columns.
  size_t columns;
  // Elements from a row to the next: `columns` if there are no gaps, row after row.
  size_t row_stride;
  // Elements from a column to the next: 1, row after row.
  size_t column_stride;
} tautochrone_matrix;

// A matrix to be written: as tautochrone_matrix, but one of the strides must be 1 and the other at
// least the number of elements that it skips.
typedef struct {
  // The elements, all initialised. Elements between rows or columns are left as they are.
  void *data;
  // Number of elements at `data`.
  size_t len;
  // Their type, which is the modulus: TAUTOCHRONE_U32 or TAUTOCHRONE_U64.
  uint32_t entry;
  // Rows.
  size_t rows;
  // Columns.
  size_t columns;
  // Elements from a row to the next.
  size_t row_stride;
  // Elements from a column to the next.
  size_t column_stride;
} tautochrone_matrix_mut;

// The parameters of a statement T = A S modulo 2^w, and their security.
typedef struct {
  // Bits of security that are claimed: 128 or 256.
  uint32_t lambda;
  // log2 of the modulus.
  uint32_t w;
  // Rows of A and T.
  uint32_t r;
  // Columns of A, rows of S.
  uint32_t v;
  // Columns of S and T.
  uint64_t l;
  // Bound on the entries of an honest prover's S.
  uint32_t b;
  // Bits rounded off T.
  uint32_t round_t;
  // log2 of the norm 2 B that a valid proof shows for the columns of S.
  double log2_norm;
  // Bits of security of binding, that is of the claim: classical core-SVP.
  double binding_bits;
  // Bits of security of hiding, that is of the secret, if all rows of S are secret and honest.
  double hiding_bits;
  // Bytes of the longest proof.
  uint64_t max_proof_bytes;
  // Bytes of the statement's file.
  uint64_t statement_bytes;
} tautochrone_parameters;

// The verdict on a proof: a structure, so that no condition takes it for true or false.
typedef struct {
  // TAUTOCHRONE_STATUS_OK: the proof is valid. TAUTOCHRONE_STATUS_INVALID: it is a proof file
  // which shows nothing about this statement in this context. Anything else: there is no
  // verdict.
  tautochrone_status status;
} tautochrone_verdict;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, as "0.1.0"; for ever.
const char *tautochrone_version(void);

// Why the last call of this thread that failed did so, as a line of UTF-8.
//
// Copies the message and a terminating NUL to `buffer`, of `size` bytes, as far as it fits.
// `buffer` may be null if `size` is 0. Returns the length of the whole message without the NUL: 0
// if no call has failed yet.
size_t tautochrone_message(char *buffer, size_t size);

// The meaning of a status in general, such as "the proof is not valid"; the text is never freed.
// For a number that is no status: "unknown status".
const char *tautochrone_status_text(int status);

// Z = X Y modulo 2^32 or 2^64, by the type of Z, exactly.
//
// Entries of X and Y may be of any type: narrow ones make a product faster, signed ones stand for
// their residues. Z may overlap neither. Constant time in all entries. On all threads of
// RAYON_NUM_THREADS.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_multiply(const tautochrone_matrix *x,
                                        const tautochrone_matrix *y,
                                        const tautochrone_matrix_mut *z);

// Z += X Y: as tautochrone_multiply.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_multiply_add(const tautochrone_matrix *x,
                                            const tautochrone_matrix *y,
                                            const tautochrone_matrix_mut *z);

// Reads a statement from memory, and puts a handle of it at `out`. The bytes are not needed any
// more afterwards.
//
// flags: 0 or TAUTOCHRONE_ACCEPT_INSECURE. TAUTOCHRONE_STATUS_MALFORMED,
// TAUTOCHRONE_STATUS_INSECURE. Memory is allocated in proportion to the statement, except for A:
// at most 2 GiB, and as much once more where it is packed for products. A lack of memory ends the
// process.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_statement_new(const uint8_t *bytes,
                                             size_t len,
                                             uint32_t flags,
                                             tautochrone_statement **out);

// Opens and reads a statement file, and puts a handle of it at `out`.
//
// A file above 64 MiB does not stay in memory but is read again, block by block, with every proof;
// it is an error if it has changed. flags: as of tautochrone_statement_new. TAUTOCHRONE_STATUS_IO,
// too.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_statement_open(const char *path,
                                              uint32_t flags,
                                              tautochrone_statement **out);

// Frees a statement. Null is ignored.
void tautochrone_statement_free(tautochrone_statement *statement);

// Writes the statement's parameters and their security to `out`.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_statement_parameters(const tautochrone_statement *statement,
                                                    tautochrone_parameters *out);

// Checks a proof in memory.
//
// context: the purpose that the proof was made for, any bytes; null if context_len is 0. A valid
// proof shows that its author knew, for every column t of T, an integer vector s with A s = t
// modulo 2^w and a norm of at most 2 B (see log2_norm). On all threads of RAYON_NUM_THREADS.
TAUTOCHRONE_MUST_USE
tautochrone_verdict tautochrone_statement_verify(const tautochrone_statement *statement,
                                                 const uint8_t *context,
                                                 size_t context_len,
                                                 const uint8_t *proof,
                                                 size_t proof_len);

// As tautochrone_statement_verify, and checks that the proof shows everything that is required: a
// proof says itself what it shows, and its maker chose that.
//
// require: requirements as the program `verify` takes them, separated by spaces, for example
// "range:1024:0:1", "norm:1024:15476" or "exact-keys:1:1". TAUTOCHRONE_STATUS_INVALID, too, if a
// valid proof shows less; TAUTOCHRONE_STATUS_PARAMETER if one is no requirement, or there is none.
TAUTOCHRONE_MUST_USE
tautochrone_verdict tautochrone_statement_verify_requiring(const tautochrone_statement *statement,
                                                           const uint8_t *context,
                                                           size_t context_len,
                                                           const char *require,
                                                           const uint8_t *proof,
                                                           size_t proof_len);

// As tautochrone_statement_verify, of a proof file.
TAUTOCHRONE_MUST_USE
tautochrone_verdict tautochrone_statement_verify_file(const tautochrone_statement *statement,
                                                      const uint8_t *context,
                                                      size_t context_len,
                                                      const char *path);

// Writes the parameters of a preset to `out`: the lengths of everything that tautochrone_prove
// takes and makes.
//
// preset: the name of one, as "T4-128"; `columns`: the columns of S and T, or 0 for as many as the
// preset has. TAUTOCHRONE_STATUS_PARAMETER, TAUTOCHRONE_STATUS_INSECURE: more columns than the
// preset is secure for.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_preset_parameters(const char *preset,
                                                 uint64_t columns,
                                                 tautochrone_parameters *out);

// Makes a statement T = A S for a secret S, and a proof that its maker knows S, which shows
// nothing else of it. The seed of A and all else that is random are the operating system's
// entropy.
//
// preset, columns: as of tautochrone_preset_parameters, which says how long everything is.
// witness: S, v l entries in [-b, b], column after column. context: the purpose of the proof, any
// bytes; null if context_len is 0. statement: exactly statement_bytes. proof: at least
// max_proof_bytes: the first `written` are the proof, the others zero. No array may overlap
// another. With an error, statement and proof are zeros or as they were. Constant time in the
// witness, but for the number of attempts, which is independent of it. TAUTOCHRONE_STATUS_ENTROPY,
// too. On all threads of RAYON_NUM_THREADS.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_prove(const char *preset,
                                     uint64_t columns,
                                     const int8_t *witness,
                                     size_t witness_len,
                                     const uint8_t *context,
                                     size_t context_len,
                                     uint8_t *statement,
                                     size_t statement_len,
                                     uint8_t *proof,
                                     size_t proof_len,
                                     size_t *written);

// Makes a sampler after FACCT: any real sigma from 2 to below 2^32, any centre; within 2^-100 of
// the discrete Gaussian; constant time in the samples. Puts a handle at `out`.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_sampler_new_facct(double sigma,
                                                 tautochrone_sampler **out);

// Makes a bit-sliced sampler: sigma from about 0.15 to 10^5, probabilities of `precision` bits (32
// to 128); constant time in the samples; the fastest for small sigma. Puts a handle at `out`.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_sampler_new_bitslice(double sigma,
                                                    uint32_t precision,
                                                    tautochrone_sampler **out);

// Makes a Ziggurat: sigma from 1/2 to 2^40, exact to the last bit, cut at ceil(13 sigma). NOT
// constant time: only where nobody can time the calls, or samples are public. Puts a handle at
// `out`.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_sampler_new_ziggurat(double sigma,
                                                    tautochrone_sampler **out);

// Frees a sampler. Null is ignored.
void tautochrone_sampler_free(tautochrone_sampler *sampler);

// The largest absolute value of a sample (around 0); 0 for null.
uint64_t tautochrone_sampler_bound(const tautochrone_sampler *sampler);

// Fills `out` with `len` independent samples of 8 bits.
//
// TAUTOCHRONE_STATUS_PARAMETER if the bound does not fit. The same stream gives the same samples
// of every width, and the same as Rust's `fill` of one array of this length. After an error `out`
// holds zeros.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_sampler_fill_i8(const tautochrone_sampler *sampler,
                                               tautochrone_stream *stream,
                                               int8_t *out,
                                               size_t len);

// As tautochrone_sampler_fill_i8, of 16 bits.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_sampler_fill_i16(const tautochrone_sampler *sampler,
                                                tautochrone_stream *stream,
                                                int16_t *out,
                                                size_t len);

// As tautochrone_sampler_fill_i8, of 32 bits.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_sampler_fill_i32(const tautochrone_sampler *sampler,
                                                tautochrone_stream *stream,
                                                int32_t *out,
                                                size_t len);

// As tautochrone_sampler_fill_i8, of 64 bits.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_sampler_fill_i64(const tautochrone_sampler *sampler,
                                                tautochrone_stream *stream,
                                                int64_t *out,
                                                size_t len);

// Fills out[i] with a sample around centres[i], for `len` of them: P(z) proportional to exp(-(z -
// centre)^2 / (2 sigma^2)), |centre| < 2^51.
//
// For samplers after FACCT alone; TAUTOCHRONE_STATUS_PARAMETER for others. Constant time in
// centres and samples. The arrays may not overlap. After an error `out` holds zeros.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_sampler_fill_centres(const tautochrone_sampler *sampler,
                                                    tautochrone_stream *stream,
                                                    const double *centres,
                                                    int64_t *out,
                                                    size_t len);

// Fills `seed` (TAUTOCHRONE_SEED_BYTES bytes) from the operating system's entropy.
//
// TAUTOCHRONE_STATUS_ENTROPY if there is none: `seed` is zeros then.
TAUTOCHRONE_MUST_USE tautochrone_status tautochrone_seed_random(uint8_t *seed);

// Makes the stream of `seed` (TAUTOCHRONE_SEED_BYTES bytes), a label and an index, and puts a
// handle of it at `out`.
//
// label: the name of one use of the seed, in UTF-8. Two different pairs of label and index never
// share a stream. The same three give the same bytes in Rust and Python, and on every machine.
// After `fork`, parent and child have the same stream: make another one in one of them.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_stream_new(const uint8_t *seed,
                                          const char *label,
                                          uint64_t index,
                                          tautochrone_stream **out);

// Erases and frees a stream. Null is ignored.
void tautochrone_stream_free(tautochrone_stream *stream);

// Fills `out` with the next `len` bytes of the stream. Constant time in them.
TAUTOCHRONE_MUST_USE
tautochrone_status tautochrone_stream_fill(tautochrone_stream *stream,
                                           uint8_t *out,
                                           size_t len);

// Overwrites `len` bytes at `data` with zeros, which no compiler leaves out: for secrets that are
// not needed any more.
tautochrone_status tautochrone_wipe(void *data, size_t len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TAUTOCHRONE_H */
