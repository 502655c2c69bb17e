/* The matrix of inputs, and the simplest possible computation of the result of every operation. */
#include "tests/roundtrip/matrix.h"

#include <stdio.h>
#include <string.h>

#include "samples/pictures.h"

static Point from_90(Point p, uint32_t w, uint32_t h)
{
    (void)w;
    return (Point){p.y, h - 1 - p.x};
}

static Point from_180(Point p, uint32_t w, uint32_t h)
{
    return (Point){w - 1 - p.x, h - 1 - p.y};
}

static Point from_270(Point p, uint32_t w, uint32_t h)
{
    (void)h;
    return (Point){w - 1 - p.y, p.x};
}

static Point from_flip(Point p, uint32_t w, uint32_t h)
{
    (void)w;
    return (Point){p.x, h - 1 - p.y};
}

static Point from_flop(Point p, uint32_t w, uint32_t h)
{
    (void)h;
    return (Point){w - 1 - p.x, p.y};
}

static Point from_transpose(Point p, uint32_t w, uint32_t h)
{
    (void)w, (void)h;
    return (Point){p.y, p.x};
}

static Point from_transverse(Point p, uint32_t w, uint32_t h)
{
    return (Point){w - 1 - p.y, h - 1 - p.x};
}

static Point from_crop(Point p, uint32_t w, uint32_t h)
{
    (void)w, (void)h;
    return (Point){p.x + CROP_X, p.y + CROP_Y};
}

/* GraphicsMagick has no -transpose and -transverse. ImageMagick and GraphicsMagick therefore both
 * get a rotation and a flip with the same effect. */
const Operation operations[] = {
    {"rotate-90", {"rotate"}, {"-rotate", "90"}, true, from_90},
    {"rotate-180", {"rotate", "--angle", "180"}, {"-rotate", "180"}, false, from_180},
    {"rotate-270", {"rotate", "--angle", "270"}, {"-rotate", "270"}, true, from_270},
    {"flip", {"flip"}, {"-flip"}, false, from_flip},
    {"flop", {"flip", "--axis", "horizontal"}, {"-flop"}, false, from_flop},
    {"transpose", {"transpose"}, {"-rotate", "90", "-flop"}, true, from_transpose},
    {"transverse", {"transverse"}, {"-rotate", "270", "-flop"}, true, from_transverse},
    {"crop",
     {"crop", "--x=3", "--y=2", "--width=17", "--height=9"},
     {"-crop", "17x9+3+2", "+repage"},
     false,
     from_crop},
};
const size_t operation_count = sizeof operations / sizeof operations[0];

static bool can_have_trns(int color)
{
    return color == PNG_GRAY || color == PNG_RGB || color == PNG_PALETTE;
}

size_t matrix_inputs(uint32_t width, uint32_t height, Input inputs[INPUTS_MAX])
{
    size_t count = 0;
    for (int i = 0; i < PNG_KINDS; i++) {
        for (int variant = 0; variant < 4; variant++) {
            Input input = {.kind = &png_kinds[i], .width = width, .height = height};
            input.interlaced = (variant & 1) != 0;
            input.trns = (variant & 2) != 0;
            if (input.trns && !can_have_trns(input.kind->color)) {
                continue;
            }
            snprintf(input.name, sizeof input.name, "%s%s%s-%ux%u", input.kind->name,
                     input.interlaced ? "-interlaced" : "", input.trns ? "-trns" : "", width,
                     height);
            inputs[count++] = input;
        }
    }
    return count;
}

Picture matrix_draw(const Input *input)
{
    Picture picture =
        test_card(input->width, input->height, input->kind->color, input->kind->depth);
    picture.interlaced = input->interlaced;
    uint32_t levels = 1U << picture.depth;
    if (picture.color == PNG_PALETTE) {
        levels = (uint32_t)picture.palette_size;
    }
    size_t count = (size_t)input->width * input->height * (size_t)png_channels(picture.color);
    uint32_t state = 12345;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525U + 1013904223U;
        if (state >> 30 == 0) { /* replaces every fourth sample on average */
            picture.samples[i] = (uint16_t)((state >> 8) % levels);
        }
    }
    if (input->trns) {
        test_card_add_trns(&picture);
    }
    return picture;
}

bool operation_applies(const Operation *operation, const Input *input)
{
    return operation->from != from_crop ||
           (input->width >= CROP_X + CROP_WIDTH && input->height >= CROP_Y + CROP_HEIGHT);
}

Picture operation_expect(const Operation *operation, const Picture *source)
{
    bool crop = operation->from == from_crop;
    uint32_t width = operation->swaps ? source->height : source->width;
    uint32_t height = operation->swaps ? source->width : source->height;
    Picture result = picture_make(crop ? CROP_WIDTH : width, crop ? CROP_HEIGHT : height,
                                  source->color, source->depth);
    result.interlaced = source->interlaced;
    result.palette_size = source->palette_size;
    memcpy(result.palette, source->palette, sizeof result.palette);
    result.trns_size = source->trns_size;
    memcpy(result.trns, source->trns, sizeof result.trns);
    size_t pixel = (size_t)png_channels(source->color) * sizeof(uint16_t);
    for (uint32_t y = 0; y < result.height; y++) {
        for (uint32_t x = 0; x < result.width; x++) {
            Point from = operation->from((Point){x, y}, source->width, source->height);
            memcpy(picture_at(&result, x, y), picture_at(source, from.x, from.y), pixel);
        }
    }
    return result;
}
