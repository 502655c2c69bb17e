/* Checks how metadata are adapted to the operations on a picture. Autorotate must set the
 * orientation to 1 everywhere and change nothing else. Other rotations must keep the orientation,
 * and equal rotations must give equal metadata. Metadata must be the same after they are written to
 * a file and read back.
 * Input: see fuzz_chunks_read in text/text.h. */
#include <string.h>

#include "app/info/info.h"
#include "app/library/imgtool.h"
#include "io/limits.h"
#include "io/metadata/metadata_follow.h"
#include "io/metadata/resolution.h"
#include "io/metadata/text.h"
#include "kernels/core/op.h"
#include "kernels/core/turn.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge.h"
#include "tests/fuzz/text/text.h"

static const ImgLimits limits = {.max_text = 1 << 16};

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static int orientation_of(const ImgMetadata *metadata)
{
    ImgFacts facts;
    ImgError err = {IMG_OK, ""};
    check(img_metadata_facts(metadata, &limits, &facts, &err) == IMG_OK,
          "metadata cannot be read any more");
    check(facts.orientation >= 0 && facts.orientation <= 8, "an orientation out of range");
    return facts.orientation;
}

static ImgMetadata copy(const ImgMetadata *from)
{
    ImgMetadata to = IMG_METADATA_NONE;
    for (size_t i = 0; i < from->count; i++) {
        const ImgChunk *chunk = &from->chunks[i];
        check(img_metadata_add(&to, chunk->type, chunk->place, chunk->data, chunk->size, NULL) ==
                  IMG_OK,
              "no memory");
    }
    return to;
}

