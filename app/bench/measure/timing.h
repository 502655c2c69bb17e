/* Statistics of measured times. The functions measure no time themselves.
 *
 * The confidence interval of the median is the interval of the sign test. It lies between two order
 * statistics. The probability that it contains the true median follows from a binomial distribution
 * with p = 1/2, for any distribution of the samples (Conover, Practical Nonparametric Statistics,
 * 3rd ed., section 3.2; Hollander and Wolfe, Nonparametric Statistical Methods, section 3.6). */
#ifndef IMGTOOL_APP_BENCH_MEASURE_TIMING_H
#define IMGTOOL_APP_BENCH_MEASURE_TIMING_H

#include "app/bench/report.h"

/* Sorts the samples and returns their statistics. The median of an even number of samples is the
 * mean of the two middle ones. With fewer than 6 samples the confidence interval of the median
 * reaches from the smallest to the largest sample. It then contains the true median with a
 * probability below 95 %. The noise is relative to the median: half the interquartile range, or
 * half the confidence interval, whichever is larger. Without samples all values are 0. */
BenchTiming bench_timing(double *samples, size_t count);

/* Computes the speed-up of `other` over `first`, and an interval for it from *low to *high. If both
 * true medians lie in their confidence intervals, the true speed-up lies in this interval. All
 * values are 0 if `first` or `other` was not timed, or if its time is 0. */
void bench_ratio(const BenchTiming *first, const BenchTiming *other, double *ratio, double *low,
                 double *high);

#endif
