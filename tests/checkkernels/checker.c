/* One case, its reference and an implementation. See check.h. */
#include <string.h>

#include "tests/checkkernels/check.h"
#include "tests/checkkernels/checker_device.h"

/* Tables of counts are aligned for 64-bit entries. */
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

/* Describes where two different pictures differ. */
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
    ImgStatus status = impl->backend == IMG_BACKEND_CUDA
                           ? checker_run_on_device(checker, impl, &call, err)
                           : run_on_host(impl, &call, src, dst, err);
    if (status == IMG_OK && !buffer_equal(&checker->before, src))
        status = img_fail(err, IMG_E_MISMATCH, "changed its source");
    if (status == IMG_OK && !buffer_equal(&checker->expected, dst))
        status = difference(&checker->expected, dst, err);
    if (status == IMG_OK)
        return true;
    /* the buffers may contain anything, so the next implementation needs new ones */
    checker->alignment = 0;
    return false;
}

void checker_free(Checker *checker)
{
    img_constants_free(&checker->constants);
    checker_leave_device(checker);
    buffer_free(&checker->source);
    buffer_free(&checker->before);
    buffer_free(&checker->expected);
    buffer_free(&checker->spare);
    buffer_free(&checker->got);
}
