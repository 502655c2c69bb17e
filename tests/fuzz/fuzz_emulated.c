/* The GPU's decoder, emulated, beside the CPU's: whatever it proves the CPU must read, with the
 * same pixels; and it must end, and stay within its buffers, whatever it is given. */
#include "io/png/chunks.h"
#include "tests/checkcodec/png_compare.h"
#include "tests/fuzz/build_png.h"
#include "tests/fuzz/fuzz.h"

/* The emulator takes its time: some milliseconds for what a fuzzer makes in the main. */
enum { PIXELS_MOST = 1 << 14 };

static bool is_small(const FuzzPng *png)
{
    ImgPngHeader header;
    return png->size > IMG_PNG_HEADER_BYTES && img_png_header(png->data, &header, NULL) == IMG_OK &&
           (int64_t)header.shape.width * header.shape.height <= PIXELS_MOST;
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
        if (png_failures > 0)
            abort();
    }
    free(png.data);
    return 0;
}
