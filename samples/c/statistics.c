/* statistics FILE.png: prints the exact mean, deviation and share of clipped pixels per channel. */
#include <imgtool.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const char *name, const uint64_t *counts, size_t entries)
{
    imgtool_statistics all = IMGTOOL_STATISTICS_INIT;
    if (imgtool_statistics_of(counts, entries, &all, NULL) == IMGTOOL_OK)
        printf("%-6s %5u to %5u, mean %9.3f, deviation %9.3f, median %5u, %.2f %% at the top\n",
               name, all.minimum, all.maximum, all.mean, all.deviation, all.median,
               100.0 * (double)all.highest / (double)all.pixels);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"red", "green", "blue", "luma"};
    imgtool_context *context = NULL;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    uint64_t *counts = NULL;
    int32_t rows = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: statistics FILE.png\n");
        return 2;
    }
    /* Converts every picture to RGB, and keeps 8 or 16 bits per channel. */
    picture.format.color = IMGTOOL_RGB;
    imgtool_status status = imgtool_context_create(NULL, &context, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_read_file(context, argv[1], &picture, NULL, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_histogram(context, &picture, NULL, 0, &rows, &error);
    const size_t entries = (size_t)1 << picture.format.bits;
    if (status == IMGTOOL_OK)
        counts = malloc((size_t)rows * entries * sizeof *counts);
    if (counts != NULL)
        status =
            imgtool_histogram(context, &picture, counts, (size_t)rows * entries, &rows, &error);
    if (status != IMGTOOL_OK)
        fprintf(stderr, "%s\n", error.message);
    for (int32_t i = 0; i < rows && counts != NULL && status == IMGTOOL_OK; i++)
        print(names[i], counts + (size_t)i * entries, entries);
    free(counts);
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
    return status == IMGTOOL_OK && counts != NULL ? 0 : 1;
}
