/* From samples of a time to what is reported about it. Pure arithmetic.
 *
 * The interval is the one of the sign test: the median lies between two order statistics with the
 * probability of a binomial distribution of p = 1/2, whatever the samples' own distribution is
 * (Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2; Hollander and Wolfe,
 * Nonparametric Statistical Methods, section 3.6). */
#ifndef IMGTOOL_APP_BENCH_MEASURE_TIMING_H
#define IMGTOOL_APP_BENCH_MEASURE_TIMING_H

#include "app/bench/report.h"

/* Sorts the samples. The median of an even number is the mean of the two in the middle. Of fewer
 * than 6 samples the interval is their extremes, which hold the median with less than 95 %.
 * `noise` is the larger of half the distance of the quartiles and half the interval, over the
 * median. The first is what checkkernels prints; the second keeps the claim that two runs agree
 * within their noise from resting on fewer samples than it needs. No samples: all is 0. */
BenchTiming bench_timing(double *samples, size_t count);

/* How often `other` goes into `first`, that is the speed-up of `other`. The interval holds the true
 * ratio wherever both medians lie in theirs. All 0 where one was not timed or takes no time. */
void bench_ratio(const BenchTiming *first, const BenchTiming *other, double *ratio, double *low,
                 double *high);

#endif
