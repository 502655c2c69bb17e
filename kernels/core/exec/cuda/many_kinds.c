#include "kernels/core/exec/cuda/many_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/core/op.h"
#include "kernels/core/select.h"

enum {
    /* Largest size in bytes of the source of a picture that is processed together with others. A
     * larger one fills a GPU alone, with a faster kernel. */
    SMALL_BYTES = 8 << 20,
    KEPT_MOST = 4096, /* largest number of kinds that are kept for later calls */
};

/* The kinds from `kept` on were added by the present call. `slots` is a hash table with open
 * addressing, of numbers of kinds plus 1; 0 is a free slot. */
struct ImgManyKinds {
    ImgKind **all; /* owned */
    size_t count, capacity, kept;
    uint32_t *slots;   /* owned */
    size_t slot_count; /* a power of two */
};

static const ImgExecConfig on_cuda = {.backend = IMG_BACKEND_CUDA, .threads = 1};

/* --- The table -------------------------------------------------------------------------------- */

/* Continues a hash with a byte by FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, RFC 9923). */
static uint64_t add_byte(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * UINT64_C(1099511628211);
}

static uint64_t add_number(uint64_t hash, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        hash = add_byte(hash, (uint8_t)(number >> 8 * i));
    return hash;
}

static uint64_t hash_of(const ImgStep *steps, size_t count, ImgShape shape)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    hash = add_number(hash, (uint64_t)shape.width << 32 | (uint32_t)shape.height);
    hash = add_number(hash, (uint64_t)shape.format.color << 32 | (uint32_t)shape.format.bits);
    for (size_t i = 0; i < count; i++) {
        hash = add_number(hash, (uintptr_t)steps[i].op);
        for (size_t k = 0; k < steps[i].op->params_size; k++)
            hash = add_byte(hash, steps[i].params.bytes[k]);
    }
    return hash;
}

static bool is_kind(const ImgKind *kind, uint64_t hash, const ImgStep *steps, size_t count,
                    ImgShape shape)
{
    return kind->hash == hash && kind->step_count == count && kind->shape.width == shape.width &&
           kind->shape.height == shape.height &&
           img_format_equals(kind->shape.format, shape.format) &&
           img_steps_equal(kind->steps, steps, count);
}

static void put_slot(ImgManyKinds *kinds, size_t number)
{
    size_t slot = kinds->all[number]->hash & (kinds->slot_count - 1);
    while (kinds->slots[slot] != 0)
        slot = (slot + 1) & (kinds->slot_count - 1);
    kinds->slots[slot] = (uint32_t)number + 1;
}

static void fill_slots(ImgManyKinds *kinds)
{
    memset(kinds->slots, 0, kinds->slot_count * sizeof *kinds->slots);
    for (size_t k = 0; k < kinds->count; k++)
        put_slot(kinds, k);
}

/* Makes room for one more kind. Returns false when memory is short. */
static bool grow(ImgManyKinds *kinds)
{
    if (kinds->count < kinds->capacity)
        return true;
    const size_t capacity = kinds->capacity == 0 ? 64 : 2 * kinds->capacity;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    ImgKind **all = realloc(kinds->all, capacity * sizeof *all);
    if (all == NULL)
        return false;
    kinds->all = all;
    uint32_t *slots = realloc(kinds->slots, 2 * capacity * sizeof *slots);
    if (slots == NULL)
        return false;
    kinds->slots = slots;
    kinds->capacity = capacity;
    kinds->slot_count = 2 * capacity;
    fill_slots(kinds);
    return true;
}

static void free_kind(ImgKind *kind)
{
    if (kind->is_planned)
        img_plan_free(&kind->plan);
    free(kind->together);
    free(kind->steps);
    free(kind);
}

/* Frees the kinds from number `first` on. */
static void drop(ImgManyKinds *kinds, size_t first)
{
    if (kinds->count == first)
        return;
    while (kinds->count > first)
        free_kind(kinds->all[--kinds->count]);
    fill_slots(kinds);
}

ImgManyKinds *img_many_kinds_create(void)
{
    return calloc(1, sizeof(ImgManyKinds));
}

void img_many_kinds_free(ImgManyKinds *kinds)
{
    if (kinds == NULL)
        return;
    drop(kinds, 0);
    free(kinds->all);
    free(kinds->slots);
    free(kinds);
}

size_t img_kinds_count(const ImgManyKinds *kinds)
{
    return kinds->count;
}

const ImgKind *img_kinds_get(const ImgManyKinds *kinds, size_t number)
{
    return kinds->all[number];
}

/* --- Finding ---------------------------------------------------------------------------------- */

/* Returns the number of steps of the first kind: one, or all adjacent point operations. */
static size_t steps_of_kind(const ImgStep *steps, size_t count)
{
    size_t used = 1;
    if (!img_op_is_points(steps[0].op, steps[0].params.bytes))
        return 1;
    while (used < count && img_op_is_points(steps[used].op, steps[used].params.bytes))
        used++;
    return used;
}

