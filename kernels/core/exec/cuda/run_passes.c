/* Runs the passes of a plan on a GPU. All passes work on device memory. Pixels come from host
 * memory or from a source; the result goes to host memory or to a sink. */
#include <pthread.h>
#include <string.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/cuda/device_priv.h"
#include "kernels/core/op.h"
#include "kernels/core/parallel/clock.h"

typedef struct Run {
    ImgCuda *cuda;
    const ImgCudaWork *work;
    ImgPlan *plan;
    const ImgRunEnds *ends;
    ImgView view; /* the image on the device: at first the source, later the latest result */
    int held;     /* index of the image buffer that contains `view` */
    int marks;
    ImgStages stages; /* callbacks to begin_part; zeros if parts are not timed */
    size_t part_count;
    /* timed parts that have begun so far; an entry without a name is a gap between parts */
    ImgRunPart parts[IMG_RUN_PARTS + 1];
    cudaError_t part_error; /* first error of a launch that begin_part found */
    bool in_sink;
} Run;

/* --- Memory ----------------------------------------------------------------------------------- */

static ImgStatus reserve_on_host(const Run *run, int which, const ImgDeviceEnd *end, ImgError *err)
{
    if (end == NULL || img_host_memory_reserve(&run->work->host[which], end->host_bytes))
        return IMG_OK;
    return img_fail(err, IMG_E_MEMORY, "no memory for %zu MiB to be copied to or from %s",
                    end->host_bytes >> 20, run->cuda->name);
}

/* Reserves a workspace that is large enough for source and sink, so that the workspace need not
 * grow during the run. */
static ImgStatus reserve_for_ends(Run *run, ImgError *err)
{
    const ImgDeviceEnd *source = run->ends->source, *sink = run->ends->sink;
    size_t device = source != NULL ? source->device_bytes : 0;
    if (sink != NULL && sink->device_bytes > device)
        device = sink->device_bytes;
    return img_device_reserve_workspace(run->cuda, device, run->ends->shape, err);
}

/* --- Ends ------------------------------------------------------------------------------------- */

static ImgDevicePlace place_for(const Run *run, int which)
{
    const ImgCuda *cuda = run->cuda;
    return (ImgDevicePlace){.view = run->view,
                            .device = cuda->buffer[IMG_CUDA_WORKSPACE],
                            .host = run->work->host[which].memory,
                            .stream = cuda->stream,
                            .second_stream = cuda->second_stream,
                            .team = run->work->team,
                            .threads = run->work->threads,
                            .stages = run->stages.begin != NULL ? &run->stages : NULL};
}

static ImgStatus mark(Run *run, ImgError *err)
{
    CUDA_TRY(cudaEventRecord(run->cuda->mark[run->marks++], run->cuda->stream), err);
    return IMG_OK;
}

/* Records an event at the beginning of a timed part (ImgRunPart). If that fails, the run continues
 * and the report lacks the part. Clears CUDA's last error, so first stores an earlier launch error
 * in part_error. */
static void begin_part(void *context, const char *name)
{
    Run *run = context;
    const cudaError_t before = cudaGetLastError();
    if (run->part_error == cudaSuccess)
        run->part_error = before;
    size_t i = run->part_count;
    cudaEvent_t *event = &run->cuda->part[i];
    bool noted = i <= IMG_RUN_PARTS && (*event != NULL || cudaEventCreate(event) == cudaSuccess) &&
                 cudaEventRecord(*event, run->cuda->stream) == cudaSuccess;
    (void)cudaGetLastError();
    if (!noted)
        return;
    run->parts[i] = (ImgRunPart){name, run->in_sink, 0};
    run->part_count++;
}

static ImgStatus work_in_parts(const Run *run, const ImgDeviceEnd *end, const ImgDevicePlace *place,
                               ImgError *err)
{
    ImgStatus status = end->work(end->context, place, err);
    img_stage(place->stages, NULL);
    if (status == IMG_OK && run->part_error != cudaSuccess)
        return img_cuda_fail(run->part_error, "launch", err);
    return status;
}

