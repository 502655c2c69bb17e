/* Pipelines on pictures in host memory. */
#include <stdlib.h>

#include "app/library/codec/metadata.h"
#include "app/library/default_floats.h"
#include "app/library/operations/pipeline.h"
#include "app/library/picture.h"
#include "io/metadata/metadata_follow.h"
#include "io/metadata/modified.h"
#include "io/size_text.h"

typedef struct Work {
    imgtool_context *context;
    const imgtool_pipeline *pipeline;
    ImgView from, to; /* `to` without data: to be made */
    ImgMetadata *metadata;
    ImgLibPlan plan;
    ImgImage result;
} Work;

/* --- Metadata --------------------------------------------------------------------------------- */

static bool strips(const imgtool_pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->count; i++)
        if (pipeline->steps[i].strips)
            return true;
    return false;
}

/* A thumbnail leaves out what is private: texts need not follow the picture, however long they are.
 */
static ImgStatus strip(const Work *work, const ImgEffect *effect, ImgError *err)
{
    ImgFacts facts = {0};
    ImgStatus status = img_metadata_facts(work->metadata, &work->context->limits, &facts, err);
    if (status != IMG_OK)
        return status;
    img_metadata_drop_texts(work->metadata);
    status = img_metadata_follow(work->metadata, effect, &work->context->limits, err);
    return status == IMG_OK ? img_metadata_strip(work->metadata, IMG_KEEP_SHOWN,
                                                 effect->upright ? 1 : facts.orientation, err)
                            : status;
}

/* The pixels of a colour that tRNS names are transparent. Steps that only move pixels keep them; of
 * what others make any pixel may have that colour, and none needs to. */
static void drop_key(const Work *work)
{
    if (work->from.format.color != IMG_COLOR_PALETTE &&
        img_steps_need_channels(work->plan.steps, work->plan.count))
        img_metadata_drop(work->metadata, "tRNS");
}

static ImgStatus renew_time(const Work *work, const ImgEffect *effect, ImgError *err)
{
    int64_t now;
    if (!img_modified_is_due(work->metadata, effect))
        return IMG_OK;
    const ImgStatus status = img_modified_time(getenv("SOURCE_DATE_EPOCH"), &now, err);
    if (status == IMG_OK)
        img_modified_set(work->metadata, now);
    return status;
}