static ImgStatus find_shape(const ImgStep *steps, size_t count, ImgShape *shape, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < count; i++)
        status = steps[i].op->shape(*shape, steps[i].params.bytes, shape, err);
    return status;
}

static ImgKind *add(ImgManyKinds *kinds, uint64_t hash, const ImgStep *steps, size_t count,
                    ImgShape shape, ImgError *err)
{
    ImgShape after = shape;
    if (find_shape(steps, count, &after, err) != IMG_OK)
        return NULL;
    ImgKind *made = grow(kinds) ? calloc(1, sizeof *made) : NULL;
    ImgStep *copy = made != NULL ? malloc((count + 1) * sizeof *copy) : NULL;
    if (copy == NULL) {
        free(made);
        (void)img_fail(err, IMG_E_MEMORY, "no memory for the plans of a batch");
        return NULL;
    }
    memcpy(copy, steps, count * sizeof *copy);
    *made = (ImgKind){.hash = hash,
                      .steps = copy,
                      .step_count = count,
                      .shape = shape,
                      .after = after,
                      .number = kinds->count};
    kinds->all[kinds->count++] = made;
    put_slot(kinds, made->number);
    return made;
}

ImgKind *img_kinds_find(ImgManyKinds *kinds, const ImgStep *steps, size_t count, ImgShape src,
                        size_t *used, ImgError *err)
{
    *used = steps_of_kind(steps, count);
    const uint64_t hash = hash_of(steps, *used, src);
    for (size_t i = 0; i < kinds->slot_count; i++) {
        const uint32_t number = kinds->slots[(hash + i) & (kinds->slot_count - 1)];
        if (number == 0)
            break;
        if (is_kind(kinds->all[number - 1], hash, steps, *used, src))
            return kinds->all[number - 1];
    }
    return add(kinds, hash, steps, *used, src, err);
}

/* --- Planning --------------------------------------------------------------------------------- */

/* Returns the implementation that processes many pictures of this pass together, or NULL. */
static const ImgImpl *together(const ImgPass *pass)
{
    if (pass->is_points || img_image_bytes(pass->src) > SMALL_BYTES)
        return NULL;
    for (const ImgImpl *each = pass->op->impls; each->name != NULL; each++)
        if (each->many != NULL && img_impl_applies(pass->op, each, pass->src, pass->params))
            return each;
    return NULL;
}

static ImgStatus plan(ImgKind *kind)
{
    ImgKept none = {.steps = NULL};
    ImgError *err = &kind->failure;
    const ImgStatus status = img_plan_make(&on_cuda, kind->steps, kind->step_count, kind->shape,
                                           IMG_BACKEND_CUDA, NULL, &none, &kind->plan, err);
    if (status != IMG_OK)
        return status;
    kind->is_planned = true;
    if (img_plan_measures(&kind->plan))
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "a step makes a result whose size depends on pixels");
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    kind->together = calloc(kind->plan.count + 1, sizeof *kind->together);
    if (kind->together == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the plans of a batch");
    for (size_t p = 0; p < kind->plan.count; p++)
        kind->together[p] = together(&kind->plan.passes[p]);
    return IMG_OK;
}

static void plan_some(void *context, int64_t first, int64_t end)
{
    const ImgManyKinds *kinds = context;
    for (int64_t k = first; k < end; k++) {
        ImgKind *kind = kinds->all[kinds->kept + (size_t)k];
        if (!kind->is_planned)
            (void)plan(kind);
    }
}

ImgStatus img_kinds_plan(ImgManyKinds *kinds, ImgTeam *team, int threads, ImgError *err)
{
    img_parallel_for(team, threads, (int64_t)(kinds->count - kinds->kept), plan_some, kinds);
    for (size_t k = kinds->kept; k < kinds->count; k++) {
        const ImgError *failure = &kinds->all[k]->failure;
        if (failure->status != IMG_OK)
            return img_fail(err, failure->status, "%s", failure->message);
    }
    return IMG_OK;
}

/* Returns true if a plan may be used by later calls. Steps are compared by the address of a file's
 * content, and later the caller may have other content at this address. */
static bool may_be_kept(const ImgKind *kind)
{
    for (size_t i = 0; i < kind->step_count; i++)
        if (kind->steps[i].op->file.read != NULL || kind->steps[i].op->file.is_picture)
            return false;
    return true;
}

void img_kinds_keep(ImgManyKinds *kinds, bool has_failed)
{
    bool may = !has_failed;
    for (size_t k = kinds->kept; k < kinds->count; k++)
        may = may && may_be_kept(kinds->all[k]);
    drop(kinds, !may ? kinds->kept : kinds->count > KEPT_MOST ? 0 : kinds->count);
    kinds->kept = kinds->count;
}
