/* Writes the headings of tables. They contain the operation or experiment, its data, the backend,
 * and the bytes per run. */
#include <stdio.h>
#include <string.h>

#include "app/bench/print/fields.h"
#include "app/bench/print/tables.h"
#include "app/text/text.h"

const char *bench_backend_label(ImgBackend backend)
{
    static const char *const labels[] = {
        [IMG_BACKEND_AUTO] = "auto", [IMG_BACKEND_CPU] = "CPU", [IMG_BACKEND_CUDA] = "CUDA"};
    return labels[backend];
}

static void append_clean(char text[BENCH_HEADING], const char *before, const char *from)
{
    char clean[BENCH_CLEAN];
    if (from[0] != '\0')
        text_append(text, BENCH_HEADING, "%s%s", before, bench_clean_text(from, clean));
}

static void append_counting(char text[BENCH_HEADING], const char *before, const BenchGroup *group)
{
    bool mixed;
    BenchCounting counting = bench_group_counting(group, &mixed);
    if (counting == BENCH_UNCOUNTED)
        return;
    text_append(text, BENCH_HEADING, "%scounts %s", before,
                mixed ? "modelled or measured" : bench_counting_name(counting));
    append_clean(text, ", of ", group->counted);
}

void bench_group_heading(const BenchGroup *group, char text[BENCH_HEADING])
{
    char amount[BENCH_UNIT];
    const char *before = ": ";
    text[0] = '\0';
    append_clean(text, "", group->title);
    append_clean(text, ", ", group->subject);
    text_append(text, BENCH_HEADING, ", %s", bench_backend_label(group->backend));
    append_clean(text, before, group->heading);
    before = group->heading[0] != '\0' ? "; " : before;
    if (group->bytes > 0) {
        text_append(text, BENCH_HEADING, "%s%s per run", before,
                    bench_bytes_text(group->bytes, amount));
        before = "; ";
    }
    if (group->operations > 0) {
        text_append(text, BENCH_HEADING, "%s%s operations", before,
                    bench_count_text(group->operations, amount));
        before = "; ";
    }
    append_counting(text, before, group);
}

void bench_job_heading(const BenchJob *job, char text[BENCH_HEADING])
{
    char amount[BENCH_UNIT];
    text[0] = '\0';
    append_clean(text, "", job->title);
    append_clean(text, ", ", job->subject);
    text_append(text, BENCH_HEADING, ": %zu image%s", job->images, job->images == 1 ? "" : "s");
    text_append(text, BENCH_HEADING, ", %s of pixels", bench_bytes_text(job->pixel_bytes, amount));
    if (job->bytes_in > 0)
        text_append(text, BENCH_HEADING, ", %s read", bench_bytes_text(job->bytes_in, amount));
    if (job->bytes_out > 0)
        text_append(text, BENCH_HEADING, ", %s written", bench_bytes_text(job->bytes_out, amount));
}
