/* Keeps the constants of a plan for the next picture. Tables for 16-bit samples take milliseconds
 * to compute, longer than everything else that a small picture needs. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec_priv.h"

bool img_steps_equal(const ImgStep *a, const ImgStep *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].op != b[i].op ||
            memcmp(a[i].params.bytes, b[i].params.bytes, sizeof a[i].params.bytes) != 0)
            return false;
    return true;
}

/* Returns true if the constants for pictures of shape `a` also fit shape `b`. For that, the inputs
 * of every step must have the same format, and also the same size if the constants of the step
 * depend on it. Formats that are equal at first can differ after a step: if only one of the
 * pictures gets a margin, only that picture may get alpha. */
static bool same_shapes(ImgShape a, ImgShape b, const ImgStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ImgOp *op = steps[i].op;
        const bool same_size = a.width == b.width && a.height == b.height;
        if (!img_format_equals(a.format, b.format) || (op->constants.need_size && !same_size))
            return false;
        if (op->shape(a, steps[i].params.bytes, &a, NULL) != IMG_OK ||
            op->shape(b, steps[i].params.bytes, &b, NULL) != IMG_OK)
            return false;
    }
    return true;
}

bool img_kept_are_for(const ImgKept *kept, const ImgStep *steps, size_t count, ImgShape src)
{
    return kept->steps != NULL && kept->count == count &&
           img_steps_equal(kept->steps, steps, count) && same_shapes(kept->src, src, steps, count);
}

/* Largest number of bytes of constants that are kept for the next picture. Memory plans do not
 * count kept constants during the work after a run, such as encoding, so kept constants must be
 * small. Pictures with larger constants take so long that computing the constants again matters
 * little. */
enum { KEPT_MOST = 1 << 20 };

static size_t constants_bytes(const ImgPlan *plan)
{
    size_t bytes = 0;
    for (size_t i = 0; i < plan->count; i++)
        bytes += plan->passes[i].constants.size;
    return bytes;
}

/* Returns true if the constants of the plan may be used for another picture. Constants from files
 * are not kept: steps are compared by the address of the file's content, and next time the caller
 * may have other content at this address. Constants from measurements are valid for one picture
 * only. */
static bool may_be_kept(const ImgStep *steps, size_t count, const ImgPlan *plan)
{
    if (constants_bytes(plan) > KEPT_MOST || plan->measured != NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (steps[i].op->file.read != NULL || steps[i].op->file.is_picture ||
            steps[i].op->measured.by != NULL)
            return false;
    return count > 0;
}

void img_kept_put(ImgKept *kept, const ImgStep *steps, size_t count, ImgPlan *plan)
{
    if (!may_be_kept(steps, count, plan)) {
        img_plan_free(plan);
        return;
    }
    img_kept_free(kept);
    kept->steps = malloc(count * sizeof *steps);
    if (kept->steps == NULL) {
        img_plan_free(plan);
        return;
    }
    memcpy(kept->steps, steps, count * sizeof *steps);
    kept->count = count;
    kept->src = plan->passes[0].src;
    kept->passes = plan->count;
    for (size_t i = 0; i < plan->count; i++) {
        kept->pass[i].steps = plan->passes[i].steps;
        kept->pass[i].constants = plan->passes[i].constants;
    }
    plan->count = 0;
}

size_t img_kept_take(ImgKept *kept, size_t pass, ImgConstants *constants)
{
    *constants = kept->pass[pass].constants;
    kept->pass[pass].constants = (ImgConstants){.bytes = NULL};
    return kept->pass[pass].steps;
}

void img_kept_free(ImgKept *kept)
{
    for (size_t i = 0; i < kept->passes; i++)
        img_constants_free(&kept->pass[i].constants);
    free(kept->steps);
    kept->steps = NULL;
    kept->passes = 0;
}

/* --- Constants on a device -------------------------------------------------------------------- */

/* Decides whether constants must be sent to a device, so that a batch sends them only once. The
 * constants that were sent last are compared byte by byte with the constants of the new plan,
 * because executors that share a device may have different plans. */
size_t img_sent_room(const ImgConstants *constants)
{
    enum { ALIGNMENT = 256 };
    return (constants->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t img_sent_bytes(const ImgPlan *plan, size_t first)
{
    size_t bytes = 0;
    for (size_t i = first; i < plan->count; i++)
        bytes += img_sent_room(&plan->passes[i].constants);
    return bytes;
}

bool img_sent_holds(const ImgSent *sent, const ImgPlan *plan, size_t first)
{
    if (sent->bytes == 0 || sent->bytes != img_sent_bytes(plan, first))
        return false;
    const uint8_t *at = sent->memory;
    for (size_t i = first; i < plan->count; i++) {
        const ImgConstants *constants = &plan->passes[i].constants;
        if (constants->size > 0 && memcmp(at, constants->bytes, constants->size) != 0)
            return false;
        at += img_sent_room(constants);
    }
    return true;
}

/* If memory for the copy is short, records nothing. The constants of the next plan are then sent
 * even if they are equal. */
void img_sent_note(ImgSent *sent, const ImgPlan *plan, size_t first)
{
    const size_t bytes = img_sent_bytes(plan, first);
    sent->bytes = 0;
    if (bytes > sent->capacity) {
        free(sent->memory);
        sent->memory = malloc(bytes);
        sent->capacity = sent->memory != NULL ? bytes : 0;
    }
    if (bytes == 0 || sent->memory == NULL)
        return;
    uint8_t *at = sent->memory;
    for (size_t i = first; i < plan->count; i++) {
        const ImgConstants *constants = &plan->passes[i].constants;
        if (constants->size > 0)
            memcpy(at, constants->bytes, constants->size);
        at += img_sent_room(constants);
    }
    sent->bytes = bytes;
}

void img_sent_free(ImgSent *sent)
{
    free(sent->memory);
    *sent = (ImgSent){.memory = NULL};
}
