#include "app/bench/contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/bench/timing.h"
#include "kernels/core/exec.h"

enum { ROUNDS = 5, SLOW_ROUNDS = 2, MOST_SAMPLES = 40, MOST_REPEATS = 64 };

/* Shorter than this a clock of the CPU, and a call, weigh too much. */
static const double SHORTEST_SAMPLE = 50e-6;

/* One row's samples: `each` a round. */
typedef struct Entrant {
    size_t row;
    bool is_limit;
    int rounds, done;
    int each, warm_each, repeats, warm_repeats;
    double *cold, *warm, *ratios;
    size_t cold_count, warm_count;
    double calibrated[2]; /* the row's last time, and the limit's */
    double round_medians[ROUNDS];
} Entrant;

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static ImgStatus run_once(const Contest *contest, size_t row, ImgCaches caches, int repeats,
                          double *seconds, ImgError *err)
{
    return contest->run(contest->context, row, caches, repeats, seconds, err);
}

/* Where there is no limit, nothing runs. */
static ImgStatus run_limit(const Contest *contest, size_t limit, double *seconds, ImgError *err)
{
    *seconds = 0;
    return limit < contest->group->count
               ? run_once(contest, limit, IMG_CACHES_COLD, 1, seconds, err)
               : IMG_OK;
}

static const BenchRow *row_of(const Contest *contest, const Entrant *entrant)
{
    return &contest->group->rows[entrant->row];
}

static bool is_out(const Contest *contest, const Entrant *entrant)
{
    BenchVerdict verdict = row_of(contest, entrant)->verdict;
    return verdict == BENCH_FAILED || verdict == BENCH_SKIPPED;
}

static void keep_sample(Entrant *entrant, double own, double limit)
{
    entrant->ratios[entrant->cold_count] = limit > 0 ? own / limit : 0;
    entrant->cold[entrant->cold_count++] = own;
}

/* How often a row runs, from how long it takes with the limit beside it. What takes longer than all
 * of its time (a reference) runs twice, of which this is the first time. */
static ImgStatus calibrate(const Contest *contest, size_t limit, Entrant *entrant, ImgError *err)
{
    double own = 0, other = 0, start = 0;
    ImgStatus status = IMG_OK;
    for (int i = 0; i < 2 && status == IMG_OK; i++) { /* the first one warms up */
        start = img_clock();
        status = run_limit(contest, limit, &other, err);
        if (status == IMG_OK)
            status = run_once(contest, entrant->row, IMG_CACHES_COLD, 1, &own, err);
        if (own > contest->seconds)
            break;
    }
    entrant->rounds = own > contest->seconds ? SLOW_ROUNDS : ROUNDS;
    double pair = img_clock() - start;
    double a_round = contest->seconds / ROUNDS * (contest->warm ? 0.7 : 1);
    if (own < SHORTEST_SAMPLE && !contest->warm)
        entrant->repeats = (int)clamp(SHORTEST_SAMPLE / fmax(own, 1e-9), 1, MOST_REPEATS);
    else
        entrant->repeats = 1;
    pair += own * (entrant->repeats - 1);
    entrant->each = (int)clamp(a_round / pair, 1, MOST_SAMPLES);
    entrant->warm_repeats = (int)clamp(200e-6 / fmax(own, 1e-9), 1, MOST_REPEATS);
    entrant->warm_each =
        contest->warm ? (int)clamp(a_round / 2 / (own * (entrant->warm_repeats + 1) + 20e-6), 1, 8)
                      : 0;
    entrant->calibrated[0] = own;
    entrant->calibrated[1] = other;
    return status;
}

