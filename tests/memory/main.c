/* memory_jobs: runs random jobs with --max-memory, each in its own process, and measures their
 * memory. A job must either stay within its limit or be rejected (README.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/memory/jobs.h"
#include "tests/memory/judge.h"

typedef struct Options {
    uint64_t first, count;
    uint64_t known_every; /* one of every `known_every` known jobs runs; the seed chooses which */
    bool verbose, is_one;
    Meter meter;
    World world;
} Options;

/* Returns the limit in bytes that the error message suggests, or 0 if it suggests none. */
static uint64_t asked_for(const Measured *measured)
{
    const char *text = strstr(measured->said, "--max-memory "), *unit = "KMG";
    if (text == NULL || strstr(text, "would allow it") == NULL)
        return 0;
    char *end;
    uint64_t bytes = strtoull(text + strlen("--max-memory "), &end, 10);
    const char *found = *end != '\0' ? strchr(unit, *end) : NULL;
    return found != NULL ? bytes << 10 * (found - unit + 1) : bytes;
}

static bool run(const Options *options, Job *job, uint64_t limit, Measured *measured, Tally *tally)
{
    job_limit(job, limit);
    measure(&options->meter, options->world.directory, job->arguments, measured);
    if (options->verbose)
        printf("%s limit %llu: code %d heap %llu pages %llu planned %llu\n", job->kind,
               (unsigned long long)limit, measured->code, (unsigned long long)measured->heap,
               (unsigned long long)measured->pages, (unsigned long long)planned_bytes(measured));
    if (options->verbose)
        printf("%s", measured->said);
    return judge(job, limit, measured, tally);
}

/* Measures the job without a limit, then with a random limit near the measured memory, and then
 * with the limit that an error message suggests. */
static bool do_job(const Options *options, Job *job, Random *random, Tally *tally)
{
    Measured measured;
    if (!run(options, job, 0, &measured, tally))
        return false;
    const uint64_t planned = planned_bytes(&measured), need = planned > 0 ? planned : measured.heap;
    if (planned > 0 && measured.heap > planned + HEAP_BESIDE) {
        printf("more than was planned, %llu:\n", (unsigned long long)planned);
        return judge(job, planned, &measured, tally);
    }
    tally_plan(&measured, planned, tally);
    if (measured.code != 0 && job->does_with == 0)
        return true; /* The command fails whatever the limit is, so there is nothing to test. */
    const uint64_t drawn = 1 + need / 100 * (10 + random_below(random, 120));
    if (!run(options, job, job->does_with > 0 ? job->does_with : drawn, &measured, tally))
        return false;
    if (job->does_with > 0 && measured.code != 0) {
        printf("WRONG: refused with what is enough, %llu\n%s", (unsigned long long)job->does_with,
               measured.said);
        return false;
    }
    const uint64_t asked = asked_for(&measured);
    if (measured.code == 0 || asked == 0 || !job->is_single)
        return true;
    if (!run(options, job, asked, &measured, tally))
        return false;
    if (measured.code == 0)
        return true;
    printf("WRONG: refused with what the message said would be allowed, %llu\n%s",
           (unsigned long long)asked, measured.said);
    return false;
}

/* Makes job `number`. Known jobs come first, then random ones. If a single job is requested, it is
 * random job `number`. */
static bool draw(const Options *options, uint64_t number, Job *job)
{
    if (options->is_one)
        return job_draw(&options->world, number, job);
    return number < known_jobs() ? known_job(&options->world, number, job)
                                 : job_draw(&options->world, number - known_jobs(), job);
}

static int do_jobs(const Options *options)
{
    static Job job;
    Tally tally = {.jobs = 0};
    const uint64_t known = options->is_one ? 0 : known_jobs();
    const uint64_t count = options->count + known;
    for (uint64_t i = options->first; i < options->first + count; i++) {
        if (i < known && (i + options->world.seed) % options->known_every != 0)
            continue;
        /* For known jobs, i < known, the difference wraps around. It only serves as a seed for
         * them. */
        const uint64_t number = i - known;
        Random random = random_start(options->world.seed, ~number);
        if (!draw(options, i, &job))
            return EXIT_FAILURE;
        tally.jobs++;
        if (!do_job(options, &job, &random, &tally)) {
            tally.wrong++;
            if (i < known)
                printf("known job %llu\n", (unsigned long long)i);
            else
                printf("job: --seed %llu --only %llu\n", (unsigned long long)options->world.seed,
                       (unsigned long long)number);
        }
    }
    tally_print(&tally);
    return tally.wrong == 0 && tally.fitted > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool read_options(int argc, char **argv, Options *options)
{
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        const uint64_t number = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0)
            options->world.seed = number;
        else if (strcmp(argv[i], "--jobs") == 0)
            options->count = number;
        else if (strcmp(argv[i], "--known-every") == 0 && number > 0)
            options->known_every = number;
        else if (strcmp(argv[i], "--only") == 0)
            *options = (Options){.first = number,
                                 .count = 1,
                                 .verbose = true,
                                 .is_one = true,
                                 .world = options->world};
        else
            return false;
    }
    if (argc - i != 4)
        return false;
    options->world.imgtool = argv[i];
    options->world.library = argv[i + 1];
    options->meter.preload = argv[i + 2];
    return snprintf(options->world.directory, sizeof options->world.directory, "%s", argv[i + 3]) <
           (int)sizeof options->world.directory;
}

int main(int argc, char **argv)
{
    static Options options = {.count = 100, .known_every = 1, .world = {.seed = 1}};
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "usage: memory_jobs [--seed N] [--jobs N | --only N] [--known-every N] "
                        "IMGTOOL MEMORY_LIBRARY HEAP_PEAK DIRECTORY\n");
        return 2;
    }
    if (!meter_open(options.meter.preload, &options.meter) || !world_make(&options.world))
        return EXIT_FAILURE;
    printf("seed %llu\n", (unsigned long long)options.world.seed);
    return do_jobs(&options);
}
