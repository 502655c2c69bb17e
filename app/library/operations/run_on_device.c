/* Runs pipelines on pictures in device memory. */
#include "app/library/context.h"
#include "app/library/operations/pipeline.h"
#include "app/library/picture.h"

typedef struct DeviceRun {
    imgtool_context *context;
    ImgExec *exec;
    ImgView from;
    ImgLibPlan plan;
} DeviceRun;

static imgtool_status read_arguments(DeviceRun *run, const imgtool_pipeline *pipeline,
                                     const imgtool_picture *from, bool has_pixels,
                                     imgtool_error *error)
{
    imgtool_status status = img_lib_begin(run->context, error);
    if (status == IMGTOOL_OK && pipeline == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "pipeline is NULL");
    if (status == IMGTOOL_OK)
        status = has_pixels ? img_lib_check_picture(from, "from", error)
                            : img_lib_check_shape(from, "from", error);
    if (status == IMGTOOL_OK && from->format.bits < 8)
        return img_lib_fail(
            error, IMGTOOL_E_UNSUPPORTED,
            "from: samples of %d bits cannot be checked on a device; convert them first",
            from->format.bits);
    return status == IMGTOOL_OK ? img_lib_view(from, "from", &run->from, error) : status;
}

static ImgStatus plan(DeviceRun *run, const imgtool_pipeline *pipeline, ImgError *err)
{
    ImgStatus status = img_lib_exec(run->context, &run->exec, err);
    return status == IMG_OK ? img_lib_plan(run->context, pipeline, img_view_shape(&run->from), NULL,
                                           &run->plan, err)
                            : status;
}

imgtool_status imgtool_device_workspace(imgtool_context *context, const imgtool_pipeline *pipeline,
                                        const imgtool_picture *from, size_t *bytes,
                                        imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    DeviceRun run = {.context = context};
    imgtool_status begun = read_arguments(&run, pipeline, from, false, error);
    if (begun == IMGTOOL_OK && bytes == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "bytes is NULL");
    if (begun != IMGTOOL_OK)
        return begun;
    ImgStatus status = plan(&run, pipeline, &failure);
    if (status == IMG_OK)
        status = img_exec_queue_bytes(run.exec, run.plan.steps, run.plan.count, run.plan.before,
                                      bytes, &failure);
    img_lib_plan_free(&run.plan);
    return img_lib_end(context, status, &failure, error);
}

imgtool_status imgtool_run_device(imgtool_context *context, const imgtool_pipeline *pipeline,
                                  const imgtool_picture *from, const imgtool_picture *to,
                                  void *workspace, void *stream, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    DeviceRun run = {.context = context};
    ImgView result;
    imgtool_status begun = read_arguments(&run, pipeline, from, true, error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_check_picture(to, "to", error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_view(to, "to", &result, error);
    if (begun != IMGTOOL_OK)
        return begun;
    ImgStatus status = plan(&run, pipeline, &failure);
    const ImgDeviceRun buffers = {run.from, result, workspace, stream};
    if (status == IMG_OK)
        status = img_exec_queue(run.exec, run.plan.steps, run.plan.count, &buffers, &failure);
    img_lib_plan_free(&run.plan);
    return img_lib_end(context, status, &failure, error);
}
