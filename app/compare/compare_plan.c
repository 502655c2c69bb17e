/* Plans the memory of a comparison, before pixels are decoded. */
#include "app/compare/compare_priv.h"
#include "app/engine/share/resources.h"
#include "kernels/core/minmax.h"

/* Returns the memory, in bytes, for pages of the temporary files that hold whole pictures. If
 * `need` is 0, the result is for --max-memory. Otherwise `need` is the number of bytes that are
 * needed in addition, and the result is for the smallest sufficient limit: each of the two files
 * may use a quarter of a limit, up to a maximum, so together they take at most `need` bytes. */
static uint64_t store_bytes(const Comparison *comparison, uint64_t need)
{
    uint64_t bytes = 0;
    for (int i = 0; i < 2 && !comparison->requests.by_rows; i++)
        bytes += img_load_store_bytes(&comparison->sides[i].load, need / 2 * 3);
    return bytes;
}

/* Returns the memory, in bytes, of the chunks of both files, which are kept to the end. */
static uint64_t kept_bytes(const Comparison *comparison)
{
    return comparison->sides[0].load.kept + comparison->sides[1].load.kept;
}

/* Returns the bytes that are in memory besides side number `side` while its whole picture is
 * decoded. The sides are decoded one after the other. */
static uint64_t bytes_beside(const Comparison *comparison, int side)
{
    return side == 0 ? img_load_file_bytes(&comparison->sides[1].load)
                     : side_image_bytes(&comparison->sides[0]);
}

/* Returns the peak memory in bytes: of decoding a whole picture, of comparing, or of encoding the
 * picture of differences. */
static uint64_t peak_bytes(const Comparison *comparison)
{
    uint64_t comparing = img_compare_bytes(comparison->common, comparison->threads);
    uint64_t most = 0, encoding = 0;
    for (int i = 0; i < 2; i++) {
        const Side *side = &comparison->sides[i];
        comparing += side_bytes(side, &comparison->requests);
        if (!comparison->requests.by_rows)
            most = img_max64(most, bytes_beside(comparison, i) + img_load_bytes(&side->load));
    }
    if (comparison->result.output != NULL) {
        ImgShape band = comparison->output.shape;
        band.height = comparison->bands.first;
        comparing += img_image_bytes(band) + img_result_rows_bytes(&comparison->output);
        encoding = img_result_rows_finish_bytes(&comparison->output);
    }
    return img_max64(img_max64(most, comparing), encoding);
}

/* Returns the number of rows of a band. A band reads some rows of the previous band again, so low
 * bands cost time, and high bands cost memory. */
static int32_t band_rows(ImgShape common)
{
    enum { BYTES = 4 << 20, LEAST = 32, MOST = 256 };
    const uint64_t height = (uint64_t)common.height;
    const uint64_t rows = BYTES / (img_image_bytes(common) / height);
    return (int32_t)img_min64(img_min64(img_max64(rows, LEAST), MOST), height);
}

/* Sets the memory that decoding the whole picture of each side may use. */
static void set_rooms(Comparison *comparison)
{
    for (int i = 0; i < 2; i++) {
        Load *load = &comparison->sides[i].load;
        const uint64_t all = load->limits.max_memory;
        const uint64_t beside =
            bytes_beside(comparison, i) + kept_bytes(comparison) + store_bytes(comparison, 0);
        load->room = all > beside ? all - beside : 1;
    }
}

/* Chooses the numbers of rows that are compared at a time, and the number of threads. If memory is
 * short, both are divided by `part`. */
static void choose_bands(Comparison *comparison, bool by_rows, int part)
{
    const int32_t rows = img_max32(band_rows(comparison->common) / part, 1);
    const bool in_place = !by_rows && comparison->sides[0].load.store == NULL &&
                          !side_converts(&comparison->sides[0]) &&
                          !side_converts(&comparison->sides[1]);
    ResultRowsPlan *output = &comparison->output;
    comparison->threads = img_max32(comparison->most_threads / part, 1);
    comparison->bands = (ImgBandHeights){in_place ? comparison->common.height : rows, rows};
    if (comparison->result.output == NULL)
        return;
    output->shape = comparison->common;
    output->shape.format = img_compare_picture_format(comparison->common.format);
    output->level = comparison->settings->engine.level;
    output->store = comparison->sides[0].load.store;
    output->threads = comparison->threads;
    comparison->bands = img_result_rows_heights(output, rows);
}

/* Plans to decode rows when they are compared, or whole pictures first. Returns the peak memory in
 * bytes; with temporary files, the least limit that is enough. */
