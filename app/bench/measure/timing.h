/* Statistics of time samples. Pure arithmetic.
 *
 * The interval is that of the sign test: the median is between two order statistics with the
 * probability of a binomial distribution with p = 1/2, for any distribution of the samples
 * (Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2; Hollander and Wolfe,
 * Nonparametric Statistical Methods, section 3.6). */
#ifndef IMGTOOL_APP_BENCH_MEASURE_TIMING_H
#define IMGTOOL_APP_BENCH_MEASURE_TIMING_H

#include "app/bench/report.h"

/* Sorts the samples. The median of an even number is the mean of the two middle ones. With fewer
 * than 6 samples the interval is their range, which contains the median with less than 95 %.
 * `noise` is the larger of half the interquartile range and half the interval, relative to the
 * median. checkkernels prints the first. The second prevents claims that two runs agree within
 * their noise from too few samples. Without samples all values are 0. */
BenchTiming bench_timing(double *samples, size_t count);

/* Returns the speed-up of `other` over `first`. The interval contains the true ratio if both
 * medians are in theirs. All 0 if one was not timed or takes no time. */
void bench_ratio(const BenchTiming *first, const BenchTiming *other, double *ratio, double *low,
                 double *high);

#endif