static bool equal(const ImgChunk *a, const ImgChunk *b)
{
    return strcmp(a->type, b->type) == 0 && a->size == b->size &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static void check_equal(const ImgMetadata *a, const ImgMetadata *b, const char *what)
{
    check(a->count == b->count, what);
    for (size_t i = 0; i < a->count; i++)
        check(equal(&a->chunks[i], &b->chunks[i]), what);
}

static void follow(ImgMetadata *metadata, const ImgEffect *effect)
{
    check(img_metadata_follow(metadata, effect, &limits, NULL) == IMG_OK,
          "metadata cannot follow the operation");
}

/* --- Metadata after autorotate ---------------------------------------------------------------- */

static bool is_hex(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Returns the text of a chunk; `data` is NULL if the chunk has no text. */
static ImgTextBytes read_text(const ImgChunk *chunk)
{
    ImgText text;
    ImgTextBudget budget = {limits.max_text, limits.max_text};
    ImgTextBytes bytes = {NULL, 0, NULL};
    if (img_text_parse(chunk, &text))
        (void)img_text_read(chunk, &text, &budget, &bytes, NULL);
    return bytes;
}

/* Checks that only hexadecimal digits of a text have changed, and not its length. */
static void check_text(const ImgChunk *before, const ImgChunk *after)
{
    const ImgTextBytes old = read_text(before), new = read_text(after);
    check(old.data != NULL && new.data != NULL &&old.size == new.size,
          "the length of a text changes");
    for (size_t i = 0; i < old.size; i++)
        check(old.data[i] == new.data[i] || (is_hex(old.data[i]) && is_hex(new.data[i])),
              "more than digits of a text changes");
    free(old.inflated);
    free(new.inflated);
}

static void check_exif(const ImgChunk *before, const ImgChunk *after)
{
    size_t differ = 0;
    check(before->size == after->size, "the length of EXIF changes");
    for (size_t i = 0; i < before->size; i++)
        differ += before->data[i] != after->data[i];
    check(differ <= 4, "more than 4 bytes of EXIF change");
}

static void check_changes(const ImgMetadata *before, const ImgMetadata *after)
{
    size_t at = 0;
    for (size_t i = 0; i < after->count; i++, at++) {
        const ImgChunk *chunk = &after->chunks[i];
        while (at < before->count && strcmp(before->chunks[at].type, chunk->type) != 0)
            at++; /* skips chunks that were dropped */
        check(at < before->count, "a chunk was added");
        if (equal(&before->chunks[at], chunk))
            continue;
        if (strcmp(chunk->type, "eXIf") == 0)
            check_exif(&before->chunks[at], chunk);
        else
            check_text(&before->chunks[at], chunk);
    }
}

static void check_upright(const ImgMetadata *metadata)
{
    const ImgEffect effect = {.upright = true};
    const int before = orientation_of(metadata);
    ImgMetadata upright = copy(metadata), again;
    follow(&upright, &effect);
    check(orientation_of(&upright) == (before != 0 ? 1 : 0),
          "autorotate does not set the orientation to 1");
    check_changes(metadata, &upright);
    again = copy(&upright);
    follow(&again, &effect);
    check_equal(&upright, &again, "a second autorotate changes metadata");
    img_metadata_free(&again);
    img_metadata_free(&upright);
}

/* --- Metadata after rotations and reflections ------------------------------------------------- */

static void turn(ImgMetadata *metadata, ImgTurn turn, int times)
{
    for (int i = 0; i < times; i++)
        follow(metadata, &(ImgEffect){.turn = turn});
}

/* Checks that all rotations and reflections, also repeated ones, leave equal metadata. Each of them
 * must drop the same chunks. */
static void check_turns(const ImgMetadata *metadata)
{
    static const struct {
        ImgTurn turn;
        int times;
    } nothing[] = {{IMG_TURN_180, 1},          {IMG_TURN_90, 4},         {IMG_TURN_270, 4},
                   {IMG_TURN_TRANSPOSE, 2},    {IMG_TURN_TRANSVERSE, 2}, {IMG_TURN_90, 2},
                   {IMG_TURN_FLIP_VERTICAL, 1}};
    const int before = orientation_of(metadata);
    ImgMetadata first = copy(metadata);
    turn(&first, IMG_TURN_FLIP_HORIZONTAL, 1);
    check(orientation_of(&first) == before, "a rotation changes the orientation");
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        ImgMetadata turned = copy(metadata);
        turn(&turned, nothing[i].turn, nothing[i].times);
        check_equal(&first, &turned, "two rotations give different metadata");
        img_metadata_free(&turned);
    }
    img_metadata_free(&first);
}

/* --- Metadata after scaling ------------------------------------------------------------------- */

/* Checks that scaling keeps pHYs. It must drop sCAL or give it valid sizes. */
static void check_scaled(const ImgMetadata *metadata)
{
    static const ImgEffect effects[] = {{.cropped = true, .scale_x = 0.001, .scale_y = 3},
                                        {.turn = IMG_TURN_90, .scale_x = 1e9, .scale_y = 1e-9}};
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        ImgMetadata scaled = copy(metadata);
        double width, height;
        follow(&scaled, &effects[i]);
        const ImgChunk *before = img_metadata_find(metadata, "pHYs");
        const ImgChunk *after = img_metadata_find(&scaled, "pHYs");
        check((before == NULL) == (after == NULL), "pHYs is lost or added");
        check(before == NULL || before->size == after->size, "the length of pHYs changes");
        for (size_t k = 0; k < scaled.count; k++)
            check(
                strcmp(scaled.chunks[k].type, "sCAL") != 0 ||
                    (img_scal_read(&scaled.chunks[k], &width, &height) && width > 0 && height > 0),
                "sCAL has no valid size");
        img_metadata_free(&scaled);
    }
}

/* --- Metadata after --strip ------------------------------------------------------------------- */

static void check_stripped(const ImgMetadata *metadata)
{
    const int before = orientation_of(metadata);
    ImgMetadata shown = copy(metadata), pixels = copy(metadata);
    check(img_metadata_strip(&shown, IMG_KEEP_SHOWN, before, NULL) == IMG_OK, "not stripped");
    check(orientation_of(&shown) == (before > 1 ? before : 0), "stripping changes the orientation");
    for (size_t i = 0; i < shown.count; i++)
        check(strstr("tEXt zTXt iTXt tIME", shown.chunks[i].type) == NULL,
              "a text or time is not stripped");
    check(img_metadata_strip(&pixels, IMG_KEEP_PIXELS, before, NULL) == IMG_OK, "not stripped");
    for (size_t i = 0; i < pixels.count; i++)
        check(strcmp(pixels.chunks[i].type, "tRNS") == 0,
              "a chunk other than tRNS is not stripped");
    img_metadata_free(&shown);
    img_metadata_free(&pixels);
}

/* --- Metadata in a file ----------------------------------------------------------------------- */

/* Returns true if the library may leave out chunks of this type. It leaves out chunks that do not
 * fit the picture, such as an RGB profile in a gray picture (imgtool_encoding in imgtool.h). */
static bool may_be_missing(const char *type)
{
    return strstr("tRNS bKGD sBIT hIST dSIG iCCP", type) != NULL;
}

