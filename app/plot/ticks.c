#include "app/plot/ticks.h"

#include <stdio.h>
#include <string.h>

double plot_step(double top, int most, double least)
{
    static const double round[] = {1, 2, 5};
    double power = 1;
    while (power > least && power * most > top)
        power /= 10;
    for (int i = 0;; i = (i + 1) % 3) {
        double step = round[i] * power;
        if (step >= least && step * most >= top)
            return step;
        if (i == 2)
            power *= 10;
    }
}

int plot_sample_ticks(uint32_t maximum, uint32_t values[PLOT_SAMPLE_TICKS])
{
    int count = 0;
    uint64_t all = (uint64_t)maximum + 1;
    if (maximum < PLOT_SAMPLE_TICKS) {
        for (uint32_t value = 0; value <= maximum; value++)
            values[count++] = value;
        return count;
    }
    if ((all & maximum) == 0) {
        for (uint32_t quarter = 0; quarter < 4; quarter++)
            values[count++] = quarter * (uint32_t)(all / 4);
    } else {
        uint64_t step = (uint64_t)plot_step(maximum, 5, 1);
        /* A tick near the maximum is left out, because its label would touch the label of the
         * maximum. */
        for (uint64_t value = 0; value + step / 2 < maximum; value += step)
            values[count++] = (uint32_t)value;
    }
    values[count++] = maximum;
    return count;
}

const char *plot_number_text(double value, char text[PLOT_NUMBER_SIZE])
{
    static const char units[] = " kMGTPE";
    size_t unit = 0;
    while (value >= 1000 && unit + 2 < sizeof units) {
        value /= 1000;
        unit++;
    }
    snprintf(text, PLOT_NUMBER_SIZE, unit > 0 ? "%.4g %c" : "%.4g", value, units[unit]);
    return text;
}

const char *plot_exact_text(uint64_t value, char text[PLOT_NUMBER_SIZE])
{
    char digits[PLOT_NUMBER_SIZE], *to = text;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

const char *plot_share_text(uint64_t part, uint64_t whole, char text[PLOT_NUMBER_SIZE])
{
    double percent = whole == 0 ? 0 : 100 * ((double)part / (double)whole);
    const char *format = percent < 9.995 ? "%.2f %%" : "%.1f %%";
    if (part == 0 || whole == 0)
        format = "0 %%";
    else if (part >= whole)
        format = "100 %%";
    else if (percent < 0.01)
        format = "< 0.01 %%";
    else if (percent > 99.9)
        format = "> 99.9 %%";
    snprintf(text, PLOT_NUMBER_SIZE, format, percent);
    return text;
}
