/* Everything that the header has, and everything that it refuses: all DIRECTORY, where the example
 * `expected` has written what Rust computes. Exit code 0 if all is as it should be. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tautochrone.h"

#define SAMPLES 10007
#define CENTRES 1000
#define M 37
#define K 53
#define N 29

static const char *directory;
static int checks;

static void fail(int line, const char *what) {
    char message[256];
    tautochrone_message(message, sizeof message);
    fprintf(stderr, "all.c:%d: %s (last message: %s)\n", line, what, message);
    exit(1);
}

#define CHECK(condition) ((condition) ? (void)++checks : fail(__LINE__, #condition))
#define OK(call) CHECK((call) == TAUTOCHRONE_STATUS_OK)

/* A call that must give this status, and say so in words that have `part` in them. */
static void refused(int line, tautochrone_status got, tautochrone_status want, const char *part) {
    char message[512];
    size_t len = tautochrone_message(message, sizeof message);
    if (got != want) {
        fprintf(stderr, "all.c:%d: status %d (%s), expected %d\n", line, (int)got,
                tautochrone_status_text((int)got), (int)want);
        exit(1);
    }
    if (len != strlen(message) || strstr(message, part) == NULL || strchr(message, '\n') != NULL) {
        fprintf(stderr, "all.c:%d: the message \"%s\" has no \"%s\"\n", line, message, part);
        exit(1);
    }
    ++checks;
}
#define REFUSED(call, status, part) refused(__LINE__, call, TAUTOCHRONE_STATUS_##status, part)

static void *allocate(size_t size) {
    void *data = malloc(size);
    CHECK(data != NULL);
    return data;
}

static const char *path_of(const char *name) {
    static char path[4096];
    int len = snprintf(path, sizeof path, "%s/%s", directory, name);
    CHECK(len > 0 && (size_t)len < sizeof path);
    return path;
}

/* A file as a whole; to be freed. */
static uint8_t *contents(const char *name, size_t *len) {
    FILE *file = fopen(path_of(name), "rb");
    uint8_t *bytes;
    long end;
    CHECK(file != NULL);
    CHECK(fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0);
    CHECK(fseek(file, 0, SEEK_SET) == 0);
    bytes = allocate((size_t)end + 1);
    CHECK(fread(bytes, 1, (size_t)end, file) == (size_t)end);
    fclose(file);
    *len = (size_t)end;
    return bytes;
}

static uint64_t little_endian(const uint8_t *bytes, size_t size) {
    uint64_t word = 0;
    while (size-- > 0)
        word = word << 8 | bytes[size];
    return word;
}

static tautochrone_stream *stream_of(uint64_t index) {
    uint8_t seed[TAUTOCHRONE_SEED_BYTES];
    tautochrone_stream *stream = NULL;
    size_t i;
    for (i = 0; i < sizeof seed; i++)
        seed[i] = (uint8_t)i;
    OK(tautochrone_stream_new(seed, "tests of C", index, &stream));
    CHECK(stream != NULL);
    return stream;
}