static ImgStatus enter(const Contest *contest, size_t limit, size_t row, Entrant *entrant,
                       ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    *entrant = (Entrant){.row = row, .is_limit = row == limit};
    if (calibrate(contest, limit, entrant, &failure) != IMG_OK)
        bench_row_fail(&contest->group->rows[row], &failure);
    size_t most = (size_t)ROUNDS * (size_t)(entrant->each + 1);
    entrant->cold = calloc(most, sizeof *entrant->cold);
    entrant->ratios = calloc(most, sizeof *entrant->ratios);
    entrant->warm =
        calloc((size_t)ROUNDS * (size_t)(entrant->warm_each + 1), sizeof *entrant->warm);
    if (entrant->cold == NULL || entrant->ratios == NULL || entrant->warm == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    if (entrant->rounds == SLOW_ROUNDS) {
        keep_sample(entrant, entrant->calibrated[0], entrant->calibrated[1]);
        entrant->round_medians[entrant->done++] = entrant->calibrated[0];
    }
    return IMG_OK;
}

/* The limit and the row in turns, then the row alone with warm caches. */
static ImgStatus one_round(const Contest *contest, size_t limit, Entrant *entrant, ImgError *err)
{
    ImgStatus status = IMG_OK;
    double other = 0, own = 0;
    double *start = entrant->cold + entrant->cold_count;
    for (int i = 0; i < entrant->each && status == IMG_OK; i++) {
        status = run_limit(contest, limit, &other, err);
        if (status == IMG_OK)
            status = run_once(contest, entrant->row, IMG_CACHES_COLD, entrant->repeats, &own, err);
        if (status != IMG_OK)
            return status;
        keep_sample(entrant, own, other);
    }
    for (int i = 0; i < entrant->warm_each && status == IMG_OK; i++) {
        status = run_once(contest, entrant->row, IMG_CACHES_WARM, entrant->warm_repeats, &own, err);
        if (status == IMG_OK)
            entrant->warm[entrant->warm_count++] = own;
    }
    entrant->round_medians[entrant->done++] = bench_timing(start, (size_t)entrant->each).median;
    return status;
}

/* Rounds that lie apart show what samples of one round do not: that medians wander. */
static void add_wander(const Entrant *entrant, double least, BenchTiming *timing)
{
    double low = entrant->round_medians[0], high = low;
    for (int i = 1; i < entrant->done; i++) {
        low = fmin(low, entrant->round_medians[i]);
        high = fmax(high, entrant->round_medians[i]);
    }
    /* The range of two lies, on average, within half of that of five. */
    double range = (high - low) * (entrant->done == SLOW_ROUNDS ? 2 : 1);
    if (timing->median > 0)
        timing->noise = fmax(timing->noise, range / timing->median);
    timing->noise = fmax(timing->noise, least);
}

static void summarise(const Contest *contest, Entrant *entrant)
{
    BenchRow *row = &contest->group->rows[entrant->row];
    if (is_out(contest, entrant) || entrant->done == 0)
        return;
    row->cold = bench_timing(entrant->cold, entrant->cold_count);
    add_wander(entrant, contest->least_noise, &row->cold);
    row->warm = bench_timing(entrant->warm, entrant->warm_count);
    double ratio = bench_timing(entrant->ratios, entrant->cold_count).median;
    if (entrant->is_limit)
        row->share = 1;
    else if (ratio > 0 && contest->group->bytes > 0)
        row->share = (double)contest->group->bytes / (double)contest->limit_bytes / ratio;
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

static void all_rounds(const Contest *contest, size_t limit, Entrant *entrants, size_t count)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            ImgError failure = {IMG_OK, ""};
            if (contest->stopped())
                return;
            if (!is_out(contest, &entrants[i]) && entrants[i].done < entrants[i].rounds &&
                one_round(contest, limit, &entrants[i], &failure) != IMG_OK)
                bench_row_fail(&contest->group->rows[entrants[i].row], &failure);
        }
    }
}

/* group->count where there is none. */
static size_t find_limit(const BenchGroup *group)
{
    size_t row = 0;
    while (row < group->count && group->rows[row].verdict != BENCH_LIMIT)
        row++;
    return row;
}

ImgStatus contest_run(const Contest *contest, ImgError *err)
{
    BenchGroup *group = contest->group;
    size_t limit = find_limit(group), count = 0;
    ImgStatus status = IMG_OK;
    if (group->count == 0)
        return IMG_OK;
    Entrant *entrants = calloc(group->count, sizeof *entrants);
    if (entrants == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t row = 0; row < group->count && status == IMG_OK && !contest->stopped(); row++)
        if (group->rows[row].verdict == BENCH_LIMIT || group->rows[row].verdict == BENCH_VERIFIED)
            status = enter(contest, limit, row, &entrants[count++], err);
    if (status == IMG_OK) {
        all_rounds(contest, limit, entrants, count);
        for (size_t i = 0; i < count; i++)
            summarise(contest, &entrants[i]);
        compare_with_first(group);
    }
    for (size_t i = 0; i < count; i++) {
        free(entrants[i].cold);
        free(entrants[i].warm);
        free(entrants[i].ratios);
    }
    free(entrants);
    return status;
}
