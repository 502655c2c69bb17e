#include "io/png/optimize/trials.h"

#include <libdeflate.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/bytes.h"
#include "io/png/deflate/bits.h"
#include "io/png/deflate/exact.h"
#include "io/png/deflate/search.h"
#include "io/png/encode/rows.h"
#include "kernels/core/minmax.h"

enum {
    SEGMENT_BYTES = 256 << 10, /* filtered bytes that are deflated for an estimate */
    SEGMENTS_IN_PART = 16,
    HEAD_BYTES = 2, /* bytes of a zlib stream before its blocks */
    TAIL_BYTES = 4, /* bytes of a zlib stream after its blocks: Adler-32 */
};

/* One form of the picture with one plan. */
typedef struct Trial {
    int picture; /* index of the form */
    ImgFilterPlan plan;
    const ImgView *view;
    size_t row;           /* bytes of a filtered row */
    int32_t segment_rows; /* rows of a segment, except of the last one */
    int32_t segments;
    uint8_t *types; /* filter of each row */
    size_t *sizes;  /* deflated bytes of each segment */
    uint64_t total; /* estimated bytes, with the chunks of the form */
    bool is_extra;
} Trial;

/* A part of a trial that is deflated in full. */
typedef struct Part {
    const Trial *trial;
    int32_t first, end; /* rows */
    uint8_t *data;
    size_t size;
    uint32_t adler; /* Adler-32 of the filtered rows */
    bool is_last;
} Part;

typedef struct Trials {
    const ImgTrialJob *job;
    Trial *list;
    int count, room;
    Part *parts;
    size_t part_count;
    size_t units;       /* number of units of the present work: segments or parts */
    atomic_size_t next; /* the next unit that a thread claims */
    atomic_bool lacks;  /* memory was short */
    atomic_bool stops;  /* the work was cancelled */
} Trials;

/* --- Layout ----------------------------------------------------------------------------------- */

static bool is_by_value(ImgFormat format)
{
    return format.color != IMG_COLOR_PALETTE && format.bits >= 8;
}

static bool lay_out(const ImgTrialPicture *picture, Trial *trial)
{
    const ImgView *view = &picture->picture->view;
    trial->view = view;
    trial->is_extra = picture->is_extra;
    trial->row = 1 + img_png_row_bytes(view->width, view->format);
    const size_t rows = trial->row < SEGMENT_BYTES ? SEGMENT_BYTES / trial->row : 1;
    trial->segment_rows = rows < (size_t)view->height ? (int32_t)rows : view->height;
    trial->segments = (int32_t)((view->height - 1) / trial->segment_rows + 1);
    trial->types = malloc((size_t)view->height);
    trial->sizes = calloc((size_t)trial->segments, sizeof *trial->sizes);
    return trial->types != NULL && trial->sizes != NULL;
}

static int32_t segment_start(const Trial *trial, int32_t segment)
{
    return segment >= trial->segments ? trial->view->height : segment * trial->segment_rows;
}

/* Returns the plans to try for a form: those of the effort, and a place for IMG_PLAN_MIXED. */
static unsigned plans_of(const ImgTrialJob *job, int picture)
{
    const bool by_value = is_by_value(job->pictures[picture].picture->view.format);
    return by_value ? job->effort->plans : job->effort->index_plans;
}

static Trial *add_trial(Trials *trials, int picture, ImgFilterPlan plan)
{
    Trial *trial = &trials->list[trials->count];
    trial->picture = picture;
    trial->plan = plan;
    if (!lay_out(&trials->job->pictures[picture], trial))
        atomic_store(&trials->lacks, true);
    trials->count++;
    return trial;
}

static ImgStatus no_memory(ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "no memory to optimize the picture");
}

static ImgStatus add_trials(Trials *trials, ImgError *err)
{
    const ImgTrialJob *job = trials->job;
    trials->list = calloc((size_t)job->count * (IMG_PLANS + 1), sizeof *trials->list);
    if (trials->list == NULL)
        return no_memory(err);
    for (int i = 0; i < job->count; i++)
        for (int plan = 0; plan < IMG_PLANS; plan++)
            if ((plans_of(job, i) >> plan & 1) != 0)
                add_trial(trials, i, (ImgFilterPlan)plan);
    return atomic_load(&trials->lacks) ? no_memory(err) : IMG_OK;
}