static void streams(void) {
    uint8_t bytes[1000], seed[TAUTOCHRONE_SEED_BYTES], other[TAUTOCHRONE_SEED_BYTES];
    tautochrone_stream *stream = stream_of(0), *none = stream;
    size_t len;
    uint8_t *want = contents("keystream", &len);
    CHECK(len == sizeof bytes);
    OK(tautochrone_stream_fill(stream, bytes, 1));
    OK(tautochrone_stream_fill(stream, bytes + 1, 0));
    OK(tautochrone_stream_fill(stream, bytes + 1, sizeof bytes - 1));
    CHECK(memcmp(bytes, want, len) == 0);
    OK(tautochrone_stream_fill(stream, NULL, 0));
    REFUSED(tautochrone_stream_fill(stream, NULL, 1), NULL, "out is null");
    REFUSED(tautochrone_stream_fill(NULL, bytes, 1), NULL, "stream is null");
    REFUSED(tautochrone_stream_fill(stream, bytes, SIZE_MAX), ARRAY, "more than memory");
    REFUSED(tautochrone_stream_new(NULL, "label", 0, &none), NULL, "seed is null");
    CHECK(none == NULL);
    OK(tautochrone_seed_random(seed));
    OK(tautochrone_seed_random(other));
    CHECK(memcmp(seed, other, sizeof seed) != 0);
    REFUSED(tautochrone_seed_random(NULL), NULL, "seed is null");
    REFUSED(tautochrone_stream_new(seed, NULL, 0, &none), NULL, "label is null");
    REFUSED(tautochrone_stream_new(seed, "\xff", 0, &none), PARAMETER, "UTF-8");
    REFUSED(tautochrone_stream_new(seed, "label", 0, NULL), NULL, "out is null");
    tautochrone_wipe(seed, sizeof seed);
    memset(other, 0, sizeof other);
    CHECK(memcmp(seed, other, sizeof seed) == 0);
    CHECK(tautochrone_wipe(NULL, 1) == TAUTOCHRONE_STATUS_NULL);
    tautochrone_stream_free(stream);
    tautochrone_stream_free(NULL);
    free(want);
}

/* The samples of `name`, in all widths. */
static void samples(const tautochrone_sampler *sampler, uint64_t index, const char *name) {
    size_t len, i;
    uint8_t *want = contents(name, &len);
    int64_t *wide = allocate(SAMPLES * sizeof *wide), largest = 0;
    int32_t *middle = allocate(SAMPLES * sizeof *middle);
    int16_t *narrow = allocate(SAMPLES * sizeof *narrow);
    int8_t *bytes = allocate(SAMPLES * sizeof *bytes);
    tautochrone_stream *stream;
    CHECK(len == 8 * SAMPLES);
    OK(tautochrone_sampler_fill_i64(sampler, stream = stream_of(index), wide, SAMPLES));
    tautochrone_stream_free(stream);
    OK(tautochrone_sampler_fill_i32(sampler, stream = stream_of(index), middle, SAMPLES));
    tautochrone_stream_free(stream);
    OK(tautochrone_sampler_fill_i16(sampler, stream = stream_of(index), narrow, SAMPLES));
    tautochrone_stream_free(stream);
    OK(tautochrone_sampler_fill_i8(sampler, stream = stream_of(index), bytes, SAMPLES));
    for (i = 0; i < SAMPLES; i++) {
        CHECK((uint64_t)wide[i] == little_endian(want + 8 * i, 8));
        CHECK(middle[i] == wide[i] && narrow[i] == wide[i] && bytes[i] == wide[i]);
        if (imaxabs(wide[i]) > largest)
            largest = imaxabs(wide[i]);
    }
    CHECK(largest > 2 && (uint64_t)largest <= tautochrone_sampler_bound(sampler));
    OK(tautochrone_sampler_fill_i64(sampler, stream, NULL, 0));
    REFUSED(tautochrone_sampler_fill_i64(sampler, stream, NULL, 1), NULL, "out is null");
    REFUSED(tautochrone_sampler_fill_i64(NULL, stream, wide, 1), NULL, "sampler is null");
    REFUSED(tautochrone_sampler_fill_i8(sampler, NULL, bytes, 1), NULL, "stream is null");
    REFUSED(tautochrone_sampler_fill_i32(sampler, stream, (int32_t *)(void *)(bytes + 1), 1),
            ARRAY, "aligned");
    tautochrone_stream_free(stream);
    free(want);
    free(wide);
    free(middle);
    free(narrow);
    free(bytes);
}

