/* Private to runs in bands: passes over a source that only measure it (img_bands_measure). */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_BANDS_MEASURE_H
#define IMGTOOL_KERNELS_CORE_EXEC_BANDS_MEASURE_H

#include "kernels/core/exec/bands/chain.h"

/* Returns the measurement that the step needs before it can run in bands with its implementation
 * `impl`; NULL: none. */
const ImgOp *img_measurement_of(const ImgStep *step, const ImgImpl *impl);

/* Returns the CPU implementation of the step with this name, or the fastest one for NULL. Returns
 * NULL if there is none. Defined in bands.c. */
const ImgImpl *img_bands_impl(const ImgStep *step, ImgShape src, const char *name);

/* Memory and source rows of a pass over the source that only makes the measurement of one step. */
typedef struct ImgMeasuringNeeds {
    int32_t source_rows; /* largest number of rows that are requested from the source */
    uint64_t bytes;      /* peak memory in bytes, without the source and without constants */
    uint64_t constants;  /* bytes of the constants of the step that result from the measurement */
} ImgMeasuringNeeds;

/* Returns the needs of measuring the source of `step`. `before` has the passes that run before the
 * step. */
ImgMeasuringNeeds img_measuring_needs(const ImgChain *before, const ImgStep *step,
                                      const ImgImpl *impl, ImgRoom room);

#endif