static ImgStatus start_from(Run *run, const ImgImage *image, ImgRunReport *report, ImgError *err)
{
    const ImgDeviceEnd *source = run->ends->source;
    ImgShape shape = source != NULL ? run->ends->shape : img_view_shape(&image->view);
    double start = img_clock();
    ImgStatus status = img_device_place_image(run->cuda, 0, shape, &run->view, err);
    if (status == IMG_OK && source == NULL)
        status = img_staging_upload(&run->cuda->staging, &image->view, &run->view, run->work->team,
                                    run->work->threads, run->cuda->stream, err);
    if (status == IMG_OK && source != NULL) {
        ImgDevicePlace place = place_for(run, IMG_HOST_OF_SOURCE);
        status = mark(run, err);
        if (status == IMG_OK)
            status = source->move(source->context, &place, err);
        if (status == IMG_OK)
            status = mark(run, err);
        if (status == IMG_OK)
            status = work_in_parts(run, source, &place, err);
    }
    report->upload = img_clock() - start;
    return status;
}

static ImgStatus end_in(Run *run, ImgError *err)
{
    const ImgDeviceEnd *sink = run->ends->sink;
    if (sink == NULL)
        return IMG_OK;
    ImgDevicePlace place = place_for(run, IMG_HOST_OF_SINK);
    run->in_sink = true;
    ImgStatus status = work_in_parts(run, sink, &place, err);
    if (status == IMG_OK)
        status = mark(run, err);
    if (status == IMG_OK)
        status = sink->move(sink->context, &place, err);
    return status == IMG_OK ? mark(run, err) : status;
}

/* --- Passes ----------------------------------------------------------------------------------- */

static ImgStatus place_workspace(ImgCuda *cuda, const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    if (impl->workspace == NULL)
        return IMG_OK;
    ImgShape shape = img_view_shape(&call->src);
    size_t bytes = impl->workspace(call->op, shape, call->params);
    ImgStatus status = img_device_reserve_workspace(cuda, bytes, shape, err);
    call->workspace = cuda->buffer[IMG_CUDA_WORKSPACE];
    return status;
}

/* Queues a pass. Its result goes to the image buffer that does not contain its source. */
static ImgStatus launch_pass(Run *run, const ImgPass *pass, const uint8_t *constants, ImgView *dst,
                             ImgError *err)
{
    ImgCuda *cuda = run->cuda;
    ImgCall call = {.op = pass->op,
                    .src = run->view,
                    .params = pass->params,
                    .constants = pass->constants,
                    .device_constants = constants,
                    .stream = cuda->stream};
    ImgStatus status = img_device_place_image(cuda, 1 - run->held, pass->dst, &call.dst, err);
    if (status == IMG_OK)
        status = place_workspace(cuda, pass->impl, &call, err);
    if (status == IMG_OK)
        status = pass->impl->run(&call, err);
    *dst = call.dst;
    return status == IMG_OK ? mark(run, err) : status;
}

/* Reduces the image on the device to the rectangle that pass number `pass` reads
 * (ImgCudaWork.reads), or after the last pass to the one that is downloaded. If rows of the
 * rectangle do not start at multiples of IMG_DEVICE_ALIGNMENT bytes, copies it to the other image
 * buffer. */
static ImgStatus narrow(Run *run, size_t pass, ImgError *err)
{
    if (run->work->reads == NULL)
        return IMG_OK;
    const ImgRect rect = run->work->reads[pass];
    const ImgView part = img_view_crop(&run->view, rect.x, rect.y, rect.width, rect.height);
    const ImgShape shape = img_view_shape(&part);
    run->view = part;
    if ((uintptr_t)part.data % IMG_DEVICE_ALIGNMENT == 0)
        return IMG_OK;
    ImgStatus status = img_device_place_image(run->cuda, 1 - run->held, shape, &run->view, err);
    if (status != IMG_OK)
        return status;
    run->held = 1 - run->held;
    CUDA_TRY(cudaMemcpy2DAsync(run->view.data, run->view.stride, part.data, part.stride,
                               (size_t)shape.width * img_format_pixel_size(shape.format),
                               (size_t)shape.height, cudaMemcpyDeviceToDevice, run->cuda->stream),
             err);
    return IMG_OK;
}

/* Copies the table of the measuring pass to the host, and plans the passes that depend on it. The
 * stream is idle afterwards, so constants may be replaced. */
