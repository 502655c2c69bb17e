#include "app/explain/explain.h"

#include <string.h>

#include "app/cli/pipeline.h"
#include "app/sandbox/sandbox.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "app/text/text.h"
#include "io/size_text.h"
#include "kernels/core/select.h"

/* Thousandths of the pixels with hidden colours from which it may pay to clear these. */
enum { WORTH_CLEARING = 10 };

/* Writes the names of the implementations that ran, each once, in the order of the steps, such as
 * "cpu-avx2, cpu". */
static void list_impls(const ImgRunReport *run, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < run->count; i++) {
        bool again = run->passes[i].impl == NULL;
        for (size_t k = 0; k < i && !again; k++)
            again = run->passes[k].impl == run->passes[i].impl;
        if (!again)
            text_append(text, size, "%s%s", text[0] != '\0' ? ", " : "", run->passes[i].impl->name);
    }
}

/* Prints what optimizing did, such as "a.png: 22034 to 8189 bytes: gray, filters: sum". */
static void explain_optimized(const Job *job, const ImgOptimizeReport *report)
{
    char text[IMG_OPTIMIZE_TEXT];
    const char *name = img_streams_input_name(job->input);
    img_optimize_describe(report, text);
    img_engine_detail(job->options, "%s: %llu to %llu bytes: %s%s%s%s", name,
                      (unsigned long long)report->bytes_before,
                      (unsigned long long)report->bytes_after, text, text[0] != '\0' ? ", " : "",
                      report->filter != NULL ? "filters: " : "compressed pixels kept",
                      report->filter != NULL ? report->filter : "");
    if (report->hidden >= WORTH_CLEARING)
        img_engine_detail(job->options,
                          "%s: %.1f %% of the pixels are transparent and have colours; --alpha "
                          "clears them",
                          name, report->hidden / 10.0);
}

void explain_line(const Job *job, const JobReport *report)
{
    char steps[512], impls[256];
    const ImgRunReport *run = &report->run;
    if (report->threads_refused > 0)
        img_engine_detail(job->options, "%d of the requested threads could not be started",
                          report->threads_refused);
    if (job->optimizes) {
        explain_optimized(job, &report->optimized);
        return;
    }
    if (job->count == 0) { /* there are no steps: only another file format was requested */
        img_engine_detail(job->options, "%s: recompressed on cpu (%s): %s",
                          img_streams_input_name(job->input), run->device, run->reason);
        return;
    }
    img_pipeline_print(job->steps, job->count, steps, sizeof steps);
    list_impls(run, impls, sizeof impls);
    img_engine_detail(job->options, "%s: %s on %s (%s) by %s: %s",
                      img_streams_input_name(job->input), steps, img_backend_name(run->backend),
                      run->device, impls, run->reason);
}

static void print_picture(FILE *out, const char *label, const char *path, ImgShape shape,
                          uint64_t bytes)
{
    char size[IMG_SIZE_TEXT];
    fprintf(out, "  %-9s", label);
    text_clean(out, path);
    fprintf(out, ": %d x %d, %s, %d bit%s, %s\n", shape.width, shape.height,
            img_color_name(shape.format.color), shape.format.bits,
            shape.format.bits == 1 ? "" : "s", img_size_text(bytes, size));
}

static void print_count(FILE *out, size_t count, const char *one, const char *remark)
{
    fprintf(out, "%zu %s%s%s", count, one, count == 1 ? "" : "s", remark);
}

static void print_not_on_gpu(FILE *out, const char *why)
{
    if (why != NULL)
        fprintf(out, "; not on the GPU: %s", why);
    fputc('\n', out);
}

