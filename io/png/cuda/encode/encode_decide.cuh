/* Private: decides which strategies (run-length encoding, LZ77) are tried for a strip, as in
 * io/png/encode/strip_values.c. Every thread block repeats the decision from
 * the same numbers. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_DECIDE_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_DECIDE_CUH

#include "io/png/cuda/encode/encode_job.h"
#include "io/png/filter/filter_type.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace decide
{

constexpr uint32_t NONE = 1u << IMG_FILTER_NONE, PAETH = 1u << IMG_FILTER_PAETH;
constexpr uint32_t EVERY = (1u << IMG_FILTERS) - 1;

/* Decides from the estimates of the strip's windows (small sections of the strip, encode_job.h), as
 * img_strip_estimate does. */
__device__ inline EncodeAdvice by_estimate(const EncodeJob &job, uint32_t strip)
{
    const ImgWindow window = encode_window(&job, strip, 0);
    const uint32_t bytes = IMG_WINDOWS * encode_window_size(&window);
    uint32_t runs = 0, by_paeth = 0, saved = 0;
    for (uint32_t i = 0; i < IMG_WINDOWS; i++) {
        const EncodeEstimate &estimate = job.estimates[strip * IMG_WINDOWS + i];
        by_paeth += estimate.runs[0];
        runs += estimate.runs[job.filterings - 1];
        saved += estimate.saved;
    }
    const bool by_sums = job.filterings > 1 && !img_estimate_is_for_paeth(by_paeth, runs);
    return {by_sums ? job.filters : PAETH, img_estimate_pays(saved, by_paeth, bytes) != 0};
}

/* Returns the advice for a strip. Small strips get all filters and run-length encoding. The kernels
 * after img_encode_estimate use it to decide which strategies are tried. */
__device__ inline EncodeAdvice make_advice(const EncodeJob &job, uint32_t strip)
{
    if (encode_strip_bytes(&job, strip) <= job.probed)
        return {encode_is_small(&job, strip) ? EVERY : 0, 0};
    return job.filterings > 0 ? by_estimate(job, strip)
                              : EncodeAdvice{job.filters, job.matches.count > 0};
}

__device__ inline uint32_t sample_filters(const EncodeJob &job, const EncodeAdvice &advice,
                                          uint32_t number)
{
    if (job.by_value == 0)
        return number == 0 ? job.filters : 0;
    return number == 0 ? EVERY : number == 1 ? NONE : advice.filters;
}

__device__ inline uint32_t sampled_bytes(const EncodeJob &job, uint32_t strip, uint32_t number)
{
    return (uint32_t)((job.sampled.units[strip * ENCODE_SAMPLES_FOR_MATCHES + number].bits + 7) /
                      8);
}

/* Returns a mask of the candidate filters of a strip for a strategy. Returns 0 if the strategy is
 * not tried. */
__device__ inline uint32_t filters_of(const EncodeJob &job, const EncodeAdvice &advised,
                                      uint32_t strip, uint32_t strategy)
{
    if (advised.matches == 0)
        return strategy == ENCODE_RUNS ? advised.filters : 0;
    const ImgWindow window = encode_sample(&job, strip);
    const uint32_t with = sampled_bytes(job, strip, 0);
    const uint32_t without = job.by_value != 0 ? sampled_bytes(job, strip, 1) : with;
    const ImgSampleSizes sizes = {encode_window_size(&window), job.sample_runs[strip],
                                  min(with, without)};
    if (job.by_value == 0 && img_sample_is_noise(&sizes))
        return 0;
    if (strategy == ENCODE_RUNS)
        return (job.by_value != 0 ? img_sample_is_for_runs(&sizes) : img_sample_is_close(&sizes))
                   ? advised.filters
                   : 0;
    if (job.by_value == 0)
        return job.filters;
    return !img_sample_is_for_matches(&sizes) ? 0 : with < without ? EVERY : NONE;
}

/* Returns true if a small strip counts as graphics, as is_graphics in io/png/encode/strip_small.c
 * does. `bytes` is its size with run-length encoding. */
__device__ inline bool is_graphics(const EncodeJob &job, uint32_t strip, uint64_t bytes)
{
    const uint32_t matches = (uint32_t)((job.probes.units[strip].bits + 7) / 8);
    const uint32_t first = encode_first_block(&job, strip);
    uint32_t literals = 0;
    for (uint32_t i = 0; i < encode_strip_blocks(&job, strip); i++)
        literals += job.blocks[first + i].literals;
    return img_small_has_runs((uint32_t)encode_strip_bytes(&job, strip), (uint32_t)bytes,
                              literals) != 0 ||
           img_small_gains(job.probe_runs[strip], matches) != 0;
}

} // namespace decide

#endif