static ImgStatus fetch_table(const Run *run, const ImgView *table, ImgError *err)
{
    ImgImage host = IMG_IMAGE_NONE;
    ImgStatus status = img_image_alloc(img_view_shape(table), &host, err);
    if (status != IMG_OK)
        return status;
    cudaError_t code =
        cudaMemcpy2DAsync(host.view.data, host.view.stride, table->data, table->stride,
                          (size_t)table->width * sizeof(uint64_t), (size_t)table->height,
                          cudaMemcpyDeviceToHost, run->cuda->stream);
    if (code == cudaSuccess)
        code = cudaStreamSynchronize(run->cuda->stream);
    status = code == cudaSuccess ? img_plan_extend(run->plan, &host.view, err)
                                 : img_cuda_fail(code, "cudaMemcpy2DAsync", err);
    img_image_free(&host);
    return status;
}

/* Queues the passes from index `first` on that are planned when the function is called. If the last
 * of them measures, its table determines further passes, which another call must queue. */
static ImgStatus launch_from(Run *run, size_t first, ImgError *err)
{
    const ImgPlan *plan = run->plan;
    /* read before the loop, because the last pass may extend the plan */
    const size_t end = plan->count;
    ImgStatus status = img_device_send_constants(run->cuda, plan, first, err);
    const uint8_t *constants = run->cuda->buffer[IMG_CUDA_CONSTANTS];
    size_t at = 0;
    for (size_t i = first; status == IMG_OK && i < end; i++) {
        const ImgPass *pass = &plan->passes[i];
        ImgView result;
        status = img_plan_progress(plan, i, err);
        if (status == IMG_OK)
            status = narrow(run, i, err);
        if (status != IMG_OK)
            break;
        status = launch_pass(run, pass, constants != NULL ? constants + at : NULL, &result, err);
        at += img_sent_room(&pass->constants);
        if (status == IMG_OK && pass->steps == 0) {
            status = fetch_table(run, &result, err);
        } else {
            run->view = result;
            run->held = 1 - run->held;
        }
    }
    return status;
}

static ImgStatus launch_passes(Run *run, ImgError *err)
{
    ImgStatus status = mark(run, err);
    for (size_t done = 0; status == IMG_OK && done < run->plan->count;) {
        const size_t first = done;
        done = run->plan->count;
        status = launch_from(run, first, err);
    }
    return status == IMG_OK ? narrow(run, run->plan->count, err) : status;
}

static double between(const ImgCuda *cuda, int from, ImgStatus *status, ImgError *err)
{
    float milliseconds = 0;
    cudaError_t code = cudaEventElapsedTime(&milliseconds, cuda->mark[from], cuda->mark[from + 1]);
    if (code != cudaSuccess && *status == IMG_OK)
        *status = img_cuda_fail(code, "cudaEventElapsedTime", err);
    return milliseconds * 1e-3;
}

/* Computes times from the events, which are numbered in the order in which they were recorded. */
static ImgStatus read_marks(const Run *run, ImgRunReport *report, ImgError *err)
{
    ImgStatus status = IMG_OK;
    int at = 0;
    if (run->ends->source != NULL) {
        report->upload = between(run->cuda, at++, &status, err);
        report->decode = between(run->cuda, at++, &status, err);
    }
    for (size_t i = 0; i < run->plan->count; i++) {
        report->passes[i].seconds = between(run->cuda, at++, &status, err);
        report->kernel += report->passes[i].seconds;
    }
    if (run->ends->sink != NULL) {
        report->encode = between(run->cuda, at++, &status, err);
        report->download = between(run->cuda, at++, &status, err);
    }
    return status;
}

/* Computes the time of each timed part (ImgRunPart) of the run. A part ends when the next part
 * begins. */
static void read_parts(const Run *run, ImgRunReport *report)
{
    for (size_t i = 0; i + 1 < run->part_count; i++) {
        float milliseconds = 0;
        const cudaEvent_t *event = run->cuda->part;
        if (run->parts[i].name == NULL ||
            cudaEventElapsedTime(&milliseconds, event[i], event[i + 1]) != cudaSuccess)
            continue;
        ImgRunPart *part = &report->parts[report->part_count++];
        *part = run->parts[i];
        part->seconds = milliseconds * 1e-3;
    }
    (void)cudaGetLastError();
}

/* --- Results ---------------------------------------------------------------------------------- */

static ImgStatus finish_ends(Run *run, ImgError *err)
{
    const ImgDeviceEnd *source = run->ends->source, *sink = run->ends->sink;
    ImgStatus status = IMG_OK;
    if (source != NULL) {
        ImgDevicePlace place = place_for(run, IMG_HOST_OF_SOURCE);
        status = source->end(source->context, &place, err);
    }
    if (status == IMG_OK && sink != NULL) {
        ImgDevicePlace place = place_for(run, IMG_HOST_OF_SINK);
        status = sink->end(sink->context, &place, err);
    }
    return status;
}

