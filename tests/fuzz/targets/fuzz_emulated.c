/* Runs the GPU decoder in the emulator, for one file and for a batch of two. For every file that
 * the GPU decoder verifies, the CPU decoder must give the same pixels. For any input the GPU
 * decoder must end, and stay within its buffers. */
#include "io/png/chunks.h"
#include "tests/checkcodec/batch_compare.h"
#include "tests/checkcodec/png_compare.h"
#include "tests/fuzz/build_png.h"
#include "tests/fuzz/fuzz.h"

/* Largest picture, in pixels. Most inputs then take a few milliseconds in the emulator. */
enum { PIXELS_MOST = 1 << 14 };

static bool is_small(const FuzzPng *png)
{
    ImgPngHeader header;
    return png->size > IMG_PNG_HEADER_BYTES && img_png_header(png->data, &header, NULL) == IMG_OK &&
           (int64_t)header.shape.width * header.shape.height <= PIXELS_MOST;
}

/* Gives the decoder a list of block starts made from the last bytes of the input. The list is
 * mostly wrong, as it can be in a damaged file. */
static void compare_with_list(const Bytes *file, const uint8_t *data, size_t size)
{
    enum { MOST = 16, FIRST_BIT = 16 };
    uint32_t starts[MOST], status, at = FIRST_BIT;
    ImgPngBlocks blocks = {starts, 0};
    bool reads;
    for (; blocks.count < MOST && blocks.count < size; at += data[size - blocks.count] + 1U)
        starts[blocks.count++] = at;
    (void)compare_with_blocks(file, &blocks, "input with a list", &reads, &status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzPng png;
    if (!fuzz_build_png(data, size, &png))
        return 0;
    if (is_small(&png)) {
        Bytes file = {.data = png.data, .size = png.size};
        bool reads;
        uint32_t status;
        (void)compare_decoders(&file, "input", &reads, &status);
        compare_with_list(&file, data, size);
        batch_finish();
        if (png_failures > 0)
            abort();
    }
    free(png.data);
    return 0;
}
