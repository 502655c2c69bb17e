#include "app/bench/measure/measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/measure/timing.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/parallel/clock.h"

enum { ROUNDS = 5, SLOW_ROUNDS = 2, MOST_SAMPLES = 40, MOST_REPEATS = 64 };

/* Minimum duration of a sample in seconds. In shorter samples the resolution of the CPU's clock and
 * the cost of the call would dominate. */
static const double SHORTEST_SAMPLE = 50e-6;

/* The samples of one row. Each round adds `each` samples with cold caches and `warm_each` with warm
 * caches. */
typedef struct Series {
    size_t row;
    bool is_limit;
    int rounds, done;
    int each, warm_each, repeats, warm_repeats;
    double *cold, *warm, *limits;
    size_t cold_count, warm_count;
    /* times in seconds that calibrate() measured last. Index 0: the row; index 1: the limit, which
     * is a copy or a plain read */
    double calibrated[2];
    double round_medians[ROUNDS];
} Series;

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static ImgStatus run_once(const Measurement *measurement, size_t row, ImgCaches caches, int repeats,
                          double *seconds, ImgError *err)
{
    return measurement->run(measurement->context, row, caches, repeats, seconds, err);
}

/* Runs the limit (a copy or a plain read) once and sets *seconds to its time. Sets *seconds to 0 if
 * the group has no limit. */
static ImgStatus run_limit(const Measurement *measurement, size_t limit, double *seconds,
                           ImgError *err)
{
    *seconds = 0;
    return limit < measurement->group->count
               ? run_once(measurement, limit, IMG_CACHES_COLD, 1, seconds, err)
               : IMG_OK;
}

static const BenchRow *row_of(const Measurement *measurement, const Series *series)
{
    return &measurement->group->rows[series->row];
}

static bool is_excluded(const Measurement *measurement, const Series *series)
{
    BenchVerdict verdict = row_of(measurement, series)->verdict;
    return verdict == BENCH_FAILED || verdict == BENCH_SKIPPED;
}

static void keep_sample(Series *series, double own, double limit)
{
    series->limits[series->cold_count] = limit;
    series->cold[series->cold_count++] = own;
}

/* Chooses the number of runs per sample and of samples per round. Runs the row and its limit (a
 * copy or a plain read) for that. A row that takes longer than its whole time budget, such as a
 * reference, gets only two runs. The run of calibrate() is then the first of them. */
static ImgStatus calibrate(const Measurement *measurement, size_t limit, Series *series,
                           ImgError *err)
{
    double own = 0, other = 0, start = 0;
    ImgStatus status = IMG_OK;
    for (int i = 0; i < 2 && status == IMG_OK; i++) { /* The first of the two runs only warms up. */
        start = img_clock();
        status = run_limit(measurement, limit, &other, err);
        if (status == IMG_OK)
            status = run_once(measurement, series->row, IMG_CACHES_COLD, 1, &own, err);
        if (own > measurement->seconds)
            break;
    }
    series->rounds = own > measurement->seconds ? SLOW_ROUNDS : ROUNDS;
    double pair = img_clock() - start;
    double a_round = measurement->seconds / ROUNDS * (measurement->warm ? 0.7 : 1);
    if (own < SHORTEST_SAMPLE && !measurement->warm)
        series->repeats = (int)clamp(SHORTEST_SAMPLE / fmax(own, 1e-9), 1, MOST_REPEATS);
    else
        series->repeats = 1;
    pair += own * (series->repeats - 1);
    series->each = (int)clamp(a_round / pair, 1, MOST_SAMPLES);
    series->warm_repeats = (int)clamp(200e-6 / fmax(own, 1e-9), 1, MOST_REPEATS);
    series->warm_each =
        measurement->warm
            ? (int)clamp(a_round / 2 / (own * (series->warm_repeats + 1) + 20e-6), 1, 8)
            : 0;
    series->calibrated[0] = own;
    series->calibrated[1] = other;
    return status;
}

