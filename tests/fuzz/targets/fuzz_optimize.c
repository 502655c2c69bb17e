/* Reduces and optimizes small pictures. Every form must have the same pixels and the same
 * background. The optimized file must not be larger, and must not change when it is optimized
 * again. Input: 8 bytes of choices, then material for samples and palette. */
#include <stdio.h>
#include <string.h>

#include "io/png/encode.h"
#include "io/png/optimize/forms.h"
#include "io/png/optimize/optimize.h"
#include "io/source.h"
#include "kernels/core/sample.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"

enum { HEAD_BYTES = 8, SIDE_MOST = 24 };

/* Choices, as bits of the head's byte 3 and byte 4. */
enum {
    HAS_KEY = 1,
    HAS_BACKGROUND = 2,
    HAS_SIGNIFICANT = 4,
    HAS_HISTOGRAM = 8,
    IS_GRAY = 16,    /* channels are equal */
    IS_BINARY = 32,  /* alpha is 0 or 1 */
    IS_HALVED = 64,  /* 16 bits: both bytes are equal */
    IS_COARSE = 128, /* few values, which few bits can hold */
};

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static ImgShape shape_of(const uint8_t *head)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8},       {IMG_COLOR_RGB, 8},         {IMG_COLOR_RGBA, 8},
        {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_GRAY, 16},       {IMG_COLOR_RGB, 16},
        {IMG_COLOR_RGBA, 16},      {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_PALETTE, 8},
        {IMG_COLOR_PALETTE, 4},    {IMG_COLOR_PALETTE, 2},     {IMG_COLOR_PALETTE, 1},
        {IMG_COLOR_GRAY, 4},       {IMG_COLOR_GRAY, 2},        {IMG_COLOR_GRAY, 1},
    };
    return (ImgShape){1 + head[1] % SIDE_MOST, 1 + head[2] % SIDE_MOST,
                      formats[head[0] % (sizeof formats / sizeof formats[0])]};
}

/* Returns a sample made of one byte of material. */
static uint32_t sample_of(uint8_t byte, ImgFormat format, uint8_t choices)
{
    const uint32_t most = img_format_maximum(format);
    if ((choices & IS_COARSE) != 0)
        byte = (uint8_t)(byte % 4 * 85);
    if (format.bits < 16)
        return byte * most / 255;
    return (choices & IS_HALVED) != 0 ? byte * 257U : byte * 259U & most;
}

static void draw(const uint8_t *head, const uint8_t *material, size_t size, const ImgView *view)
{
    const size_t channels = (size_t)img_format_channels(view->format);
    const size_t samples = (size_t)view->width * channels;
    const uint32_t most = img_format_maximum(view->format);
    for (int32_t y = 0; y < view->height; y++) {
        uint8_t *row = view->data + (size_t)y * view->stride;
        for (size_t i = 0; i < samples; i++) {
            const uint8_t byte = size > 0 ? material[(i + (size_t)y * head[5]) % size] : 0;
            uint32_t value = sample_of(byte, view->format, head[3]);
            const bool is_alpha = img_format_has_alpha(view->format) && (i + 1) % channels == 0;
            if (is_alpha && (head[3] & IS_BINARY) != 0)
                value = byte % 2 * most;
            else if (!is_alpha && (head[3] & IS_GRAY) != 0 && i % channels > 0)
                value = img_sample(row, i - 1, view->format.bits);
            img_sample_set(row, i, view->format.bits, value);
        }
    }
}

