/* Instead of matches.c where the processor is big-endian: there ISA-L (2.30) writes a stream that
 * no one can read where the data begin with a long run of zeros or of 255. Our own LZ77, made as
 * quick, takes its place. */
#include <stdlib.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/lz77.h"
#include "io/png/deflate/matches.h"

struct ImgMatchesWork {
    ImgLz77 *lz77;
};

ImgMatchesWork *img_matches_create(void)
{
    ImgMatchesWork *work = malloc(sizeof *work);
    if (work == NULL)
        return NULL;
    work->lz77 = img_lz77_create();
    if (work->lz77 != NULL)
        return work;
    free(work);
    return NULL;
}

size_t img_matches_bytes(void)
{
    return sizeof(ImgMatchesWork) + img_lz77_bytes();
}

void img_matches_free(ImgMatchesWork *work)
{
    if (work == NULL)
        return;
    img_lz77_free(work->lz77);
    free(work);
}

size_t img_deflate_matches(ImgMatchesWork *work, int level, const uint8_t *data, size_t size,
                           bool last, uint8_t *out, size_t capacity)
{
    /* ISA-L finds matches from 4 bytes on, and hardly searches at level 1. */
    static const ImgLz77Effort efforts[] = {{IMG_LZ77_FROM_4, 1, 8, 0, 0, 0},
                                            {IMG_LZ77_FROM_4, 4, 64, 16, 16, 16}};
    if (capacity <= IMG_BITS_SLACK)
        return 0;
    return img_deflate_lz77(work->lz77, &efforts[level > 1], data, size, last, out,
                            capacity - IMG_BITS_SLACK, NULL);
}