/* --- Threads ---------------------------------------------------------------------------------- */

/* Working memory of a thread. */
typedef struct Worker {
    Trials *trials;
    ImgSearch *search; /* NULL if the exact deflater is used */
    ImgExact *exact;   /* NULL if libdeflate is used */
    ImgFilterWork *filter;
    uint8_t *filtered, *deflated;
    size_t filtered_room, deflated_room;
} Worker;

static size_t part_bytes(const Part *part)
{
    return (size_t)(part->end - part->first) * part->trial->row;
}

static bool make_room(uint8_t **buffer, size_t *room, size_t size)
{
    if (size <= *room)
        return true;
    free(*buffer);
    *buffer = malloc(size);
    *room = *buffer != NULL ? size : 0;
    return *buffer != NULL;
}

static bool prepare(Worker *worker, const Trial *trial, size_t bytes)
{
    return make_room(&worker->filtered, &worker->filtered_room, bytes) &&
           make_room(&worker->deflated, &worker->deflated_room,
                     img_deflate_search_bound(bytes) + IMG_BITS_SLACK) &&
           trial != NULL;
}

/* Prepares a thread that deflates with this level of libdeflate; 0: with the exact deflater. */
static bool start_worker(Worker *worker, Trials *trials, int level)
{
    size_t row = 0, part = 0;
    for (int i = 0; i < trials->count; i++)
        row = trials->list[i].row > row ? trials->list[i].row : row;
    for (size_t i = 0; i < trials->part_count; i++)
        part = part_bytes(&trials->parts[i]) > part ? part_bytes(&trials->parts[i]) : part;
    *worker = (Worker){.trials = trials,
                       .search = level > 0 ? img_search_create(level) : NULL,
                       .exact = level > 0 ? NULL : img_exact_create(part),
                       .filter = img_filter_work_create(row)};
    return (worker->search != NULL || worker->exact != NULL) && worker->filter != NULL;
}

static void end_worker(Worker *worker)
{
    img_search_free(worker->search);
    img_exact_free(worker->exact);
    img_filter_work_free(worker->filter);
    free(worker->filtered);
    free(worker->deflated);
}

/* Does unit number `unit`. Sets `*rows` to the rows that it had. Returns false if memory is
 * short. */
typedef bool UnitFunction(Worker *worker, size_t unit, int32_t *rows);

static void work_on_units(Trials *trials, int level, UnitFunction *function)
{
    Worker worker;
    bool goes_on = start_worker(&worker, trials, level);
    if (!goes_on)
        atomic_store(&trials->lacks, true);
    while (goes_on && !atomic_load(&trials->lacks) && !atomic_load(&trials->stops)) {
        const size_t unit = atomic_fetch_add(&trials->next, 1);
        int32_t rows = 0;
        if (unit >= trials->units)
            break;
        goes_on = function(&worker, unit, &rows);
        if (!goes_on)
            atomic_store(&trials->lacks, true);
        else if (!img_progress_add_rows(trials->job->progress, (uint64_t)rows))
            atomic_store(&trials->stops, true);
    }
    end_worker(&worker);
}

static ImgStatus run_units(Trials *trials, size_t units, uint64_t rows, ImgPartFunction *work,
                           ImgError *err)
{
    const ImgTrialJob *job = trials->job;
    const size_t threads = units < (size_t)job->threads ? units : (size_t)job->threads;
    trials->units = units;
    atomic_store(&trials->next, 0);
    img_progress_start(job->progress, rows);
    img_parallel_run(job->team, (int)threads, work, trials);
    if (img_progress_is_cancelled(job->progress, err))
        return job->progress->failure.status;
    return atomic_load(&trials->lacks) ? no_memory(err) : IMG_OK;
}

/* --- Estimates -------------------------------------------------------------------------------- */

