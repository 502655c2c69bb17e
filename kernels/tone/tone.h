/* Private to the tone family: operations that count a picture's samples, make tables of new values
 * from the counts, and send every sample through them. equalize, autolevel and threshold differ in
 * the table only.
 *
 * Alpha never changes. Pixels that are wholly transparent do not count, so that colours that nobody
 * sees do not steer the result; they go through the tables like all others. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_H
#define IMGTOOL_KERNELS_TONE_TONE_H

#include "kernels/core/op.h"
#include "kernels/core/prepass/prepass.h"
#include "kernels/histogram/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgEqualizeChannels { IMG_EQUALIZE_LUMA, IMG_EQUALIZE_EACH } ImgEqualizeChannels;

typedef struct ImgEqualizeParams {
    int32_t channels; /* an ImgEqualizeChannels */
    int32_t luma;     /* an ImgLuma */
} ImgEqualizeParams;

typedef enum ImgAutolevelChannels { IMG_AUTOLEVEL_ALL, IMG_AUTOLEVEL_EACH } ImgAutolevelChannels;

typedef struct ImgAutolevelParams {
    int32_t clip;     /* of the samples, in thousandths of a percent */
    int32_t channels; /* an ImgAutolevelChannels */
} ImgAutolevelParams;

enum { IMG_THRESHOLD_OTSU = -1 };

typedef struct ImgThresholdParams {
    int32_t value; /* or IMG_THRESHOLD_OTSU */
    int32_t luma;  /* an ImgLuma */
} ImgThresholdParams;

extern const ImgOp img_op_equalize, img_op_autolevel, img_op_threshold;

/* How new values follow from counts. */
typedef enum ImgToneRule {
    IMG_TONE_EQUALIZE,
    IMG_TONE_STRETCH,
    IMG_TONE_OTSU,
} ImgToneRule;

/* How pixels get new values. */
typedef enum ImgToneWay {
    IMG_TONE_SAMPLES, /* a sample becomes what the table of its channel says */
    IMG_TONE_SHIFT,   /* RGB: what the table does to luma is added to all three, and clamped */
    IMG_TONE_SPLIT,   /* gray or luma becomes 0, or where it is above a level the maximum */
} ImgToneWay;

/* What one call does, from the operation, its parameters and the format. */
typedef struct ImgTonePlan {
    ImgToneRule rule;
    ImgToneWay way;
    ImgHistogramParams counted; /* the histogram that it takes */
    int32_t tables;             /* SAMPLES: 1 for all colours or one each; else 1 */
    int32_t first_row, summed;  /* table t is made of rows first_row + t and `summed` - 1 after */
    int32_t bits;
    int32_t colors, channels; /* of the source: without alpha, and with it */
    int32_t clip;             /* STRETCH */
    ImgLumaWeights weights;
} ImgTonePlan;

ImgTonePlan img_tone_plan(const ImgOp *op, ImgFormat format, const void *params);

/* Makes all tables from the rows of counts, 2^bits entries each, one after another as the rows
 * are; for OTSU sets *level and leaves the tables alone. A picture of which nothing
 * counts, or that has a single value, gets tables that change nothing, and level 0. */
void img_tone_tables(const ImgTonePlan *plan, const uint64_t *counts, uint16_t *tables,
                     uint32_t *level);

/* Returns the pass that runs first: new values need at least 8 bits, black and white any depth. */
ImgPrepass img_tone_prepass(const ImgOp *op);

/* What the descriptors share: shape of a result that has the source's, bytes moved by operations
 * that count first, effect. */
ImgStatus img_tone_shape(const char *name, ImgShape src, ImgShape *dst, ImgError *err);
uint64_t img_tone_traffic(ImgShape src, const void *params);
ImgEffect img_tone_effect(ImgShape src, const void *params);

/* Implementations: ImgRunFunction, and the rows that name them. */
ImgStatus img_tone_reference(const ImgCall *call, ImgError *err);
/* For ImgOp.scratch of `op`. */
uint64_t img_tone_scratch(const ImgOp *op, ImgShape src, const void *params, int threads);

ImgStatus img_tone_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_tone_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_tone_cuda_fast(const ImgCall *call, ImgError *err);
ImgRunFunction img_threshold_cuda_naive, img_threshold_cuda_fast;
size_t img_threshold_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_tone_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);
extern const ImgImpl img_tone_impls[];

#ifdef __cplusplus
}
#endif
#endif