static ImgStatus follow(const Work *work, ImgError *err)
{
    if (work->metadata == NULL)
        return IMG_OK;
    drop_key(work);
    const ImgEffect effect =
        img_steps_effect(work->plan.steps, work->plan.count, work->plan.before);
    ImgStatus status = strips(work->pipeline) ? strip(work, &effect, err)
                                              : img_metadata_follow(work->metadata, &effect,
                                                                    &work->context->limits, err);
    img_metadata_fit_channels(work->metadata, work->plan.after.format);
    if (status == IMG_OK && work->plan.keeps_palette)
        status = img_metadata_add_entries(work->metadata, &work->plan.palette, err);
    return status == IMG_OK ? renew_time(work, &effect, err) : status;
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* With an allocator of the caller's the result is made by malloc, and beside the source and its
 * copy at the end. */
static ImgStatus admit_copy(const Work *work, ImgError *err)
{
    const uint64_t limit = work->context->limits.max_memory;
    const ImgView result = img_view_make(NULL, 0, work->plan.after);
    const imgtool_picture copy = img_lib_borrow(&result);
    size_t source_bytes = 0, result_bytes = 0;
    if (work->to.data != NULL || img_lib_uses_malloc(work->context))
        return IMG_OK;
    (void)img_shape_bytes(work->plan.before, &source_bytes, NULL); /* which were planned with */
    (void)img_shape_bytes(work->plan.after, &result_bytes, NULL);
    const uint64_t need = source_bytes + result_bytes + img_lib_allocated_bytes(&copy);
    return need <= limit ? IMG_OK
                         : img_fail_memory("the result and its copy", need, limit, NULL, err);
}

/* The plan could not know what was measured since. */
static ImgStatus admit(void *context, ImgShape after, uint64_t bytes, ImgError *err)
{
    Work *work = context;
    work->plan.after = after;
    work->plan.bytes = bytes;
    const ImgStatus status = img_lib_plan_admit(work->context, &work->plan, err);
    return status == IMG_OK ? admit_copy(work, err) : status;
}

static ImgStatus run(Work *work, ImgError *err)
{
    ImgExec *exec;
    const ImgShape before = img_view_shape(&work->from);
    ImgStatus status = img_lib_exec(work->context, &exec, err);
    if (status == IMG_OK)
        status =
            img_lib_plan(work->context, work->pipeline, before, work->metadata, &work->plan, err);
    if (status == IMG_OK && !img_steps_measure(work->plan.steps, work->plan.count))
        status = admit_copy(work, err);
    if (status != IMG_OK)
        return status;
    img_exec_set_limits(
        exec, &(ImgExecLimits){.max_pixels = work->context->limits.max_pixels,
                               .room_bytes = img_lib_plan_room(work->context, &work->plan),
                               .admit = admit,
                               .context = work});
    img_exec_prepare(exec, work->plan.steps, work->plan.count, before, 0);
    status = img_exec_run_view(exec, work->plan.steps, work->plan.count, &work->from, &work->to,
                               &work->result, NULL, err);
    return status == IMG_OK ? follow(work, err) : status;
}

static bool is_same_shape(const ImgView *view, ImgShape shape)
{
    return view->width == shape.width && view->height == shape.height &&
           view->format.color == shape.format.color && view->format.bits == shape.format.bits;
}

/* The plan is made once more by the run: it takes microseconds. */
static imgtool_status check_to(const Work *work, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    ImgLibPlan plan = {.steps = NULL};
    char text[IMG_LIB_FORMAT_TEXT];
    const ImgStatus status =
        img_lib_plan(work->context, work->pipeline, img_view_shape(&work->from), work->metadata,
                     &plan, &failure);
    const ImgShape after = plan.after;
    img_lib_plan_free(&plan);
    if (status != IMG_OK || is_same_shape(&work->to, after))
        return img_lib_end(work->context, status, &failure, error);
    return img_lib_fail(error, IMGTOOL_E_USAGE, "to: the result is %d x %d pixels, %s", after.width,
                        after.height, img_lib_format_text(img_lib_format_of(after.format), text));
}

/* Where the result goes. */
static imgtool_status read_to(Work *work, const imgtool_picture *from, imgtool_picture *to,
                              imgtool_error *error)
{
    imgtool_status status =
        to == NULL ? img_lib_fail(error, IMGTOOL_E_USAGE, "to: there is no picture")
                   : img_lib_check_size(to->size, sizeof *to, "imgtool_picture", error);
    if (status != IMGTOOL_OK || to->pixels == NULL)
        return status;
    status = img_lib_check_picture(to, "to", error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(to, "to", &work->to, error);
    if (status == IMGTOOL_OK && img_lib_overlap(from, to))
        return img_lib_fail(error, IMGTOOL_E_USAGE, "to: its pixels overlap those of from");
    return status == IMGTOOL_OK ? check_to(work, error) : status;
}

static imgtool_status read_arguments(Work *work, const imgtool_picture *from, imgtool_picture *to,
                                     imgtool_error *error)
{
    imgtool_status status = img_lib_begin(work->context, error);
    if (status == IMGTOOL_OK && work->pipeline == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "there is no pipeline");
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(from, "from", error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(from, "from", &work->from, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_samples(from, "from", error);
    return status == IMGTOOL_OK ? read_to(work, from, to, error) : status;
}

imgtool_status imgtool_run(imgtool_context *context, const imgtool_pipeline *pipeline,
                           const imgtool_picture *from, imgtool_picture *to,
                           imgtool_metadata *metadata, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    Work work = {.context = context,
                 .pipeline = pipeline,
                 .metadata = metadata != NULL ? &metadata->own : NULL,
                 .result = IMG_IMAGE_NONE};
    const imgtool_status begun = read_arguments(&work, from, to, error);
    if (begun != IMGTOOL_OK)
        return begun;
    ImgStatus status = run(&work, &failure);
    if (status == IMG_OK && work.to.data != NULL) {
        to->width = work.to.width;
        to->height = work.to.height;
    } else if (status == IMG_OK) {
        status = img_lib_hand_out(context, &work.result, to, &failure);
    }
    img_image_free(&work.result);
    img_lib_plan_free(&work.plan);
    return img_lib_end(context, status, &failure, error);
}

imgtool_status imgtool_run_text(imgtool_context *context, const char *text,
                                imgtool_picture *picture, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    imgtool_pipeline *pipeline = NULL;
    imgtool_picture result = IMGTOOL_PICTURE_INIT;
    imgtool_status status = imgtool_pipeline_parse(context, text, &pipeline, error);
    if (status == IMGTOOL_OK)
        status = imgtool_run(context, pipeline, picture, &result, NULL, error);
    imgtool_pipeline_destroy(pipeline);
    if (status != IMGTOOL_OK)
        return status;
    imgtool_picture_free(context, picture);
    img_lib_copy_struct(picture, picture->size, &result, sizeof result);
    return IMGTOOL_OK;
}