/* Makes a palette in which entries repeat. Seven of eight inputs limit the indices to it. */
static void set_palette(const uint8_t *head, const uint8_t *material, size_t size,
                        ImgReduced *picture)
{
    ImgColours *colours = &picture->colours;
    const int most = 1 << picture->view.format.bits;
    colours->entries = 1 + head[6] % most;
    for (int i = 0; i < colours->entries; i++) {
        for (int c = 0; c < IMG_COLOUR_CHANNELS; c++)
            colours->palette[i][c] =
                size > 0 ? material[(size_t)(i % 16 * 4 + c) % size] : (uint8_t)i;
        if ((head[3] & IS_GRAY) != 0)
            colours->palette[i][1] = colours->palette[i][2] = colours->palette[i][0];
        if ((head[3] & IS_BINARY) != 0)
            colours->palette[i][IMG_COLOUR_ALPHA] = (uint8_t)(i % 3 == 0 ? 0 : 255);
    }
    if (colours->entries == most || head[5] % 8 == 7)
        return;
    for (int32_t y = 0; y < picture->view.height; y++)
        for (int32_t x = 0; x < picture->view.width; x++)
            picture->view.data[(size_t)y * picture->view.stride + (size_t)x] %=
                (uint8_t)colours->entries;
}

static void set_colours(const uint8_t *head, ImgReduced *picture)
{
    ImgColours *colours = &picture->colours;
    const ImgFormat format = picture->view.format;
    const bool is_palette = format.color == IMG_COLOR_PALETTE;
    const uint32_t value = sample_of(head[4], format, head[3]);
    colours->has_key = (head[3] & HAS_KEY) != 0 && !is_palette && !img_format_has_alpha(format);
    colours->has_background = (head[3] & HAS_BACKGROUND) != 0;
    colours->has_significant = (head[3] & HAS_SIGNIFICANT) != 0;
    colours->has_histogram = (head[3] & HAS_HISTOGRAM) != 0 && is_palette;
    for (int i = 0; i < 3; i++) {
        colours->key[i] = (uint16_t)value;
        colours->background[i] =
            (uint16_t)(is_palette ? value % (uint32_t)colours->entries : value);
    }
    for (int i = 0; i < IMG_COLOUR_CHANNELS; i++)
        colours->significant[i] = (uint8_t)(1 + (head[7] + i) % (is_palette ? 8 : format.bits));
    for (int i = 0; i < colours->entries; i++)
        colours->histogram[i] = (uint16_t)(i * 77);
}

/* Sets `rgb` to the background, of 16 bits. */
static void get_background(const ImgReduced *picture, uint32_t rgb[3])
{
    const ImgColours *colours = &picture->colours;
    const ImgFormat format = picture->view.format;
    const bool is_gray = format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_GRAY_ALPHA;
    for (int i = 0; i < 3; i++) {
        if (format.color == IMG_COLOR_PALETTE)
            rgb[i] = colours->palette[colours->background[0]][i] * 257U;
        else
            rgb[i] = colours->background[is_gray ? 0 : i] * (65535U / img_format_maximum(format));
    }
}

static void check_form(const ImgReduced *source, const ImgReduced *form, bool hides)
{
    const ImgColours *colours = &form->colours;
    const bool is_palette = form->view.format.color == IMG_COLOR_PALETTE;
    uint32_t before[3], after[3];
    check(img_reduced_equal(source, form, hides), "a pixel changed");
    check(colours->has_background == source->colours.has_background, "no background");
    get_background(source, before);
    get_background(form, after);
    check(!colours->has_background || memcmp(before, after, sizeof before) == 0,
          "another background");
    for (int i = 0; colours->has_significant && i < img_format_channels(form->view.format); i++)
        check(colours->significant[i] > 0 &&
                  colours->significant[i] <= (is_palette ? 8 : form->view.format.bits),
              "impossible significant bits");
    check(!is_palette || (colours->entries > 0 && colours->entries <= 1 << form->view.format.bits),
          "a palette of a wrong size");
}

static void check_forms(const ImgReduced *source, const ImgOptimizeOptions *options)
{
    ImgForms forms = {.count = 0};
    check(img_forms_make(source, options, &forms, NULL) == IMG_OK, "no forms");
    check(forms.count > 0, "not a single form");
    for (int i = 0; i < forms.count; i++)
        check_form(source, &forms.list[i], options->clears_hidden);
    img_forms_free(&forms);
}

static ImgStatus append(void *context, const void *data, size_t size, ImgError *err)
{
    (void)err;
    fuzz_put(context, data, size);
    return IMG_OK;
}

