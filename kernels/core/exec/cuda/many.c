/* Runs steps on many pictures in device memory, pass by pass: first the first pass of all pictures,
 * then the second. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/cuda/many_kinds.h"

enum { ALIGNMENT = 256 };

/* One pass of one picture. */
typedef struct Pass {
    const ImgKind *kind;
    size_t number; /* index in the plan of the kind */
    /* Offset in bytes of its result, which lies between passes; SIZE_MAX: it is the picture's. */
    size_t to;
} Pass;

struct ImgMany {
    ImgManyKinds *kinds; /* borrowed */
    const ImgManyPicture *pictures;
    size_t count;
    Pass *passes; /* of all pictures, one picture after another; owned */
    size_t pass_count, pass_capacity;
    size_t *first; /* for each picture the index of its first pass, and one entry more; owned */
    /* For each kind the offset in bytes of the constants of its first pass; SIZE_MAX if no picture
     * is of this kind. */
    size_t *constants_at, kind_count;
    size_t constants, images_end, workspace, rooms_at, rooms; /* sizes and offsets in bytes */
};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* --- Passes ----------------------------------------------------------------------------------- */

static ImgStatus add_pass(ImgMany *many, const ImgKind *kind, size_t number, ImgError *err)
{
    if (many->pass_count == many->pass_capacity) {
        const size_t capacity = 2 * many->pass_capacity + 64;
        Pass *passes = realloc(many->passes, capacity * sizeof *passes);
        if (passes == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for %zu passes", capacity);
        many->passes = passes;
        many->pass_capacity = capacity;
    }
    many->passes[many->pass_count++] = (Pass){kind, number, SIZE_MAX};
    return IMG_OK;
}

/* Finds the kinds of all pictures. Each becomes one pass, because its plan does not exist yet. */
static ImgStatus find_kinds(ImgMany *many, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < many->count; i++) {
        const ImgManyPicture *picture = &many->pictures[i];
        ImgShape shape = img_view_shape(&picture->from);
        many->first[i] = many->pass_count;
        for (size_t step = 0, used; status == IMG_OK && step < picture->count; step += used) {
            const ImgKind *kind = img_kinds_find(many->kinds, picture->steps + step,
                                                 picture->count - step, shape, &used, err);
            status = kind == NULL ? IMG_E_UNSUPPORTED : add_pass(many, kind, 0, err);
            shape = kind != NULL ? kind->after : shape;
        }
    }
    many->first[many->count] = many->pass_count;
    return status;
}

/* Replaces the list of kinds by the list of their passes. Most kinds have one pass. */
static ImgStatus list_passes(ImgMany *many, ImgError *err)
{
    Pass *kinds = many->passes;
    ImgStatus status = IMG_OK;
    many->passes = NULL;
    many->pass_count = many->pass_capacity = 0;
    for (size_t i = 0; status == IMG_OK && i < many->count; i++) {
        const size_t first = many->pass_count;
        for (size_t k = many->first[i]; k < many->first[i + 1]; k++)
            for (size_t p = 0; status == IMG_OK && p < kinds[k].kind->plan.count; p++)
                status = add_pass(many, kinds[k].kind, p, err);
        many->first[i] = first;
    }
    many->first[many->count] = many->pass_count;
    free(kinds);
    return status;
}

static const ImgPass *planned(const Pass *pass)
{
    return &pass->kind->plan.passes[pass->number];
}