static void samplers(void) {
    tautochrone_sampler *facct, *bitslice, *ziggurat, *wide, *none;
    tautochrone_stream *stream = stream_of(4);
    double centres[CENTRES];
    int64_t around[CENTRES];
    int8_t bytes[4] = {1, 1, 1, 1};
    size_t len, i;
    uint8_t *want = contents("centres", &len);
    CHECK(len == sizeof around);
    OK(tautochrone_sampler_new_facct(3.2, &facct));
    OK(tautochrone_sampler_new_bitslice(3.19, 64, &bitslice));
    OK(tautochrone_sampler_new_ziggurat(5.0, &ziggurat));
    samples(facct, 1, "facct");
    samples(bitslice, 2, "bitslice");
    samples(ziggurat, 3, "ziggurat");
    CHECK(tautochrone_sampler_bound(NULL) == 0);

    OK(tautochrone_sampler_new_facct(40.0, &wide));
    for (i = 0; i < CENTRES; i++)
        centres[i] = (double)i * 0.75 - 300.0;
    OK(tautochrone_sampler_fill_centres(wide, stream, centres, around, CENTRES));
    for (i = 0; i < CENTRES; i++)
        CHECK((uint64_t)around[i] == little_endian(want + 8 * i, 8));
    REFUSED(tautochrone_sampler_fill_centres(bitslice, stream, centres, around, 1),
            PARAMETER, "FACCT");
    REFUSED(tautochrone_sampler_fill_centres(wide, stream, NULL, around, 1),
            NULL, "centres is null");
    REFUSED(tautochrone_sampler_fill_centres(wide, stream, (double *)(void *)around, around, 1),
            ARRAY, "overlap");
    centres[1] = 1e300;
    REFUSED(tautochrone_sampler_fill_centres(wide, stream, centres, around, 2),
            PARAMETER, "centre");
    CHECK(around[0] == 0 && around[1] == 0);
    REFUSED(tautochrone_sampler_fill_i8(wide, stream, bytes, 4), PARAMETER, "127");
    CHECK(bytes[0] == 0 && bytes[3] == 0);

    none = wide;
    REFUSED(tautochrone_sampler_new_facct(1.0, &none), PARAMETER, "sigma is 1");
    CHECK(none == NULL);
    REFUSED(tautochrone_sampler_new_facct(-HUGE_VAL, &none), PARAMETER, "sigma");
    REFUSED(tautochrone_sampler_new_bitslice(3.19, 129, &none), PARAMETER, "between 32 and 128");
    REFUSED(tautochrone_sampler_new_ziggurat(0.0, &none), PARAMETER, "sigma");
    REFUSED(tautochrone_sampler_new_ziggurat(5.0, NULL), NULL, "out is null");
    tautochrone_sampler_free(facct);
    tautochrone_sampler_free(bitslice);
    tautochrone_sampler_free(ziggurat);
    tautochrone_sampler_free(wide);
    tautochrone_sampler_free(NULL);
    tautochrone_stream_free(stream);
    free(want);
}

