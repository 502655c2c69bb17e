/* Private to the library: parsed pipelines, and the plan for running a pipeline on one picture. */
#ifndef IMGTOOL_APP_LIBRARY_OPERATIONS_PIPELINE_H
#define IMGTOOL_APP_LIBRARY_OPERATIONS_PIPELINE_H

#include "app/library/context.h"
#include "io/metadata/metadata.h"
#include "io/step_files.h"

struct imgtool_pipeline {
    /* The steps as parsed; owned. Each run binds a copy of the steps to its picture. */
    ImgStep *steps;
    size_t count;
    ImgStepFiles files;
};

/* Plan for running a pipeline on one picture. Initialise it with zeros, and free it with
 * img_lib_plan_free. */
typedef struct ImgLibPlan {
    ImgStep *steps; /* copy of the steps, bound to the picture; owned */
    size_t count;
    ImgShape before, after;
    ImgFacts facts; /* about the file */
    ImgPalette palette;
    /* true if the result has the palette `palette`, which includes colours that steps added */
    bool keeps_palette;
    uint64_t bytes; /* peak memory in bytes: the largest sum of source and result over all steps */
    /* bytes of the source picture if it stays in memory while later steps work on two other
     * pictures; otherwise 0 */
    uint64_t source_bytes;
} ImgLibPlan;

/* Returns the part of max_memory, in bytes, that is available for two successive pictures and the
 * working memory of the step between them. */
uint64_t img_lib_plan_room(const imgtool_context *context, const ImgLibPlan *plan);

/* Plans the steps for a picture of the shape `before`, within the limits of the context. `metadata`
 * may be NULL. */
ImgStatus img_lib_plan(const imgtool_context *context, const imgtool_pipeline *pipeline,
                       ImgShape before, const ImgMetadata *metadata, ImgLibPlan *plan,
                       ImgError *err);
/* Plans as img_lib_plan does, but copies `like` if that is a plan of the same pipeline for a
 * picture of the same shape and with equal facts. */
ImgStatus img_lib_plan_like(const imgtool_context *context, const imgtool_pipeline *pipeline,
                            const ImgLibPlan *like, ImgShape before, const ImgMetadata *metadata,
                            ImgLibPlan *plan, ImgError *err);
void img_lib_plan_free(ImgLibPlan *plan);

/* Returns IMG_E_LIMIT if the plan needs more memory than max_memory. */
ImgStatus img_lib_plan_admit(const imgtool_context *context, const ImgLibPlan *plan, ImgError *err);

/* Runs the steps as imgtool_run does, but leaves the metadata as it is. `metadata` may be NULL. On
 * failure *result is IMG_IMAGE_NONE. */
ImgStatus img_lib_run_view(imgtool_context *context, const imgtool_pipeline *pipeline,
                           const ImgView *from, const ImgMetadata *metadata, ImgImage *result,
                           ImgError *err);

#endif
