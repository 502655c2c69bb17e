#include "kernels/pipeline/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "app/engine/plan.h"
#include "app/engine/share/resources.h"
#include "app/library/codec/metadata.h"
#include "app/library/context.h"
#include "app/library/operations/pipeline.h"
#include "app/library/picture.h"
#include "io/metadata/metadata_follow.h"
#include "io/size_text.h"
#include "kernels/pipeline/thumbnail.h"

/* --- Text ------------------------------------------------------------------------------------- */

/* Parses the text of steps. An error message contains the position of the mistake. */
static ImgStatus parse(const char *text, ImgStep *steps, size_t *count, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    ImgMistake mistake;
    if (img_pipeline_parse(text, steps, count, &mistake, &failure) == IMG_OK)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE, "step %zu, column %zu: %s", mistake.step,
                    img_pipeline_column(text, mistake.start), failure.message);
}

/* Returns a number of steps that the text does not exceed: a thumbnail becomes three steps, and '|'
 * may also be in quotes. A program may parse a pipeline for each picture, so memory matters. */
static size_t count_steps(const char *text)
{
    size_t steps = IMG_THUMBNAIL_STEPS;
    for (const char *at = text; *at != '\0' && steps < IMG_STEPS_MAX; at++)
        steps += *at == '|' ? IMG_THUMBNAIL_STEPS : 0;
    return steps < IMG_STEPS_MAX ? steps : IMG_STEPS_MAX;
}