static const ImgImpl *together(const Pass *pass)
{
    return pass->kind->together[pass->number];
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Places the results between the passes of a picture: two images that passes write in turn. */
static void place_images(ImgMany *many, size_t i)
{
    size_t most = 0;
    const size_t end = many->first[i + 1];
    for (size_t p = many->first[i]; p + 1 < end; p++) {
        const ImgShape shape = planned(&many->passes[p])->dst;
        const size_t bytes = aligned(img_device_pitch(shape) * (size_t)shape.height);
        most = bytes > most ? bytes : most;
    }
    for (size_t p = many->first[i]; p + 1 < end; p++)
        many->passes[p].to = many->images_end + (p - many->first[i]) % 2 * most;
    many->images_end += 2 * most;
}

/* Returns the workspace of a pass that has a call of its own. */
static size_t workspace_bytes(const Pass *pass)
{
    const ImgPass *own = planned(pass);
    return together(pass) != NULL || own->impl->workspace == NULL
               ? 0
               : aligned(own->impl->workspace(own->op, own->src, own->params));
}

/* Device memory has the constants, the images between passes, the workspace and the rooms for
 * descriptions of calls. Host memory has the constants and the rooms. Each launch starts at a
 * multiple of ALIGNMENT in its room, for which there is enough if each call starts at one. */
static void lay_out(ImgMany *many)
{
    for (size_t k = 0; k < many->kind_count; k++)
        many->constants_at[k] = SIZE_MAX;
    for (size_t p = 0; p < many->pass_count; p++) {
        const Pass *pass = &many->passes[p];
        const size_t own = workspace_bytes(pass);
        many->workspace = own > many->workspace ? own : many->workspace;
        many->rooms += together(pass) != NULL ? aligned(together(pass)->many->call_bytes) : 0;
        if (many->constants_at[pass->kind->number] != SIZE_MAX)
            continue;
        many->constants_at[pass->kind->number] = many->constants;
        many->constants += img_sent_bytes(&pass->kind->plan, 0);
    }
    many->images_end = many->constants;
    for (size_t i = 0; i < many->count; i++)
        place_images(many, i);
    many->rooms_at = many->images_end + many->workspace;
}

ImgManyBytes img_many_bytes(const ImgMany *many)
{
    return (ImgManyBytes){many->rooms_at + many->rooms, many->constants + many->rooms};
}

/* --- Plans ------------------------------------------------------------------------------------ */

static ImgStatus make_plan(ImgMany *many, ImgTeam *team, int threads, ImgError *err)
{
    many->first = calloc(many->count + 1, sizeof *many->first);
    if (many->first == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", many->count);
    ImgStatus status = find_kinds(many, err);
    if (status == IMG_OK)
        status = img_kinds_plan(many->kinds, team, threads, err);
    if (status == IMG_OK)
        status = list_passes(many, err);
    many->kind_count = img_kinds_count(many->kinds);
    many->constants_at = calloc(many->kind_count + 1, sizeof *many->constants_at);
    if (status == IMG_OK && many->constants_at == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for %zu kinds", many->kind_count);
    if (status == IMG_OK)
        lay_out(many);
    return status;
}

static void free_many(ImgMany *many)
{
    free(many->passes);
    free(many->first);
    free(many->constants_at);
    free(many);
}

ImgStatus img_many_plan(ImgManyKinds *kinds, const ImgManyPicture *pictures, size_t count,
                        ImgTeam *team, int threads, ImgMany **many, ImgError *err)
{
    *many = NULL;
    if (count > IMG_MANY_MOST)
        return img_fail(err, IMG_E_USAGE, "more than %d pictures", (int)IMG_MANY_MOST);
    ImgMany *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", count);
    *made = (ImgMany){.kinds = kinds, .pictures = pictures, .count = count};
    const ImgStatus status = make_plan(made, team, threads, err);
    if (status == IMG_OK) {
        *many = made;
    } else {
        img_kinds_keep(kinds, true);
        free_many(made);
    }
    return status;
}

void img_many_free(ImgMany *many)
{
    if (many == NULL)
        return;
    img_kinds_keep(many->kinds, false);
    free_many(many);
}

void img_many_describe(const ImgMany *many, size_t number, ImgRunReport *report)
{
    const ImgKind *kind = NULL;
    size_t steps = 0; /* number of steps of the kinds before this one */
    for (size_t p = many->first[number]; p < many->first[number + 1]; p++) {
        const Pass *pass = &many->passes[p];
        const ImgPass *own = planned(pass);
        if (pass->number == 0) {
            steps += kind != NULL ? kind->step_count : 0;
            kind = pass->kind;
        }
        if (report->count == IMG_PASSES_MAX)
            return;
        const size_t at = report->count++;
        report->passes[at].impl = together(pass) != NULL ? together(pass) : own->impl;
        report->passes[at].first = steps + own->first;
        report->passes[at].steps = own->steps;
    }
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
        if (many->constants_at[k] == SIZE_MAX)
            continue;
        const ImgPlan *plan = &img_kinds_get(many->kinds, k)->plan;
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
static ImgView result_of(const Run *run, size_t i, const Pass *pass)
{
    const ImgShape shape = planned(pass)->dst;
    return pass->to == SIZE_MAX
               ? run->many->pictures[i].to
               : img_view_make(run->device + pass->to, img_device_pitch(shape), shape);
}

/* Returns the call for pass number `p` of picture `i`. */
static ImgCall call_of(const Run *run, size_t i, size_t p)
{
    const ImgMany *many = run->many;
    const Pass *pass = &many->passes[many->first[i] + p];
    const uint8_t *constants = run->device + many->constants_at[pass->kind->number];
    for (size_t before = 0; before < pass->number; before++)
        constants += img_sent_room(&pass->kind->plan.passes[before].constants);
    return (ImgCall){.op = planned(pass)->op,
                     .src = p == 0 ? many->pictures[i].from : result_of(run, i, pass - 1),
                     .dst = result_of(run, i, pass),
                     .params = planned(pass)->params,
                     .constants = planned(pass)->constants,
                     .device_constants = constants,
                     .stream = run->stream,
                     .workspace = run->device + many->images_end};
}

/* Returns pass number `p` of picture `i`, or NULL if it has fewer passes. */
static const Pass *pass_of(const Run *run, size_t i, size_t p)
{
    const size_t at = run->many->first[i] + p;
    return at < run->many->first[i + 1] ? &run->many->passes[at] : NULL;
}

/* Queues pass `p` of all pictures, from picture `first` on, that `impl` processes together. */
static ImgStatus queue_together(Run *run, size_t first, size_t p, const ImgImpl *impl,
                                ImgError *err)
{
    const ImgMany *many = run->many;
    size_t count = 0;
    for (size_t i = first; i < many->count; i++) {
        const Pass *pass = pass_of(run, i, p);
        if (pass == NULL || together(pass) != impl)
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

/* Queues pass `p` of all pictures. Sets *found to false if no picture has it. */
static ImgStatus queue_pass(Run *run, size_t p, bool *found, ImgError *err)
{
    ImgStatus status = IMG_OK;
    memset(run->done, 0, run->many->count * sizeof *run->done);
    *found = false;
    for (size_t i = 0; status == IMG_OK && i < run->many->count; i++) {
        const Pass *pass = pass_of(run, i, p);
        if (pass == NULL || run->done[i])
            continue;
        *found = true;
        if (together(pass) != NULL) {
            status = queue_together(run, i, p, together(pass), err);
        } else {
            const ImgCall call = call_of(run, i, p);
            status = planned(pass)->impl->run(&call, err);
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
    for (size_t p = 0; status == IMG_OK && more; p++)
        status = queue_pass(&run, p, &more, err);
    free(run.calls);
    free(run.done);
    return status;
}
