/* Jobs with several pictures that once used more memory than their limit (jobs.h). The comments
 * state by how many bytes resident memory exceeded the limit. The tests allow 24 MiB, and 1 MiB per
 * thread, above the limit. */
#include "tests/memory/jobs.h"

#include "tests/memory/pictures.h"

/* Indices of kinds of pictures in the array png_kinds. */
enum { RGB_8 = 7, RGBA_16 = 10 };

enum { MOST = 20 };

typedef struct KnownMany {
    const char *jobs, *steps;
    int threads;
    /* `count` small pictures, each one pixel wider than the one before */
    PictureSpec small;
    int count;
    /* a large picture after the small ones */
    PictureSpec large;
    uint64_t does_with; /* a limit in bytes that must be enough */
} KnownMany;

static const KnownMany known[] = {
    /* The process kept freed memory of the small pictures while it processed the large one.
     * Resident memory was 42 MB above the limit. */
    {"--jobs=1",
     "boxblur radius=50 | invert",
     1,
     {RGB_8, 1000, 1352, CONTENT_NOISE, false, false},
     4,
     {RGB_8, 4000, 2500, CONTENT_SLOPE, false, false},
     64 * 1000 * 1000},
    /* The same fault as in the entry before, but with two threads. Resident memory was 140 MB above
     * the limit. */
    {"--jobs=2",
     "boxblur radius=50 | invert",
     2,
     {RGB_8, 1000, 1352, CONTENT_NOISE, false, false},
     20,
     {RGB_8, 4000, 2500, CONTENT_SLOPE, false, false},
     64 * 1000 * 1000},
    /* The process kept freed memory of the first steps of a picture until its last step. Resident
     * memory was 34 MB above the limit. */
    {"--jobs=1",
     "boxblur radius=18 | rotate angle=-232.174 | saturation factor=97",
     1,
     {RGB_8, 1000, 1352, CONTENT_NOISE, false, false},
     3,
     {RGBA_16, 2166, 500, CONTENT_SLOPE, false, false},
     58 * 1000 * 1000},
};

const uint64_t known_many_jobs = sizeof known / sizeof *known;

static bool add_picture(const World *world, const PictureSpec *spec, uint32_t number, Job *job)
{
    Drawn picture;
    if (!picture_of(world->directory, spec, number, &picture))
        return false;
    job_add(job, "%s", picture.path);
    return true;
}

bool known_many_job(const World *world, uint64_t number, uint32_t pictures_from, Job *job)
{
    const KnownMany *own = &known[number];
    const uint32_t first = pictures_from + (MOST + 1) * (uint32_t)number;
    PictureSpec small = own->small;
    job_begin(job, "batch", world->imgtool, own->threads);
    job->does_with = own->does_with;
    job_add(job, "batch");
    job_add(job, "%s", own->jobs);
    job_add(job, "%s", own->steps);
    for (int i = 0; i < own->count; i++, small.width++)
        if (!add_picture(world, &small, first + (uint32_t)i, job))
            return false;
    if (!add_picture(world, &own->large, first + MOST, job))
        return false;
    job_add(job, "%s/batch", world->directory);
    job_limit(job, 0);
    return true;
}
