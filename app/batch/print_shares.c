/* Prints the estimated work of each part of a batch, for --dry-run --shards N. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/batch/batch.h"
#include "app/batch/report/progress.h"
#include "app/batch/shard/share.h"
#include "app/cli/exit_code.h"
#include "app/engine/share/resources.h"
#include "app/term/messages.h"
#include "io/size_text.h"

/* Number of files whose headers are read to estimate the time per byte. Of all other files only the
 * size is used. */
enum { SAMPLE_FILES = 500 };

/* CPU seconds per file on one core, in addition to the work on its pixels. Measured: 100,000
 * pictures of 16 x 16 pixels took 8.8 s on two cores, so 176 us of CPU time each, about
 * 170 us without their pixels. */
static const double SECONDS_PER_FILE = 170e-6;

typedef struct Part {
    size_t files;
    uint64_t bytes;
} Part;

/* Longest and mean time of the parts, in seconds. */
typedef struct Spread {
    double most, mean;
} Spread;

/* Returns the estimated seconds per byte of an input. Uses a sample of files that are spread evenly
 * over the list. */
static double seconds_per_byte(const Batch *batch, const ShareFile *files, size_t count)
{
    size_t step = count / SAMPLE_FILES + 1;
    double seconds = 0, bytes = 0;
    for (size_t i = 0; i < count; i += step) {
        double one = img_resources_file_seconds(files[i].path, batch->steps, batch->step_count,
                                                &batch->settings->engine);
        if (one < 0)
            continue;
        seconds += one;
        bytes += (double)files[i].bytes;
    }
    return bytes > 0 ? seconds / bytes : 0;
}

static double time_of(const Part *load, double per_byte, int jobs)
{
    return ((double)load->files * SECONDS_PER_FILE + (double)load->bytes * per_byte) / jobs;
}

static Spread spread_of(const Part *loads, uint32_t count, double per_byte, int jobs)
{
    Spread spread = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        double time = time_of(&loads[i], per_byte, jobs);
        spread.most = time > spread.most ? time : spread.most;
        spread.mean += time / count;
    }
    return spread;
}

static void print_row(const char *part, const Part *load, double seconds, double share)
{
    char size[IMG_SIZE_TEXT], time[DURATION_TEXT];
    if (seconds < 60)
        snprintf(time, sizeof time, "%.2f s", seconds);
    else
        duration_text(seconds, time);
    printf("%-16s %12zu %12s %10s %8.1f %%\n", part, load->files,
           img_thousands_text(load->bytes, size), time, 100 * share);
}

static void print_rows(const Part *loads, uint32_t count, double per_byte, int jobs)
{
    Part all = {0, 0};
    Spread spread = spread_of(loads, count, per_byte, jobs);
    double mean = spread.mean > 0 ? spread.mean : 1, most = spread.most > 0 ? spread.most : 1;
    printf("%-16s %12s %12s %10s %10s\n", "part", "files", "bytes", "time", "of mean");
    for (uint32_t i = 0; i < count; i++) {
        char part[SHARD_TEXT];
        double seconds = time_of(&loads[i], per_byte, jobs);
        snprintf(part, sizeof part, "%" PRIu32 "/%" PRIu32, i + 1, count);
        print_row(part, &loads[i], seconds, seconds / mean);
        all.files += loads[i].files;
        all.bytes += loads[i].bytes;
    }
    print_row("all, side by side", &all, spread.most, 1);
    printf("balance %.1f %%: the mean of the longest; on %d thread%s each, by what such work costs "
           "on the CPU\n",
           100 * spread.mean / most, jobs, jobs == 1 ? "" : "s");
}

static ImgStatus print(const Batch *batch, ShareFile *files, Part *loads, ImgError *err)
{
    const BatchPlan *plan = batch->plan;
    const Settings *settings = batch->settings;
    uint32_t count = (uint32_t)settings->shards;
    for (size_t i = 0; i < plan->count; i++) {
        const char *path = plan->files[i].input;
        files[i] = (ShareFile){path, plan->files[i].relative, img_resources_file_bytes(path), 0};
    }
    ImgStatus status =
        share_assign(files, plan->count, count, settings->balance == BALANCE_SIZE, err);
    if (status != IMG_OK)
        return status;
    for (size_t i = 0; i < plan->count; i++) {
        loads[files[i].share].files++;
        loads[files[i].share].bytes += files[i].bytes;
    }
    print_rows(loads, count, seconds_per_byte(batch, files, plan->count),
               img_resources_jobs(&settings->engine, 0));
    return IMG_OK;
}

int batch_print_shares(const Batch *batch)
{
    ImgError err = {IMG_OK, ""};
    ShareFile *files = calloc(batch->plan->count + 1, sizeof *files);
    Part *loads = calloc((size_t)batch->settings->shards, sizeof *loads);
    if (files == NULL || loads == NULL)
        img_fail(&err, IMG_E_MEMORY, "no memory for the list of files");
    else
        (void)print(batch, files, loads, &err);
    free(files);
    free(loads);
    if (err.status != IMG_OK)
        return report_failure(&err);
    return batch->plan->failures > 0 ? CLI_SOME_FAILED : CLI_OK;
}