/* Finds the trial and the segment of a unit. */
static Trial *trial_of(const Trials *trials, size_t unit, int32_t *segment)
{
    Trial *trial = trials->list;
    while (unit >= (size_t)trial->segments)
        unit -= (size_t)trial++->segments;
    *segment = (int32_t)unit;
    return trial;
}

static bool estimate_segment(Worker *worker, size_t unit, int32_t *rows)
{
    int32_t segment;
    Trial *trial = trial_of(worker->trials, unit, &segment);
    const int32_t first = segment_start(trial, segment), end = segment_start(trial, segment + 1);
    const size_t bytes = (size_t)(end - first) * trial->row;
    *rows = end - first;
    if (!prepare(worker, trial, bytes) ||
        !img_filter_by_plan(worker->filter, trial->view, first, end, trial->plan, worker->filtered,
                            trial->types + first))
        return false;
    trial->sizes[segment] =
        img_deflate_search(worker->search, worker->filtered, bytes, true, worker->deflated);
    return trial->sizes[segment] > 0;
}

static void estimate_units(void *context, int part)
{
    Trials *trials = context;
    (void)part;
    work_on_units(trials, trials->job->effort->estimate, estimate_segment);
}

static void sum_up(const Trials *trials, Trial *trial)
{
    trial->total = trials->job->pictures[trial->picture].chunk_bytes;
    for (int32_t i = 0; i < trial->segments; i++)
        trial->total += trial->sizes[i];
}

/* Adds a trial that has, in each segment, the filters of the plan that was smallest there. */
static void mix(Trials *trials, int picture)
{
    const int count = trials->count;
    Trial *mixed = add_trial(trials, picture, IMG_PLAN_MIXED);
    for (int32_t segment = 0; !atomic_load(&trials->lacks) && segment < mixed->segments;
         segment++) {
        const Trial *best = NULL;
        for (int i = 0; i < count; i++) {
            const Trial *trial = &trials->list[i];
            if (trial->picture == picture &&
                (best == NULL || trial->sizes[segment] < best->sizes[segment]))
                best = trial;
        }
        const int32_t first = segment_start(mixed, segment),
                      end = segment_start(mixed, segment + 1);
        if (best == NULL)
            continue;
        mixed->sizes[segment] = best->sizes[segment];
        memcpy(mixed->types + first, best->types + first, (size_t)(end - first));
    }
}

static ImgStatus estimate(Trials *trials, ImgError *err)
{
    size_t units = 0;
    uint64_t rows = 0;
    ImgStatus status = add_trials(trials, err);
    for (int i = 0; status == IMG_OK && i < trials->count; i++) {
        units += (size_t)trials->list[i].segments;
        rows += (uint64_t)trials->list[i].view->height;
    }
    if (status == IMG_OK)
        status = run_units(trials, units, rows, estimate_units, err);
    const int tried = trials->count;
    for (int i = 0; status == IMG_OK && i < tried; i++)
        if ((i == 0 || trials->list[i].picture != trials->list[i - 1].picture) &&
            trials->list[i].segments > 1)
            mix(trials, trials->list[i].picture);
    for (int i = 0; status == IMG_OK && i < trials->count; i++)
        sum_up(trials, &trials->list[i]);
    if (status == IMG_OK && atomic_load(&trials->lacks))
        return no_memory(err);
    return status;
}

/* --- In full ---------------------------------------------------------------------------------- */

static size_t deflate_thoroughly(Worker *worker, size_t bytes, bool is_last)
{
    if (worker->exact == NULL)
        return img_deflate_search(worker->search, worker->filtered, bytes, is_last,
                                  worker->deflated);
    const ImgExactEffort effort = img_exact_effort(worker->trials->job->effort->exact);
    return img_deflate_exact(worker->exact, &effort, worker->filtered, bytes, is_last,
                             worker->deflated, worker->deflated_room - IMG_BITS_SLACK);
}

