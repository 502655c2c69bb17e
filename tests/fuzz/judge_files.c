/* judge_files FILE...: is each file, as it is, judged as libpng judges it, and decoded alike?
 * libpng's own verdict is that of png_read_png; pixels are held against rows that libpng decodes,
 * by every strategy and through the public interface. Prints "read NAME" or "refused NAME"; the
 * file that differs ends it. Exit code 0: none differs. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/judge.h"
#include "tests/fuzz/judge_library.h"

enum { THREADS = 2, PIECE_BYTES = 512 };

typedef struct Reader {
    const FuzzBytes *bytes;
    size_t at;
} Reader;

static void read_bytes(png_structp png, png_bytep to, size_t size)
{
    Reader *reader = png_get_io_ptr(png);
    if (size > reader->bytes->size - reader->at)
        png_error(png, "the file ends");
    memcpy(to, reader->bytes->data + reader->at, size);
    reader->at += size;
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void end_reading(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static bool libpng_reads(const FuzzBytes *bytes)
{
    Reader reader = {bytes, 0};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, end_reading, ignore);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL)
        abort();
    volatile bool reads = false;
    if (setjmp(png_jmpbuf(png)) == 0) {
        png_set_read_fn(png, &reader, read_bytes);
        png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* ours are tested elsewhere */
        png_set_chunk_malloc_max(png, 0);
        png_read_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
        reads = true;
    }
    png_destroy_read_struct(&png, &info, NULL);
    return reads;
}

/* Ends the program where ways of decoding differ. */
static bool we_read(const FuzzBytes *bytes)
{
    static const ImgPngPath strategies[] = {IMG_PNG_IN_SEQUENCE, IMG_PNG_BY_STRIPS};
    static const ImgPngPath libpng = IMG_PNG_BY_LIBPNG;
    const FuzzPng png = {bytes->data, bytes->size, THREADS, PIECE_BYTES};
    Judged file;
    ImgImage image;
    if (!judged_open(bytes->data, bytes->size, &file)) {
        judge_library(&png, NULL);
        return false;
    }
    const ImgStatus wanted = judged_decode(&file, &libpng, 1, 0, &image, NULL);
    (void)judge(&file, NULL, THREADS, PIECE_BYTES, wanted, &image);
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        (void)judge(&file, &strategies[i], THREADS, PIECE_BYTES, wanted, &image);
    judge_library(&png, wanted == IMG_OK ? &image.view : NULL);
    img_image_free(&image);
    judged_close(&file);
    return wanted == IMG_OK;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FuzzBytes bytes = {0};
        printf("%s: ", argv[i]);
        fflush(stdout);
        if (!fuzz_put_file(&bytes, argv[i]))
            return EXIT_FAILURE;
        const bool theirs = libpng_reads(&bytes), ours = we_read(&bytes);
        free(bytes.data);
        printf("%s\n", ours ? "read" : "refused");
        if (ours != theirs) {
            printf("%s: libpng %s it\n", argv[i], theirs ? "reads" : "refuses");
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