static void products(void) {
    static int8_t x[M * K];
    static uint64_t y[K * N], z[M * (N + 3)];
    static uint32_t y32[K * N], z32[N * M];
    uint8_t bytes[8 * K * N], *want, *want32;
    tautochrone_stream *stream = stream_of(5);
    tautochrone_matrix a = {0}, b = {0}, changed;
    tautochrone_matrix_mut c = {0}, output;
    size_t len, i, j;
    OK(tautochrone_stream_fill(stream, (uint8_t *)x, sizeof x));
    tautochrone_stream_free(stream);
    stream = stream_of(6);
    OK(tautochrone_stream_fill(stream, bytes, sizeof bytes));
    tautochrone_stream_free(stream);
    for (i = 0; i < K * N; i++)
        y32[i] = (uint32_t)(y[i] = little_endian(bytes + 8 * i, 8));
    a.data = x, a.len = M * K, a.entry = TAUTOCHRONE_I8, a.rows = M, a.columns = K;
    a.row_stride = K, a.column_stride = 1;
    b.data = y, b.len = K * N, b.entry = TAUTOCHRONE_U64, b.rows = K, b.columns = N;
    b.row_stride = 1, b.column_stride = K;

    /* Row after row, three elements between rows. */
    for (i = 0; i < M * (N + 3); i++)
        z[i] = 7;
    c.data = z, c.len = M * (N + 3) - 3, c.entry = TAUTOCHRONE_U64, c.rows = M, c.columns = N;
    c.row_stride = N + 3, c.column_stride = 1;
    want = contents("product64", &len);
    CHECK(len == 8 * M * N);
    OK(tautochrone_multiply(&a, &b, &c));
    for (i = 0; i < M; i++)
        for (j = 0; j < N + 3; j++)
            CHECK(z[i * (N + 3) + j] == (j < N ? little_endian(want + 8 * (i * N + j), 8) : 7));
    OK(tautochrone_multiply_add(&a, &b, &c));
    for (i = 0; i < M; i++)
        for (j = 0; j < N + 3; j++)
            CHECK(z[i * (N + 3) + j] == (j < N ? 2 * little_endian(want + 8 * (i * N + j), 8) : 7));

    /* Modulo 2^32, column after column. */
    changed = b, changed.data = y32, changed.entry = TAUTOCHRONE_I32;
    output = c, output.data = z32, output.len = M * N, output.entry = TAUTOCHRONE_U32;
    output.row_stride = 1, output.column_stride = M;
    want32 = contents("product32", &len);
    CHECK(len == 4 * M * N);
    OK(tautochrone_multiply(&a, &changed, &output));
    for (i = 0; i < M; i++)
        for (j = 0; j < N; j++)
            CHECK(z32[i + j * M] == little_endian(want32 + 4 * (i * N + j), 4));

    REFUSED(tautochrone_multiply(NULL, &b, &c), NULL, "x is null");
    REFUSED(tautochrone_multiply(&a, NULL, &c), NULL, "y is null");
    REFUSED(tautochrone_multiply_add(&a, &b, NULL), NULL, "z is null");
    changed = a, changed.data = NULL;
    REFUSED(tautochrone_multiply(&changed, &b, &c), NULL, "x is null");
    changed = a, changed.len--;
    REFUSED(tautochrone_multiply(&changed, &b, &c), ARRAY, "needs 1961 elements");
    changed = a, changed.row_stride = SIZE_MAX;
    REFUSED(tautochrone_multiply(&changed, &b, &c), ARRAY, "elements");
    changed = a, changed.entry = 0;
    REFUSED(tautochrone_multiply(&changed, &b, &c), PARAMETER, "x has entries of type 0");
    changed = b, changed.rows--;
    REFUSED(tautochrone_multiply(&a, &changed, &c), PARAMETER, "cannot multiply");
    changed = b, changed.data = (uint8_t *)y + 1, changed.len--;
    REFUSED(tautochrone_multiply(&a, &changed, &c), ARRAY, "aligned");
    output = c, output.entry = TAUTOCHRONE_I64;
    REFUSED(tautochrone_multiply(&a, &b, &output), PARAMETER, "z has entries of type 4");
    output = c, output.entry = 99;
    REFUSED(tautochrone_multiply(&a, &b, &output), PARAMETER, "z has entries of type 99");
    output = c, output.row_stride = N - 1;
    REFUSED(tautochrone_multiply(&a, &b, &output), ARRAY, "overlap");
    output = c, output.row_stride = 2, output.column_stride = 2;
    REFUSED(tautochrone_multiply(&a, &b, &output), ARRAY, "strides must be 1");
    output = c, output.data = y, output.len = K * N, output.row_stride = N;
    REFUSED(tautochrone_multiply(&a, &b, &output), ARRAY, "z and y overlap");
    output = c, output.len--;
    REFUSED(tautochrone_multiply(&a, &b, &output), ARRAY, "elements");
    free(want);
    free(want32);
}