static ImgStatus make(imgtool_context *context, const char *text, imgtool_pipeline *pipeline,
                      ImgError *err)
{
    pipeline->steps = calloc(count_steps(text), sizeof *pipeline->steps);
    if (pipeline->steps == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    ImgStatus status = parse(text, pipeline->steps, &pipeline->count, err);
    pipeline->files.interrupt = img_lib_interrupt(context);
    return status == IMG_OK ? img_step_files_load(&pipeline->files, pipeline->steps,
                                                  pipeline->count, &context->limits, err)
                            : status;
}

imgtool_status imgtool_pipeline_parse(imgtool_context *context, const char *text,
                                      imgtool_pipeline **pipeline, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    if (pipeline != NULL)
        *pipeline = NULL;
    imgtool_status begun = img_lib_begin(context, error);
    if (begun != IMGTOOL_OK)
        return begun;
    if (text == NULL || pipeline == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "%s is NULL",
                            text == NULL ? "text" : "pipeline");
    imgtool_pipeline *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for a pipeline");
    const ImgStatus status = make(context, text, made, &failure);
    if (status == IMG_OK)
        *pipeline = made;
    else
        imgtool_pipeline_destroy(made);
    return img_lib_end(context, status, &failure, error);
}

void imgtool_pipeline_destroy(imgtool_pipeline *pipeline)
{
    if (pipeline == NULL)
        return;
    img_step_files_free(&pipeline->files);
    free(pipeline->steps);
    free(pipeline);
}

imgtool_status imgtool_pipeline_text(imgtool_context *context, const imgtool_pipeline *pipeline,
                                     char **text, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    /* upper bound, in bytes, of the text of one step with quoted values */
    enum { ROOM_PER_STEP = 1 << 16 };
    imgtool_status begun = img_lib_begin(context, error);
    if (begun != IMGTOOL_OK)
        return begun;
    if (text == NULL || pipeline == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "%s is NULL",
                            text == NULL ? "text" : "pipeline");
    const size_t room = (pipeline->count + 1) * ROOM_PER_STEP;
    *text = NULL;
    char *whole = malloc(room);
    if (whole != NULL) {
        img_pipeline_print(pipeline->steps, pipeline->count, whole, room);
        *text = img_lib_allocate(context, strlen(whole) + 1);
    }
    if (*text != NULL)
        memcpy(*text, whole, strlen(whole) + 1);
    free(whole);
    return *text != NULL ? IMGTOOL_OK
                         : img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for the text");
}

/* --- Plans ------------------------------------------------------------------------------------ */

bool imgtool_pipeline_measures(const imgtool_pipeline *pipeline)
{
    return pipeline != NULL && img_steps_measure(pipeline->steps, pipeline->count);
}

/* Checks the sizes of all pictures, and their memory. imgtool_run checks the results of steps that
 * follow a measurement. */
static ImgStatus check_results(const imgtool_context *context, const ImgLibPlan *plan,
                               ImgError *err)
{
    const ImgLimits *limits = &context->limits;
    ImgStatus status = img_resources_check_pixels("from", plan->before, limits, err);
    if (status == IMG_OK)
        status = img_resources_check_results(plan->steps, plan->count, plan->before, limits, err);
    return status == IMG_OK ? img_lib_plan_admit(context, plan, err) : status;
}

ImgStatus img_lib_plan_admit(const imgtool_context *context, const ImgLibPlan *plan, ImgError *err)
{
    const uint64_t need = plan->bytes + plan->source_bytes;
    if (need <= context->limits.max_memory)
        return IMG_OK;
    return img_fail_memory("the steps", need, context->limits.max_memory, NULL, err);
}

uint64_t img_lib_plan_room(const imgtool_context *context, const ImgLibPlan *plan)
{
    const uint64_t most = context->limits.max_memory;
    return most > plan->source_bytes ? most - plan->source_bytes : 1;
}

ImgStatus img_lib_plan(const imgtool_context *context, const imgtool_pipeline *pipeline,
                       ImgShape before, const ImgMetadata *metadata, ImgLibPlan *plan,
                       ImgError *err)
{
    static const ImgMetadata none;
    Plan found;
    *plan = (ImgLibPlan){.count = pipeline->count, .before = before};
    plan->source_bytes = plan->count > 1 ? img_image_bytes(before) : 0;
    const ImgRoom room = {context->config.threads, img_lib_plan_room(context, plan), false};
    plan->steps = malloc((plan->count + 1) * sizeof *plan->steps);
    if (plan->steps == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    memcpy(plan->steps, pipeline->steps, plan->count * sizeof *plan->steps);
    plan->keeps_palette =
        img_plan_bind_palette(plan->steps, plan->count, before, metadata, &plan->palette);
    img_steps_choose_form(plan->steps, plan->count, metadata != NULL);
    const ImgStatus status =
        img_plan_steps(plan->steps, plan->count, before, metadata != NULL ? metadata : &none,
                       &context->limits, room, &found, err);
    if (status != IMG_OK)
        return status;
    plan->facts = found.facts;
    plan->after = found.after;
    plan->bytes = found.peak_bytes;
    return check_results(context, plan, err);
}

/* Returns true if a plan is also right for another picture with this shape and metadata. Plans for
 * palettes depend on the palette. */
static bool is_alike(const imgtool_context *context, const imgtool_pipeline *pipeline,
                     const ImgLibPlan *like, ImgShape before, const ImgMetadata *metadata)
{
    ImgFacts facts;
    return like->steps != NULL && like->count == pipeline->count &&
           like->before.width == before.width && like->before.height == before.height &&
           img_format_equals(like->before.format, before.format) &&
           before.format.color != IMG_COLOR_PALETTE &&
           img_plan_facts(pipeline->steps, pipeline->count, metadata, &context->limits, &facts,
                          NULL) == IMG_OK &&
           facts.orientation == like->facts.orientation && facts.light == like->facts.light;
}

ImgStatus img_lib_plan_like(const imgtool_context *context, const imgtool_pipeline *pipeline,
                            const ImgLibPlan *like, ImgShape before, const ImgMetadata *metadata,
                            ImgLibPlan *plan, ImgError *err)
{
    if (!is_alike(context, pipeline, like, before, metadata))
        return img_lib_plan(context, pipeline, before, metadata, plan, err);
    *plan = *like;
    plan->steps = malloc((plan->count + 1) * sizeof *plan->steps);
    if (plan->steps == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    memcpy(plan->steps, like->steps, plan->count * sizeof *plan->steps);
    return IMG_OK;
}

void img_lib_plan_free(ImgLibPlan *plan)
{
    free(plan->steps);
    *plan = (ImgLibPlan){.steps = NULL};
}

static void fill_plan(const ImgLibPlan *plan, imgtool_picture *after, uint64_t *bytes)
{
    if (after != NULL) {
        after->width = plan->after.width;
        after->height = plan->after.height;
        after->format = img_lib_format_of(plan->after.format);
    }
    if (bytes != NULL)
        *bytes = plan->bytes;
}

imgtool_status imgtool_pipeline_plan(imgtool_context *context, const imgtool_pipeline *pipeline,
                                     const imgtool_picture *before,
                                     const imgtool_metadata *metadata, imgtool_picture *after,
                                     uint64_t *bytes, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    ImgLibPlan plan = {.steps = NULL};
    ImgShape shape;
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && pipeline == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "pipeline is NULL");
    if (begun == IMGTOOL_OK)
        begun = img_lib_check_shape(before, "before", error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_shape(before, "before", &shape, error);
    if (begun == IMGTOOL_OK && after != NULL)
        begun = img_lib_check_size(after->size, sizeof *after, "imgtool_picture", error);
    if (begun != IMGTOOL_OK)
        return begun;
    const ImgStatus status = img_lib_plan(
        context, pipeline, shape, metadata != NULL ? &metadata->own : NULL, &plan, &failure);
    if (status == IMG_OK)
        fill_plan(&plan, after, bytes);
    img_lib_plan_free(&plan);
    return img_lib_end(context, status, &failure, error);
}
