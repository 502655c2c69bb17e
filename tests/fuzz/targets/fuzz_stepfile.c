/* Reads files that operations use: .cube tables and convolution kernels. Each file must be rejected
 * with a message, or be the same after it is written and read again. The operation must give the
 * same pixels with one and with three threads.
 * Input: 'c' for a table or 'k' for a kernel, then the file. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/library/imgtool.h"
#include "kernels/convolve/convolve.h"
#include "kernels/core/fixed/decimal.h"
#include "kernels/point/cube.h"
#include "kernels/registry.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text/text.h"

typedef struct Kind {
    const char *op, *step; /* name of the operation, and a pipeline with %s for the file's path */
    void (*print)(FILE *out, const ImgConstants *content);
} Kind;

/* --- Writing a file --------------------------------------------------------------------------- */

/* Prints `value`, which is in billionths, as a decimal number without rounding. */
static void print_billionths(FILE *out, int64_t value)
{
    const int64_t size = value < 0 ? -value : value;
    fprintf(out, "%s%" PRId64 ".%09" PRId64 " ", value < 0 ? "-" : "", size / IMG_DECIMAL_UNIT,
            size % IMG_DECIMAL_UNIT);
}

static void print_bound(FILE *out, const char *name, const int32_t bound[3])
{
    fprintf(out, "%s ", name);
    for (int c = 0; c < 3; c++)
        print_billionths(out, (int64_t)bound[c] * 1000);
    fputc('\n', out);
}

static void print_cube(FILE *out, const ImgConstants *content)
{
    const ImgCube *cube = content->bytes;
    const int64_t low = (int64_t)cube->low * 1000, range = (int64_t)cube->high * 1000 - low;
    int64_t rows = cube->size;
    if (cube->dimensions == 3)
        rows *= (int64_t)cube->size * cube->size;
    fprintf(out, "LUT_%dD_SIZE %d\n", (int)cube->dimensions, (int)cube->size);
    print_bound(out, "DOMAIN_MIN", cube->least);
    print_bound(out, "DOMAIN_MAX", cube->most);
    for (int64_t i = 0; i < rows; i++) {
        for (int c = 0; c < 3; c++)
            print_billionths(out, low + cube->entries[i * IMG_CUBE_CHANNELS + c] * range / 65535);
        fputc('\n', out);
    }
}

static void print_kernel(FILE *out, const ImgConstants *content)
{
    const ImgKernel *kernel = content->bytes;
    for (int32_t y = 0; y < kernel->height; y++) {
        for (int32_t x = 0; x < kernel->width; x++)
            print_billionths(out, kernel->weights[y * kernel->width + x]);
        fputc('\n', out);
    }
}

/* --- Reading a file --------------------------------------------------------------------------- */

/* Returns false if the text is rejected. A rejection must have a message. */
static bool read_text(const ImgOp *op, const void *text, size_t size, ImgConstants *content)
{
    ImgError err = {IMG_OK, ""};
    char *exact = malloc(size + 1); /* one byte more than the text, for a zero at the end */
    scratch_check(exact != NULL, "no memory");
    memcpy(exact, text, size);
    exact[size] = '\0';
    *content = (ImgConstants){NULL, 0};
    const ImgStatus status = op->file.read(exact, size, content, &err);
    free(exact);
    scratch_check((status == IMG_OK) == (content->bytes != NULL), "status and result do not agree");
    scratch_check(status == IMG_OK || err.message[0] != '\0', "rejected without a message");
    return status == IMG_OK;
}

static void check_again(const Kind *kind, const ImgOp *op, const ImgConstants *content)
{
    char *text = NULL;
    size_t size;
    ImgConstants again;
    FILE *out = open_memstream(&text, &size);
    scratch_check(out != NULL, "no memory");
    kind->print(out, content);
    (void)fclose(out);
    scratch_check(read_text(op, text, size, &again), "a written file is rejected");
    scratch_check(again.size == content->size &&
                      memcmp(again.bytes, content->bytes, again.size) == 0,
                  "a written file reads differently");
    img_constants_free(&again);
    free(text);
}

/* --- Running the operation -------------------------------------------------------------------- */

static imgtool_context *context_of(int threads)
{
    static imgtool_context *contexts[4];
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = threads;
    config.backend = IMGTOOL_BACKEND_CPU;
    if (contexts[threads] == NULL)
        scratch_check(imgtool_context_create(&config, &contexts[threads], NULL) == IMGTOOL_OK,
                      "no context");
    return contexts[threads];
}

enum { WIDTH = 13, HEIGHT = 9, PIXELS = WIDTH * HEIGHT * 4 };

static imgtool_status run(const char *text, int threads, const uint8_t *pixels, uint8_t *result,
                          bool deep)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_context *context = context_of(threads);
    picture.width = deep ? WIDTH / 2 : WIDTH;
    picture.height = HEIGHT;
    picture.format = (imgtool_format){IMGTOOL_RGBA, deep ? 16 : 8};
    scratch_check(imgtool_picture_allocate(context, &picture, &error) == IMGTOOL_OK, "no picture");
    const size_t row = (size_t)picture.width * imgtool_pixel_size(picture.format);
    for (size_t y = 0; y < HEIGHT; y++)
        memcpy((uint8_t *)picture.pixels + y * picture.stride, pixels + y * row, row);
    const imgtool_status status = imgtool_run_text(context, text, &picture, &error);
    for (size_t y = 0; status == IMGTOOL_OK && y < HEIGHT; y++)
        memcpy(result + y * row, (const uint8_t *)picture.pixels + y * picture.stride, row);
    scratch_check(status == IMGTOOL_OK || error.message[0] != '\0', "it fails without a message");
    imgtool_picture_free(context, &picture);
    return status;
}

static void check_run(const Kind *kind, const uint8_t *data, size_t size, bool reads)
{
    static uint8_t pixels[PIXELS];
    uint8_t one[PIXELS] = {0}, three[PIXELS] = {0};
    char step[256];
    const bool deep = size % 2 != 0;
    for (size_t i = 0; i < PIXELS; i++)
        pixels[i] = (uint8_t)(i * 37 + (i >> 5));
    snprintf(step, sizeof step, kind->step, scratch_file(0, data, size));
    const imgtool_status status = run(step, 1, pixels, one, deep);
    scratch_check(reads || status != IMGTOOL_OK, "a rejected file is used");
    scratch_check(status == IMGTOOL_OK || status == IMGTOOL_E_FORMAT || status == IMGTOOL_E_USAGE,
                  "it fails with an unexpected status");
    scratch_check(run(step, 3, pixels, three, deep) == status,
                  "three threads give a different verdict");
    scratch_check(memcmp(one, three, sizeof one) == 0, "three threads give different pixels");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const Kind kinds[] = {{"lut", "lut file=%s", print_cube},
                                 {"convolve", "convolve file=%s", print_kernel}};
    const ImgOp *op;
    ImgConstants content;
    if (size < 1 || (data[0] != 'c' && data[0] != 'k'))
        return 0;
    const Kind *kind = &kinds[data[0] == 'k'];
    scratch_check(img_op_find(kind->op, &op, NULL) == IMG_OK, "no operation");
    const bool reads = read_text(op, data + 1, size - 1, &content);
    if (reads)
        check_again(kind, op, &content);
    check_run(kind, data + 1, size - 1, reads);
    img_constants_free(&content);
    return 0;
}