static void proofs(void) {
    static const uint8_t context[] = {'f', 'o', 'r', ' ', 'y', 'o', 'u'};
    tautochrone_statement *statement, *opened, *toy, *none;
    tautochrone_parameters parameters;
    size_t len, proof_len, toy_len, toy_proof_len;
    uint8_t *bytes = contents("secure.lzs", &len), *proof = contents("secure.lzp", &proof_len);
    uint8_t *toy_bytes = contents("toy.lzs", &toy_len);
    uint8_t *toy_proof = contents("toy.lzp", &toy_proof_len);

    OK(tautochrone_statement_new(bytes, len, 0, &statement));
    OK(tautochrone_statement_open(path_of("secure.lzs"), 0, &opened));
    OK(tautochrone_statement_verify(statement, context, sizeof context, proof, proof_len).status);
    OK(tautochrone_statement_verify_file(opened, context, sizeof context, path_of("secure.lzp")).status);
    OK(tautochrone_statement_parameters(opened, &parameters));
    CHECK(parameters.lambda == 128 && parameters.w == 28);
    CHECK(parameters.v == 2600 && parameters.r == 1184 && parameters.l == 1024);
    CHECK(parameters.b == 1 && parameters.max_proof_bytes >= proof_len);
    CHECK(parameters.binding_bits > 128 && parameters.hiding_bits > 128);
    CHECK(parameters.log2_norm > 20 && parameters.log2_norm < 27 && parameters.round_t < 27);

    REFUSED(tautochrone_statement_verify(statement, context, sizeof context - 1, proof, proof_len).status,
            INVALID, "context");
    REFUSED(tautochrone_statement_verify(statement, NULL, 0, proof, proof_len).status, INVALID, "context");
    REFUSED(tautochrone_statement_verify(statement, NULL, sizeof context, proof, proof_len).status,
            NULL, "context is null");
    REFUSED(tautochrone_statement_verify(statement, context, sizeof context, NULL, 1).status,
            NULL, "proof is null");
    REFUSED(tautochrone_statement_verify(NULL, context, sizeof context, proof, proof_len).status,
            NULL, "statement is null");
    REFUSED(tautochrone_statement_verify(statement, context, sizeof context, proof, proof_len - 1).status,
            MALFORMED, "truncated");
    REFUSED(tautochrone_statement_verify(statement, context, sizeof context, NULL, 0).status,
            MALFORMED, "too short");
    REFUSED(tautochrone_statement_verify_requiring(statement, context, sizeof context, "range:8:0:1 norm:8:9",
                                                   proof, proof_len).status,
            INVALID, "does not show requirement 0");
    REFUSED(tautochrone_statement_verify_requiring(statement, context, sizeof context, "range:8:0:1 bits",
                                                   proof, proof_len).status,
            PARAMETER, "exact-keys");
    REFUSED(tautochrone_statement_verify_requiring(statement, context, sizeof context, " ", proof, proof_len).status,
            PARAMETER, "exact-keys");
    REFUSED(tautochrone_statement_verify_requiring(statement, context, sizeof context, NULL, proof, proof_len).status,
            NULL, "require is null");
    proof[proof_len / 2] ^= 1;
    CHECK(tautochrone_statement_verify(statement, context, sizeof context, proof, proof_len).status ==
          TAUTOCHRONE_STATUS_INVALID);
    proof[proof_len / 2] ^= 1;
    REFUSED(tautochrone_statement_verify_file(statement, context, sizeof context, path_of("secure.lzs")).status,
            MALFORMED, "proof");
    REFUSED(tautochrone_statement_verify_file(statement, context, sizeof context, path_of("none")).status,
            IO, "none: ");
    REFUSED(tautochrone_statement_verify_file(statement, context, sizeof context, directory).status,
            IO, directory);
    REFUSED(tautochrone_statement_verify_file(statement, context, sizeof context, NULL).status,
            NULL, "path is null");
    REFUSED(tautochrone_statement_parameters(NULL, &parameters), NULL, "statement is null");
    REFUSED(tautochrone_statement_parameters(statement, NULL), NULL, "out is null");

    none = statement;
    REFUSED(tautochrone_statement_new(bytes, len - 1, 0, &none), MALFORMED, "truncated");
    CHECK(none == NULL);
    REFUSED(tautochrone_statement_new(NULL, 0, 0, &none), MALFORMED, "too short");
    REFUSED(tautochrone_statement_new(NULL, 1, 0, &none), NULL, "bytes is null");
    REFUSED(tautochrone_statement_new(bytes, len, 2, &none), PARAMETER, "flags are 2");
    REFUSED(tautochrone_statement_new(bytes, len, 0, NULL), NULL, "out is null");
    REFUSED(tautochrone_statement_new(proof, proof_len, 0, &none),
            MALFORMED, "this file is a proof of knowledge alone");
    REFUSED(tautochrone_statement_open(path_of("none"), 0, &none), IO, "none: ");
    REFUSED(tautochrone_statement_open(directory, 0, &none), IO, directory);
    REFUSED(tautochrone_statement_open(NULL, 0, &none), NULL, "path is null");
    REFUSED(tautochrone_statement_new(toy_bytes, toy_len, 0, &none), INSECURE, "insecure");
    OK(tautochrone_statement_new(toy_bytes, toy_len, TAUTOCHRONE_ACCEPT_INSECURE, &toy));
    OK(tautochrone_statement_verify(toy, context, sizeof context, toy_proof, toy_proof_len).status);
    REFUSED(tautochrone_statement_verify(statement, context, sizeof context, toy_proof, toy_proof_len).status,
            INVALID, "another");

    tautochrone_statement_free(statement);
    tautochrone_statement_free(opened);
    tautochrone_statement_free(toy);
    tautochrone_statement_free(NULL);
    free(bytes);
    free(proof);
    free(toy_bytes);
    free(toy_proof);
}

