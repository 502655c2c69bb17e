/* stb_hash FILE...: prints a line per file with a hash of the pixels, 16 bits per sample, as
 * stb_image decodes them. Many programs read PNGs with stb_image. */
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__) /* Disables compiler warnings for the code of stb_image below. */
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

/* Returns the FNV-1a hash of the samples. */
static uint64_t hash(const uint16_t *samples, size_t count)
{
    uint64_t h = 0xcbf29ce484222325U;
    for (size_t i = 0; i < count; i++)
        h = (h ^ samples[i]) * 0x100000001b3U;
    return h;
}

int main(int argc, char **argv)
{
    int failures = 0;
    for (int i = 1; i < argc; i++) {
        int width = 0;
        int height = 0;
        int channels = 0;
        uint16_t *samples = stbi_load_16(argv[i], &width, &height, &channels, 0);
        if (samples == NULL) {
            printf("refused: %s\n", stbi_failure_reason());
            failures++;
            continue;
        }
        printf(
            "%d x %d, %d: %016llx\n", width, height, channels,
            (unsigned long long)hash(samples, (size_t)width * (size_t)height * (size_t)channels));
        stbi_image_free(samples);
    }
    return failures == 0 ? 0 : 1;
}