static void print_reading(FILE *out, const JobReport *report)
{
    const ImgPngDecodeReport *reading = &report->load.decoding;
    fprintf(out, "  %-9s%s", "decoded", img_png_strategy_name(reading->strategy));
    if (reading->strategy == IMG_PNG_BY_LIBPNG) {
        fprintf(out, " (%s)", reading->reason);
    } else if (reading->strategy != IMG_PNG_ON_DEVICE) {
        fputs(": ", out);
        print_count(out, reading->pieces, "piece", ", ");
        print_count(out, (size_t)reading->threads, "thread", "");
    }
    if (report->by_rows)
        fputs(", row by row", out);
    if (report->file_passes > 1)
        fprintf(out, ", passes over the file: %zu", report->file_passes);
    print_not_on_gpu(out, report->decoded_on_cpu);
}

/* Prints how the strips were compressed, with the words that the help of --level uses. */
static void print_writing(FILE *out, const ImgPngEncodeReport *writing, const char *not_on_gpu)
{
    static const char *const ways[IMG_STRIP_STRATEGIES] = {
        [IMG_STRIP_STORED] = "stored",
        [IMG_STRIP_BY_RUNS] = "RLE",
        [IMG_STRIP_BY_MATCHES] = "LZ77",
        [IMG_STRIP_BY_SEARCH] = "optimal LZ77",
    };
    fprintf(out, "  %-9s", "encoded");
    if (writing->by_libpng) {
        fputs("libpng (interlaced)", out);
        print_not_on_gpu(out, not_on_gpu);
        return;
    }
    print_count(out, writing->strips, "strip", " (");
    const char *comma = "";
    for (int way = 0; way < IMG_STRIP_STRATEGIES; way++) {
        if (writing->by_strategy[way] > 0) {
            fprintf(out, "%s%u %s", comma, (unsigned)writing->by_strategy[way], ways[way]);
            comma = ", ";
        }
    }
    fprintf(out, "), %s, ", writing->index ? "with an index" : "no index");
    if (writing->pre_encoded > 0)
        fprintf(out, "%u on the GPU, ", (unsigned)writing->pre_encoded);
    print_count(out, (size_t)writing->threads, "thread", "");
    print_not_on_gpu(out, not_on_gpu);
}

static void print_sandbox(FILE *out)
{
    const char *details, *state = sandbox_state(&details);
    fprintf(out, "  %-9s%s: %s\n", "sandbox", state, details);
}

/* Prints the planned memory, which --max-memory limits. */
static void print_memory(FILE *out, uint64_t bytes)
{
    char size[IMG_SIZE_TEXT];
    fprintf(out, "  %-9s%s at most, as planned (%llu bytes)\n", "memory",
            img_size_text(bytes, size), (unsigned long long)bytes);
}

static void print_stored(FILE *out, const Job *job, uint64_t bytes)
{
    char size[IMG_SIZE_TEXT];
    if (bytes == 0)
        return;
    fprintf(out, "  %-9s%s of temporary files at most, in ", "disk", img_size_text(bytes, size));
    text_clean(out, job->scratch.directory);
    fputc('\n', out);
}

static void print_time(FILE *out, const char *label, double seconds, const char *remark)
{
    fprintf(out, "    %-9s%10.3f ms%s\n", label, seconds * 1e3, remark);
}

static const char *how_of(const ImgRunReport *run, size_t pass)
{
    const size_t steps = run->passes[pass].steps;
    if (run->passes[pass].in_bands)
        return steps == 0 ? ", its measurement, in bands of rows" : ", in bands of rows";
    return steps > 1 ? ", in one pass" : steps == 0 ? ", its measurement" : "";
}

/* Prints the requested steps and the passes that ran them. */
static void print_passes(FILE *out, const Job *job, const ImgRunReport *run)
{
    for (size_t i = 0; i < run->count && run->passes[i].impl != NULL; i++) {
        char text[512], numbers[48];
        const size_t first = run->passes[i].first, steps = run->passes[i].steps;
        const ImgImpl *impl = run->passes[i].impl;
        img_pipeline_print(&job->steps[first], steps, text, sizeof text);
        if (steps == 0)
            img_pipeline_print(&job->steps[first], 1, text, sizeof text);
        if (steps > 1)
            snprintf(numbers, sizeof numbers, "steps %zu-%zu ", first + 1, first + steps);
        else
            snprintf(numbers, sizeof numbers, "step %-4zu", first + 1);
        if (run->passes[i].skipped)
            fprintf(out, "  %s%s, nothing to do\n", numbers, text);
        else
            fprintf(out, "  %s%s%s, %.3f ms, by %s (%s)\n", numbers, text, how_of(run, i),
                    run->passes[i].seconds * 1e3, impl->name, impl->note);
    }
}