static void provers(void) {
    static const uint8_t context[] = {'f', 'o', 'r', ' ', 'm', 'e'};
    const size_t context_len = sizeof context;
    tautochrone_parameters p;
    tautochrone_statement *checked;
    size_t entries, len, most, first_len = 0, written = 0, i;
    int8_t *witness;
    uint8_t *statement, *proof, *first;

    OK(tautochrone_preset_parameters("T1-128", 0, &p));
    CHECK(p.l == 1024 && p.v == 2600 && p.b == 1);
    OK(tautochrone_preset_parameters("T1-128", 100, &p));
    CHECK(p.l == 100 && p.v == 2600);
    entries = (size_t)(p.v * p.l), len = (size_t)p.statement_bytes, most = (size_t)p.max_proof_bytes;
    witness = allocate(entries), statement = allocate(len), first = allocate(len);
    proof = allocate(most + 1);
    for (i = 0; i < entries; i++)
        witness[i] = (int8_t)(i * i % 7 % 3) - 1;
    for (i = 0; i < 2; i++) {
        memset(proof, 0xff, most + 1);
        OK(tautochrone_prove("T1-128", 100, witness, entries, context, context_len, statement, len,
                             proof, most, &written));
        CHECK(written > 0 && written <= most && proof[most] == 0xff);
        OK(tautochrone_statement_new(statement, len, 0, &checked));
        OK(tautochrone_statement_verify(checked, context, context_len, proof, written).status);
        REFUSED(tautochrone_statement_verify(checked, NULL, 0, proof, written).status, INVALID, "context");
        tautochrone_statement_free(checked);
        /* Nothing random repeats the run before. */
        if (i == 0)
            memcpy(first, statement, len), first_len = written;
    }
    CHECK(first_len > 0 && memcmp(first, statement, len) != 0);

#define PROVE(preset, columns, s, s_len, c, t, t_len, pi, pi_len, n) \
    tautochrone_prove(preset, columns, s, s_len, c, context_len, t, t_len, pi, pi_len, n)
    REFUSED(PROVE("T1-129", 100, witness, entries, context, statement, len, proof, most, &written),
            PARAMETER, "unknown preset");
    REFUSED(PROVE("seed", 0, witness, entries, context, statement, len, proof, most, &written),
            INSECURE, "insecure");
    REFUSED(PROVE(NULL, 100, witness, entries, context, statement, len, proof, most, &written),
            NULL, "preset is null");
    REFUSED(PROVE("T1-128", 100, NULL, entries, context, statement, len, proof, most, &written),
            NULL, "witness is null");
    REFUSED(PROVE("T1-128", 100, witness, entries - 1, context, statement, len, proof, most, &written),
            ARRAY, "entries");
    REFUSED(PROVE("T1-128", 100, witness, entries, NULL, statement, len, proof, most, &written),
            NULL, "context is null");
    REFUSED(PROVE("T1-128", 100, witness, entries, context, NULL, len, proof, most, &written),
            NULL, "statement is null");
    REFUSED(PROVE("T1-128", 100, witness, entries, context, statement, len - 1, proof, most, &written),
            ARRAY, "statement has");
    REFUSED(PROVE("T1-128", 100, witness, entries, context, statement, len, NULL, most, &written),
            NULL, "proof is null");
    REFUSED(PROVE("T1-128", 100, witness, entries, context, statement, len, proof, most - 1, &written),
            ARRAY, "proof has");
    REFUSED(PROVE("T1-128", 100, witness, entries, context, statement, len, proof, most, NULL),
            NULL, "written is null");
    REFUSED(PROVE("T1-128", 100, witness, entries, context, (uint8_t *)witness, len, proof, most, &written),
            ARRAY, "statement and witness overlap");
    witness[2600 * 3 + 5] = 2;
    REFUSED(PROVE("T1-128", 100, witness, entries, context, statement, len, proof, most, &written),
            PARAMETER, "column 3");
    REFUSED(tautochrone_preset_parameters(NULL, 0, &p), NULL, "preset is null");
    REFUSED(tautochrone_preset_parameters("T1-128", 0, NULL), NULL, "out is null");
    REFUSED(tautochrone_preset_parameters("T1-128", UINT64_MAX, &p), PARAMETER, "l");
    free(witness);
    free(statement);
    free(first);
    free(proof);
}

