/* The inner loops of SSIM, compiled once for each instruction set (core/parallel/cpu.h). The loops
 * are written for vectorisation. The order and rounding of operations are those of ssim.h. */
#include "kernels/compare/ssim.h"
#include "kernels/core/parallel/cpu.h"

static const double weights[IMG_SSIM_REACH + 1] = IMG_SSIM_WEIGHTS;

static void filter(const double *samples, int count, double *sums)
{
    const double *middle = samples + IMG_SSIM_REACH;
    for (int x = 0; x < count; x++) {
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): count is at least 1
        double sum = weights[0] * middle[x];
        sum += weights[1] * (middle[x - 1] + middle[x + 1]);
        sum += weights[2] * (middle[x - 2] + middle[x + 2]);
        sum += weights[3] * (middle[x - 3] + middle[x + 3]);
        sum += weights[4] * (middle[x - 4] + middle[x + 4]);
        sum += weights[5] * (middle[x - 5] + middle[x + 5]);
        sums[x] = sum;
    }
}

static void sum_rows(const uint16_t *a, const uint16_t *b, int count, ImgSsimRow *sums)
{
    double samples[IMG_SSIM_SUMS][IMG_SSIM_STRIP + IMG_SSIM_WINDOW - 1];
    for (int x = 0; x < count + IMG_SSIM_WINDOW - 1; x++) {
        double first = a[x], second = b[x];
        samples[0][x] = first;
        samples[1][x] = second;
        samples[2][x] = first * first + second * second;
        samples[3][x] = first * second;
    }
    for (int s = 0; s < IMG_SSIM_SUMS; s++)
        filter(samples[s], count, (*sums)[s]);
}

static double column(const ImgSsimRow *const rows[IMG_SSIM_WINDOW], int s, int x)
{
    double sum = weights[0] * (*rows[5])[s][x];
    sum += weights[1] * ((*rows[4])[s][x] + (*rows[6])[s][x]);
    sum += weights[2] * ((*rows[3])[s][x] + (*rows[7])[s][x]);
    sum += weights[3] * ((*rows[2])[s][x] + (*rows[8])[s][x]);
    sum += weights[4] * ((*rows[1])[s][x] + (*rows[9])[s][x]);
    sum += weights[5] * ((*rows[0])[s][x] + (*rows[10])[s][x]);
    return sum;
}

static uint64_t add_up(const ImgSsimRow *const rows[IMG_SSIM_WINDOW], int count,
                       ImgSsimConstants constants)
{
    double columns[IMG_SSIM_SUMS][IMG_SSIM_STRIP];
    for (int s = 0; s < IMG_SSIM_SUMS; s++)
        for (int x = 0; x < count; x++)
            columns[s][x] = column(rows, s, x);
    uint64_t total = 0;
    for (int x = 0; x < count; x++) {
        double sums[IMG_SSIM_SUMS] = {columns[0][x], columns[1][x], columns[2][x], columns[3][x]};
        total += img_ssim_value(sums, constants);
    }
    return total;
}

const ImgSsimLoops IMG_VARIANT(img_ssim) = {sum_rows, add_up};
