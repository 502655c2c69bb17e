/* How times are summed up, and where the time of whole jobs goes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

#include "app/bench/timing.h"

static void expect_near(double got, double wanted, const char *what)
{
    cr_expect(fabs(got - wanted) < 1e-12, "%s: %.15g, not %.15g", what, got, wanted);
}

/* --- Timing ----------------------------------------------------------------------------------- */

/* count, count - 1, .. 1: out of order, and the value tells the rank. */
static BenchTiming timing_of_ranks(size_t count)
{
    double samples[2000];
    cr_assert(count <= sizeof samples / sizeof *samples);
    for (size_t i = 0; i < count; i++)
        samples[i] = (double)(count - i);
    return bench_timing(samples, count);
}

Test(timing, of_nothing)
{
    BenchTiming timing = bench_timing(NULL, 0);
    cr_expect_eq(timing.samples, 0);
    cr_expect_eq(timing.median, 0);
    cr_expect_eq(timing.noise, 0);
}

Test(timing, of_one)
{
    BenchTiming timing = bench_timing((double[]){0.25}, 1);
    cr_expect_eq(timing.samples, 1);
    expect_near(timing.median, 0.25, "median");
    expect_near(timing.minimum, 0.25, "minimum");
    expect_near(timing.low, 0.25, "low");
    expect_near(timing.high, 0.25, "high");
    cr_expect_eq(timing.noise, 0);
}

/* Of fewer than 6 the extremes, and half of their distance is the noise. */
Test(timing, of_few)
{
    BenchTiming timing = bench_timing((double[]){3, 1, 2}, 3);
    expect_near(timing.median, 2, "median");
    expect_near(timing.low, 1, "low");
    expect_near(timing.high, 3, "high");
    expect_near(timing.noise, 0.5, "noise");
    timing = bench_timing((double[]){4, 1, 2, 5}, 4);
    expect_near(timing.median, 3, "median of 4");
    expect_near(timing.low, 1, "low of 4");
    expect_near(timing.high, 5, "high of 4");
    expect_near(timing.noise, 4.0 / 2 / 3, "noise of 4");
}

/* P(X <= 0) = 1/64 for 6 and 1/256 for 8, where P(X <= 1) = 9/256 is over 1/40; 10/512 for 9 is
 * not. P(X <= 3) = 576/32768 for 15, and P(X <= 4) = 1941/32768 is over. The last from a table of
 * the binomial distribution, and for 2000 summed with whole numbers. */
Test(timing, interval_by_order_statistics)
{
    static const struct {
        size_t count, rank;
    } cases[] = {{5, 1},  {6, 1},  {8, 1},   {9, 2},    {12, 3},
                 {15, 4}, {20, 6}, {50, 18}, {100, 40}, {2000, 956}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = cases[i].count, rank = cases[i].rank;
        BenchTiming timing = timing_of_ranks(count);
        cr_expect_eq(timing.low, (double)rank, "%zu: from %g", count, timing.low);
        cr_expect_eq(timing.high, (double)(count + 1 - rank), "%zu: to %g", count, timing.high);
        expect_near(timing.median, (double)(count + 1) / 2, "median");
        expect_near(timing.minimum, 1, "minimum");
    }
}

/* Of 15: quartiles at ranks 4 and 12, the same as the interval. Of 100: ranks 26 and 75, and the
 * interval from 40 to 61 is narrower. Of 8: ranks 3 and 6, and the interval of 1 to 8 is wider. */
Test(timing, noise_is_the_larger_of_quartiles_and_interval)
{
    expect_near(timing_of_ranks(15).noise, 8.0 / 2 / 8, "15");
    expect_near(timing_of_ranks(100).noise, 49.0 / 2 / 50.5, "100");
    expect_near(timing_of_ranks(8).noise, 7.0 / 2 / 4.5, "8");
}

Test(timing, ratio)
{
    double ratio, low, high;
    BenchTiming first = {.samples = 9, .median = 6, .low = 5, .high = 8};
    BenchTiming other = {.samples = 9, .median = 2, .low = 1, .high = 2.5};
    bench_ratio(&first, &other, &ratio, &low, &high);
    expect_near(ratio, 3, "ratio");
    expect_near(low, 2, "low");
    expect_near(high, 8, "high");
    bench_ratio(&first, &(BenchTiming){.samples = 0}, &ratio, &low, &high);
    cr_expect(ratio == 0 && low == 0 && high == 0);
    bench_ratio(&first, &(BenchTiming){.samples = 3}, &ratio, &low, &high);
    cr_expect(ratio == 0 && low == 0 && high == 0);
}
