/* See known.h. What was found, beside each: what was taken beyond the plan, at a time. */
#include "tests/memory/known.h"

#include <string.h>

#include "tests/memory/pictures.h"

/* Of png_kinds. */
enum { GRAY_8 = 3, GRAY_16, RGB_8 = 7, RGB_16, RGBA_8, RGBA_16, PALETTE_2 = 12, PALETTE_4 };

typedef struct Known {
    PictureSpec picture;
    const char *command, *threads, *level;
    const char *steps; /* of run; else NULL */
    const char *suffix;
} Known;

static const Known known[] = {
    /* Rows of the source that each thread keeps: 1.6 GB, 430 MB, 60 MB, 32 MB, 39 MB. */
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "blur sigma=200",
     "png"},
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "sharpen sigma=50",
     "png"},
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "blur sigma=0.5",
     "tga"},
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "boxblur radius=100",
     "png"},
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "convolve kernel=1,2,3,2,1,1,2,3,2,1,1,2,3,2,1,1,2,3,2,1,1,2,3,2,1",
     "png"},
    {{RGBA_8, 40000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "bilateral radius=4",
     "png"},
    /* Between erosion and dilation: 98 MB. Counters of each thread: 18 MB. */
    {{RGBA_16, 1500, 700, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "open size=301",
     "png"},
    {{RGB_16, 1200, 900, CONTENT_SOME_NOISE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "equalize",
     "png"},
    /* A stack of pixels that grew with the edges, and was moved as it did. */
    {{GRAY_8, 1600, 1200, CONTENT_NOISE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "canny low=1 high=99",
     "png"},
    /* Lists of a network, of each thread: 9 MB more than the pixels. */
    {{GRAY_16, 310, 113, CONTENT_SLOPE, false, false},
     "run",
     "--threads=6",
     "--level=1",
     "median radius=8",
     "png"},
    /* The memory of three channels, kept for a result of one: 12 MB. */
    {{PALETTE_2, 2144, 2417, CONTENT_SLOPE, false, false},
     "run",
     "--threads=4",
     "--level=6",
     "threshold value=otsu | blur sigma=119",
     "png"},
    /* Buffers of each thread that encodes: 126 MB; and of those that decode. */
    {{RGBA_16, 1600, 800, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=9",
     "flip",
     "png"},
    {{RGBA_16, 1139, 1128, CONTENT_SOME_NOISE, false, false},
     "run",
     "--threads=5",
     "--level=8",
     "channels extract=blue",
     "jpg"},
    /* A picture of differences, whose encoder was in no plan: 13 MB. */
    {{RGB_16, 1112, 483, CONTENT_SLOPE, false, false}, "compare", "--threads=2", NULL, NULL, "png"},
    /* A large picture that is laid over a small one: 36 MB. */
    {{RGB_8, 15, 21, CONTENT_SLOPE, false, false}, "overlay", "--threads=4", NULL, NULL, "png"},
    /* Tables of counts that wait for those of files before them: 3 MiB each. */
    {{GRAY_16, 60, 50, CONTENT_SLOPE, false, false}, "batch", "--jobs=6", NULL, NULL, NULL},
    /* Counts of each thread, of more threads than were planned: 8 MB. */
    {{RGB_16, 4, 175380, CONTENT_SLOPE, false, false}, "stats", "--threads=8", NULL, NULL, NULL},
    /* Weights of long sides, of both steps at a time: 60 MB. */
    {{GRAY_8, 1, 1, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "resize size=3000000x1 fit=fill | resize size=2990000x1 fit=fill",
     "png"},
    /* Rows that libpng copies, as they are longer than 16 MiB: 68 MB. */
    {{GRAY_8, 1, 3, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "pad left=17000000",
     "png"},
};

const uint64_t known_jobs = sizeof known / sizeof *known;

/* A picture that `overlay` lays over others. */
static bool make_logo(const World *world, Drawn *logo)
{
    const PictureSpec spec = {PALETTE_4, 2280, 1200, CONTENT_SLOPE, false, false};
    return picture_of(world->directory, &spec, PICTURES, logo);
}

static bool writes_result(const Known *own)
{
    return own->suffix != NULL && strcmp(own->command, "compare") != 0;
}

/* What comes before the picture, of commands that have no steps. */
static void add_operands(Job *job, const Known *own, const World *world, const Drawn *picture,
                         const Drawn *logo)
{
    enum { MORE = 11 };
    if (strcmp(own->command, "compare") == 0) {
        job_add(job, "--diff=%s/out.png", world->directory);
        job_add(job, "%s", picture->path);
    } else if (strcmp(own->command, "batch") == 0) {
        job_add(job, "stats");
        for (int i = 0; i < MORE; i++)
            job_add(job, "%s", picture->path);
    } else if (strcmp(own->command, "stats") == 0) {
        job->is_single = true;
        job_add(job, "--explain");
    } else {
        job_add(job, "--image=%s", logo->path);
    }
}

bool known_job(const World *world, uint64_t number, Job *job)
{
    enum { NUMBERS_FROM = PICTURES + 1 }; /* of pictures, beside those that are drawn */
    const Known *own = &known[number];
    Drawn picture, logo;
    if (!picture_of(world->directory, &own->picture, NUMBERS_FROM + (uint32_t)number, &picture) ||
        !make_logo(world, &logo))
        return false;
    job_begin(job, own->command, world->imgtool, 8);
    job_add(job, "%s", own->command);
    job_add(job, "%s", own->threads);
    if (own->level != NULL)
        job_add(job, "%s", own->level);
    if (own->steps != NULL) {
        job->is_single = true;
        job_add(job, "--explain");
        job_add(job, "%s", own->steps);
    } else {
        add_operands(job, own, world, &picture, &logo);
    }
    job_add(job, "%s", picture.path);
    if (writes_result(own))
        job_add(job, "%s/out.%s", world->directory, own->suffix);
    job_limit(job, 0);
    return true;
}
