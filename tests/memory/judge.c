/* Comparison of the memory of a job with its limit and plan (judge.h). */
#include "tests/memory/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that each thread uses outside the heap: its stack and its arena of the C library. */
enum { PAGES_PER_THREAD = 1 << 20 };

/* Plans for fewer bytes are not compared with the used memory, because the fixed memory of the
 * program is larger than such plans. */
static const uint64_t PLAN_WORTH_A_QUOTIENT = 4 << 20;

uint64_t planned_bytes(const Measured *measured)
{
    const char *text = strstr(measured->said, "  memory   ");
    const char *exact = text != NULL ? strchr(text, '(') : NULL;
    return exact != NULL ? strtoull(exact + 1, NULL, 10) : 0;
}

static bool says_limit(const Measured *measured)
{
    return strstr(measured->said, "max-memory") != NULL ||
           strstr(measured->said, "of memory") != NULL ||
           strstr(measured->said, "more memory than the limit") != NULL ||
           strstr(measured->said, "limit of") != NULL;
}

static bool report(const Job *job, uint64_t limit, const Measured *measured, const char *what)
{
    printf("WRONG: %s\n  limit %llu, heap %llu, pages %llu, exit code %d\n  ", what,
           (unsigned long long)limit, (unsigned long long)measured->heap,
           (unsigned long long)measured->pages, measured->code);
    for (int i = 0; job->arguments[i] != NULL; i++)
        printf(" '%s'", job->arguments[i]);
    printf("\n%s", measured->said);
    fflush(stdout);
    return false;
}

static uint64_t beside(uint64_t held, uint64_t limit)
{
    return held > limit ? held - limit : 0;
}

bool judge(const Job *job, uint64_t limit, const Measured *measured, Tally *tally)
{
    tally->runs++;
    if (!measured->is_slow && (measured->code < 0 || measured->code > 5))
        return report(job, limit, measured,
                      "it was killed, or ended with no code that is documented");
    if (measured->heap == 0)
        return report(job, limit, measured, "its memory was not measured");
    const bool refused = measured->code != 0 && says_limit(measured);
    tally->refused += refused;
    tally->fitted += measured->code == 0;
    tally->other += measured->code != 0 && !refused;
    if (limit == 0)
        return true;
    const uint64_t heap = beside(measured->heap, limit), pages = beside(measured->pages, limit);
    if (heap > tally->most_beside)
        tally->most_beside = heap;
    if (pages > tally->most_pages_beside)
        tally->most_pages_beside = pages;
    if (heap > HEAP_BESIDE)
        return report(job, limit, measured, "more memory than the limit");
    if (pages > PAGES_BESIDE + (uint64_t)job->threads * PAGES_PER_THREAD)
        return report(job, limit, measured, "more pages than the limit");
    return true;
}

void tally_plan(const Measured *measured, uint64_t planned, Tally *tally)
{
    enum { PARTS = 16, MOST = sizeof tally->quotients / sizeof *tally->quotients - 1 };
    if (planned < PLAN_WORTH_A_QUOTIENT || measured->code != 0)
        return;
    const uint64_t part = measured->heap * PARTS / planned;
    tally->quotients[part < MOST ? part : MOST]++;
    tally->planned++;
}

void tally_print(const Tally *tally)
{
    printf("%llu jobs, %llu runs: %llu done, %llu refused for memory, %llu for something else, "
           "%llu wrong\n",
           (unsigned long long)tally->jobs, (unsigned long long)tally->runs,
           (unsigned long long)tally->fitted, (unsigned long long)tally->refused,
           (unsigned long long)tally->other, (unsigned long long)tally->wrong);
    printf("most beside the limit: %.2f MB of the heap, %.2f MB of pages\n",
           (double)tally->most_beside / 1e6, (double)tally->most_pages_beside / 1e6);
    printf("measured by planned, of %u jobs with plans of 4 MiB and more:",
           (unsigned)tally->planned);
    for (size_t i = 0; i < sizeof tally->quotients / sizeof *tally->quotients; i++)
        if (tally->quotients[i] > 0)
            printf(" %.2f:%u", (double)i / 16, (unsigned)tally->quotients[i]);
    printf("\n");
}
