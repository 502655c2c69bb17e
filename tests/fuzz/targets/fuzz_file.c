/* Compares imgtool's decoders with libpng's png_read_png on whole PNG files. Verdict and pixels
 * must be the same, except for files for which may_reject_alone is true. png_mutate.h mutates the
 * inputs. */
#include <stdio.h>
#include <zlib.h>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge.h"
#include "tests/fuzz/mutate/png_mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return png_mutate(data, size, most, seed, LLVMFuzzerMutate);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *to, size_t most, unsigned seed)
{
    return png_cross_over(one, one_size, other, other_size, to, most, seed);
}

/* Returns false for files that need too much memory. Looks at every IHDR, because libpng accepts an
 * IHDR that is not the first chunk. */
static bool is_small(const uint8_t *data, size_t size)
{
    enum { PIXELS_MOST = 1 << 17 };
    PngChunks chunks;
    bool small = png_chunks_read(data, size, &chunks);
    for (size_t i = 0; i < chunks.count; i++) {
        const PngChunk *chunk = &chunks.list[i];
        if (png_chunk_is(chunk, "IHDR") && chunk->data.size >= 8)
            small = small &&
                    (uint64_t)fuzz_load32(chunk->data.data) * fuzz_load32(chunk->data.data + 4) <=
                        PIXELS_MOST;
    }
    png_chunks_free(&chunks);
    return small;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!is_small(data, size))
        return -1;
    const uint32_t sum = (uint32_t)crc32_z(0, data, size);
    FuzzBytes file = {0};
    fuzz_put(&file, data, size);
    const FuzzPng png = {file.data, file.size, 1 + (sum & 3), 16 + 12 * (size_t)(sum >> 2 & 63)};
    const bool theirs = libpng_reads(data, size), ours = judge_decoders(&png);
    if (ours != theirs && (ours || !may_reject_alone(data, size))) {
        fprintf(stderr, "libpng %s the file, imgtool %s it\n", theirs ? "reads" : "rejects",
                ours ? "reads" : "rejects");
        abort();
    }
    free(file.data);
    return 0;
}
