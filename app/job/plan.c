#include "app/job/plan.h"

#include <stdlib.h>
#include <string.h>

#include "app/sched/resources.h"
#include "io/metadata/metadata_follow.h"
#include "kernels/core/minmax.h"

/* Only steps that ask get the facts: text that is too long to inflate must not stop the others. */
static ImgStatus find_facts(const Load *load, const ImgStep *steps, size_t count, ImgFacts *facts,
                            ImgError *err)
{
    const ImgMetadata *metadata = img_source_metadata(load->source);
    ImgStatus status = IMG_OK;
    *facts = (ImgFacts){0};
    for (size_t i = 0; i < count; i++)
        if (steps[i].op->bind != NULL)
            status = img_metadata_facts(metadata, &load->limits, facts, err);
    facts->light = img_metadata_light(metadata, load->shape.format.bits);
    return status;
}

/* The result, and what its encoder takes beside it. */
static uint64_t encoding_bytes(const ImgFileFormat *format, ImgShape after,
                               const ImgMetadata *metadata)
{
    size_t pixels = 0;
    if (format == NULL)
        return 0;
    (void)img_shape_bytes(after, &pixels, NULL);
    return pixels + img_encode_bytes(*format, after, metadata);
}

/* No result may have more pixels than a file; of those whose size is measured the run tells. */
static ImgStatus check_results(const Load *load, const ImgStep *steps, size_t count, ImgError *err)
{
    ImgShape shape = load->shape;
    for (size_t i = 0; i < count; i++) {
        if (steps[i].op->measure != NULL ||
            steps[i].op->shape(shape, steps[i].params.bytes, &shape, NULL) != IMG_OK)
            return IMG_OK;
        const uint64_t pixels = (uint64_t)shape.width * (uint64_t)shape.height;
        if (pixels > load->limits.max_pixels)
            return img_fail(err, IMG_E_LIMIT,
                            "%s: %d x %d is %llu pixels, more than the limit of %llu; raise it "
                            "with --max-pixels",
                            steps[i].op->name, shape.width, shape.height,
                            (unsigned long long)pixels,
                            (unsigned long long)load->limits.max_pixels);
    }
    return IMG_OK;
}

/* The most that is alive at a time: the file and its pixels, these and their expanded form, two
 * images between which a step runs, or the result and what its encoder takes. */
static ImgStatus make_plan(const Load *load, ImgStep *steps, size_t count,
                           const ImgFileFormat *format, Plan *plan, ImgError *err)
{
    uint64_t running = 0;
    ImgStatus status = find_facts(load, steps, count, &plan->facts, err);
    if (status == IMG_OK)
        status =
            img_steps_plan(steps, count, load->shape, &plan->facts, &plan->after, &running, err);
    if (status == IMG_OK)
        status = check_results(load, steps, count, err);
    if (status != IMG_OK)
        return status;
    uint64_t encoding = encoding_bytes(format, plan->after, img_source_metadata(load->source));
    plan->peak_bytes = img_max64(img_max64(running, load_bytes(load)), encoding);
    return resources_check_memory(load->raw, plan->peak_bytes + load->held, &load->limits, err);
}

/* What the codec takes of a file of so many bytes, on the CPU or a GPU. */
static uint64_t beside_pixels(const Load *load, uint64_t bytes)
{
    return resources_codec_bytes(load->settings, 1) + resources_pinned_bytes(load->settings, bytes);
}

/* Of a file that is open but not read, as far as its header says, the codec's buffers too: there
 * are no facts yet, which few steps ask for, and no metadata, which includes transparency. */
static uint64_t estimate_bytes(const Load *load, const ImgStep *steps, size_t count,
                               const ImgFileFormat *format)
{
    ImgStep *copies = malloc((count + 1) * sizeof *copies); /* planning binds them */
    const ImgFacts no_facts = {0};
    ImgShape shape = load_guess_shape(load), after = shape;
    uint64_t running = 0;
    if (copies != NULL)
        memcpy(copies, steps, count * sizeof *copies);
    /* What does not apply to this picture is reported once the file is read. */
    if (copies == NULL ||
        img_steps_plan(copies, count, shape, &no_facts, &after, &running, NULL) != IMG_OK)
        after = shape;
    free(copies);
    uint64_t encoding = encoding_bytes(format, after, &IMG_METADATA_NONE);
    return img_max64(img_max64(running, load_guess_bytes(load)), encoding) +
           beside_pixels(load, resources_file_bytes(load->path));
}

/* A batch's GPU takes the file from memory that it knows. What is too large is refused as it is
 * read, before there is memory for it. */
static void lend_memory(Load *load, ImgExec *exec)
{
    size_t bytes = resources_file_bytes(load->path) + 1; /* one more, at which its end is seen */
    if (load_guess_bytes(load) > load->limits.max_memory)
        return;
    void *memory = img_exec_file_memory(exec, bytes);
    if (memory != NULL)
        img_source_lend(load->source, memory, bytes);
}

ImgStatus plan_file(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                    const Place *place, Share *share, Plan *plan, ImgError *err)
{
    ImgStatus status = load_open(load, err);
    if (status == IMG_OK && place != NULL) {
        uint64_t bytes = estimate_bytes(load, steps, count, format);
        status = place_admit(place, load->raw, bytes, share, err);
        status = load_failure(load, status, err);
        if (status == IMG_OK)
            lend_memory(load, share->exec);
    }
    if (status == IMG_OK)
        status = load_read(load, err);
    if (status != IMG_OK)
        return status;
    status = load_failure(load, make_plan(load, steps, count, format, plan, err), err);
    if (status == IMG_OK && place != NULL)
        place_settle(place, plan->peak_bytes + beside_pixels(load, load->report.bytes), share);
    return status;
}
