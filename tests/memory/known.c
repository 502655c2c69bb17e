/* Jobs that once used more memory than planned (jobs.h). The comments name the memory that the
 * plan missed, and how much it was in these jobs. */
#include "tests/memory/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/memory/pictures.h"

/* Indices of kinds of pictures in the array png_kinds. */
enum { GRAY_8 = 3, GRAY_16, RGB_8 = 7, RGB_16, RGBA_8, RGBA_16, PALETTE_2 = 12, PALETTE_4 };

typedef struct Known {
    PictureSpec picture;
    const char *command, *threads, *level;
    const char *steps; /* steps of the command `run`; NULL for other commands */
    const char *suffix;
    /* how often the steps are repeated; 0 means once */
    int times;
    uint64_t does_with; /* a limit in bytes that must be enough; 0 if a random limit is tried */
} Known;

/* A step with a table file, and a step with a picture file. */
#define CUBE "lut file=known.cube"
#define LOGO "overlay image=known.png"

static const Known known[] = {
    /* The plan once omitted rows of the source that each thread keeps (1.6 GB, 430 MB, 60 MB, 32 MB
     * and 39 MB in these five jobs). */
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "blur sigma=200",
     .suffix = "png"},
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "sharpen sigma=50",
     .suffix = "png"},
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "blur sigma=0.5",
     .suffix = "tga"},
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "boxblur radius=100",
     .suffix = "png"},
    {{RGBA_8, 60000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "convolve kernel=1,2,3,2,1,1,2,3,2,1,1,2,3,2,1,1,2,3,2,1,1,2,3,2,1",
     .suffix = "png"},
    {{RGBA_8, 40000, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "bilateral radius=4",
     .suffix = "png"},
    /* The plan once omitted the picture between erosion and dilation (98 MB) and counters of each
     * thread (18 MB). */
    {{RGBA_16, 1500, 700, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "open size=301",
     .suffix = "png"},
    {{RGB_16, 1200, 900, CONTENT_SOME_NOISE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "equalize",
     .suffix = "png"},
    /* The plan once omitted a stack of edge pixels, which is copied to a larger block when it is
     * full. */
    {{GRAY_8, 1600, 1200, CONTENT_NOISE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "canny low=1 high=99",
     .suffix = "png"},
    /* The plan once omitted lists of a sorting network for each thread (9 MB in addition to the
     * pixels). */
    {{GRAY_16, 310, 113, CONTENT_SLOPE, false, false},
     "run",
     "--threads=6",
     "--level=1",
     "median radius=8",
     .suffix = "png"},
    /* The plan once omitted memory for three channels, which was kept although the result has only
     * one channel (12 MB). */
    {{PALETTE_2, 2144, 2417, CONTENT_SLOPE, false, false},
     "run",
     "--threads=4",
     "--level=6",
     "threshold value=otsu | blur sigma=119",
     .suffix = "png"},
    /* The plan once omitted buffers of each encoding thread (126 MB) and of each decoding
     * thread. */
    {{RGBA_16, 1600, 800, CONTENT_SLOPE, false, false},
     "run",
     "--threads=8",
     "--level=9",
     "flip",
     .suffix = "png"},
    {{RGBA_16, 1139, 1128, CONTENT_SOME_NOISE, false, false},
     "run",
     "--threads=5",
     "--level=8",
     "channels extract=blue",
     .suffix = "jpg"},
    /* The plan once omitted the encoder of the picture of differences (13 MB). */
    {{RGB_16, 1112, 483, CONTENT_SLOPE, false, false},
     "compare",
     "--threads=2",
     NULL,
     NULL,
     .suffix = "png"},
    /* The plan once omitted the picture that is drawn, which is much larger than the picture of the
     * job (36 MB). */
    {{RGB_8, 15, 21, CONTENT_SLOPE, false, false},
     "overlay",
     "--threads=4",
     NULL,
     NULL,
     .suffix = "png"},
    /* The plan once omitted tables of counts that are kept until all earlier files have been
     * counted (3 MiB each). */
    {{GRAY_16, 60, 50, CONTENT_SLOPE, false, false},
     "batch",
     "--jobs=6",
     NULL,
     NULL,
     .suffix = NULL},
    /* More threads than planned once counted samples, so the plan did not include all of their
     * counts (8 MB were missing). */
    {{RGB_16, 4, 175380, CONTENT_SLOPE, false, false},
     "stats",
     "--threads=8",
     NULL,
     NULL,
     .suffix = NULL},
    /* The plan once omitted the weights of long sides, which both resize steps keep at the same
     * time (60 MB). */
    {{GRAY_8, 1, 1, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "resize size=3000000x1 fit=fill | resize size=2990000x1 fit=fill",
     .suffix = "png"},
    /* The plan once omitted the copies that libpng makes of rows longer than 16 MiB (68 MB). */
    {{GRAY_8, 1, 3, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "pad left=17000000",
     .suffix = "png"},
    /* The plan once omitted a picture that is trimmed to a column and then enlarged far beyond the
     * planned size (60 MB). */
    {{GRAY_8, 1, 200, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "pad left=100 right=99 background=white | trim tolerance=1 | resize 300 | blur sigma=3",
     .suffix = "png"},
    /* The plan once omitted weights of `resize` that were computed before the limit was checked (43
     * MB). It stopped at `pad size=3x3`, which is invalid for the picture before it is trimmed, and
     * so did not include the `resize`. */
    {{GRAY_8, 1, 1, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "pad size=10x10 background=white | trim | pad size=3x3 | resize 3000000x1 fit=fill | "
     "crop width=1 height=1",
     .suffix = "png"},
    /* The plans once omitted, in this order: lattices that were copied twice (50 MB), 16-bit tables
     * that stayed after they were combined (48 MB), and tables of many passes (12 MB). */
    {{RGB_8, 20, 20, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     CUBE,
     .suffix = "png",
     .times = 8},
    {{RGB_16, 4, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "linear multiply=1.1,1,0.9",
     .suffix = "png",
     .times = 64},
    {{RGB_16, 4, 4, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "linear multiply=1.1,1,0.9 | flip",
     .suffix = "png",
     .times = 32},
    /* The plan once omitted the pictures of all overlay steps together (33 MB). */
    {{RGB_8, 20, 20, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     LOGO,
     .suffix = "png",
     .times = 4},
    /* More threads than planned once ran, so the plan did not include all of their counters (16 MB
     * were missing). */
    {{GRAY_8, 600, 400, CONTENT_SLOPE, false, false},
     "run",
     "--threads=512",
     "--level=1",
     "clahe tiles=32",
     .suffix = "bmp",
     .does_with = 1 << 20},
    /* The plan once omitted rectangles of the source that each thread keeps while it works (33
     * MB). */
    {{GRAY_8, 1600, 1200, CONTENT_SLOPE, false, false},
     "run",
     "--threads=64",
     "--level=1",
     "affine matrix=0.1,0,0,0,0.1,0 filter=bilinear border=reflect",
     .suffix = "bmp",
     .does_with = 6 << 20},
    {{GRAY_8, 1600, 1200, CONTENT_SLOPE, false, false},
     "run",
     "--threads=64",
     "--level=1",
     "perspective corners=-7000,-5000,8600,-5000,8600,6200,-7000,6200 size=1600x1200 "
     "filter=bilinear border=reflect",
     .suffix = "bmp",
     .does_with = 6 << 20},
    /* The plan once included rows that no step reads: 6 GB in addition to the 140 MB that the job
     * needs. */
    {{GRAY_8, 1, 1, CONTENT_SLOPE, false, false},
     "run",
     "--threads=2",
     "--level=1",
     "resize 4000000x1 fit=fill filter=nearest | blur sigma=200",
     .suffix = "png",
     .does_with = 200 << 20},
    /* The plan once omitted that memory for a whole group of rows is allocated, although there is
     * only one row (23 MB). */
    {{GRAY_16, 2436379, 1, CONTENT_NOISE, false, false},
     "compare",
     "--threads=5",
     NULL,
     NULL,
     .does_with = 60 << 20},
    /* If a long row becomes a few pixels, resize processes several columns together. The plan once
     * omitted the memory for them (66 MB). */
    {{RGBA_8, 149416, 2, CONTENT_SLOPE, false, false},
     "run",
     "--threads=1",
     "--level=1",
     "resize 4 filter=lanczos2",
     .suffix = "png"},
    /* The plan once omitted two rows that libpng keeps for interlaced pictures (25 MB). */
    {{RGB_16, 2088330, 1, CONTENT_NOISE, true, false},
     "run",
     "--threads=1",
     "--level=1",
     "invert",
     .suffix = "bmp"},
    /* Before the encoder began, the bands were once planned a second time and became higher than in
     * the first plan. They then exceeded the limit, so the job was refused, although 40 MiB suffice
     * for it. */
    {{RGBA_16, 1202, 550, CONTENT_NOISE, false, false},
     "run",
     "--threads=8",
     "--level=1",
     "invert | boxblur radius=365 border=constant",
     .suffix = "png",
     .does_with = 56 << 20},
    /* The plan once omitted the buffer for the rows that are decoded before they are written to a
     * temporary file (20 MB). */
    {{RGBA_16, 500000, 4, CONTENT_NOISE, false, false},
     "run",
     "--threads=1",
     "--level=1",
     "equalize channels=luma | threshold value=0",
     .suffix = "png",
     .does_with = 18 << 20},
};

enum { OF_ONE = sizeof known / sizeof *known };

uint64_t known_jobs(void)
{
    return OF_ONE + known_many_jobs;
}

/* Makes the picture that the `overlay` steps draw. */
static bool make_logo(const World *world, Drawn *logo)
{
    const PictureSpec spec = {PALETTE_4, 2280, 1200, CONTENT_SLOPE, false, false};
    return picture_of(world->directory, &spec, PICTURES, logo);
}

enum { CUBE_PATH = 300 };

/* Makes the table that the `lut` steps name. Its file is large, but quick to read. */
static bool make_cube(const World *world, char path[CUBE_PATH])
{
    enum { SIDE = 65 };
    snprintf(path, CUBE_PATH, "%s/known.cube", world->directory);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    fprintf(file, "LUT_3D_SIZE %d\n", SIDE);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        fprintf(file, "0 .%d 1\n", i % 10);
    return fclose(file) == 0;
}

/* Adds the steps to the job, repeated as often as `own` says, with the real names of files. */
static bool add_steps(Job *job, const Known *own, const World *world, const Drawn *logo)
{
    char text[ARGUMENTS_TEXT / 4], cube[CUBE_PATH];
    const char *steps = own->steps;
    size_t used = 0;
    if (strcmp(steps, CUBE) == 0 && !make_cube(world, cube))
        return false;
    for (int i = 0; i == 0 || i < own->times; i++) {
        const char *before = i > 0 ? " | " : "";
        char *at = text + used;
        const size_t room = sizeof text - used;
        int length;
        if (strcmp(steps, CUBE) == 0)
            length = snprintf(at, room, "%slut file=%s", before, cube);
        else if (strcmp(steps, LOGO) == 0)
            length = snprintf(at, room, "%soverlay image=%s", before, logo->path);
        else
            length = snprintf(at, room, "%s%s", before, steps);
        used += (size_t)length;
        if (used >= sizeof text)
            return false;
    }
    job_add(job, "%s", text);
    return true;
}

static bool writes_result(const Known *own)
{
    return own->suffix != NULL && strcmp(own->command, "compare") != 0;
}

/* Adds the operands and options that a command without steps needs before its picture. */
static void add_operands(Job *job, const Known *own, const World *world, const Drawn *picture,
                         const Drawn *logo)
{
    enum { MORE = 11 };
    if (strcmp(own->command, "compare") == 0) {
        if (own->suffix != NULL)
            job_add(job, "--diff=%s/out.%s", world->directory, own->suffix);
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
    /* Number of the first picture of a known job. The lower numbers belong to random pictures. */
    enum { NUMBERS_FROM = PICTURES + 1 };
    if (number >= OF_ONE)
        return known_many_job(world, number - OF_ONE, NUMBERS_FROM + OF_ONE, job);
    const Known *own = &known[number];
    Drawn picture, logo;
    if (!picture_of(world->directory, &own->picture, NUMBERS_FROM + (uint32_t)number, &picture) ||
        !make_logo(world, &logo))
        return false;
    const int threads = own->threads != NULL ? atoi(strchr(own->threads, '=') + 1) : 1;
    job_begin(job, own->command, world->imgtool, threads > 8 ? threads : 8);
    job->does_with = own->does_with;
    job_add(job, "%s", own->command);
    job_add(job, "%s", own->threads);
    if (own->level != NULL)
        job_add(job, "%s", own->level);
    if (own->steps != NULL) {
        job->is_single = true;
        job_add(job, "--explain");
        if (!add_steps(job, own, world, &logo))
            return false;
    } else {
        add_operands(job, own, world, &picture, &logo);
    }
    job_add(job, "%s", picture.path);
    if (writes_result(own))
        job_add(job, "%s/out.%s", world->directory, own->suffix);
    job_limit(job, 0);
    return true;
}