static uint64_t plan_part(Comparison *comparison, bool by_rows, int part)
{
    const int32_t height = comparison->common.height;
    choose_bands(comparison, by_rows, part);
    const int32_t band = comparison->bands.first;
    comparison->requests = (SideRequests){
        .by_rows = by_rows,
        .team = comparison->team,
        .threads = comparison->threads,
        .decode_threads = img_resources_wanted_threads(&comparison->settings->engine),
        .ahead = comparison->threads > 1,
        .most = band + img_min32(IMG_COMPARE_AGAIN, height - band)};
    set_rooms(comparison);
    const uint64_t bytes = peak_bytes(comparison) + kept_bytes(comparison);
    return bytes + store_bytes(comparison, bytes);
}

/* Plans as plan_part does, with the highest bands and most threads that --max-memory allows. If
 * none are allowed, the plan is the one that needs least. */
static uint64_t plan_as(Comparison *comparison, bool by_rows)
{
    enum { MOST_PARTS = 256 };
    int part = 1;
    uint64_t bytes = plan_part(comparison, by_rows, part);
    while (part < MOST_PARTS && bytes > comparison->sides[0].load.limits.max_memory)
        bytes = plan_part(comparison, by_rows, part *= 2);
    return bytes;
}

/* Checks the number of pixels of pictures that are decoded as a whole. */
static ImgStatus check_pixels(const Comparison *comparison, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (int i = 0; status == IMG_OK && i < 2; i++) {
        const Load *load = &comparison->sides[i].load;
        status = img_load_failure(
            load, img_resources_check_pixels("", load->raw, &load->limits, err), err);
    }
    return status;
}

/* Checks the present plan, which needs `bytes` bytes, against --max-pixels and --max-memory. */
static ImgStatus check(const Comparison *comparison, uint64_t bytes, ImgError *err)
{
    ImgStatus status = comparison->requests.by_rows ? IMG_OK : check_pixels(comparison, err);
    if (status != IMG_OK)
        return status;
    status = img_resources_check_memory(comparison->common, bytes,
                                        &comparison->sides[0].load.limits, err);
    if (status != IMG_OK)
        img_error_prefix(err, "compare");
    return status;
}

/* Puts the pixels of both pictures into temporary files. */
static ImgStatus store_sides(Comparison *comparison, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (int i = 0; status == IMG_OK && i < 2; i++) {
        Load *load = &comparison->sides[i].load;
        load->scratch = sandbox_scratch();
        if (load->store == NULL)
            status = img_load_use_store(load, err);
    }
    return status;
}

ImgStatus compare_plan_whole(Comparison *comparison, ImgError *err)
{
    uint64_t bytes = plan_as(comparison, false);
    if (bytes > comparison->sides[0].load.limits.max_memory) {
        const ImgStatus status = store_sides(comparison, err);
        if (status != IMG_OK)
            return status;
        bytes = plan_as(comparison, false);
    }
    return check(comparison, bytes, err);
}

/* Returns whether decoding rows is better than decoding whole pictures first. One thread decodes
 * the rows of each file, so with more than MOST_THREADS threads the others would wait for it. */
static bool prefers_rows(Comparison *comparison)
{
    enum { MOST_THREADS = 3 };
    const uint64_t most = comparison->sides[0].load.limits.max_memory;
    const uint64_t by_rows = plan_as(comparison, true), whole = plan_as(comparison, false);
    /* If the picture of differences must be complete before it is encoded, it can be in a temporary
     * file, like whole pictures. */
    const bool collects =
        comparison->result.output != NULL && !img_result_rows_stream(&comparison->output);
    if (by_rows >= whole || (by_rows > most && collects) ||
        !img_source_can_decode_rows(comparison->sides[0].load.source) ||
        !img_source_can_decode_rows(comparison->sides[1].load.source))
        return false;
    return whole > most || check_pixels(comparison, NULL) != IMG_OK ||
           (comparison->requests.decode_threads <= MOST_THREADS && by_rows < whole / 4 * 3);
}

ImgStatus compare_plan(Comparison *comparison, ImgError *err)
{
    comparison->most_threads = img_resources_wanted_threads(&comparison->settings->engine);
    /* Because of SSIM, comparing a pixel costs about 8 times as much as copying it. */
    if (!img_resources_use_threads(8 * img_image_bytes(comparison->common)))
        comparison->most_threads = 1;
    const ImgStatus status = prefers_rows(comparison)
                                 ? check(comparison, plan_as(comparison, true), err)
                                 : compare_plan_whole(comparison, err);
    if (status == IMG_OK)
        comparison->team = comparison->requests.team =
            img_resources_team(peak_bytes(comparison) + kept_bytes(comparison));
    return status;
}
