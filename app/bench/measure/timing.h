/* Statistics of time samples. No time is measured here.
 *
 * The interval of the median is that of the sign test: the median is between two order statistics
 * with the probability of a binomial distribution with p = 1/2, for any distribution of the samples
 * (Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2; Hollander and Wolfe,
 * Nonparametric Statistical Methods, section 3.6). */
#ifndef IMGTOOL_APP_BENCH_MEASURE_TIMING_H
#define IMGTOOL_APP_BENCH_MEASURE_TIMING_H

#include "app/bench/report.h"

/* Returns the statistics of the samples, which it sorts. The median of an even number of samples is
 * the mean of the two middle ones. With fewer than 6 samples the interval is their range, which
 * contains the median with less than 95 %. The noise is half the interquartile range or half the
 * interval, whichever is larger, relative to the median. checkkernels prints half the interquartile
 * range. Half the interval prevents claims from too few samples that two runs agree. Without
 * samples all values are 0. */
BenchTiming bench_timing(double *samples, size_t count);

/* Computes the speed-up of `other` over `first` with an interval. The interval contains the true
 * ratio if the intervals of both medians contain the true medians. All values are 0 if one was not
 * timed or its time is 0. */
void bench_ratio(const BenchTiming *first, const BenchTiming *other, double *ratio, double *low,
                 double *high);

#endif