/* Prints what optimizing tried, and what the file has. */
static void print_optimized(FILE *out, const ImgOptimizeReport *report)
{
    char text[IMG_OPTIMIZE_TEXT];
    img_optimize_describe(report, text);
    fprintf(out, "  %-9s%s\n", "reduced", text[0] != '\0' ? text : "nothing");
    fprintf(out, "  %-9s", "filters");
    if (report->filter != NULL)
        fprintf(out, "%s, the best of ", report->filter);
    else
        fputs("those of the input, better than ", out);
    print_count(out, (size_t)report->trials, "trial", " with ");
    print_count(out, (size_t)report->forms, "form", "\n");
    fprintf(out, "  %-9s%llu to %llu bytes%s\n", "size", (unsigned long long)report->bytes_before,
            (unsigned long long)report->bytes_after,
            report->kept == IMG_KEPT_FILE ? ": the file stays as it is" : "");
    if (report->hidden >= WORTH_CLEARING)
        fprintf(out,
                "  %-9s%.1f %% of the pixels are transparent and have colours; --alpha clears "
                "them\n",
                "hidden", report->hidden / 10.0);
}

static void print_report(FILE *out, const Job *job, const JobReport *report)
{
    const ImgRunReport *run = &report->run;
    print_picture(out, "input", img_streams_input_name(job->input), report->before,
                  report->load.bytes);
    if (job->output != NULL)
        print_picture(out, "output", img_streams_output_name(job->output), report->after,
                      report->bytes_written);
    print_reading(out, report);
    if (job->optimizes)
        print_optimized(out, &report->optimized);
    else if (report->kept_pixels)
        fputs("  written  with the compressed pixels of the input, because they are smaller\n",
              out);
    else if (job->output != NULL && report->encoding.threads > 0)
        print_writing(out, &report->encoding, report->encoded_on_cpu);
    fprintf(out, "  %-9s%s: %s\n", "backend", img_backend_name(run->backend), run->reason);
    fprintf(out, "  %-9s%s\n", "device", run->device);
    print_sandbox(out);
    print_memory(out, report->peak_bytes);
    print_stored(out, job, report->stored_bytes);
    print_passes(out, job, run);

    double sum = run->init + report->load.read + report->load.decode + report->load.expand +
                 run->upload + run->kernel + run->download + report->encode + report->write;
    double other = report->total > sum ? report->total - sum : 0;
    fputs("  time\n", out);
    print_time(out, "init", run->init,
               run->backend == IMG_BACKEND_CUDA ? " (waiting for the GPU)" : "");
    print_time(out, "read", report->load.read, "");
    print_time(out, "decode", report->load.decode,
               report->load.decoding.threads > 1 && report->by_rows ? " (a step ran meanwhile)"
                                                                    : "");
    if (report->load.expand > 0)
        print_time(out, "expand", report->load.expand, " (colours and transparency to channels)");
    print_time(out, "upload", run->upload, "");
    print_time(out, "kernel", run->kernel, "");
    print_time(out, "download", run->download, "");
    if (job->output != NULL) {
        print_time(out, "encode", report->encode, "");
        print_time(out, "write", report->write, "");
    }
    print_time(out, "other", other, " (planning, memory)");
    print_time(out, "total", report->total, "");
}

void explain(const Settings *settings, const Job *job, const JobReport *report)
{
    explain_line(job, report);
    if (settings->explain && settings->engine.verbosity >= VERBOSITY_NORMAL)
        print_report(messages_stream(), job, report);
}
