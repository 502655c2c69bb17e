/* Runs pipelines on pictures in host memory. */
#include "app/engine/share/adapt.h"
#include "app/engine/share/options.h"
#include "app/library/codec/metadata.h"
#include "app/library/context.h"
#include "app/library/operations/pipeline.h"
#include "app/library/picture.h"
#include "io/size_text.h"

typedef struct PipelineRun {
    imgtool_context *context;
    const imgtool_pipeline *pipeline;
    /* Source and result; if `to` has no data, the run allocates the pixels of the result. */
    ImgView from, to;
    const ImgMetadata *known; /* metadata of `from`; NULL: none */
    ImgMetadata *metadata;    /* `known`, to be adapted to the result; NULL: it is left as it is */
    ImgLibPlan plan;
    ImgImage result;
} PipelineRun;

/* --- Metadata --------------------------------------------------------------------------------- */

/* Drops the tRNS of a gray or RGB picture, which names one transparent colour, unless the steps
 * only move pixels. After other steps any pixel may have that colour by chance. */
static void drop_key(const PipelineRun *run)
{
    if (run->from.format.color != IMG_COLOR_PALETTE &&
        img_steps_need_channels(run->plan.steps, run->plan.count))
        img_metadata_drop(run->metadata, "tRNS");
}

static ImgStatus adapt_metadata(const PipelineRun *run, ImgError *err)
{
    const ImgLibPlan *plan = &run->plan;
    const EngineOptions keeps_all = {.strip = IMG_KEEP_EVERYTHING};
    if (run->metadata == NULL)
        return IMG_OK;
    drop_key(run);
    ImgPalette palette;
    const MetadataChange change = {
        .effect = img_steps_effect(plan->steps, plan->count, plan->before),
        .palette = img_steps_palette(plan->steps, plan->count, &palette) ? &palette : NULL,
        .result = plan->after.format,
        .keep = (ImgKeep)img_engine_keep(&keeps_all, plan->steps, plan->count),
        .limits = &run->context->limits,
    };
    const ImgStatus status = img_adapt_metadata(run->metadata, &change, NULL, err);
    return status == IMG_OK && plan->keeps_palette
               ? img_metadata_add_entries(run->metadata, &plan->palette, err)
               : status;
}

/* --- Execution -------------------------------------------------------------------------------- */

/* Checks that a copy of the result fits in memory. If the caller has an allocator, the result is
 * made by malloc and then copied. Source, result and copy then exist at the same time. */
static ImgStatus admit_copy(const PipelineRun *run, ImgError *err)
{
    const uint64_t limit = run->context->limits.max_memory;
    const ImgView result = img_view_make(NULL, 0, run->plan.after);
    const imgtool_picture copy = img_lib_borrow(&result);
    if (run->to.data != NULL || img_lib_uses_malloc(run->context))
        return IMG_OK;
    const uint64_t need = img_image_bytes(run->plan.before) + img_image_bytes(run->plan.after) +
                          img_lib_allocated_bytes(&copy);
    return need <= limit ? IMG_OK
                         : img_fail_memory("the result and its copy", need, limit, NULL, err);
}

/* Checks the limits again after a step has measured the picture. The plan could not know the size
 * of its result. */
static ImgStatus admit_measured(void *context, ImgShape after, uint64_t bytes, ImgError *err)
{
    PipelineRun *run = context;
    run->plan.after = after;
    run->plan.bytes = bytes;
    const ImgStatus status = img_lib_plan_admit(run->context, &run->plan, err);
    return status == IMG_OK ? admit_copy(run, err) : status;
}

static ImgStatus execute(PipelineRun *run, ImgError *err)
{
    ImgExec *exec;
    const ImgShape before = img_view_shape(&run->from);
    ImgStatus status = img_lib_exec(run->context, &exec, err);
    if (status == IMG_OK)
        status = img_lib_plan(run->context, run->pipeline, before, run->known, &run->plan, err);
    if (status == IMG_OK && !img_steps_measure(run->plan.steps, run->plan.count))
        status = admit_copy(run, err);
    if (status != IMG_OK)
        return status;
    img_exec_set_limits(exec,
                        &(ImgExecLimits){.max_pixels = run->context->limits.max_pixels,
                                         .room_bytes = img_lib_plan_room(run->context, &run->plan),
                                         .admit = admit_measured,
                                         .context = run});
    img_exec_prepare(exec, run->plan.steps, run->plan.count, before, 0);
    status = img_exec_run_view(exec, run->plan.steps, run->plan.count, &run->from, &run->to,
                               &run->result, NULL, err);
    return status == IMG_OK ? adapt_metadata(run, err) : status;
}

