/* Statistics of measured times. The functions measure no time themselves.
 *
 * The interval of the median is that of the sign test. It lies between two order statistics, and
 * contains the true median with a probability that a binomial distribution with p = 1/2 gives. This
 * is true for any distribution of the samples (Conover, Practical Nonparametric Statistics, 3rd
 * ed., section 3.2; Hollander and Wolfe, Nonparametric Statistical Methods, section 3.6). */
#ifndef IMGTOOL_APP_BENCH_MEASURE_TIMING_H
#define IMGTOOL_APP_BENCH_MEASURE_TIMING_H

#include "app/bench/report.h"

/* Sorts the samples and returns their statistics. The median of an even number of samples is the
 * mean of the two middle ones. With fewer than 6 samples the interval is their whole range, which
 * contains the true median with a probability below 95 %. The noise is half the interquartile range
 * or half the interval, whichever is larger, relative to the median. (checkkernels uses half the
 * interquartile range alone. With few samples it can be too small, and half the interval corrects
 * that.) Without samples all values are 0. */
BenchTiming bench_timing(double *samples, size_t count);

/* Computes the speed-up of `other` over `first`, and an interval for it. If the true medians lie in
 * their intervals, the true speed-up lies in this one. All values are 0 if one of the two was not
 * timed or its time is 0. */
void bench_ratio(const BenchTiming *first, const BenchTiming *other, double *ratio, double *low,
                 double *high);

#endif