static void check_chunks(const imgtool_metadata *metadata, const imgtool_metadata *written)
{
    imgtool_chunk one = IMGTOOL_CHUNK_INIT, other = IMGTOOL_CHUNK_INIT;
    size_t next = 0;
    for (size_t i = 0; imgtool_metadata_chunk(metadata, i, &one); i++) {
        const bool is_there = imgtool_metadata_chunk(written, next, &other) &&
                              strcmp(one.type, other.type) == 0 && one.bytes == other.bytes &&
                              memcmp(one.data, other.data, one.bytes) == 0;
        check(is_there || may_be_missing(one.type), "a chunk is lost or written differently");
        next += is_there;
    }
    check(next == imgtool_metadata_count(written), "a chunk was added to the file");
}

static void check_written(imgtool_context *context, const imgtool_picture *picture,
                          const imgtool_metadata *metadata)
{
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_picture again = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *read = NULL;
    void *data = NULL;
    size_t bytes = 0;
    encoding.index = false;
    encoding.metadata = metadata;
    check(imgtool_write_memory(context, picture, &encoding, &data, &bytes, NULL) == IMGTOOL_OK,
          "the picture cannot be written");
    check(imgtool_read_memory(context, data, bytes, &again, &read, NULL) == IMGTOOL_OK,
          "the written file is rejected");
    check_chunks(metadata, read);
    imgtool_metadata_destroy(read);
    imgtool_picture_free(context, &again);
    imgtool_free(context, data);
}

/* Prints the result of `info` as text and as JSON. All of it must be printable. */
static void check_info(const FuzzBytes *png)
{
    const char *path = scratch_file(0, png->data, png->size);
    ImgError err = {IMG_OK, ""};
    bool failed = false;
    Info info;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    check(out != NULL, "no memory");
    const ImgStatus status = info_read(path, UINT64_MAX, &info, &err);
    cJSON *root = json_document("info", "document", &failed);
    info_add_json(json_array(root, "files", &failed), &info, &err, &failed);
    if (status == IMG_OK)
        info_print(out, &info);
    check(json_print(out, root, failed, &err) != IMG_E_MEMORY,
          "the JSON document cannot be printed");
    (void)fclose(out);
    check_printable(text, size);
    free(text);
    info_free(&info);
}

/* Reads the file, runs autorotate, writes the result and reads it again. */
static void check_file(const FuzzBytes *png)
{
    imgtool_context *context = library_context(1);
    imgtool_picture picture = IMGTOOL_PICTURE_INIT, upright = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *metadata = NULL;
    imgtool_pipeline *pipeline = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (imgtool_read_memory(context, png->data, png->size, &picture, &metadata, &error) !=
        IMGTOOL_OK)
        return;
    check(imgtool_pipeline_parse(context, "autorotate", &pipeline, &error) == IMGTOOL_OK,
          "autorotate cannot be parsed");
    const int32_t before = imgtool_metadata_orientation(metadata);
    check(imgtool_run(context, pipeline, &picture, &upright, metadata, &error) == IMGTOOL_OK,
          "autorotate fails");
    check(imgtool_metadata_orientation(metadata) == (before > 0 ? 1 : 0),
          "the orientation is not 1 after autorotate");
    check(before < 5 || (upright.width == picture.height && upright.height == picture.width),
          "autorotate does not swap width and height");
    check_written(context, &upright, metadata);
    imgtool_pipeline_destroy(pipeline);
    imgtool_metadata_destroy(metadata);
    imgtool_picture_free(context, &upright);
    imgtool_picture_free(context, &picture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ImgMetadata metadata;
    ImgFacts facts;
    ImgMetadata probe;
    if (!fuzz_chunks_read(data, size, &metadata))
        return 0;
    probe = copy(&metadata);
    /* Metadata with a text beyond the limit are rejected, so there is nothing to check. */
    if (img_metadata_facts(&metadata, &limits, &facts, NULL) == IMG_OK &&
        img_metadata_follow(&probe, &(ImgEffect){.upright = true}, &limits, NULL) == IMG_OK) {
        check_upright(&metadata);
        check_turns(&metadata);
        check_scaled(&metadata);
        check_stripped(&metadata);
    }
    /* only one input in four, because this is slower than all other checks together */
    if (size % 4 == 0) {
        FuzzBytes png = fuzz_chunks_file(&metadata);
        check_info(&png);
        check_file(&png);
        free(png.data);
    }
    img_metadata_free(&probe);
    img_metadata_free(&metadata);
    return 0;
}
