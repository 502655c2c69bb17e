#include "io/png/decode/checks.h"

#include <stdatomic.h>

#include "io/bytes.h"

const char *img_png_why_not_fast(const ImgPngHeader *header)
{
    if (header->interlaced)
        return "interlaced";
    if (header->shape.format.bits < 8)
        return "less than 8 bits per sample";
    return NULL;
}

/* Checks the zlib header (RFC 1950, section 2.2). Returns false if it declares a window smaller
 * than 32 KB, unless all data fits into that window. If the window is smaller, zlib may reject
 * matches that img_inflate would accept, so libpng must decode the file. */
static bool is_plain_zlib(const ImgIdat *idat, uint64_t inflated)
{
    uint8_t head[IMG_ZLIB_HEADER_BYTES];
    if (idat->size < IMG_ZLIB_HEADER_BYTES + IMG_ZLIB_ADLER_BYTES)
        return false;
    img_idat_copy(idat, 0, sizeof head, head);
    uint64_t window = (uint64_t)256 << (head[0] >> 4);
    bool deflate = (head[0] & 15) == 8 && head[0] >> 4 <= 7;
    bool dictionary = (head[1] & 0x20) != 0;
    return deflate && !dictionary && img_get_be16(head) % 31 == 0 &&
           (window == IMG_INFLATE_WINDOW || inflated <= window);
}

ImgPngStrategy img_png_strategy_from_start(const ImgPngJob *job)
{
    enum { LONGEST_ROW = 2 << 20 };
    return img_pixels_filtered_bytes(&job->pixels) <= LONGEST_ROW ? IMG_PNG_PIPELINED
                                                                  : IMG_PNG_IN_SEQUENCE;
}

ImgPngStrategy img_png_choose_strategy(const ImgPngJob *job, size_t strips)
{
    /* Minimum sizes in bytes. With less data, threads cost more time than they save. */
    enum {
        LEAST_STREAM = 200 << 10,
        LEAST_INFLATED = 1 << 20,
        /* Inflated bytes per strip. Starting a strip may copy 64 KB of the stream, which is too
         * much work for a smaller strip. */
        LEAST_STRIP = 16 << 10,
        COPIED_SHARE = 5,
        THREADS_TO_SPECULATE = 4,
    };
    uint64_t inflated =
        (uint64_t)img_pixels_filtered_bytes(&job->pixels) * (uint64_t)job->pixels.view.height;
    if (job->threads < 2 || inflated < LEAST_INFLATED)
        return IMG_PNG_IN_SEQUENCE;
    if (strips > 1 && inflated / strips >= LEAST_STRIP)
        return IMG_PNG_BY_STRIPS;
    if (job->idat->size < LEAST_STREAM)
        return img_png_strategy_from_start(job);
    /* A stream that inflates to more than COPIED_SHARE times its size consists mostly of matches.
     * Speculative decoding does not know the bytes before a piece, and represents them by markers
     * (piece.h). Matches copy the markers again and again, so large parts of a piece consist of
     * markers, which must be resolved later. This makes speculative decoding slow. */
    bool copied = job->idat->size < inflated / COPIED_SHARE;
    bool from_start =
        (copied && job->threads < THREADS_TO_SPECULATE) || job->room == IMG_PNG_LEAST_ROOM;
    return from_start ? img_png_strategy_from_start(job) : IMG_PNG_SPECULATIVE;
}

typedef struct CrcCheck {
    const ImgIdat *idat;
    atomic_size_t next;
    atomic_bool wrong;
} CrcCheck;

static void check_parts(void *context, int part)
{
    CrcCheck *check = context;
    (void)part;
    /* Number of IDAT chunks per task. In many files these chunks have only 8 KB each. */
    enum { AT_ONCE = 16 };
    for (;;) {
        size_t first = atomic_fetch_add(&check->next, AT_ONCE);
        if (first >= check->idat->count)
            return;
        const size_t end =
            check->idat->count - first < AT_ONCE ? check->idat->count : first + AT_ONCE;
        for (size_t i = first; i < end; i++) {
            if (!img_idat_part_is_sound(check->idat, i))
                atomic_store(&check->wrong, true);
        }
    }
}

static bool crcs_are_right(const ImgIdat *idat, ImgTeam *team, int threads)
{
    /* Minimum number of bytes per thread. Checking fewer bytes takes less time than starting a
     * thread. */
    enum { BYTES_PER_THREAD = 1 << 19 };
    CrcCheck check = {.idat = idat};
    uint64_t most = idat->size / BYTES_PER_THREAD + 1;
    if (idat->count == 1)
        threads = 1;
    (void)img_parallel_run(team, most < (uint64_t)threads ? (int)most : threads, check_parts,
                           &check);
    return !atomic_load(&check.wrong);
}

bool img_png_stream_is_sound(const ImgIdat *idat, uint64_t inflated, ImgTeam *team, int threads)
{
    return is_plain_zlib(idat, inflated) && crcs_are_right(idat, team, threads);
}

bool img_png_stream_ends_well(const ImgIdat *idat, uint64_t end_bit, uint32_t adler)
{
    uint64_t end = (end_bit + 7) / 8;
    uint8_t stored[IMG_ZLIB_ADLER_BYTES];
    if (end + IMG_ZLIB_ADLER_BYTES != idat->size)
        return false;
    img_idat_copy(idat, end, sizeof stored, stored);
    return img_get_be32(stored) == adler;
}
