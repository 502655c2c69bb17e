/* Random command lines (jobs.h). */
#include "tests/memory/jobs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "tests/memory/pictures.h"

typedef struct Drawing {
    const World *world;
    Random random;
    Drawn picture; /* the first picture that the job reads */
    char other[PICTURE_PATH];
    Job *job;
} Drawing;

void job_begin(Job *job, const char *kind, const char *program, int threads)
{
    memset(job, 0, sizeof *job);
    job->kind = kind;
    job->arguments[job->count++] = (char *)(uintptr_t)program;
    job->threads = threads;
}

void job_add(Job *job, const char *format, ...)
{
    va_list values;
    char *text = job->text + job->used;
    va_start(values, format);
    int length = vsnprintf(text, sizeof job->text - job->used, format, values);
    va_end(values);
    if (job->count + 2 >= ARGUMENTS || job->used + (size_t)length + 1 > sizeof job->text)
        return;
    job->arguments[job->count++] = text;
    job->used += (size_t)length + 1;
}

static uint32_t below(Drawing *drawing, uint32_t bound)
{
    return random_below(&drawing->random, bound);
}

static bool draw_picture(Drawing *drawing, Drawn *picture)
{
    return picture_get(drawing->world->directory, drawing->world->seed, below(drawing, PICTURES),
                       picture);
}

/* --- Parts of command lines ------------------------------------------------------------------- */

static StepFiles files_of(const Drawing *drawing)
{
    return (StepFiles){drawing->world->cube, drawing->world->kernel, drawing->other};
}

static void add_threads(Drawing *drawing)
{
    drawing->job->threads = 1 + (int)below(drawing, 8);
    job_add(drawing->job, "--threads=%d", drawing->job->threads);
}

static void add_level(Drawing *drawing)
{
    if (below(drawing, 2) == 0)
        job_add(drawing->job, "--level=%u", (unsigned)below(drawing, 10));
}

static void add_writing(Drawing *drawing)
{
    static const char *const strips[] = {"all", "private", "none"};
    add_level(drawing);
    if (below(drawing, 6) == 0)
        job_add(drawing->job, "--no-index");
    if (below(drawing, 8) == 0)
        job_add(drawing->job, "--strip=%s", strips[below(drawing, 3)]);
    if (below(drawing, 8) == 0)
        job_add(drawing->job, "--quality=%u", 1 + (unsigned)below(drawing, 100));
}

/* Returns a random file name extension. Two of three are "png". */
static const char *draw_suffix(Drawing *drawing)
{
    static const char *const suffixes[] = {"png", "png", "png", "png", "png",
                                           "png", "jpg", "bmp", "tga"};
    return suffixes[below(drawing, 9)];
}

static void add_output(Drawing *drawing)
{
    job_add(drawing->job, "%s/out.%s", drawing->world->directory, draw_suffix(drawing));
}

static void add_steps(Drawing *drawing, size_t most)
{
    char text[STEPS_TEXT];
    const StepFiles files = files_of(drawing);
    (void)steps_draw(&files, drawing->picture.shape, most, &drawing->random, text);
    job_add(drawing->job, "%s", text);
}

/* --- Commands --------------------------------------------------------------------------------- */

static bool draw_run(Drawing *drawing)
{
    Job *job = drawing->job;
    job_add(job, "run");
    add_threads(drawing);
    add_writing(drawing);
    job_add(job, "--explain");
    job->is_single = true;
    add_steps(drawing, 5);
    job_add(job, "%s", drawing->picture.path);
    add_output(drawing);
    return true;
}

/* Makes a job that runs one random operation by the command of its name, such as `imgtool blur`. */
static bool draw_single(Drawing *drawing)
{
    Job *job = drawing->job;
    ImgStep step;
    ImgShape shape = drawing->picture.shape;
    const StepFiles files = files_of(drawing);
    if (!step_draw(&files, &shape, 0.25, &drawing->random, &step))
        return draw_run(drawing);
    job_add(job, "%s", step.op->name);
    for (const ImgParam *param = step.op->params; param->name != NULL; param++) {
        char text[IMG_PARAM_TEXT];
        img_params_print(param, &step.params, text, sizeof text);
        if (text[0] != '\0' && !img_param_is_default(param, &step.params))
            job_add(job, "--%s=%s", param->name, text);
    }
    add_threads(drawing);
    add_writing(drawing);
    job_add(job, "--explain");
    job->is_single = true;
    job_add(job, "%s", drawing->picture.path);
    add_output(drawing);
    return true;
}