static ImgStatus download(Run *run, ImgHeld *held, ImgRunReport *report, ImgError *err)
{
    ImgImage result = IMG_IMAGE_NONE;
    const ImgShape shape = img_view_shape(&run->view);
    double start = img_clock();
    ImgStatus status = held->to != NULL ? img_held_place(held, shape, &result, err)
                                        : img_image_alloc(shape, &result, err);
    if (status == IMG_OK)
        status = img_staging_download(&run->cuda->staging, &run->view, &result.view,
                                      run->work->team, run->work->threads, run->cuda->stream, err);
    if (status != IMG_OK)
        /* copies into the staging buffers may still be running */
        (void)cudaStreamSynchronize(run->cuda->stream);
    report->download = img_clock() - start;
    if (status == IMG_OK)
        img_held_put(held, &result, held->to != NULL);
    else if (held->to == NULL)
        img_image_free(&result);
    return status;
}

static ImgStatus queue(Run *run, const ImgImage *image, ImgRunReport *report, ImgError *err)
{
    for (int i = 0; i < IMG_HOST_COUNT; i++)
        img_cuda_pin(run->cuda->device, &run->work->host[i]);
    ImgStatus status = reserve_for_ends(run, err);
    if (status == IMG_OK)
        status = start_from(run, image, report, err);
    if (status == IMG_OK)
        status = launch_passes(run, err);
    return status == IMG_OK ? end_in(run, err) : status;
}

/* Returns true if the driver need not allocate memory, pin memory or load kernels for the run. */
static bool is_set_up(const Run *run)
{
    const ImgHostMemory *host = run->work->host;
    return run->cuda->has_begun && (run->ends->sink == NULL || host[IMG_HOST_OF_SINK].offered);
}

/* Queues the run. The driver allocates memory and loads kernels for one thread at a time. If
 * several runs did so at once, none would be ready before all are. So they take turns. */
static ImgStatus queue_in_turn(Run *run, const ImgImage *image, ImgRunReport *report, ImgError *err)
{
    pthread_mutex_t *turn = is_set_up(run) ? NULL : run->work->turn;
    if (turn != NULL)
        pthread_mutex_lock(turn);
    ImgStatus status = queue(run, image, report, err);
    if (turn != NULL)
        pthread_mutex_unlock(turn);
    run->cuda->has_begun = true;
    return status;
}

ImgStatus img_run_on_cuda(ImgCuda *cuda, const ImgCudaWork *work, ImgHeld *held,
                          ImgRunReport *report, ImgError *err)
{
    static const ImgRunEnds none = {.source = NULL};
    Run run = {.cuda = cuda, .work = work, .plan = work->plan, .view = held->image.view};
    run.ends = work->ends != NULL ? work->ends : &none;
    if (run.ends->in_parts)
        run.stages = (ImgStages){begin_part, &run};
    /* clears an older error of this thread, which does not belong to this run */
    (void)cudaGetLastError();
    /* Another thread may have opened the context, and each thread has its own current device. */
    CUDA_TRY(cudaSetDevice(cuda->device), err);
    work->room->was_kept = cuda->has_begun;
    ImgStatus status = reserve_on_host(&run, IMG_HOST_OF_SOURCE, run.ends->source, err);
    if (status == IMG_OK)
        status = reserve_on_host(&run, IMG_HOST_OF_SINK, run.ends->sink, err);
    if (status == IMG_OK) {
        status = queue_in_turn(&run, &held->image, report, err);
        work->room->is_wanting = status == IMG_E_MEMORY;
    }
    /* waits even after a failure, because work that is already queued still uses the memory of the
     * run */
    cudaError_t code = cudaStreamSynchronize(cuda->stream);
    if (work->room->is_wanting)
        /* so that later runs can allocate the memory, also on other lanes (ImgCuda) of the
         * device */
        img_cuda_free_memory(cuda);
    if (status == IMG_OK && code != cudaSuccess)
        status = img_cuda_fail(code, "cudaStreamSynchronize", err);
    if (status == IMG_OK)
        status = read_marks(&run, report, err);
    if (status == IMG_OK)
        read_parts(&run, report);
    if (status == IMG_OK)
        status = finish_ends(&run, err);
    if (status == IMG_OK && run.ends->sink == NULL)
        status = download(&run, held, report, err);
    return status;
}
