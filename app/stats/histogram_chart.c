/* Prints histograms as charts of characters. The steps of height are eighths of a block in Unicode
 * (U+2581 to U+2588), and thirds of a line in ASCII. */
#include <math.h>

#include "app/stats/histogram.h"
#include "app/text/amounts.h"
#include "kernels/histogram/statistics.h"

enum { ROWS = 4, MARGIN = 2, COLUMNS_MAX = 300 };

/* Characters for one cell of the chart, from empty to full. */
typedef struct Cells {
    const char *level[9];
    unsigned full; /* index of the full cell */
    const char *axis;
} Cells;

static const Cells blocks = {{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, 8, "─"};
static const Cells ascii = {{" ", ".", ":", "#"}, 3, "-"};

/* The bins of one channel, grouped into the columns of a chart. */
typedef struct Chart {
    uint32_t columns;
    uint32_t group;               /* bins per column; the last column may have fewer */
    uint64_t pixels[COLUMNS_MAX]; /* pixels in the bins of the column */
    /* Like `pixels`, but the last column is scaled as if it had all its bins. */
    uint64_t heights[COLUMNS_MAX];
    uint32_t peak; /* index of the highest column; the first one if several are equal */
} Chart;

/* Returns the number of bins per column. It is a power of two, so that 256 or 65536 bins fill all
 * columns equally. */
static uint32_t group_size(uint32_t bins, uint32_t width)
{
    uint32_t group = 1;
    while ((bins + group - 1) / group > width)
        group *= 2;
    return group;
}

static void fill(Chart *chart, const uint64_t *counts, uint32_t bins, uint32_t width)
{
    *chart = (Chart){.group = group_size(bins, width)};
    for (uint32_t bin = 0; bin < bins; bin++)
        chart->pixels[bin / chart->group] += counts[bin];
    uint32_t left = bins;
    for (uint32_t i = 0; left > 0; i++) {
        uint32_t size = left < chart->group ? left : chart->group;
        __extension__ unsigned __int128 wide = chart->pixels[i];
        chart->heights[i] = (uint64_t)((wide * chart->group + size - 1) / size);
        if (chart->heights[i] > chart->heights[chart->peak])
            chart->peak = i;
        chart->columns++;
        left -= size;
    }
}

/* Returns the height of a column as a level from 0 to `most`. Levels are rounded up, so that a
 * single pixel is visible. `peak` is the largest height. */
static unsigned level_of(uint64_t height, uint64_t peak, unsigned most, bool log_scale)
{
    if (height == 0)
        return 0;
    if (!log_scale) {
        __extension__ unsigned __int128 wide = height;
        return (unsigned)((wide * most + peak - 1) / peak);
    }
    double share = log1p((double)height) / log1p((double)peak);
    unsigned level = (unsigned)ceil(share * most);
    return level < most ? level : most;
}

/* Prints a title such as "red peak 5,123 pixels (1.9 %) at 96..99". */
static void print_title(FILE *out, const Chart *chart, const Histogram *histogram, Channel channel,
                        ImgLuma luma, bool log_scale)
{
    char label[CHANNEL_LABEL], count[AMOUNT_TEXT], share[AMOUNT_TEXT];
    int bits = histogram->subject.tables.bits;
    uint32_t bin = chart->peak * chart->group, end = bin + chart->group;
    if (end > histogram->bins)
        end = histogram->bins;
    uint32_t first = img_bin_start(bin, bits, histogram->bins);
    uint32_t last = img_bin_start(end, bits, histogram->bins) - 1;
    uint64_t pixels = chart->pixels[chart->peak];
    fprintf(out, "%-*s peak %s pixel%s (%s %%) at %u", 8, channel_label(channel, luma, label),
            img_amount_print_count(pixels, count), pixels == 1 ? "" : "s",
            img_amount_print_percent(pixels, histogram->subject.tables.pixels, 1, share), first);
    if (last > first)
        fprintf(out, "..%u", last);
    fputs(log_scale ? ", logarithmic\n" : "\n", out);
}

static void print_rows(FILE *out, const Chart *chart, uint32_t repeat, const Cells *cells,
                       bool log_scale)
{
    for (unsigned row = ROWS; row-- > 0;) {
        fprintf(out, "%*s", (int)MARGIN, "");
        /* Number of spaces to print before the next character. Spaces at the end of a line are not
         * printed. */
        unsigned spaces = 0;
        for (uint32_t i = 0; i < chart->columns * repeat; i++) {
            unsigned level = level_of(chart->heights[i / repeat], chart->heights[chart->peak],
                                      ROWS * cells->full, log_scale);
            unsigned floor = row * cells->full;
            unsigned cell = level <= floor ? 0 : level - floor;
            if (cell == 0) {
                spaces++;
                continue;
            }
            fprintf(out, "%*s%s", (int)spaces, "",
                    cells->level[cell < cells->full ? cell : cells->full]);
            spaces = 0;
        }
        fputc('\n', out);
    }
}

/* Prints an axis "0 ------ 255", as wide as the chart. */
static void print_axis(FILE *out, uint32_t width, int bits, const Cells *cells)
{
    char highest[16];
    int digits = snprintf(highest, sizeof highest, "%u", (uint32_t)img_counts_size(bits) - 1);
    fprintf(out, "%*s0 ", (int)MARGIN, "");
    for (int i = 3 + digits; i < (int)width; i++)
        fputs(cells->axis, out);
    fprintf(out, " %s\n", highest);
}

void histogram_print(FILE *out, const Histogram *histogram, ImgLuma luma, const ChartStyle *style)
{
    const Cells *cells = style->utf8 ? &blocks : &ascii;
    uint32_t width = (uint32_t)(style->width - MARGIN);
    subject_print(out, &histogram->subject);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        Chart chart;
        if (histogram->of[c] == NULL)
            continue;
        fill(&chart, histogram->of[c], histogram->bins, width);
        if (chart.columns == 0)
            continue; /* never happens, since tables always have bins */
        uint32_t repeat = width / chart.columns;
        fputc('\n', out);
        print_title(out, &chart, histogram, (Channel)c, luma, style->log_scale);
        print_rows(out, &chart, repeat, cells, style->log_scale);
        print_axis(out, chart.columns * repeat, histogram->subject.tables.bits, cells);
    }
}
