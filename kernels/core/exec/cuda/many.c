/* Runs steps on many pictures in device memory, pass by pass: first the first pass of all pictures,
 * then the second. */
#include "kernels/core/exec/many.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/select.h"

enum {
    ALIGNMENT = 256,
    /* Largest size in bytes of the source of a picture that is processed together with others. A
     * larger one fills a GPU alone, with a faster kernel. */
    SMALL_BYTES = 8 << 20,
};

/* The plan of all pictures of one shape that have the same steps. */
typedef struct Kind {
    ImgStep *steps; /* owned */
    size_t step_count;
    ImgShape shape;
    ImgPlan plan;
    bool is_planned;
    size_t number; /* index in ImgManyKinds.all */
    /* for each pass, the implementation for many pictures; NULL: each picture has its own call */
    const ImgImpl *together[IMG_PASSES_MAX];
    ImgError failure;
} Kind;

/* The kinds up to `kept` were made by earlier calls. */
struct ImgManyKinds {
    Kind **all; /* owned */
    size_t count, capacity, kept;
};

struct ImgMany {
    ImgManyKinds *kinds; /* borrowed */
    const ImgManyPicture *pictures;
    size_t count;
    Kind **kind_of; /* for each picture its kind */
    /* For each kind the offset in bytes of the constants of its first pass; SIZE_MAX if no picture
     * is of this kind. */
    size_t *constants_at, kind_count;
    size_t *image_at; /* for each picture the offset in bytes of its two images between passes */
    size_t constants, workspace_at, rooms_at, rooms; /* sizes and offsets in bytes */
};

static const ImgExecConfig on_cuda = {.backend = IMG_BACKEND_CUDA, .threads = 1};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static bool is_of_kind(const Kind *kind, const ImgManyPicture *picture)
{
    return kind->shape.width == picture->from.width && kind->shape.height == picture->from.height &&
           img_format_equals(kind->shape.format, picture->from.format) &&
           kind->step_count == picture->count &&
           img_steps_equal(kind->steps, picture->steps, picture->count);
}

static void free_kind(Kind *kind)
{
    if (kind->is_planned)
        img_plan_free(&kind->plan);
    free(kind->steps);
    free(kind);
}

/* Frees the kinds from number `first` on. */
static void drop_kinds(ImgManyKinds *kinds, size_t first)
{
    while (kinds->count > first)
        free_kind(kinds->all[--kinds->count]);
    kinds->kept = kinds->kept < first ? kinds->kept : first;
}

static Kind *add_kind(ImgManyKinds *kinds, const ImgManyPicture *picture)
{
    if (kinds->count == kinds->capacity) {
        const size_t capacity = 2 * kinds->capacity + 16;
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        Kind **all = realloc(kinds->all, capacity * sizeof *all);
        if (all == NULL)
            return NULL;
        kinds->all = all;
        kinds->capacity = capacity;
    }
    Kind *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->step_count = picture->count;
    made->shape = img_view_shape(&picture->from);
    made->steps = malloc(picture->count * sizeof *made->steps);
    if (made->steps == NULL) {
        free(made);
        return NULL;
    }
    memcpy(made->steps, picture->steps, picture->count * sizeof *made->steps);
    made->number = kinds->count;
    return kinds->all[kinds->count++] = made;
}

/* Finds the kind of each picture, and adds kinds that are missing. Pictures of one kind often
 * follow each other, so the kind of the previous picture is compared first. Returns false when
 * memory is short. */
static bool find_kinds(ImgMany *many)
{
    ImgManyKinds *kinds = many->kinds;
    Kind *kind = NULL;
    for (size_t i = 0; i < many->count; i++) {
        const ImgManyPicture *picture = &many->pictures[i];
        if (kind == NULL || !is_of_kind(kind, picture)) {
            size_t k = 0;
            while (k < kinds->count && !is_of_kind(kinds->all[k], picture))
                k++;
            kind = k < kinds->count ? kinds->all[k] : add_kind(kinds, picture);
        }
        if (kind == NULL)
            return false;
        many->kind_of[i] = kind;
    }
    return true;
}

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