static bool deflate_part(Worker *worker, size_t unit, int32_t *rows)
{
    Part *part = &worker->trials->parts[unit];
    const Trial *trial = part->trial;
    const size_t bytes = part_bytes(part);
    *rows = part->end - part->first;
    if (!prepare(worker, trial, bytes))
        return false;
    img_filter_by_types(worker->filter, trial->view, part->first, part->end,
                        trial->types + part->first, worker->filtered);
    part->adler = libdeflate_adler32(1, worker->filtered, bytes);
    part->size = deflate_thoroughly(worker, bytes, part->is_last);
    part->data = malloc(part->size + 1);
    if (part->size == 0 || part->data == NULL || worker->deflated == NULL)
        return false;
    memcpy(part->data, worker->deflated, part->size);
    return true;
}

static void deflate_units(void *context, int part)
{
    Trials *trials = context;
    (void)part;
    const ImgEffort *effort = trials->job->effort;
    work_on_units(trials, effort->exact > 0 ? 0 : effort->full, deflate_part);
}

/* A trial in the order of its estimate. */
typedef struct Rank {
    uint64_t total;
    const Trial *trial;
} Rank;

/* Sorts by size; of equal trials the first one comes first. */
static int compare_ranks(const void *a, const void *b)
{
    const Rank *left = a, *right = b;
    if (left->total != right->total)
        return left->total < right->total ? -1 : 1;
    return (left->trial > right->trial) - (left->trial < right->trial);
}

/* Returns whether the trial that is next by its estimate is deflated in full. `taken` counts those
 * before it. Extra forms count only if they are better than all others. */
static bool is_taken(const ImgTrialJob *job, const Trial *trial, int *taken)
{
    if (trial->is_extra)
        return *taken == 0;
    return (*taken)++ < job->effort->in_full;
}

static int32_t parts_of(const Trial *trial)
{
    return (trial->segments - 1) / SEGMENTS_IN_PART + 1;
}

static void add_parts(Trials *trials, const Trial *trial)
{
    const int32_t count = parts_of(trial);
    for (int32_t i = 0; i < count; i++)
        trials->parts[trials->part_count++] =
            (Part){.trial = trial,
                   .first = segment_start(trial, i * SEGMENTS_IN_PART),
                   .end = segment_start(trial, (i + 1) * SEGMENTS_IN_PART),
                   .is_last = i + 1 == count};
}

/* Chooses the trials to deflate in full, and divides them into parts. Returns the number of their
 * rows. */
static uint64_t choose_parts(Trials *trials, Rank *ranks)
{
    uint64_t rows = 0;
    int taken = 0;
    for (int i = 0; i < trials->count; i++)
        ranks[i] = (Rank){trials->list[i].total, &trials->list[i]};
    qsort(ranks, (size_t)trials->count, sizeof *ranks, compare_ranks);
    for (int i = 0; i < trials->count; i++) {
        if (!is_taken(trials->job, ranks[i].trial, &taken))
            continue;
        add_parts(trials, ranks[i].trial);
        rows += (uint64_t)ranks[i].trial->view->height;
    }
    return rows;
}

static ImgStatus deflate_best(Trials *trials, ImgError *err)
{
    size_t room = 1;
    for (int i = 0; i < trials->count; i++)
        room += (size_t)parts_of(&trials->list[i]);
    Rank *ranks = calloc((size_t)trials->count + 1, sizeof *ranks);
    trials->parts = calloc(room, sizeof *trials->parts);
    if (ranks == NULL || trials->parts == NULL) {
        free(ranks);
        return no_memory(err);
    }
    const uint64_t rows = choose_parts(trials, ranks);
    free(ranks);
    return run_units(trials, trials->part_count, rows, deflate_units, err);
}

/* --- The smallest ----------------------------------------------------------------------------- */

/* Returns the smallest part of a form that begins at row `first`; NULL: none was deflated. */
static const Part *smallest_part(const Trials *trials, int picture, int32_t first)
{
    const Part *best = NULL;
    for (size_t i = 0; i < trials->part_count; i++) {
        const Part *part = &trials->parts[i];
        if (part->trial->picture == picture && part->first == first &&
            (best == NULL || part->size < best->size))
            best = part;
    }
    return best;
}

/* Returns the bytes of a form with its smallest parts; UINT64_MAX: it was not deflated. */
static uint64_t size_of(const Trials *trials, int picture)
{
    uint64_t size = trials->job->pictures[picture].chunk_bytes;
    const Part *part = smallest_part(trials, picture, 0);
    if (part == NULL)
        return UINT64_MAX;
    for (; part != NULL; part = part->is_last ? NULL : smallest_part(trials, picture, part->end))
        size += part->size;
    return size;
}

