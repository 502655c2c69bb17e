/* Checks that the automatic choice is the fastest variant (bench_work.h). */
#include "tests/checkkernels/bench_work.h"

#include <stdio.h>
#include <string.h>

#include "app/bench/measure/timing.h"
#include "kernels/core/select.h"

enum { FEW = 5, PAIRS = 21, HOPELESS = 2 };

static const double MARGIN = 0.05;
/* Seconds that the first launch of a kernel may take, because the kernel is loaded then. */
static const double LOADING = 20e-3;
/* Differences between two times, in seconds, that are too small to count, for each backend. The
 * clock of a device has steps of half a microsecond. */
static const double NOTHING[] = {[IMG_BACKEND_CPU] = 5e-6, [IMG_BACKEND_CUDA] = 1e-6};

/* Writes the variants other than `chosen` to `others`, at most `room` of them. The reference is
 * left out, because it is written for clarity and not for speed. Returns their number. */
static size_t find_others(const BenchWork *work, const ImgImpl *chosen, const ImgImpl **others,
                          size_t room)
{
    size_t count = 0;
    for (const ImgImpl *impl = work->op->impls; impl->name != NULL && count < room; impl++)
        if (impl != chosen && impl != &work->op->impls[0] && bench_applies(work, impl))
            others[count++] = impl;
    return count;
}

static ImgStatus time_once(Workload *workload, const ImgImpl *impl, double *seconds, ImgError *err)
{
    return workload_time(workload, impl, impl->backend, IMG_CACHES_COLD, 1, seconds, err);
}

/* Computes the median time of a few runs after a warm-up run. Stops after two runs if both take
 * more than HOPELESS times `limit`. Stops after the warm-up if it took longer than that, and longer
 * than loading a kernel can take (LOADING). */
static ImgStatus time_few(Workload *workload, const ImgImpl *impl, double limit, double *median,
                          ImgError *err)
{
    double samples[FEW];
    int count = 0;
    ImgStatus status = time_once(workload, impl, &samples[0], err);
    if (status == IMG_OK && samples[0] > HOPELESS * limit && samples[0] > LOADING) {
        *median = samples[0];
        return IMG_OK;
    }
    while (status == IMG_OK && count < FEW) {
        status = time_once(workload, impl, &samples[count++], err);
        if (count == 2 && samples[0] > HOPELESS * limit && samples[1] > HOPELESS * limit)
            break;
    }
    if (status == IMG_OK)
        *median = bench_timing(samples, (size_t)count).median;
    return status;
}

typedef struct Duel {
    double chosen, other; /* median times of the choice and of the other variant, in seconds */
    /* time of the choice divided by that of the other variant, and the noise of this ratio */
    double times, noise;
} Duel;

/* Times both variants in alternating runs, so that other work on the machine slows both equally. */
static ImgStatus time_in_turn(Workload *workload, const ImgImpl *chosen, const ImgImpl *other,
                              Duel *duel, ImgError *err)
{
    double own[PAIRS], others[PAIRS], times[PAIRS];
    ImgStatus status = IMG_OK;
    for (int i = 0; i < PAIRS && status == IMG_OK; i++) {
        status = time_once(workload, chosen, &own[i], err);
        if (status == IMG_OK)
            status = time_once(workload, other, &others[i], err);
        if (status == IMG_OK)
            times[i] = own[i] / others[i];
    }
    if (status != IMG_OK)
        return status;
    const BenchTiming quotients = bench_timing(times, PAIRS);
    *duel = (Duel){.chosen = bench_timing(own, PAIRS).median,
                   .other = bench_timing(others, PAIRS).median,
                   .times = quotients.median,
                   .noise = quotients.noise};
    return IMG_OK;
}

static bool is_slower(const Duel *duel, ImgBackend backend)
{
    return duel->times - duel->noise * duel->times > 1 + MARGIN &&
           duel->chosen - duel->other > NOTHING[backend];
}

/* Sets *faster to the variant that is faster than `chosen` by the largest factor, or to NULL if
 * none is faster. */