static void plan_kinds(void *context, int64_t first, int64_t end)
{
    const ImgManyKinds *kinds = context;
    for (int64_t k = first; k < end; k++) {
        Kind *kind = kinds->all[kinds->kept + (size_t)k];
        ImgKept none = {.steps = NULL};
        if (kind->is_planned)
            continue;
        kind->is_planned =
            img_plan_make(&on_cuda, kind->steps, kind->step_count, kind->shape, IMG_BACKEND_CUDA,
                          NULL, &none, &kind->plan, &kind->failure) == IMG_OK;
        for (size_t p = 0; kind->is_planned && p < kind->plan.count; p++)
            kind->together[p] = together(&kind->plan.passes[p]);
    }
}

/* Plans the kinds that were added. */
static ImgStatus make_plans(ImgManyKinds *kinds, ImgTeam *team, int threads, ImgError *err)
{
    img_parallel_for(team, threads, (int64_t)(kinds->count - kinds->kept), plan_kinds, kinds);
    for (size_t k = kinds->kept; k < kinds->count; k++) {
        const Kind *kind = kinds->all[k];
        if (!kind->is_planned)
            return img_fail(err, kind->failure.status, "%s", kind->failure.message);
        if (img_plan_measures(&kind->plan))
            return img_fail(err, IMG_E_UNSUPPORTED,
                            "a step makes a result whose size depends on pixels");
    }
    return IMG_OK;
}

ImgManyKinds *img_many_kinds_create(void)
{
    return calloc(1, sizeof(ImgManyKinds));
}

void img_many_kinds_free(ImgManyKinds *kinds)
{
    if (kinds == NULL)
        return;
    drop_kinds(kinds, 0);
    free(kinds->all);
    free(kinds);
}

/* Returns true if a plan may be used by later calls. Steps are compared by the address of a file's
 * content, and later the caller may have other content at this address. */
static bool may_be_kept(const Kind *kind)
{
    for (size_t i = 0; i < kind->step_count; i++)
        if (kind->steps[i].op->file.read != NULL || kind->steps[i].op->file.is_picture)
            return false;
    return true;
}

