/* Constants are kept from picture to picture: tables of 16-bit samples take milliseconds to make,
 * which is more than a small picture takes in all. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec_priv.h"

static bool same_steps(const ImgStep *a, const ImgStep *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].op != b[i].op ||
            memcmp(a[i].params.bytes, b[i].params.bytes, sizeof a[i].params.bytes) != 0)
            return false;
    return true;
}

static bool same_format(ImgFormat a, ImgFormat b)
{
    return a.color == b.color && a.bits == b.bits;
}

/* Does every step get the same format from both? A margin that only one of the pictures gets may
 * add alpha to it. The size counts for steps whose constants depend on it. */
static bool same_shapes(ImgShape a, ImgShape b, const ImgStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ImgOp *op = steps[i].op;
        const bool same_size = a.width == b.width && a.height == b.height;
        if (!same_format(a.format, b.format) || (op->constants_need_size && !same_size))
            return false;
        if (op->shape(a, steps[i].params.bytes, &a, NULL) != IMG_OK ||
            op->shape(b, steps[i].params.bytes, &b, NULL) != IMG_OK)
            return false;
    }
    return true;
}

bool img_kept_are_for(const ImgKept *kept, const ImgStep *steps, size_t count, ImgShape src)
{
    return kept->steps != NULL && kept->count == count && same_steps(kept->steps, steps, count) &&
           same_shapes(kept->src, src, steps, count);
}

/* More would count where memory is planned: what comes after a run, encoding above all, is planned
 * without it. The picture then is so large that making them is little beside it. */
enum { KEPT_MOST = 1 << 20 };

static size_t constants_bytes(const ImgPlan *plan)
{
    size_t bytes = 0;
    for (size_t i = 0; i < plan->count; i++)
        bytes += plan->passes[i].constants.size;
    return bytes;
}

/* What a file held is the caller's, and may be another's next time at the same address. What was
 * measured is one picture's. */
static bool may_be_kept(const ImgStep *steps, size_t count, const ImgPlan *plan)
{
    if (constants_bytes(plan) > KEPT_MOST)
        return false;
    for (size_t i = 0; i < count; i++)
        if (steps[i].op->read_file != NULL || steps[i].op->reads_picture ||
            steps[i].op->measure != NULL)
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