static ImgStatus find_faster(Workload *workload, const BenchWork *work, const ImgImpl *chosen,
                             const ImgImpl **faster, Duel *worst, ImgError *err)
{
    enum { MOST = 64 };
    const ImgImpl *others[MOST];
    const size_t count = find_others(work, chosen, others, MOST);
    double own = 0, other = 0;
    *faster = NULL;
    ImgStatus status = time_few(workload, chosen, 1e9, &own, err);
    for (size_t i = 0; i < count && status == IMG_OK; i++) {
        Duel duel = {.times = 0};
        status = time_few(workload, others[i], own, &other, err);
        if (status != IMG_OK || other >= own)
            continue;
        status = time_in_turn(workload, chosen, others[i], &duel, err);
        if (status == IMG_OK && is_slower(&duel, work->backend) &&
            (*faster == NULL || duel.times > worst->times)) {
            *faster = others[i];
            *worst = duel;
        }
    }
    return status;
}

static void fail(const BenchWork *work, const char *why, CheckTally *tally)
{
    printf("FAIL %s %s on %s: %s\n", work->title, work->format, img_backend_name(work->backend),
           why);
    tally->failed++;
}

static ImgStatus judge(Workload *workload, const BenchWork *work, const ImgImpl *chosen,
                       CheckTally *tally, ImgError *err)
{
    const ImgImpl *faster;
    char why[256];
    Duel duel = {.times = 0};
    const ImgStatus status = find_faster(workload, work, chosen, &faster, &duel, err);
    if (status != IMG_OK)
        return status;
    if (faster == NULL) {
        tally->passed++;
        return IMG_OK;
    }
    snprintf(why, sizeof why, "takes %s, %.4f ms; %s takes %.4f ms, %.2f times as fast (+-%.1f %%)",
             chosen->name, duel.chosen * 1e3, faster->name, duel.other * 1e3, duel.times,
             duel.noise * 100);
    fail(work, why, tally);
    return IMG_OK;
}

/* Checks the results of the choice and of all other variants that apply, except the reference. */
static ImgStatus verify(Workload *workload, const BenchWork *work, const ImgImpl *chosen,
                        ImgError *err)
{
    ImgStatus status = workload_check(workload, chosen, err);
    for (const ImgImpl *impl = &work->op->impls[1]; status == IMG_OK && impl->name != NULL; impl++)
        if (impl != chosen && bench_applies(work, impl))
            status = workload_check(workload, impl, err);
    return status;
}

void bench_choice(const BenchWork *work, const BenchOptions *wanted, const CheckOptions *options,
                  CheckTally *tally)
{
    const ImgImpl *chosen, *other;
    ImgError err = {IMG_OK, ""};
    if (img_impl_fastest(work->op, work->backend, work->src, work->params, &chosen, NULL) != IMG_OK)
        return; /* No implementation of the backend supports this picture. */
    if (find_others(work, chosen, &other, 1) == 0) {
        tally->alone++;
        return;
    }
    Workload workload;
    ImgStatus status = bench_open(&workload, work, wanted, options, &err);
    if (status == IMG_OK && wanted->against != NULL)
        status = verify(&workload, work, chosen, &err);
    if (status == IMG_OK)
        status = judge(&workload, work, chosen, tally, &err);
    if (status != IMG_OK)
        fail(work, err.message, tally);
    fflush(stdout);
    workload_free(&workload);
}

void bench_choice_print_head(const BenchOptions *wanted)
{
    printf("%d x %d pixels, %s; the automatic choice against all other variants, %s\n",
           wanted->width, wanted->height, wanted->fill,
           wanted->against != NULL ? "verified" : "not verified");
}

void bench_choice_print_tally(const CheckTally *tally)
{
    printf("choices: %llu the fastest, %llu slower than another by more than %.0f %% and noise, "
           "%llu without another\n",
           (unsigned long long)tally->passed, (unsigned long long)tally->failed, MARGIN * 100,
           (unsigned long long)tally->alone);
}
