#include "app/bench/measure/timing.h"

#include <math.h>
#include <stdlib.h>

/* Probability that the true median lies below a 95 % interval; the probability above it is
 * equal. */
static const double TAIL = 0.025;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the number of samples at each end that the 95 % interval of the median excludes. For a
 * binomial X with p = 1/2 it is the largest k with P(X <= k) <= TAIL. The terms are computed as
 * logarithms, because 2^-count underflows. */
static size_t samples_outside(size_t count)
{
    double logarithm = -(double)count * log(2), sum = 0;
    for (size_t k = 0; k < count / 2; k++) {
        sum += exp(logarithm);
        if (sum > TAIL)
            return k > 0 ? k - 1 : 0;
        logarithm += log((double)(count - k) / (double)(k + 1));
    }
    return 0;
}

BenchTiming bench_timing(double *samples, size_t count)
{
    if (count == 0)
        return (BenchTiming){.samples = 0};
    qsort(samples, count, sizeof *samples, by_value);
    size_t outside = samples_outside(count), quarter = count / 4;
    BenchTiming timing = {
        .samples = count,
        .median = (samples[(count - 1) / 2] + samples[count / 2]) / 2,
        .minimum = samples[0],
        .low = samples[outside],
        .high = samples[count - 1 - outside],
    };
    double quartiles = samples[count - 1 - quarter] - samples[quarter];
    double interval = timing.high - timing.low;
    if (timing.median > 0)
        timing.noise = (quartiles > interval ? quartiles : interval) / 2 / timing.median;
    return timing;
}

void bench_ratio(const BenchTiming *first, const BenchTiming *other, double *ratio, double *low,
                 double *high)
{
    *ratio = *low = *high = 0;
    if (first->samples == 0 || other->samples == 0 || other->low <= 0)
        return;
    *ratio = first->median / other->median;
    *low = first->low / other->high;
    *high = first->high / other->low;
}