static int smallest_picture(const Trials *trials)
{
    int best = 0;
    for (int i = 1; i < trials->job->count; i++)
        if (size_of(trials, i) < size_of(trials, best))
            best = i;
    return best;
}

/* Joins the smallest parts of a form to a zlib stream. */
static ImgStatus join(const Trials *trials, ImgTrialResult *result, ImgError *err)
{
    const uint64_t chunks = trials->job->pictures[result->picture].chunk_bytes;
    const size_t size = (size_t)(size_of(trials, result->picture) - chunks);
    uint8_t *to = result->stream = malloc(HEAD_BYTES + size + TAIL_BYTES);
    uint32_t adler = 1;
    if (to == NULL)
        return no_memory(err);
    *to++ = 0x78; /* a window of 32 KiB */
    *to++ = 0xDA; /* deflated slowly; decoders ignore that */
    const Part *part = smallest_part(trials, result->picture, 0);
    result->plan = part->trial->plan;
    while (part != NULL) {
        const size_t bytes = part_bytes(part);
        memcpy(to, part->data, part->size);
        to += part->size;
        adler = (uint32_t)adler32_combine(adler, part->adler, (z_off_t)bytes);
        if (part->trial->plan != result->plan)
            result->plan = IMG_PLAN_MIXED;
        part = part->is_last ? NULL : smallest_part(trials, result->picture, part->end);
    }
    img_put_be32(to, adler);
    result->size = HEAD_BYTES + size + TAIL_BYTES;
    return IMG_OK;
}

static void free_trials(Trials *trials)
{
    for (int i = 0; i < trials->count; i++) {
        free(trials->list[i].types);
        free(trials->list[i].sizes);
    }
    for (size_t i = 0; i < trials->part_count; i++)
        free(trials->parts[i].data);
    free(trials->list);
    free(trials->parts);
}

ImgStatus img_try_pictures(const ImgTrialJob *job, ImgTrialResult *result, ImgError *err)
{
    Trials trials = {.job = job};
    *result = (ImgTrialResult){.stream = NULL};
    ImgStatus status = estimate(&trials, err);
    result->trials = trials.count;
    if (status == IMG_OK)
        status = deflate_best(&trials, err);
    if (status == IMG_OK) {
        result->picture = smallest_picture(&trials);
        status = join(&trials, result, err);
    }
    free_trials(&trials);
    return status;
}

static uint64_t bound_of(uint64_t bytes)
{
    enum { BLOCK = 5000, BESIDE = 64 }; /* stored blocks of libdeflate, with their headers */
    return bytes + bytes / BLOCK * 5 + BESIDE;
}

uint64_t img_trials_bytes(ImgShape shape, int forms, const ImgEffort *effort, int threads)
{
    const uint64_t row = 1 + img_png_row_bytes(shape.width, shape.format);
    const uint64_t whole = row * (uint64_t)shape.height;
    const uint64_t part = img_min64(whole, img_max64(row, SEGMENT_BYTES) * SEGMENTS_IN_PART);
    const uint64_t deflater = effort->exact > 0 ? img_exact_bytes((size_t)part)
                                                : img_search_bytes(effort->full, (size_t)part);
    const uint64_t worker = part + bound_of(part) + deflater + img_filter_work_bytes((size_t)row);
    /* Each trial has the filter of each row, and the size of each segment. */
    const uint64_t segments = whole / (SEGMENT_BYTES / 2) + 1;
    const uint64_t plans = (uint64_t)__builtin_popcount(effort->plans | effort->index_plans) + 1;
    const uint64_t lists = (uint64_t)forms * plans *
                           ((uint64_t)shape.height + segments * sizeof(size_t) + sizeof(Trial));
    /* The results of all parts, and the stream that is joined from them. */
    const uint64_t results = ((uint64_t)effort->in_full + 2) * bound_of(whole);
    return lists + results + (uint64_t)threads * worker;
}
