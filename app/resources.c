#include "app/resources.h"

#include <sys/stat.h>

#include "app/machine.h"
#include "app/report.h"
#include "app/size.h"
#include "io/human.h"
#include "kernels/core/op.h"

/* What one thread decodes in a second, roughly: 340 to 1600 MB of pixels were measured
 * (io/png/README.md). */
static const double DECODE_BYTES_PER_SECOND = 500e6;

/* Address space for buffers of the codec, and the C library, roughly. */
static const uint64_t BYTES_BESIDE_IMAGES = 32 << 20;

ImgLimits resources_limits(const Settings *settings)
{
    return (ImgLimits){
        .max_pixels = settings->max_pixels,
        .max_memory = settings->max_memory != 0 ? settings->max_memory : machine_memory() / 4 * 3,
        .max_text = IMG_DEFAULT_MAX_TEXT,
    };
}

ImgStatus resources_check_memory(ImgShape shape, uint64_t need, const ImgLimits *limits,
                                 ImgError *err)
{
    if (need <= limits->max_memory)
        return IMG_OK;
    ImgSizeText texts[2];
    char option[SIZE_TEXT];
    img_size_texts(need, limits->max_memory, texts);
    return img_fail(err, IMG_E_LIMIT,
                    "%d x %d pixels need %s of memory at a time, more than the limit of %s; "
                    "--max-memory %s would allow it",
                    shape.width, shape.height, texts[0].text, texts[1].text,
                    size_print_option(need, option));
}

bool resources_use_threads(uint64_t traffic)
{
    return traffic >= IMG_BYTES_WORTH_THREADS;
}

int resources_wanted_threads(const Settings *settings)
{
    return settings->threads != 0 ? settings->threads : machine_threads();
}

/* A thread that finds no free descriptor would fail its picture. */
static int limit_by_open_files(const Settings *settings, int wanted, size_t held)
{
    enum { OF_A_JOB = 4, OF_ALL = 4 }; /* input, output and its lock, and what the system tells */
    uint64_t files = machine_raise_open_files(), others = (uint64_t)held + OF_ALL;
    uint64_t jobs = files > others ? (files - others) / OF_A_JOB : 0;
    if (jobs >= (uint64_t)wanted)
        return wanted;
    report_detail(settings, "too few files may be open at a time for %d threads (ulimit -n)",
                  wanted);
    return jobs > 0 ? (int)jobs : 1;
}

int resources_jobs(const Settings *settings, size_t held)
{
    int wanted = settings->jobs != 0 ? settings->jobs : resources_wanted_threads(settings);
    wanted = limit_by_open_files(settings, wanted, held);
    int jobs = machine_try_threads(wanted, BYTES_BESIDE_IMAGES);
    if (jobs < wanted)
        report_detail(settings, "the system refuses %d of the threads that were wanted",
                      wanted - jobs);
    return jobs;
}

uint64_t resources_batch_memory(const Settings *settings)
{
    return settings->max_memory != 0 ? settings->max_memory : machine_memory_free() / 4 * 3;
}

int resources_try_threads(const Settings *settings, uint64_t need, int *refused)
{
    int wanted = resources_wanted_threads(settings);
    int threads = machine_try_threads(wanted, need + BYTES_BESIDE_IMAGES);
    *refused = wanted - threads;
    return threads;
}

int resources_decode_threads(const Settings *settings, const ImgSource *source, int threads)
{
    size_t pixels = 0;
    (void)img_shape_bytes(img_source_shape(source), &pixels, NULL);
    uint64_t need = img_source_bytes(source) + pixels + img_source_decode_bytes(source, threads);
    return need <= resources_limits(settings).max_memory ? threads : 1;
}

uint64_t resources_file_bytes(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size > 0 ? (uint64_t)info.st_size : 0;
}

uint64_t resources_codec_bytes(const Settings *settings, int threads)
{
    /* Measured: 169 MB on 16 threads at level 9, whose search has large tables; the rest is a
     * guess from the sizes of strips. */
    enum { SEARCHING_LEVEL = 7, MEBIBYTE = 1 << 20 };
    uint64_t mebibytes = settings->level >= SEARCHING_LEVEL ? 12 : 6;
    return (uint64_t)threads * mebibytes * MEBIBYTE;
}

double resources_decode_seconds(ImgShape shape)
{
    size_t bytes = 0;
    (void)img_shape_bytes(shape, &bytes, NULL);
    return (double)bytes / DECODE_BYTES_PER_SECOND;
}
