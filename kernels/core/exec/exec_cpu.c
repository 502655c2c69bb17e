/* Runs passes on the CPU, one after another, with at most two images allocated at once. If
 * possible, the result of a pass takes the memory of the previous pass's source: memory that is
 * already mapped causes no page faults. */
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/parallel/clock.h"

/* Sets *result to memory for a picture of the given shape. Uses `spare` if it is large enough,
 * otherwise new memory. Trims `spare` to the size of the result, so that planned memory is not
 * exceeded. `spare` becomes IMG_IMAGE_NONE. */
static ImgStatus take_or_alloc(struct ImgStore *store, ImgShape shape, ImgImage *spare,
                               ImgImage *result, ImgError *err)
{
    if (!img_image_reshape(spare, shape)) {
        img_image_free(spare);
        return img_image_alloc_in(store, shape, result, err);
    }
    *result = *spare;
    *spare = IMG_IMAGE_NONE;
    return IMG_OK;
}

/* Returns true if no pass after `pass` changes the picture. */
static bool is_last(const ImgPlan *plan, size_t pass)
{
    if (plan->next < plan->step_count || img_plan_measures(plan))
        return false;
    for (size_t i = pass + 1; i < plan->count; i++)
        if (!img_pass_does_nothing(&plan->passes[i]))
            return false;
    return true;
}

/* Returns the number of threads, at most `threads`, with which the pass stays within the limit of
 * memory. It must equal the number for which img_step_bytes plans memory. */
static int threads_within(const ImgPlan *plan, const ImgPass *pass, int threads)
{
    const uint64_t room = plan->limits.room_bytes;
    if (room == 0)
        return threads;
    const ImgRoom where = {.stores = plan->store != NULL};
    const uint64_t others = img_room_image_bytes(pass->src, where) +
                            img_room_image_bytes(pass->dst, where) + img_plan_constants(plan);
    return img_op_threads_within(pass->op, pass->src, pass->params, threads,
                                 room > others ? room - others : 0);
}

static ImgCall call_of(const ImgPass *pass, const ImgImage *image, const ImgImage *result,
                       ImgTeam *team, int threads)
{
    return (ImgCall){
        .op = pass->op,
        .src = image->view,
        .dst = result->view,
        .params = pass->params,
        .constants = pass->constants,
        .threads = threads,
        .team = team,
    };
}

/* Replaces the held picture by the result. The previous picture becomes `spare`, unless it belongs
 * to the caller. */
static void exchange(ImgHeld *held, const ImgImage *result, bool is_in_to, ImgImage *spare)
{
    if (!held->is_borrowed) {
        img_image_free(spare);
        *spare = held->image;
        held->image = IMG_IMAGE_NONE;
    }
    img_held_put(held, result, is_in_to);
}

/* Runs one pass. If it is the last one and the caller provided memory (held->to), the result goes
 * to that memory. */
static ImgStatus run_pass(const ImgPlan *plan, size_t number, ImgTeam *team, int threads,
                          ImgHeld *held, ImgImage *spare, ImgError *err)
{
    const ImgPass *pass = &plan->passes[number];
    ImgImage result = IMG_IMAGE_NONE;
    const bool is_in_to = held->to != NULL && is_last(plan, number);
    ImgStatus status = is_in_to ? img_held_place(held, pass->dst, &result, err)
                                : take_or_alloc(plan->store, pass->dst, spare, &result, err);
    if (status != IMG_OK)
        return status;
    const ImgCall call = call_of(pass, &held->image, &result, team, threads);
    status = pass->impl->run(&call, err);
    if (status == IMG_OK)
        exchange(held, &result, is_in_to, spare);
    else if (!is_in_to)
        img_image_free(&result);
    return status;
}

/* Runs the measuring pass, which is the last one planned so far. Then plans the passes that depend
 * on its table. */
static ImgStatus measure(ImgPlan *plan, ImgTeam *team, int threads, const ImgImage *image,
                         const ImgImage *spare, ImgError *err)
{
    const ImgPass *pass = &plan->passes[plan->count - 1];
    ImgImage table = IMG_IMAGE_NONE;
    ImgStatus status = img_image_alloc(pass->dst, &table, err);
    if (status != IMG_OK)
        return status;
    const ImgCall call = call_of(pass, image, &table, team, threads);
    plan->held_bytes =
        plan->store != NULL ? 0 : img_image_bytes(img_view_shape(&image->view)) + spare->size;
    status = pass->impl->run(&call, err);
    if (status == IMG_OK)
        status = img_plan_extend(plan, &table.view, err);
    img_image_free(&table);
    return status;
}

/* Returns false for a pass of several point operations, even if each of them changes nothing. */
bool img_pass_does_nothing(const ImgPass *pass)
{
    return pass->steps == 1 && pass->op->effect.does_nothing != NULL &&
           pass->op->effect.does_nothing(pass->src, pass->params);
}

ImgStatus img_run_on_cpu(ImgPlan *plan, size_t first, ImgTeam *team, int threads, ImgHeld *held,
                         ImgRunReport *report, ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgImage spare = IMG_IMAGE_NONE;
    for (size_t i = first; status == IMG_OK && i < plan->count; i++) {
        double start = img_clock();
        status = img_plan_progress(plan, i, err);
        if (status != IMG_OK)
            break;
        const int most = threads_within(plan, &plan->passes[i], threads);
        report->passes[i].skipped = img_pass_does_nothing(&plan->passes[i]);
        if (plan->passes[i].steps == 0)
            status = measure(plan, team, most, &held->image, &spare, err);
        else if (!report->passes[i].skipped)
            status = run_pass(plan, i, team, most, held, &spare, err);
        report->passes[i].seconds = img_clock() - start;
        report->kernel += report->passes[i].seconds;
    }
    img_image_free(&spare);
    return status == IMG_OK ? img_plan_progress(plan, plan->count, err) : status;
}