static bool draw_convert(Drawing *drawing)
{
    Job *job = drawing->job;
    const bool small = below(drawing, 2) == 0;
    job_add(job, small ? "thumbnail" : "convert");
    add_threads(drawing);
    add_writing(drawing);
    job_add(job, "--explain");
    job->is_single = true;
    if (small)
        job_add(job, "%ux%u", 1 + (unsigned)below(drawing, 300), 1 + (unsigned)below(drawing, 300));
    job_add(job, "%s", drawing->picture.path);
    add_output(drawing);
    return true;
}

static void add_luma(Drawing *drawing)
{
    static const char *const lumas[] = {"709", "601", "none"};
    if (below(drawing, 3) == 0)
        job_add(drawing->job, "--luma=%s", lumas[below(drawing, 3)]);
    if (below(drawing, 3) == 0)
        job_add(drawing->job, "--skip-transparent");
}

static bool add_pictures(Drawing *drawing, uint32_t most)
{
    for (uint32_t i = 1 + below(drawing, most); i > 0; i--) {
        Drawn picture;
        if (!draw_picture(drawing, &picture))
            return false;
        job_add(drawing->job, "%s", picture.path);
    }
    return true;
}

static bool draw_stats(Drawing *drawing)
{
    job_add(drawing->job, "stats");
    add_threads(drawing);
    add_luma(drawing);
    if (below(drawing, 3) == 0)
        job_add(drawing->job, "--percentiles=1,50,99.5");
    return add_pictures(drawing, below(drawing, 2) == 0 ? 1 : 6);
}

static bool draw_histogram(Drawing *drawing)
{
    job_add(drawing->job, "histogram");
    add_threads(drawing);
    add_luma(drawing);
    job_add(drawing->job, "--csv");
    if (below(drawing, 2) == 0)
        job_add(drawing->job, "--bins=%u", 1 + (unsigned)below(drawing, 300));
    return add_pictures(drawing, below(drawing, 2) == 0 ? 1 : 6);
}

/* Makes a job that compares a picture with itself. */
static bool draw_compare(Drawing *drawing)
{
    Job *job = drawing->job;
    job_add(job, "compare");
    add_threads(drawing);
    if (below(drawing, 2) == 0)
        job_add(job, "--diff=%s/out.png", drawing->world->directory);
    job_add(job, "%s", drawing->picture.path);
    job_add(job, "%s", drawing->picture.path);
    return true;
}

static void add_jobs(Drawing *drawing)
{
    drawing->job->threads = 1 + (int)below(drawing, 8);
    job_add(drawing->job, "--jobs=%d", drawing->job->threads);
}

static bool draw_batch(Drawing *drawing)
{
    Job *job = drawing->job;
    const bool counts = below(drawing, 6) == 0;
    job_add(job, "batch");
    add_jobs(drawing);
    if (counts) {
        job_add(job, "stats");
        return add_pictures(drawing, 12);
    }
    add_writing(drawing);
    if (below(drawing, 4) == 0)
        job_add(job, "--format=%s", below(drawing, 2) == 0 ? "jpeg" : "bmp");
    add_steps(drawing, 3);
    job_add(job, "%s", drawing->picture.path);
    if (!add_pictures(drawing, 11))
        return false;
    job_add(job, "%s/batch", drawing->world->directory);
    return true;
}

static bool draw_montage(Drawing *drawing)
{
    Job *job = drawing->job;
    job_add(job, "montage");
    add_threads(drawing);
    add_level(drawing);
    job_add(job, "--cell=%ux%u", 1 + (unsigned)below(drawing, 400),
            1 + (unsigned)below(drawing, 400));
    if (below(drawing, 2) == 0)
        job_add(job, "--background=transparent");
    if (!add_pictures(drawing, 12))
        return false;
    job_add(job, "%s/out.%s", drawing->world->directory, draw_suffix(drawing));
    return true;
}

/* Makes a job that writes a pyramid of tiles. Random steps may change the picture first. The levels
 * are then made by halving the result. */
static bool draw_pyramid(Drawing *drawing)
{
    Job *job = drawing->job;
    const ImgShape shape = drawing->picture.shape;
    const int side = shape.width > shape.height ? shape.width : shape.height;
    job_add(job, "tiles");
    add_threads(drawing);
    add_level(drawing);
    job_add(job, "--layout=dzi");
    job_add(job, "--size=%d", 2 + side / (1 + (int)below(drawing, 5)));
    if (below(drawing, 3) == 0)
        job_add(job, "--steps=%s", below(drawing, 2) == 0 ? "resize 70%" : "trim | rotate");
    job_add(job, "%s", drawing->picture.path);
    job_add(job, "%s/pyramid", drawing->world->directory);
    return true;
}

