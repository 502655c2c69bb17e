/* Private to the library: steps, and what they will make of a picture. */
#ifndef IMGTOOL_APP_LIBRARY_OPERATIONS_PIPELINE_H
#define IMGTOOL_APP_LIBRARY_OPERATIONS_PIPELINE_H

#include "app/library/context.h"
#include "io/metadata/palette_entries.h"
#include "io/step_files.h"

struct imgtool_pipeline {
    ImgStep *steps; /* owned; as they were parsed: runs bind copies of them */
    size_t count;
    ImgStepFiles files;
};

/* One use of a pipeline. Start from zeros; ends with img_lib_plan_free. */
typedef struct ImgLibPlan {
    ImgStep *steps; /* owned: bound to the picture */
    size_t count;
    ImgShape before, after;
    ImgPalette palette;
    bool keeps_palette; /* that one, with what was added to it, is the result's */
    uint64_t bytes;     /* the most that two pictures take at a time */
    uint64_t beside;    /* the source, which is there while later steps run on two others */
} ImgLibPlan;

/* Of max_memory, for two successive pictures and what is worked with beside them. */
uint64_t img_lib_plan_room(const imgtool_context *context, const ImgLibPlan *plan);

/* Of a picture of that shape, within the context's limits. `metadata` may be NULL. */
ImgStatus img_lib_plan(const imgtool_context *context, const imgtool_pipeline *pipeline,
                       ImgShape before, const ImgMetadata *metadata, ImgLibPlan *plan,
                       ImgError *err);
void img_lib_plan_free(ImgLibPlan *plan);

/* Do steps copy the indices of such a picture? They are bound to its palette then, and *palette is
 * the result's. `metadata` may be NULL: then nothing is known of a palette. */
bool img_lib_bind_palette(ImgStep *steps, size_t count, ImgShape src, const ImgMetadata *metadata,
                          ImgPalette *palette);

/* IMG_E_LIMIT for a plan that takes more than max_memory. */
ImgStatus img_lib_plan_admit(const imgtool_context *context, const ImgLibPlan *plan, ImgError *err);

#endif
