#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/checkcodec/encode_check.h"

const char *const KIND_NAMES[KINDS] = {"noise",  "smooth", "specks", "bands",  "one", "text",
                                       "spikes", "echo",   "mixed",  "copies", "haze"};

static uint64_t random_state;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

/* Returns a hash of three numbers. Equal numbers give equal results. */
static uint32_t number_of(int32_t a, int32_t b, int32_t c)
{
    uint64_t mixed = (uint64_t)(uint32_t)a << 40 ^ (uint64_t)(uint32_t)b << 16 ^ (uint32_t)c;
    mixed = (mixed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(mixed >> 32);
}

/* Returns the sample at (x, y) of a picture of text, which has 20 letters in cells with margins. */
static unsigned text(int32_t x, int32_t y)
{
    int32_t letter = (int32_t)(number_of(x / 8, y / 12, 0) % 20);
    bool is_ink = x % 8 > 1 && y % 12 > 3 && number_of(letter, x % 8, y % 12) % 2 == 0;
    return is_ink ? 0 : 255;
}

/* Returns a sample of a picture of bands of 16 rows. Each band is noise in which some parts are one
 * of three patterns. Lower bands have more of these parts. */
static unsigned echo(int32_t x, int32_t y, int channel)
{
    int32_t band = y / 16;
    uint32_t part = number_of(x / 12, band, 7);
    if (part % 1000 < (uint32_t)band * 4)
        return number_of((int32_t)(part / 1000 % 3) * 12 + x % 12, y, channel) % 64;
    return random_number() % 64;
}

static unsigned sample(Kind kind, int32_t x, int32_t y, int channel)
{
    switch (kind) {
    case TEXT:
        return text(x, y);
    case SPIKES:
        return random_number() % 50 == 0 ? 100 : number_of(x, 0, channel) % 4;
    case ECHO:
        return echo(x, y, channel);
    case NOISE:
        return random_number();
    case SMOOTH:
        return (unsigned)(3 * x + 5 * y + 40 * channel) / 2 + random_number() % 7;
    case HAZE:
        return (unsigned)(x + 2 * y) / 32 + random_number() % 2;
    case SPECKS:
        return random_number() % 90 == 0 ? random_number() : 17;
    case BANDS:
        return (unsigned)((int64_t)x * x / 97 + y / 3);
    default:
        return 200;
    }
}

static void fill_row(uint8_t *row, ImgFormat format, size_t samples, int32_t y, Kind kind)
{
    int channels = img_format_channels(format);
    for (size_t i = 0; i < samples; i++) {
        int32_t x = (int32_t)(i / (size_t)channels);
        unsigned value = sample(kind, x, y, (int)(i % (size_t)channels));
        value &= img_format_maximum(format);
        if (format.bits == 16)
            memcpy(row + 2 * i, &(uint16_t){(uint16_t)(value * 257)}, 2);
        else
            row[i] = (uint8_t)value;
    }
}

/* Returns the address of sample `at`. Samples are counted row after row. */
static uint8_t *sample_at(const ImgView *view, size_t row_samples, size_t at)
{
    const size_t size = view->format.bits == 16 ? 2 : 1;
    return view->data + at / row_samples * view->stride + at % row_samples * size;
}

/* Fills a picture with pieces, alternately noise and copies of earlier samples. Pieces and their
 * sources may begin and end in any row. Most sources are near their copies, so that both lie in the
 * sample of the strip by which the encoder chooses its strategy. */
static void fill_with_copies(const ImgView *view, size_t row_samples)
{
    enum {
        LEAST = 3,
        MOST = 1000,
        REACH = 100000,
        NEARER = 9,
        NOISE_MOST = 40,
        NOISE_VALUES = 100
    };
    const size_t all = row_samples * (size_t)view->height;
    const bool is_wide = view->format.bits == 16;
    size_t at = 0;
    for (bool is_noise = true; at < all; is_noise = !is_noise) {
        const size_t reach = (at < REACH ? at : REACH) >> random_number() % NEARER;
        const size_t back = reach == 0 ? 1 : 1 + random_number() % reach;
        size_t count = is_noise ? 1 + random_number() % NOISE_MOST
                                : LEAST + random_number() % (random_number() % MOST + 1);
        for (; count > 0 && at < all; count--, at++) {
            uint8_t *here = sample_at(view, row_samples, at);
            if (is_noise) {
                const unsigned value =
                    random_number() % NOISE_VALUES & img_format_maximum(view->format);
                memset(here, (int)value, is_wide ? 2 : 1);
            } else {
                memcpy(here, sample_at(view, row_samples, at - back), is_wide ? 2 : 1);
            }
        }
    }
}

ImgImage make_picture(ImgShape shape, Kind kind)
{
    ImgImage image = IMG_IMAGE_NONE;
    ImgError err = {IMG_OK, ""};
    if (img_image_alloc(shape, &image, &err) != IMG_OK) {
        fprintf(stderr, "check_png_encode: %s\n", err.message);
        exit(1);
    }
    random_state = (uint64_t)kind + 1;
    size_t samples = (size_t)shape.width * (size_t)img_format_channels(shape.format);
    if (kind == COPIES)
        fill_with_copies(&image.view, samples);
    for (int32_t y = 0; y < shape.height && kind != COPIES; y++) {
        Kind here = kind != MIXED ? kind : y < shape.height / 2 ? SMOOTH : TEXT;
        fill_row(image.view.data + (size_t)y * image.view.stride, shape.format, samples, y, here);
    }
    return image;
}