static FuzzBytes encode(const ImgReduced *picture)
{
    FuzzBytes file = {0};
    ImgOutput *output;
    ImgMetadata metadata = IMG_METADATA_NONE;
    const ImgPngEncodeOptions how = {.level = 1, .threads = 1};
    check(img_colours_write(&picture->colours, picture->view.format, &metadata, NULL) == IMG_OK &&
              img_output_open_function(append, &file, &output, NULL) == IMG_OK &&
              img_png_encode(&picture->image, &metadata, &how, output, NULL, NULL) == IMG_OK &&
              img_output_commit(&output, NULL) == IMG_OK,
          "not encoded");
    img_metadata_free(&metadata);
    return file;
}

static FuzzBytes optimize(const FuzzBytes *file, const ImgOptimizeOptions *options)
{
    const ImgLimits limits = {.max_pixels = 1 << 20, .max_memory = 1 << 28, .max_text = 1 << 20};
    const ImgInputBytes bytes = {.memory = file->data, .size = file->size};
    const ImgOptimizeResources resources = {.threads = 1 + (int)(file->size % 2)};
    ImgError err = {IMG_OK, ""};
    ImgSource *source = NULL;
    ImgImage image = IMG_IMAGE_NONE;
    ImgOptimizeReport report;
    FuzzBytes result = {0};
    ImgOutput *output;
    check(img_source_open_bytes(&bytes, false, &limits, &source, &err) == IMG_OK &&
              img_source_load(source, &err) == IMG_OK &&
              img_source_decode(source, NULL, &image, NULL, &err) == IMG_OK,
          err.message);
    ImgMetadata metadata = img_source_take_metadata(source);
    const ImgOptimizeInput input = {
        .image = &image, .metadata = &metadata, .file = file->data, .size = file->size};
    check(img_output_open_function(append, &result, &output, &err) == IMG_OK, err.message);
    check(img_png_optimize(&input, options, &resources, output, &report, &err) == IMG_OK,
          err.message);
    check(img_output_commit(&output, &err) == IMG_OK, err.message);
    img_metadata_free(&metadata);
    img_image_free(&image);
    img_source_close(source);
    return result;
}

static void check_files(const ImgReduced *picture, const ImgOptimizeOptions *options)
{
    FuzzBytes file = encode(picture);
    FuzzBytes once = optimize(&file, options), twice = optimize(&once, options);
    check(once.size <= file.size, "the file became larger");
    /* A transparent entry that is the background keeps its colour only in a palette. */
    const bool may_change = options->clears_hidden && picture->colours.has_background;
    check((may_change && twice.size < once.size) || once.size == twice.size,
          "optimized again, the file has another size");
    check(once.size != twice.size || memcmp(once.data, twice.data, once.size) == 0,
          "optimized again, the file changed");
    free(file.data);
    free(once.data);
    free(twice.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD_BYTES)
        return 0;
    const uint8_t *material = data + HEAD_BYTES;
    const ImgShape shape = shape_of(data);
    const ImgOptimizeOptions options = {.effort = 1 + data[6] % 5,
                                        .clears_hidden = (data[7] & 1) != 0,
                                        .keeps_type = (data[7] & 6) == 6,
                                        .keeps_alpha = (data[7] & 24) == 24,
                                        .keeps_colour = (data[7] & 96) == 96};
    ImgReduced picture = IMG_REDUCED_NONE;
    check(img_image_alloc(shape, &picture.image, NULL) == IMG_OK, "no memory");
    picture.view = picture.image.view;
    picture.colours.allows_gray = picture.colours.allows_rgb = true;
    draw(data, material, size - HEAD_BYTES, &picture.view);
    if (shape.format.color == IMG_COLOR_PALETTE)
        set_palette(data, material, size - HEAD_BYTES, &picture);
    set_colours(data, &picture);
    check_forms(&picture, &options);
    check_files(&picture, &options);
    img_reduced_free(&picture);
    return 0;
}
