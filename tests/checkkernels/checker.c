/* The check of one case: its pictures, the reference and one implementation (check.h). */
#include <string.h>

#include "tests/checkkernels/check.h"

/* --- Device ----------------------------------------------------------------------------------- */

ImgStatus check_run(const ImgImpl *impl, ImgCall *call, ImgDevice *device, ImgError *err)
{
    ImgStatus status = img_device_prepare(device, impl, call, err);
    if (status == IMG_OK)
        status = impl->run(call, err);
    return status == IMG_OK ? img_device_wait(err) : status;
}

/* Returns the number of bytes that a CUDA implementation may access. Every row, also the last, is
 * padded to a multiple of IMG_DEVICE_ALIGNMENT. */
static size_t tight_size(const Buffer *buffer)
{
    size_t unit = IMG_DEVICE_ALIGNMENT;
    size_t last_row = (buffer->row_bytes + unit - 1) / unit * unit;
    return buffer->view.stride * (size_t)(buffer->view.height - 1) + last_row;
}

/* Makes at least `size` bytes of device memory available. Reuses memory, because allocating takes
 * longer than most kernels. With `exact` the memory has exactly this size, so that memcheck reports
 * an access past its end. */
static ImgStatus need_memory(CheckerTwin *twin, size_t size, bool exact, ImgError *err)
{
    if (exact ? twin->capacity == size : twin->capacity >= size)
        return IMG_OK;
    img_device_free(twin->memory);
    twin->memory = NULL;
    twin->capacity = 0;
    const ImgStatus status = img_device_alloc(&twin->memory, size, err);
    if (status == IMG_OK)
        twin->capacity = size;
    else
        twin->memory = NULL;
    return status;
}

/* Copies a buffer with its guard bytes to the device. With `tight` the guard bytes stay on the
 * host, so that the allocation ends where the picture ends. */
static ImgStatus send(CheckerTwin *twin, Buffer *buffer, bool tight, ImgError *err)
{
    if (twin->is_sent)
        return IMG_OK;
    buffer_unlock(buffer);
    twin->start = tight ? (size_t)(buffer->view.data - buffer->memory) : 0;
    twin->size = tight ? tight_size(buffer) : buffer->size;
    ImgStatus status = need_memory(twin, twin->size, tight, err);
    if (status == IMG_OK)
        status = img_device_upload(twin->memory, buffer->memory + twin->start, twin->size, err);
    twin->is_sent = status == IMG_OK;
    return status;
}

static ImgStatus bring_back(const CheckerTwin *twin, Buffer *buffer, ImgError *err)
{
    buffer_unlock(buffer);
    return img_device_download(buffer->memory + twin->start, twin->memory, twin->size, err);
}

static ImgView view_of(const CheckerTwin *twin, const Buffer *buffer)
{
    ImgView view = buffer->view;
    view.data = (uint8_t *)twin->memory + (buffer->view.data - buffer->memory - twin->start);
    return view;
}

/* Copies the source to the device, unless an earlier implementation left it there. Also copies the
 * buffer for the result, and runs the implementation. Then copies both buffers back, so that a
 * write anywhere becomes visible. */
static ImgStatus run_on_device(Checker *checker, const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    const bool tight = checker->options->tight;
    CheckerTwin *src = &checker->source_twin, *dst = &checker->got_twin;
    dst->is_sent = false;
    ImgStatus status = send(src, &checker->source, tight, err);
    if (status == IMG_OK)
        status = send(dst, &checker->got, tight, err);
    if (status == IMG_OK) {
        call->src = view_of(src, &checker->source);
        call->dst = view_of(dst, &checker->got);
        status = check_run(impl, call, checker->device, err);
    }
    if (status == IMG_OK)
        status = bring_back(src, &checker->source, err);
    return status == IMG_OK ? bring_back(dst, &checker->got, err) : status;
}

static void free_device_memory(Checker *checker)
{
    img_device_free(checker->source_twin.memory);
    img_device_free(checker->got_twin.memory);
    checker->source_twin = checker->got_twin = (CheckerTwin){.memory = NULL};
}

/* --- Cases ------------------------------------------------------------------------------------ */

/* Returns the alignment of the result in bytes. Tables of counts have 64-bit entries and are
 * aligned for them. */
static size_t result_alignment(const Case *one, size_t alignment)
{
    bool table = one->result.format.color == IMG_COLOR_COUNTS;
    return table && alignment < sizeof(uint64_t) ? sizeof(uint64_t) : alignment;
}

static ImgCall call_of(const Checker *checker)
{
    return (ImgCall){.op = checker->one->op,
                     .params = checker->one->params.bytes,
                     .constants = checker->constants,
                     .threads = checker->one->threads,
                     .team = checker->options->team};
}

