/* Private to the library: parsed pipelines, and plans for one picture. */
#ifndef IMGTOOL_APP_LIBRARY_OPERATIONS_PIPELINE_H
#define IMGTOOL_APP_LIBRARY_OPERATIONS_PIPELINE_H

#include "app/library/context.h"
#include "io/metadata/palette_entries.h"
#include "io/step_files.h"

struct imgtool_pipeline {
    ImgStep *steps; /* owned; as parsed: each run binds a copy to its picture */
    size_t count;
    ImgStepFiles files;
};

/* One use of a pipeline on one picture. Initialise with zeros; end with img_lib_plan_free. */
typedef struct ImgLibPlan {
    ImgStep *steps; /* owned; bound to the picture */
    size_t count;
    ImgShape before, after;
    ImgPalette palette;
    bool keeps_palette;    /* true if the result has `palette`, with the colours that steps added */
    uint64_t bytes;        /* peak memory in bytes of two successive pictures */
    uint64_t source_bytes; /* bytes of the source, which exists while later steps work on two other
                        pictures; else 0 */
} ImgLibPlan;

/* Returns the bytes of max_memory for two successive pictures and their working memory. */
uint64_t img_lib_plan_room(const imgtool_context *context, const ImgLibPlan *plan);

/* Plans the steps for a picture of the shape `before`, within the limits of the context. `metadata`
 * may be NULL. */
ImgStatus img_lib_plan(const imgtool_context *context, const imgtool_pipeline *pipeline,
                       ImgShape before, const ImgMetadata *metadata, ImgLibPlan *plan,
                       ImgError *err);
void img_lib_plan_free(ImgLibPlan *plan);

/* True if the steps copy the palette indices of such a picture. Then they are bound to its palette,
 * and *palette is that of the result. `metadata` may be NULL: then the palette is unknown. */
bool img_lib_bind_palette(ImgStep *steps, size_t count, ImgShape src, const ImgMetadata *metadata,
                          ImgPalette *palette);

/* IMG_E_LIMIT if a plan needs more than max_memory. */
ImgStatus img_lib_plan_admit(const imgtool_context *context, const ImgLibPlan *plan, ImgError *err);

#endif
