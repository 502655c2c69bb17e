/* Private to the tone family: operations that count the samples of a picture, compute a table of
 * new values from the counts, and apply it to every sample. equalize, autolevel and threshold
 * differ only in the computation of the table.
 *
 * Alpha never changes. Fully transparent pixels do not count, so that invisible colours do not
 * affect the result. But the tables are applied to all pixels. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_H
#define IMGTOOL_KERNELS_TONE_TONE_H

#include "kernels/core/cuda/textbook.h"
#include "kernels/core/op.h"
#include "kernels/core/prepass/prepass.h"
#include "kernels/histogram/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgEqualizeChannels { IMG_EQUALIZE_LUMA, IMG_EQUALIZE_EACH } ImgEqualizeChannels;

typedef struct ImgEqualizeParams {
    int32_t channels; /* ImgEqualizeChannels value: which tables are computed */
    int32_t luma;     /* ImgLuma value: the formula that computes luma from RGB */
} ImgEqualizeParams;

typedef enum ImgAutolevelChannels { IMG_AUTOLEVEL_ALL, IMG_AUTOLEVEL_EACH } ImgAutolevelChannels;

typedef struct ImgAutolevelParams {
    int32_t clip; /* fraction of the samples to clip at each end, in thousandths of a per cent */
    int32_t channels; /* ImgAutolevelChannels value: which ranges are computed */
} ImgAutolevelParams;

enum { IMG_THRESHOLD_OTSU = -1 };

typedef struct ImgThresholdParams {
    int32_t value; /* level between black and white, or IMG_THRESHOLD_OTSU to find it */
    int32_t luma;  /* ImgLuma value: the formula that computes luma from RGB */
} ImgThresholdParams;

extern const ImgOp img_op_equalize, img_op_autolevel, img_op_threshold;

/* How new values are computed from counts. */
typedef enum ImgToneRule {
    IMG_TONE_EQUALIZE,
    IMG_TONE_STRETCH,
    IMG_TONE_OTSU,
} ImgToneRule;

/* How pixels get their new values. */
typedef enum ImgToneWay {
    IMG_TONE_SAMPLES, /* each sample is looked up in the table of its channel */
    IMG_TONE_SHIFT,   /* RGB: the change of luma is added to all three colours, and clamped */
    IMG_TONE_SPLIT,   /* gray or luma becomes the maximum if it is above a level, otherwise 0 */
} ImgToneWay;

/* How one call computes and applies its tables. It follows from the operation, its parameters and
 * the format of the picture. */
typedef struct ImgTonePlan {
    ImgToneRule rule;
    ImgToneWay way;
    ImgHistogramParams counted; /* parameters of the histogram that is counted */
    /* Number of tables: with IMG_TONE_SAMPLES 1 for all colours together, or one per colour; in all
     * other cases 1. */
    int32_t tables;
    /* Table t is computed from the sum of `summed` rows of counts, beginning with row first_row +
     * t. */
    int32_t first_row, summed;
    int32_t bits;
    int32_t colors, channels; /* number of channels of the source, without alpha and including it */
    /* for IMG_TONE_STRETCH: fraction of the samples to clip at each end, in thousandths of a per
     * cent */
    int32_t clip;
    ImgLumaWeights weights;
} ImgTonePlan;

ImgTonePlan img_tone_plan(const ImgOp *op, ImgFormat format, const void *params);

/* Computes all tables from the rows of counts. A table has 2^bits entries, and tables follow one
 * another. For IMG_TONE_OTSU, it sets *level instead. If no samples were counted, or only one value
 * occurs, the tables are the identity and the level is 0. */
void img_tone_tables(const ImgTonePlan *plan, const uint64_t *counts, uint16_t *tables,
                     uint32_t *level);

/* Returns the pass that prepares the picture for an operation (ImgPrepass). equalize and autolevel
 * need one that converts to at least 8 bits per sample, for their new values. threshold needs none:
 * samples of any depth can hold black and white. */
ImgPrepass img_tone_prepass(const ImgOp *op);

/* Functions that the descriptors of several operations use. img_tone_shape returns the shape of the
 * source, or an error if the source is not a picture with channels; `name` is the operation's name.
 * img_tone_traffic implements ImgOp.cost.traffic for operations that first count samples.
 * img_tone_effect implements ImgOp.effect.get. */
ImgStatus img_tone_shape(const char *name, ImgShape src, ImgShape *dst, ImgError *err);
uint64_t img_tone_traffic(ImgShape src, const void *params);
ImgEffect img_tone_effect(ImgShape src, const void *params);

/* The implementations of the family, as functions of type ImgRunFunction. */
ImgStatus img_tone_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.cost.scratch for the operation `op`. */
uint64_t img_tone_scratch(const ImgOp *op, ImgShape src, const void *params, int threads);

/* If the call has constants, samples were counted in an earlier pass (ImgTwoPasses), and the
 * function only changes pixels. */
ImgStatus img_tone_cpu(const ImgCall *call, ImgError *err);
extern const ImgTwoPasses img_tone_two_passes; /* for img_tone_cpu */
ImgStatus img_tone_cuda_fast(const ImgCall *call, ImgError *err);
IMG_TEXTBOOK ImgRunFunction img_tone_cuda_naive, img_threshold_cuda_naive;
ImgRunFunction img_threshold_cuda_fast;
size_t img_threshold_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_tone_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);
extern const ImgImpl img_tone_impls[];

#ifdef __cplusplus
}
#endif
#endif