/* Keeps the kinds for later calls, unless one of the new ones must not be kept. */
static void keep_kinds(ImgManyKinds *kinds)
{
    enum { KEPT_MOST = 1024 };
    bool may = kinds->count <= KEPT_MOST;
    for (size_t k = kinds->kept; k < kinds->count; k++)
        may = may && may_be_kept(kinds->all[k]);
    drop_kinds(kinds, may ? kinds->count : kinds->count <= KEPT_MOST ? kinds->kept : 0);
    kinds->kept = kinds->count;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Returns the size of each of the two images between the passes of a picture: that of the largest
 * one. */
static size_t image_bytes(const Kind *kind)
{
    size_t most = 0;
    for (size_t p = 0; p + 1 < kind->plan.count; p++) {
        const ImgShape shape = kind->plan.passes[p].dst;
        const size_t bytes = aligned(img_device_pitch(shape) * (size_t)shape.height);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Returns the largest workspace of the passes that have calls of their own. */
static size_t workspace_bytes(const Kind *kind)
{
    size_t most = 0;
    for (size_t p = 0; p < kind->plan.count; p++) {
        const ImgPass *pass = &kind->plan.passes[p];
        if (kind->together[p] != NULL || pass->impl->workspace == NULL)
            continue;
        const size_t bytes = pass->impl->workspace(pass->op, pass->src, pass->params);
        most = bytes > most ? bytes : most;
    }
    return aligned(most);
}

/* Returns an upper bound of the memory for the descriptions of calls of a picture. Each of several
 * launches starts at a multiple of ALIGNMENT. */
static size_t room_bytes(const Kind *kind)
{
    size_t bytes = 0;
    for (size_t p = 0; p < kind->plan.count; p++)
        bytes += kind->together[p] != NULL ? aligned(kind->together[p]->many->call_bytes) : 0;
    return bytes;
}

/* Device memory has the constants, the images between passes, the workspace and the rooms. Host
 * memory has the constants and the rooms. */
static void lay_out(ImgMany *many)
{
    size_t workspace = 0;
    for (size_t k = 0; k < many->kind_count; k++)
        many->constants_at[k] = SIZE_MAX;
    for (size_t i = 0; i < many->count; i++) {
        const Kind *kind = many->kind_of[i];
        if (many->constants_at[kind->number] != SIZE_MAX)
            continue;
        const size_t own = workspace_bytes(kind);
        many->constants_at[kind->number] = many->constants;
        many->constants += img_sent_bytes(&kind->plan, 0);
        workspace = own > workspace ? own : workspace;
    }
    many->workspace_at = many->constants;
    for (size_t i = 0; i < many->count; i++) {
        const Kind *kind = many->kind_of[i];
        many->image_at[i] = many->workspace_at;
        many->workspace_at += 2 * image_bytes(kind);
        many->rooms += room_bytes(kind);
    }
    many->rooms_at = many->workspace_at + workspace;
}

ImgManyBytes img_many_bytes(const ImgMany *many)
{
    return (ImgManyBytes){many->rooms_at + many->rooms, many->constants + many->rooms};
}

/* --- Plans ------------------------------------------------------------------------------------ */

ImgStatus img_many_plan(ImgManyKinds *kinds, const ImgManyPicture *pictures, size_t count,
                        ImgTeam *team, int threads, ImgMany **many, ImgError *err)
{
    *many = NULL;
    if (count > IMG_MANY_MOST)
        return img_fail(err, IMG_E_USAGE, "more than %d pictures", (int)IMG_MANY_MOST);
    ImgMany *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", count);
    *made = (ImgMany){.kinds = kinds,
                      .pictures = pictures,
                      .count = count,
                      .kind_of = calloc(count + 1, sizeof(Kind *)),
                      .image_at = calloc(count + 1, sizeof *made->image_at)};
    ImgStatus status = IMG_OK;
    if (made->kind_of == NULL || made->image_at == NULL || !find_kinds(made))
        status = img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", count);
    made->kind_count = kinds->count;
    made->constants_at = calloc(kinds->count + 1, sizeof *made->constants_at);
    if (status == IMG_OK && made->constants_at == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", count);
    if (status == IMG_OK)
        status = make_plans(kinds, team, threads, err);
    if (status != IMG_OK) {
        drop_kinds(kinds, kinds->kept);
        img_many_free(made);
        return status;
    }
    lay_out(made);
    *many = made;
    return IMG_OK;
}

void img_many_free(ImgMany *many)
{
    if (many == NULL)
        return;
    keep_kinds(many->kinds);
    free(many->kind_of);
    free(many->constants_at);
    free(many->image_at);
    free(many);
}

/* --- Running ---------------------------------------------------------------------------------- */

typedef struct Run {
    const ImgMany *many;
    uint8_t *device, *host;
    void *stream;
    size_t rooms_used;
    ImgCall *calls; /* the calls of one launch, with room for all pictures */
    bool *done;     /* for each picture: the present pass is queued */
} Run;

static ImgStatus send_constants(const Run *run, ImgError *err)
{
    const ImgMany *many = run->many;
    for (size_t k = 0; k < many->kind_count; k++) {
        const ImgPlan *plan = &many->kinds->all[k]->plan;
        if (many->constants_at[k] == SIZE_MAX)
            continue;
        uint8_t *to = run->host + many->constants_at[k];
        for (size_t p = 0; p < plan->count; p++) {
            const ImgConstants *constants = &plan->passes[p].constants;
            if (constants->size > 0)
                memcpy(to, constants->bytes, constants->size);
            to += img_sent_room(constants);
        }
    }
    if (many->constants > 0)
        CUDA_TRY(cudaMemcpyAsync(run->device, run->host, many->constants, cudaMemcpyHostToDevice,
                                 (cudaStream_t)run->stream),
                 err);
    return IMG_OK;
}

/* Returns the result of pass `p` of picture `i`: the picture's result, or an image between passes.
 */
static ImgView result_of(const Run *run, size_t i, size_t p)
{
    const Kind *kind = run->many->kind_of[i];
    const ImgShape shape = kind->plan.passes[p].dst;
    if (p + 1 == kind->plan.count)
        return run->many->pictures[i].to;
    return img_view_make(run->device + run->many->image_at[i] + p % 2 * image_bytes(kind),
                         img_device_pitch(shape), shape);
}

static ImgCall call_of(const Run *run, size_t i, size_t p)
{
    const Kind *kind = run->many->kind_of[i];
    const ImgPass *pass = &kind->plan.passes[p];
    const uint8_t *constants = run->device + run->many->constants_at[kind->number];
    for (size_t before = 0; before < p; before++)
        constants += img_sent_room(&kind->plan.passes[before].constants);
    return (ImgCall){.op = pass->op,
                     .src = p == 0 ? run->many->pictures[i].from : result_of(run, i, p - 1),
                     .dst = result_of(run, i, p),
                     .params = pass->params,
                     .constants = pass->constants,
                     .device_constants = constants,
                     .stream = run->stream,
                     .workspace = run->device + run->many->workspace_at};
}

static bool has_pass(const Run *run, size_t i, size_t p)
{
    return p < run->many->kind_of[i]->plan.count;
}

/* Queues pass `p` of all pictures, from picture `first` on, that `impl` processes together. */
static ImgStatus queue_together(Run *run, size_t first, size_t p, const ImgImpl *impl,
                                ImgError *err)
{
    const ImgMany *many = run->many;
    size_t count = 0;
    for (size_t i = first; i < many->count; i++) {
        if (!has_pass(run, i, p) || many->kind_of[i]->together[p] != impl)
            continue;
        run->calls[count++] = call_of(run, i, p);
        run->done[i] = true;
    }
    const size_t used = run->rooms_used;
    const ImgManyRoom room = {run->host + many->constants + used,
                              run->device + many->rooms_at + used};
    run->rooms_used += aligned(count * impl->many->call_bytes);
    return impl->many->run(run->calls, count, &room, err);
}

static ImgStatus queue_pass(Run *run, size_t p, bool *found, ImgError *err)
{
    const ImgMany *many = run->many;
    ImgStatus status = IMG_OK;
    memset(run->done, 0, many->count * sizeof *run->done);
    *found = false;
    for (size_t i = 0; status == IMG_OK && i < many->count; i++) {
        if (run->done[i] || !has_pass(run, i, p))
            continue;
        const Kind *kind = many->kind_of[i];
        *found = true;
        if (kind->together[p] != NULL) {
            status = queue_together(run, i, p, kind->together[p], err);
        } else {
            const ImgCall call = call_of(run, i, p);
            status = kind->plan.passes[p].impl->run(&call, err);
        }
    }
    return status;
}

ImgStatus img_many_queue(const ImgMany *many, void *device, void *host, void *stream, ImgError *err)
{
    Run run = {.many = many,
               .device = device,
               .host = host,
               .stream = stream,
               .calls = malloc((many->count + 1) * sizeof *run.calls),
               .done = malloc((many->count + 1) * sizeof *run.done)};
    ImgStatus status = run.calls == NULL || run.done == NULL
                           ? img_fail(err, IMG_E_MEMORY, "no memory for %zu calls", many->count)
                           : send_constants(&run, err);
    bool more = true;
    for (size_t p = 0; status == IMG_OK && more && p < IMG_PASSES_MAX; p++)
        status = queue_pass(&run, p, &more, err);
    free(run.calls);
    free(run.done);
    return status;
}