static ImgStatus run_on_host(const ImgImpl *impl, ImgCall *call, Buffer *src, Buffer *dst,
                             ImgError *err)
{
    buffer_lock(src);
    buffer_lock(dst);
    call->src = src->view;
    call->dst = dst->view;
    return impl->run(call, err);
}

static bool lay_source(Checker *checker, const Case *one, size_t alignment)
{
    Random random = {one->seed};
    if (!buffer_lay(&checker->before, one->shape, alignment, BUFFER_READ) ||
        !buffer_lay(&checker->source, one->shape, alignment, BUFFER_READ))
        return false;
    fill_view(&checker->before.view, one->fill, &random);
    buffer_copy(&checker->source, &checker->before);
    checker->source_twin.is_sent = false;
    return true;
}

static ImgStatus run_reference(Checker *checker, ImgError *err)
{
    ImgCall call = call_of(checker);
    const ImgImpl *reference = &checker->one->op->impls[0];
    ImgStatus status = run_on_host(reference, &call, &checker->source, &checker->expected, err);
    if (status != IMG_OK)
        return status;
    const char *where = buffer_overwritten(&checker->expected);
    if (where != NULL)
        return img_fail(err, IMG_E_MISMATCH, "the reference wrote outside the picture: %s", where);
    if (!buffer_equal(&checker->source, &checker->before))
        return img_fail(err, IMG_E_MISMATCH, "the reference changed its source");
    return IMG_OK;
}

void checker_start(Checker *checker, const Case *one)
{
    img_constants_free(&checker->constants);
    checker->one = one;
    checker->has_result = false;
    checker->alignment = 0;
}

bool checker_lay(Checker *checker, size_t alignment, ImgError *err)
{
    const Case *one = checker->one;
    size_t of_result = result_alignment(one, alignment);
    Buffer earlier = checker->expected;
    checker->expected = checker->spare;
    checker->spare = earlier;
    if (checker->constants.bytes == NULL &&
        img_op_prepare(one->op, one->shape, one->params.bytes, &checker->constants, err) != IMG_OK)
        return false;
    if (!lay_source(checker, one, alignment) ||
        !buffer_lay(&checker->expected, one->result, of_result, BUFFER_WRITTEN) ||
        !buffer_lay(&checker->got, one->result, of_result, BUFFER_WRITTEN)) {
        (void)img_fail(err, IMG_E_MEMORY, "no memory");
        return false;
    }
    if (checker->has_result)
        buffer_copy_rows(&checker->expected, &checker->spare);
    else if (run_reference(checker, err) != IMG_OK)
        return false;
    checker->has_result = true;
    checker->alignment = alignment;
    return true;
}

/* Writes the first difference between two pictures to `err`, or where bytes outside the picture
 * were overwritten. */
static ImgStatus difference(const Buffer *expected, const Buffer *got, ImgError *err)
{
    const ImgView *a = &expected->view, *b = &got->view;
    const char *where = buffer_overwritten(got);
    if (where != NULL)
        return img_fail(err, IMG_E_MISMATCH, "wrote outside the picture: %s", where);
    size_t size = img_format_pixel_size(a->format);
    for (int32_t y = 0; y < a->height; y++) {
        const uint8_t *p = a->data + (size_t)y * a->stride;
        const uint8_t *q = b->data + (size_t)y * b->stride;
        if (memcmp(p, q, expected->row_bytes) == 0)
            continue;
        size_t i = 0;
        while (p[i] == q[i])
            i++;
        return img_fail(err, IMG_E_MISMATCH, "pixel (%zu, %d) byte %zu is 0x%02x, should be 0x%02x",
                        i / size, y, i % size, q[i], p[i]);
    }
    return img_fail(err, IMG_E_MISMATCH, "the buffers differ outside the picture");
}

bool checker_run(Checker *checker, const ImgImpl *impl, ImgError *err)
{
    ImgCall call = call_of(checker);
    Buffer *src = &checker->source, *dst = &checker->got;
    buffer_blank(dst);
    ImgStatus status = impl->backend == IMG_BACKEND_CUDA ? run_on_device(checker, impl, &call, err)
                                                         : run_on_host(impl, &call, src, dst, err);
    if (status == IMG_OK && !buffer_equal(&checker->before, src))
        status = img_fail(err, IMG_E_MISMATCH, "changed its source");
    if (status == IMG_OK && !buffer_equal(&checker->expected, dst))
        status = difference(&checker->expected, dst, err);
    if (status == IMG_OK)
        return true;
    /* The failed implementation may have written anything to the buffers. 0 makes checker_lay set
     * them up again for the next implementation. */
    checker->alignment = 0;
    return false;
}

void checker_free(Checker *checker)
{
    img_constants_free(&checker->constants);
    free_device_memory(checker);
    buffer_free(&checker->source);
    buffer_free(&checker->before);
    buffer_free(&checker->expected);
    buffer_free(&checker->spare);
    buffer_free(&checker->got);
}