static bool draw_tiles(Drawing *drawing)
{
    Job *job = drawing->job;
    const ImgShape shape = drawing->picture.shape;
    if (below(drawing, 2) == 0)
        return draw_pyramid(drawing);
    job_add(job, "tiles");
    add_threads(drawing);
    add_level(drawing);
    job_add(job, "--size=%dx%d", 1 + shape.width / (1 + (int)below(drawing, 5)),
            1 + shape.height / (1 + (int)below(drawing, 5)));
    job_add(job, "%s", drawing->picture.path);
    job_add(job, "%s/tile-{column}-{row}.png", drawing->world->directory);
    return true;
}

/* Makes a job of memory_library, with the arguments THREADS LEVEL STEPS INPUT OUTPUT. */
static bool draw_library(Drawing *drawing)
{
    Job *job = drawing->job;
    job->arguments[0] = (char *)(uintptr_t)drawing->world->library;
    job->threads = 1 + (int)below(drawing, 8);
    job_add(job, "%d", job->threads);
    job_add(job, "%u", (unsigned)below(drawing, 10));
    if (below(drawing, 4) == 0)
        job_add(job, "rows");
    else
        add_steps(drawing, 4);
    job_add(job, "%s", drawing->picture.path);
    add_output(drawing);
    return true;
}

static const struct {
    const char *name;
    uint32_t share; /* number of jobs of this kind in a hundred */
    bool (*draw)(Drawing *drawing);
} kinds[] = {
    {"run", 42, draw_run},        {"operation", 15, draw_single},   {"convert", 6, draw_convert},
    {"stats", 5, draw_stats},     {"histogram", 4, draw_histogram}, {"compare", 5, draw_compare},
    {"batch", 10, draw_batch},    {"montage", 3, draw_montage},     {"tiles", 3, draw_tiles},
    {"library", 7, draw_library},
};

bool job_draw(const World *world, uint64_t number, Job *job)
{
    /* Jobs and pictures use the same seed, and the random sequence follows from seed and number. So
     * the numbers of jobs begin after the numbers of pictures. */
    enum { JOBS_FROM = 1 << 20 };
    Drawing drawing = {
        .world = world, .random = random_start(world->seed, JOBS_FROM + number), .job = job};
    Drawn other;
    uint32_t at = random_below(&drawing.random, 100);
    size_t kind = 0;
    while (at >= kinds[kind].share)
        at -= kinds[kind++].share;
    job_begin(job, kinds[kind].name, world->imgtool, 1);
    if (!draw_picture(&drawing, &drawing.picture) || !draw_picture(&drawing, &other))
        return false;
    memcpy(drawing.other, other.path, sizeof drawing.other);
    const bool drawn = kinds[kind].draw(&drawing);
    job_limit(job, 0);
    return drawn;
}

/* The limit is always the last argument of a job. */
void job_limit(Job *job, uint64_t bytes)
{
    const bool is_library = strcmp(job->kind, "library") == 0;
    snprintf(job->limit, sizeof job->limit, "%s%llu",
             is_library ? "" : "--max-memory=", (unsigned long long)bytes);
    job->arguments[job->count] = is_library || bytes > 0 ? job->limit : NULL;
    job->arguments[job->count + 1] = NULL;
}

/* --- Files of steps --------------------------------------------------------------------------- */

static bool write_cube(const char *path)
{
    enum { SIDE = 9 };
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    fprintf(file, "LUT_3D_SIZE %d\n", SIDE);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        fprintf(file, "0.%03d 0.%03d 0.%03d\n", i, 999 - i, i % 100);
    return fclose(file) == 0;
}

static bool write_kernel(const char *path)
{
    enum { SIDE = 15 };
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    for (int i = 0; i < SIDE * SIDE; i++)
        fprintf(file, "%d%c", i % 5 - 1, (i + 1) % SIDE == 0 ? '\n' : ' ');
    return fclose(file) == 0;
}

bool world_make(World *world)
{
    snprintf(world->cube, sizeof world->cube, "%s/look.cube", world->directory);
    snprintf(world->kernel, sizeof world->kernel, "%s/kernel.txt", world->directory);
    if (write_cube(world->cube) && write_kernel(world->kernel))
        return true;
    perror(world->directory);
    return false;
}