ImgStatus img_lib_run_view(imgtool_context *context, const imgtool_pipeline *pipeline,
                           const ImgView *from, const ImgMetadata *metadata, ImgImage *result,
                           ImgError *err)
{
    PipelineRun run = {.context = context,
                       .pipeline = pipeline,
                       .from = *from,
                       .known = metadata,
                       .result = IMG_IMAGE_NONE};
    const ImgStatus status = execute(&run, err);
    img_lib_plan_free(&run.plan);
    *result = run.result;
    return status;
}

static bool is_same_shape(const ImgView *view, ImgShape shape)
{
    return view->width == shape.width && view->height == shape.height &&
           img_format_equals(view->format, shape.format);
}

/* Checks the caller's destination against a plan. The run makes the same plan again, which costs
 * only microseconds. */
static imgtool_status check_destination(const PipelineRun *run, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    ImgLibPlan plan = {.steps = NULL};
    char text[IMG_LIB_FORMAT_TEXT];
    const ImgStatus status = img_lib_plan(run->context, run->pipeline, img_view_shape(&run->from),
                                          run->known, &plan, &failure);
    const ImgShape after = plan.after;
    img_lib_plan_free(&plan);
    if (status != IMG_OK || is_same_shape(&run->to, after))
        return img_lib_end(run->context, status, &failure, error);
    return img_lib_fail(error, IMGTOOL_E_USAGE, "to: the result is %d x %d pixels, %s", after.width,
                        after.height, img_lib_format_text(img_lib_format_of(after.format), text));
}

/* Checks the caller's destination, the picture `to`, and makes a view of it. */
static imgtool_status read_to(PipelineRun *run, const imgtool_picture *from, imgtool_picture *to,
                              imgtool_error *error)
{
    imgtool_status status =
        to == NULL ? img_lib_fail(error, IMGTOOL_E_USAGE, "to is NULL")
                   : img_lib_check_size(to->size, sizeof *to, "imgtool_picture", error);
    if (status != IMGTOOL_OK || to->pixels == NULL)
        return status;
    status = img_lib_check_picture(to, "to", error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(to, "to", &run->to, error);
    if (status == IMGTOOL_OK && img_lib_overlap(from, to))
        return img_lib_fail(error, IMGTOOL_E_USAGE, "the pixels of to and from overlap");
    return status == IMGTOOL_OK ? check_destination(run, error) : status;
}

static imgtool_status read_arguments(PipelineRun *run, const imgtool_picture *from,
                                     imgtool_picture *to, imgtool_error *error)
{
    imgtool_status status = img_lib_begin(run->context, error);
    if (status == IMGTOOL_OK && run->pipeline == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "pipeline is NULL");
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(from, "from", error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(from, "from", &run->from, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_samples(from, "from", error);
    return status == IMGTOOL_OK ? read_to(run, from, to, error) : status;
}

imgtool_status imgtool_run(imgtool_context *context, const imgtool_pipeline *pipeline,
                           const imgtool_picture *from, imgtool_picture *to,
                           imgtool_metadata *metadata, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    PipelineRun run = {.context = context,
                       .pipeline = pipeline,
                       .known = metadata != NULL ? &metadata->own : NULL,
                       .metadata = metadata != NULL ? &metadata->own : NULL,
                       .result = IMG_IMAGE_NONE};
    const imgtool_status begun = read_arguments(&run, from, to, error);
    if (begun != IMGTOOL_OK)
        return begun;
    ImgStatus status = execute(&run, &failure);
    if (status == IMG_OK && run.to.data != NULL) {
        to->width = run.to.width;
        to->height = run.to.height;
        to->format.bits = run.to.format.bits; /* indices may need fewer bits than planned */
    } else if (status == IMG_OK) {
        status = img_lib_move_to_caller(context, &run.result, to, &failure);
    }
    img_image_free(&run.result);
    img_lib_plan_free(&run.plan);
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
