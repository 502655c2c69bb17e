/* Draws the test card with integer arithmetic only, so that every compiler draws the same pixels.
 * Colours have values from 0 to 255 (times 257 for 16 bits). Ordered dithering reduces them to few
 * levels. */
#include "samples/pictures.h"

#include <stdlib.h>
#include <string.h>

typedef struct Color {
    int r, g, b, a;
} Color;

static const char *const letter[7] = {
    "#####", "#....", "#....", "####.", "#....", "#....", "#....",
};

static const int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

/* Palettes for 4, 2 and 1 bits. The first palette contains the exact colours of the letter, its
 * shadow and the red corner, which are not part of the gradient. */
static const uint8_t colors_4bit[16][3] = {
    {18, 58, 92},    {255, 255, 255}, {20, 24, 32},    {214, 48, 49},
    {38, 110, 140},  {62, 150, 160},  {96, 184, 168},  {140, 204, 160},
    {190, 214, 146}, {232, 214, 130}, {244, 190, 104}, {242, 160, 82},
    {236, 130, 68},  {224, 102, 60},  {80, 80, 96},    {150, 150, 160},
};
static const uint8_t colors_2bit[4][3] = {
    {18, 58, 92}, {255, 255, 255}, {96, 184, 168}, {242, 160, 82}};
static const uint8_t colors_1bit[2][3] = {{18, 58, 92}, {255, 236, 200}};

static int clamp(int value, int min, int max)
{
    return value < min ? min : (value > max ? max : value);
}

/* Returns a colour of the gradient, which is linear between five stops. `t` is 0 at the first stop
 * and 1024 at the last stop. */
static Color gradient(int t)
{
    static const Color stops[5] = {
        {18, 58, 92, 255},   {62, 150, 160, 255}, {190, 214, 146, 255},
        {244, 180, 96, 255}, {214, 88, 60, 255},
    };
    int segment = clamp(t / 256, 0, 3);
    int f = t - 256 * segment;
    const Color *p = &stops[segment];
    const Color *q = p + 1;
    return (Color){p->r + (q->r - p->r) * f / 256, p->g + (q->g - p->g) * f / 256,
                   p->b + (q->b - p->b) * f / 256, 255};
}

/* Returns true if the point (x, y), in half pixels, is on the letter in the middle of the card.
 * (dx, dy) moves the letter, in quarters of its grid cells. */
static bool on_letter(int32_t x, int32_t y, int32_t width, int32_t height, int32_t dx, int32_t dy)
{
    int32_t cell = width * 10 / 5 < height * 10 / 7 ? width * 2 / 8 : height * 2 / 10;
    if (cell < 2) {
        return false;
    }
    int32_t left = width - cell * 5 / 2 + dx * cell / 4;
    int32_t top = height - cell * 7 / 2 + dy * cell / 4;
    if (x < left || y < top) {
        return false;
    }
    int32_t column = (x - left) / cell;
    int32_t row = (y - top) / cell;
    return column < 5 && row < 7 && letter[row][column] == '#';
}

static Color card_color(uint32_t px, uint32_t py, uint32_t w, uint32_t h)
{
    int32_t width = (int32_t)w;
    int32_t height = (int32_t)h;
    int32_t x = 2 * (int32_t)px + 1;
    int32_t y = 2 * (int32_t)py + 1;
    if (on_letter(x, y, width, height, 0, 0)) {
        return (Color){255, 255, 255, 255};
    }
    if (on_letter(x, y, width, height, 1, 1)) {
        return (Color){20, 24, 32, 255};
    }
    int32_t corner = (width < height ? width : height) * 2 / 5;
    if (x + y < corner) {
        return (Color){214, 48, 49, 255};
    }
    Color color = gradient((int)((int64_t)x * 680 / (2 * width) + (int64_t)y * 344 / (2 * height)));
    color.a = clamp(255 - 200 * (int)((int64_t)x * y * 100 / (4LL * width * height)) / 100, 0, 255);
    return color;
}

