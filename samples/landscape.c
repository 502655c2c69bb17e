/* Draws the landscape from noise. Uses only + - * / on doubles and no library function, so that
 * every compiler and processor draws the same pixels. Coordinates: x is 0 at the left edge and 1.5
 * at the right edge; y is 0 at the top and 1 at the bottom. */
#include "samples/pictures.h"

typedef struct Rgb {
    double r, g, b;
} Rgb;

static const double water_line = 0.655;
static const double sun_x = 1.02;
static const double sun_y = 0.475;

static double clamp01(double v)
{
    return v < 0 ? 0 : (v > 1 ? 1 : v);
}

static double smooth(double from, double to, double v)
{
    double t = clamp01((v - from) / (to - from));
    return t * t * (3 - 2 * t);
}

static Rgb mix(Rgb a, Rgb b, double t)
{
    return (Rgb){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

static int32_t floor_int(double v)
{
    int32_t i = (int32_t)v;
    return v < i ? i - 1 : i;
}

/* Returns a number from 0 to 1 that depends only on the lattice point (x, y) and the seed. Uses the
 * finaliser of MurmurHash3. */
static double hash01(int32_t x, int32_t y, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 0x9E3779B1U ^ (uint32_t)y * 0x85EBCA77U ^ seed * 0xC2B2AE3DU;
    h = (h ^ (h >> 16)) * 0x85EBCA6BU;
    h = (h ^ (h >> 13)) * 0xC2B2AE35U;
    return (double)((h ^ (h >> 16)) >> 8) / 16777216.0;
}

static double noise(double x, double y, uint32_t seed)
{
    int32_t ix = floor_int(x);
    int32_t iy = floor_int(y);
    double tx = smooth(0, 1, x - ix);
    double ty = smooth(0, 1, y - iy);
    double top = hash01(ix, iy, seed) * (1 - tx) + hash01(ix + 1, iy, seed) * tx;
    double bottom = hash01(ix, iy + 1, seed) * (1 - tx) + hash01(ix + 1, iy + 1, seed) * tx;
    return top * (1 - ty) + bottom * ty;
}

/* Returns the weighted mean of several octaves of noise, from 0 to 1. */
static double fractal(double x, double y, int octaves, uint32_t seed)
{
    double sum = 0;
    double weight = 0.5;
    double total = 0;
    for (int i = 0; i < octaves; i++) {
        sum += weight * noise(x, y, seed + (uint32_t)i);
        total += weight;
        weight *= 0.5;
        x = x * 2 + 0.37;
        y = y * 2 + 0.61;
    }
    return sum / total;
}

static Rgb sky(double x, double y)
{
    static const Rgb stops[] = {
        {0.13, 0.20, 0.43}, {0.30, 0.36, 0.60}, {0.68, 0.56, 0.68},
        {0.98, 0.72, 0.54}, {1.0, 0.86, 0.60},
    };
    double t = clamp01(y / water_line) * 4;
    int segment = t >= 3.999 ? 3 : (int)t;
    Rgb color = mix(stops[segment], stops[segment + 1], t - segment);

    double cloud = fractal(x * 2.2 + y * 3, y * 11 - x, 5, 71);
    double cover = smooth(0.50, 0.78, cloud) * smooth(0.02, 0.16, y) * (1 - smooth(0.34, 0.54, y));
    double lit = smooth(0.15, 0.45, y) * 0.7 + 0.3 * smooth(0, 1.2, x);
    color = mix(color, mix((Rgb){0.62, 0.52, 0.68}, (Rgb){1.0, 0.74, 0.62}, lit), 0.75 * cover);

    double dx = x - sun_x;
    double dy = y - sun_y;
    double d2 = dx * dx + dy * dy;
    color = mix(color, (Rgb){1.0, 0.90, 0.66}, 0.85 / (1 + d2 * 70));
    return mix(color, (Rgb){1.0, 0.98, 0.90}, 1 - smooth(0.0016, 0.0021, d2));
}

/* A mountain range: the line of its crest, and the colours of its rock. */
typedef struct Ridge {
    double base, height, frequency, peak_x, peak_width, peak_height;
    uint32_t seed;
    Rgb shade, light;
    double snow; /* depth of the snow below the peak, in y units; 0: no snow */
} Ridge;

static const Ridge ridges[] = {
    {0.50, 0.10, 3.1, 0.46, 0.42, 0.30, 11, {0.46, 0.44, 0.60}, {0.86, 0.66, 0.62}, 0.17},
    {0.56, 0.11, 4.3, 0.16, 0.30, 0.12, 23, {0.32, 0.34, 0.48}, {0.66, 0.50, 0.50}, 0},
    {0.61, 0.10, 5.2, 1.42, 0.34, 0.15, 37, {0.20, 0.25, 0.35}, {0.44, 0.36, 0.38}, 0},
    {0.645, 0.05, 7.9, 0.02, 0.40, 0.08, 53, {0.10, 0.16, 0.20}, {0.24, 0.26, 0.24}, 0},
};
enum { RIDGES = sizeof ridges / sizeof ridges[0] };

static double crest(const Ridge *ridge, double x)
{
    double away = (x - ridge->peak_x) / ridge->peak_width;
    /* The left side of the peak is steeper than the right side. */
    away = away < 0 ? -away * 1.35 : away;
    double peak = away < 1 ? (1 - away) * (1 - 0.45 * away) : 0;
    double n = fractal(x * ridge->frequency, 0.5, 6, ridge->seed);
    double rough = n < 0.5 ? 2 * n : 2 - 2 * n;
    double teeth = (fractal(x * 31, 3.5, 4, ridge->seed + 3) - 0.5) * 0.22;
    return ridge->base - ridge->peak_height * peak -
           ridge->height * (n * 0.6 + rough * 0.5 + teeth - 0.35);
}

static Rgb rock(const Ridge *ridge, double x, double y, double depth)
{
    double u = x * 16 + depth * 5;
    double v = y * 11;
    double slope =
        fractal(u + 0.22, v - 0.1, 5, ridge->seed + 7) - fractal(u, v, 5, ridge->seed + 7);
    double light = clamp01(0.42 + 3.2 * slope);
    Rgb color = mix(ridge->shade, ridge->light, light);
    if (ridge->snow > 0) {
        double edge = ridge->snow * (0.55 + 0.9 * fractal(x * 22, y * 5, 4, 5));
        double snow = 1 - smooth(edge * 0.8, edge, y - (ridge->base - ridge->peak_height - 0.05));
        Rgb white = mix((Rgb){0.62, 0.62, 0.78}, (Rgb){1.0, 0.90, 0.82}, smooth(0.3, 0.62, light));
        color = mix(color, white, snow);
    }
    /* The haze becomes denser towards the water. */
    return mix(color, (Rgb){0.94, 0.72, 0.60}, 0.42 * smooth(0.02, 0.34, depth));
}

static Rgb above_water(double x, double y)
{
    Rgb color = sky(x, y);
    for (int i = 0; i < RIDGES; i++) {
        double depth = y - crest(&ridges[i], x);
        if (depth > 0) {
            color = rock(&ridges[i], x, y, depth);
        }
    }
    return color;
}

static Rgb water(double x, double y)
{
    double depth = (y - water_line) / (1 - water_line);
    double scale = 1 / (0.05 + depth); /* Waves look smaller in the distance. */
    double wave = fractal(x * 5 * scale * 0.6, 26 * scale, 3, 91) - 0.5;
    double fine = noise(x * 60, y * 220, 97) - 0.5;
    double reflected = water_line - (y - water_line) * (0.86 + 0.5 * wave) + fine * 0.012 * depth;
    double shift = wave * (0.02 + 0.06 * depth) + fine * 0.012;
    Rgb color = above_water(x + shift, reflected < 0.01 ? 0.01 : reflected);
    color = mix(color, (Rgb){0.10, 0.20, 0.32}, 0.26 + 0.34 * depth);

    double away = (x - sun_x) / (0.035 + 0.10 * depth);
    double glitter = smooth(0.02, 0.34, wave + fine * 0.7) / (1 + away * away * 2);
    color = mix(color, (Rgb){1.0, 0.86, 0.62}, 0.85 * glitter * (1 - 0.5 * depth));
    return mix(color, (Rgb){0.96, 0.80, 0.66}, 0.5 * (1 - smooth(0, 0.035, depth)));
}

/* Returns true if the point is on a spruce, which is a cone with tiers of branches. */
static bool on_tree(double x, double y, double foot_x, double foot_y, double height, uint32_t seed)
{
    double down = (y - (foot_y - height)) / height;
    if (down < 0 || down > 1) {
        return false;
    }
    double side = (x - foot_x) / height;
    side = side < 0 ? -side : side;
    double tiers = down * 9 + hash01(0, 0, seed);
    double tooth = tiers - floor_int(tiers);
    double ragged = noise(x * 300, y * 260, seed) * 0.06 * down;
    double branches = 0.21 * down * (0.55 + 0.45 * tooth) - ragged;
    return side < 0.012 * down || (down < 0.95 && side < 0.003 + branches);
}

static bool on_shore(double x, double y)
{
    double bank = 0.93 + 0.30 * smooth(0.10, 0.72, x) - 0.05 * fractal(x * 7, 2, 4, 131);
    if (y > bank + 0.012 * noise(x * 240, 0, 137)) {
        return true;
    }
    static const double feet[][2] = {{0.055, 0.62}, {0.14, 0.44},  {0.215, 0.53}, {0.29, 0.34},
                                     {0.335, 0.26}, {0.405, 0.19}, {-0.02, 0.40}, {0.47, 0.12}};
    for (uint32_t i = 0; i < sizeof feet / sizeof feet[0]; i++) {
        double foot = 0.94 + 0.30 * smooth(0.10, 0.72, feet[i][0]);
        if (on_tree(x, y, feet[i][0], foot, feet[i][1], 200 + i)) {
            return true;
        }
    }
    return false;
}

static Rgb scene(double x, double y)
{
    if (on_shore(x, y)) {
        return mix((Rgb){0.035, 0.06, 0.08}, (Rgb){0.10, 0.11, 0.11}, noise(x * 40, y * 60, 151));
    }
    return y < water_line ? above_water(x, y) : water(x, y);
}

static uint16_t to_byte(double v)
{
    return (uint16_t)(clamp01(v) * 255 + 0.5);
}

Picture landscape(uint32_t width, uint32_t height)
{
    enum { GRID = 3 }; /* samples per pixel in each direction, for smooth edges */
    Picture picture = picture_make(width, height, PNG_RGB, 8);
    for (uint32_t py = 0; py < height; py++) {
        for (uint32_t px = 0; px < width; px++) {
            Rgb sum = {0, 0, 0};
            for (int i = 0; i < GRID * GRID; i++) {
                int column = i % GRID;
                int row = i / GRID;
                double x = (px + (column + 0.5) / GRID) * 1.5 / width;
                double y = (py + (row + 0.5) / GRID) / height;
                Rgb color = scene(x, y);
                sum = (Rgb){sum.r + color.r, sum.g + color.g, sum.b + color.b};
            }
            uint16_t *sample = picture_at(&picture, px, py);
            sample[0] = to_byte(sum.r / (GRID * GRID));
            sample[1] = to_byte(sum.g / (GRID * GRID));
            sample[2] = to_byte(sum.b / (GRID * GRID));
        }
    }
    return picture;
}