static void messages(void) {
    char text[8], one[1] = {'x'};
    int status;
    CHECK(tautochrone_message(NULL, 0) == 0);
    CHECK(tautochrone_message(text, sizeof text) == 0 && text[0] == 0);
    CHECK(tautochrone_stream_fill(NULL, NULL, 0) == TAUTOCHRONE_STATUS_NULL);
    CHECK(tautochrone_message(NULL, 0) == strlen("stream is null"));
    CHECK(tautochrone_message(text, sizeof text) == strlen("stream is null"));
    CHECK(strcmp(text, "stream ") == 0);
    CHECK(tautochrone_message(one, 1) == strlen("stream is null") && one[0] == 0);
    for (status = TAUTOCHRONE_STATUS_OK; status <= TAUTOCHRONE_STATUS_INTERNAL; status++)
        CHECK(strcmp(tautochrone_status_text(status), "unknown status") != 0);
    CHECK(strcmp(tautochrone_status_text(-1), "unknown status") == 0);
    CHECK(strcmp(tautochrone_status_text(status), "unknown status") == 0);
    CHECK(strchr(tautochrone_version(), '.') != NULL);
}

/* A child has none of its parent's threads: it gets its own. */
static void forked(void) {
    int status = -1;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(600); /* rather than wait for ever */
        products();
        proofs();
        provers();
        /* Valgrind takes what belongs to the parent's threads for leaks of a child that ends. */
        execlp("true", "true", (char *)NULL);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    directory = argv[1];
    messages();
    streams();
    samplers();
    products();
    proofs();
    provers();
    forked();
    printf("%d checks\n", checks);
    return 0;
}