/* Converts a value from 0 to 255 to the range from 0 to 2^depth - 1. Dithers if levels are lost. */
static uint16_t quantise(int value, int depth, uint32_t x, uint32_t y)
{
    if (depth == 16 && value < 255) {
        /* The low byte differs from the high byte, so that swapped or dropped bytes become
         * visible. */
        return (uint16_t)(value * 256 + (int)((x * 7 + y * 13) % 256));
    }
    int levels = (1 << depth) - 1;
    return (uint16_t)((value * levels * 16 + bayer[y % 4][x % 4] * 255) / (255 * 16));
}

static int nearest(const Picture *picture, Color color)
{
    int best = 0;
    int best_distance = 3 * 512 * 512;
    for (int i = 0; i < picture->palette_size; i++) {
        int r = picture->palette[i][0] - color.r;
        int g = picture->palette[i][1] - color.g;
        int b = picture->palette[i][2] - color.b;
        int distance = r * r + g * g + b * b;
        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

static void set_palette(Picture *picture)
{
    picture->palette_size = 1 << picture->depth;
    switch (picture->depth) {
    case 1:
        memcpy(picture->palette, colors_1bit, sizeof colors_1bit);
        break;
    case 2:
        memcpy(picture->palette, colors_2bit, sizeof colors_2bit);
        break;
    case 4:
        memcpy(picture->palette, colors_4bit, sizeof colors_4bit);
        break;
    default:
        /* The palette has 200 colours. If a tool extends it to 256 colours, the tests detect
         * this. */
        picture->palette_size = 200;
        memcpy(picture->palette, colors_4bit, sizeof colors_4bit);
        for (int i = 16; i < 200; i++) {
            Color color = gradient((i - 16) * 1024 / 183);
            picture->palette[i][0] = (uint8_t)color.r;
            picture->palette[i][1] = (uint8_t)color.g;
            picture->palette[i][2] = (uint8_t)color.b;
        }
    }
}

static void set_index(const Picture *picture, uint32_t x, uint32_t y, Color color)
{
    if (picture->depth < 8) {
        int spread = picture->depth == 1 ? 12 : 24 / picture->depth;
        int nudge = (bayer[y % 4][x % 4] - 8) * spread;
        color.r = clamp(color.r + nudge, 0, 255);
        color.g = clamp(color.g + nudge, 0, 255);
        color.b = clamp(color.b + nudge, 0, 255);
    }
    *picture_at(picture, x, y) = (uint16_t)nearest(picture, color);
}

static void set_pixel(const Picture *picture, uint32_t x, uint32_t y, Color color)
{
    uint16_t *sample = picture_at(picture, x, y);
    int gray = (color.r * 54 + color.g * 183 + color.b * 19) / 256;
    bool gray_only = picture->color == PNG_GRAY || picture->color == PNG_GRAY_ALPHA;
    int values[4] = {gray_only ? gray : color.r, gray_only ? color.a : color.g, color.b, color.a};
    for (int i = 0; i < png_channels(picture->color); i++) {
        sample[i] = quantise(values[i], picture->depth, x, y + (uint32_t)i);
    }
}

Picture test_card(uint32_t width, uint32_t height, int color, int depth)
{
    Picture picture = picture_make(width, height, color, depth);
    if (color == PNG_PALETTE) {
        set_palette(&picture);
    }
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            Color wanted = card_color(x, y, width, height);
            if (color == PNG_PALETTE) {
                set_index(&picture, x, y, wanted);
            } else {
                set_pixel(&picture, x, y, wanted);
            }
        }
    }
    return picture;
}

void test_card_add_trns(Picture *picture)
{
    if (picture->color == PNG_PALETTE) {
        /* The tRNS chunk has fewer entries than the palette, which is allowed. The other palette
         * entries are opaque. */
        picture->trns_size = picture->palette_size - picture->palette_size / 4;
        for (int i = 0; i < picture->trns_size; i++) {
            picture->trns[i] = (uint8_t)(255 * i / picture->trns_size);
        }
        return;
    }
    /* Uses the colour of a pixel in the middle of the letter, or of any pixel if the card is
     * tiny. */
    const uint16_t *key = picture_at(picture, picture->width / 2, picture->height / 2);
    int channels = png_channels(picture->color);
    picture->trns_size = 2 * channels;
    for (int i = 0; i < channels; i++) {
        picture->trns[2 * i] = (uint8_t)(key[i] >> 8);
        picture->trns[2 * i + 1] = (uint8_t)key[i];
    }
}