static ImgStatus start_series(const Measurement *measurement, size_t limit, size_t row,
                              Series *series, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    *series = (Series){.row = row, .is_limit = row == limit};
    if (calibrate(measurement, limit, series, &failure) != IMG_OK)
        bench_row_fail(&measurement->group->rows[row], &failure);
    size_t most = (size_t)ROUNDS * (size_t)(series->each + 1);
    series->cold = calloc(most, sizeof *series->cold);
    series->limits = calloc(most, sizeof *series->limits);
    series->warm = calloc((size_t)ROUNDS * (size_t)(series->warm_each + 1), sizeof *series->warm);
    if (series->cold == NULL || series->limits == NULL || series->warm == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    if (series->rounds == SLOW_ROUNDS) {
        keep_sample(series, series->calibrated[0], series->calibrated[1]);
        series->round_medians[series->done++] = series->calibrated[0];
    }
    return IMG_OK;
}

/* Runs one round of a row. First the limit (a copy or a plain read) and the row run in turns, with
 * cold caches. Then the row runs alone, with warm caches. */
static ImgStatus one_round(const Measurement *measurement, size_t limit, Series *series,
                           ImgError *err)
{
    ImgStatus status = IMG_OK;
    double other = 0, own = 0;
    double *start = series->cold + series->cold_count;
    for (int i = 0; i < series->each && status == IMG_OK; i++) {
        status = run_limit(measurement, limit, &other, err);
        if (status == IMG_OK)
            status =
                run_once(measurement, series->row, IMG_CACHES_COLD, series->repeats, &own, err);
        if (status != IMG_OK)
            return status;
        keep_sample(series, own, other);
    }
    for (int i = 0; i < series->warm_each && status == IMG_OK; i++) {
        status =
            run_once(measurement, series->row, IMG_CACHES_WARM, series->warm_repeats, &own, err);
        if (status == IMG_OK)
            series->warm[series->warm_count++] = own;
    }
    series->round_medians[series->done++] = bench_timing(start, (size_t)series->each).median;
    return status;
}

/* Increases the noise of a row to the drift of its medians between rounds, and to at least `least`.
 * The samples within one round do not show this drift. */
static void add_drift(const Series *series, double least, BenchTiming *timing)
{
    double low = series->round_medians[0], high = low;
    for (int i = 1; i < series->done; i++) {
        low = fmin(low, series->round_medians[i]);
        high = fmax(high, series->round_medians[i]);
    }
    /* Slow rows have two rounds instead of five. On average, the range of two values is about half
     * the range of five, so it is doubled. */
    double range = (high - low) * (series->done == SLOW_ROUNDS ? 2 : 1);
    if (timing->median > 0)
        timing->noise = fmax(timing->noise, range / timing->median);
    timing->noise = fmax(timing->noise, least);
}

static void summarise(const Measurement *measurement, Series *series)
{
    BenchRow *row = &measurement->group->rows[series->row];
    if (is_excluded(measurement, series) || series->done == 0)
        return;
    row->cold = bench_timing(series->cold, series->cold_count);
    add_drift(series, measurement->least_noise, &row->cold);
    row->warm = bench_timing(series->warm, series->warm_count);
}

/* Sets the time of the limit (a copy or a plain read) to the median of all its runs. The limit runs
 * once before each run of each row. */
static ImgStatus gather_limit(Series *series, size_t count, ImgError *err)
{
    Series *own = NULL;
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        own = series[i].is_limit ? &series[i] : own;
        total += series[i].cold_count;
    }
    if (own == NULL || total == 0)
        return IMG_OK;
    double *all = calloc(total, sizeof *all);
    if (all == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t i = 0, at = 0; i < count; at += series[i++].cold_count)
        memcpy(all + at, series[i].limits, series[i].cold_count * sizeof *all);
    free(own->cold);
    own->cold = all;
    own->cold_count = total;
    return IMG_OK;
}

static void compare_with_first(BenchGroup *group)
{
    const BenchRow *first = NULL;
    for (size_t i = 0; i < group->count; i++) {
        BenchRow *row = &group->rows[i];
        if (row->verdict != BENCH_VERIFIED || row->cold.samples == 0)
            continue;
        if (first == NULL)
            first = row;
        else
            bench_ratio(&first->cold, &row->cold, &row->speedup, &row->speedup_low,
                        &row->speedup_high);
    }
}

static void all_rounds(const Measurement *measurement, size_t limit, Series *series, size_t count)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            ImgError failure = {IMG_OK, ""};
            if (measurement->stopped())
                return;
            if (!is_excluded(measurement, &series[i]) && series[i].done < series[i].rounds &&
                one_round(measurement, limit, &series[i], &failure) != IMG_OK)
                bench_row_fail(&measurement->group->rows[series[i].row], &failure);
        }
    }
}

/* Returns the index of the row that is the limit (a copy or a plain read); the number of rows if
 * there is no limit. */
static size_t find_limit(const BenchGroup *group)
{
    size_t row = 0;
    while (row < group->count && group->rows[row].verdict != BENCH_LIMIT)
        row++;
    return row;
}

ImgStatus measurement_run(const Measurement *measurement, ImgError *err)
{
    BenchGroup *group = measurement->group;
    size_t limit = find_limit(group), count = 0;
    ImgStatus status = IMG_OK;
    if (group->count == 0)
        return IMG_OK;
    Series *series = calloc(group->count, sizeof *series);
    if (series == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t row = 0; row < group->count && status == IMG_OK && !measurement->stopped(); row++)
        if (group->rows[row].verdict == BENCH_LIMIT || group->rows[row].verdict == BENCH_VERIFIED)
            status = start_series(measurement, limit, row, &series[count++], err);
    if (status == IMG_OK) {
        all_rounds(measurement, limit, series, count);
        status = gather_limit(series, count, err);
        for (size_t i = 0; i < count; i++)
            summarise(measurement, &series[i]);
        compare_with_first(group);
    }
    for (size_t i = 0; i < count; i++) {
        free(series[i].cold);
        free(series[i].warm);
        free(series[i].limits);
    }
    free(series);
    return status;
}
