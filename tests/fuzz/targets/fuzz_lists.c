/* Tests the parsers of short texts that are not trusted, and checks each result with a second,
 * simple parser. The texts are: lists of files, patterns of names, shards such as 3/8, claims of
 * other processes, amounts, percentiles, and text that is printed on a terminal. Input: a letter
 * that selects the parser, then the text. After a pattern come a form feed and the name to
 * match. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/plan/name_pattern.h"
#include "app/batch/shard/claims_priv.h"
#include "app/batch/shard/shard.h"
#include "app/files/gather.h"
#include "app/stats/stats.h"
#include "app/text/amounts.h"
#include "app/text/text.h"
#include "app/tiles/tile_names.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text/text.h"

static void check_refused(ImgStatus status, const ImgError *err)
{
    scratch_check(status == IMG_OK || err->message[0] != '\0', "rejected without a message");
}

/* --- Lists of files --------------------------------------------------------------------------- */

/* The part of a list that has not been reported yet. */
typedef struct Rest {
    const char *at, *end; /* start and end of that part, borrowed */
    char separator;       /* end of each name in the list: a newline or a zero byte */
} Rest;

/* Returns true if `at` is at the end of a name, or at the carriage return before that end. */
static bool is_at_end(const Rest *rest)
{
    const char *at = rest->at;
    if (rest->separator == '\n' && at < rest->end && *at == '\r')
        at++;
    return at == rest->end || *at == rest->separator;
}

static void skip_empty(Rest *rest)
{
    while (rest->at < rest->end && is_at_end(rest))
        rest->at++;
}

static ImgStatus take_name(void *context, const char *name, ImgError *err)
{
    Rest *rest = context;
    (void)err;
    skip_empty(rest);
    const size_t length = strlen(name);
    scratch_check(length > 0 && length <= (size_t)(rest->end - rest->at) &&
                      memcmp(name, rest->at, length) == 0,
                  "a name is not the next of the list");
    rest->at += length;
    scratch_check(is_at_end(rest), "a name is cut");
    return IMG_OK;
}

static void fuzz_names(const Part *text, bool null_separated)
{
    ImgError err = {IMG_OK, ""};
    Rest rest = {text->text, text->text + text->size, null_separated ? '\0' : '\n'};
    const char *path = scratch_file(0, text->text, text->size);
    if (!null_separated && text->size >= 3 && memcmp(text->text, "\xEF\xBB\xBF", 3) == 0)
        rest.at += 3;
    const ImgStatus status = name_list_read(path, null_separated, take_name, &rest, &err);
    check_refused(status, &err);
    skip_empty(&rest);
    scratch_check(status != IMG_OK || rest.at == rest.end, "names are missing");
}

/* --- Patterns --------------------------------------------------------------------------------- */

/* Returns true if the text can be the name of a file: not empty, without '/', and neither "." nor
 * "..". */
static bool is_name(const char *name)
{
    return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

/* Checks that a pattern expands to the name of a file, never to a path or a directory. */
static void fuzz_pattern(const char *pattern, const char *name)
{
    ImgError err = {IMG_OK, ""};
    NameValues values = {.number = 7, .digits = 3};
    char whole[8192], part[8192];
    const ImgStatus status = name_pattern_check(pattern, -1, &err);
    check_refused(status, &err);
    if (status != IMG_OK || !is_name(name))
        return;
    name_values_set(&values, name, strlen(name), -1);
    const size_t length = name_pattern_expand(pattern, &values, whole, sizeof whole);
    const size_t cut = length / 2;
    if (length >= sizeof whole)
        return;
    whole[length] = '\0';
    scratch_check(strlen(whole) == length && is_name(whole),
                  "a pattern does not expand to a file name");
    scratch_check(name_pattern_expand(pattern, &values, part, cut) == length &&
                      memcmp(part, whole, cut) == 0,
                  "the name differs with less room");
}

/* Checks that the name of a tile stays in the pattern's directory. If tile_pattern_check_many
 * accepts the pattern, tiles of different pictures must have different names. */
static void fuzz_tile_pattern(const char *pattern, const char *name)
{
    ImgError err = {IMG_OK, ""};
    const ImgStatus status = tile_pattern_check(pattern, &err);
    check_refused(status, &err);
    if (status != IMG_OK || !is_name(name))
        return;
    const TileValues first = {.x = 1, .y = 2, .column = 3, .row = 4, .number = 5, .input = name};
    char *one = tile_name(pattern, &first), *other = NULL;
    scratch_check(one != NULL, "no memory");
    size_t slashes = 0;
    for (const char *at = pattern; *at != '\0'; at++)
        slashes += *at == '/';
    for (const char *at = one; *at != '\0'; at++)
        slashes -= *at == '/';
    scratch_check(slashes == 0, "a tile name leaves the pattern's directory");
    if (tile_pattern_check_many(pattern, NULL) == IMG_OK) {
        const TileValues second = {
            .x = 1, .y = 2, .column = 3, .row = 4, .number = 5, .input = "another name.png"};
        other = tile_name(pattern, &second);
        scratch_check(other != NULL &&
                          ((strcmp(one, other) == 0) <= (strncmp(name, "another name", 12) == 0)),
                      "tiles of two pictures have the same name");
    }
    free(one);
    free(other);
}

/* --- Shares ----------------------------------------------------------------------------------- */

static void check_shard(ImgStatus status, const Shard *shard, const ImgError *err)
{
    check_refused(status, err);
    scratch_check(status != IMG_OK || (shard->index < shard->count && shard->count <= SHARDS_MAX),
                  "the part does not exist");
}

static void fuzz_shard(const char *text)
{
    ImgError err = {IMG_OK, ""};
    Shard shard;
    char shown[32];
    if (strcmp(text, "auto") == 0)
        return;
    const ImgStatus status = shard_find(&(Settings){.shard = text}, &shard, &err);
    check_shard(status, &shard, &err);
    if (status != IMG_OK)
        return;
    snprintf(shown, sizeof shown, "%" PRIu32 "/%" PRIu32, shard.index + 1, shard.count);
    const char *slash = strchr(text, '/');
    scratch_check(strtoull(text, NULL, 10) == shard.index + 1 &&
                      strtoull(slash + 1, NULL, 10) == shard.count,
                  "a different part");
    scratch_check(strspn(text, "0123456789/") == strlen(text),
                  "a part with characters other than digits and a slash");
}

/* Sets environment variables of workload managers, one variable per line. Then reads the part of
 * the batch from them. */
static void fuzz_engine(char *text)
{
    static const char *const variables[] = {"SLURM_ARRAY_TASK_ID",
                                            "SLURM_ARRAY_TASK_COUNT",
                                            "SLURM_ARRAY_TASK_MIN",
                                            "SLURM_ARRAY_TASK_MAX",
                                            "SLURM_ARRAY_TASK_STEP",
                                            "SLURM_STEP_ID",
                                            "SLURM_PROCID",
                                            "SLURM_STEP_NUM_TASKS",
                                            "OMPI_COMM_WORLD_RANK",
                                            "OMPI_COMM_WORLD_SIZE",
                                            "PMIX_RANK",
                                            "PMI_RANK",
                                            "PMI_SIZE",
                                            "JOB_COMPLETION_INDEX",
                                            "AWS_BATCH_JOB_ARRAY_INDEX"};
    enum { VARIABLES = sizeof variables / sizeof *variables };
    ImgError err = {IMG_OK, ""};
    Shard shard = {0, 0};
    for (size_t i = 0; i < VARIABLES; i++) {
        const size_t length = strcspn(text, "\n");
        const bool last = text[length] == '\0';
        text[length] = '\0';
        if (length > 0)
            (void)setenv(variables[i], text, 1);
        text += last ? length : length + 1;
    }
    const ImgStatus status =
        engine_find((uint32_t)strtoul(text, NULL, 10) % SHARDS_MAX, &shard, &err);
    check_shard(status, &shard, &err);
    for (size_t i = 0; i < VARIABLES; i++)
        (void)unsetenv(variables[i]);
}

/* --- Claims ----------------------------------------------------------------------------------- */

enum { CHUNKS = 6, SHARES = 3, SIGNATURE = 0x5eed, NAMES_MOST = 40 };
static const char claims_path[] = ".imgtool-claims/0000000000005eed";

/* Returns true if the text is a number as claims.h has it in file names: digits without leading
 * zeros. */
static bool is_number(const char *text)
{
    const size_t length = strlen(text);
    return length > 0 && strspn(text, "0123456789") == length && (text[0] != '0' || length == 1) &&
           strtoull(text, NULL, 10) < UINT32_MAX && length <= 10;
}

/* Returns true if a file is named "CHUNK.", then `what`, then a number. Files with other names do
 * not count. */
static bool has_file(const char *const *names, size_t count, size_t chunk, const char *what)
{
    char begin[CLAIMS_NAME];
    const int length = snprintf(begin, sizeof begin, "%zu.%s", chunk, what);
    for (size_t i = 0; i < count; i++)
        if (strncmp(names[i], begin, (size_t)length) == 0 && is_number(names[i] + length))
            return true;
    return false;
}

static size_t put_claims(char *text, const char **names)
{
    size_t count = 0;
    scratch_check(mkdir(".imgtool-claims", 0700) == 0 && mkdir(claims_path, 0700) == 0,
                  "no directory");
    int directory = open(claims_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (*text != '\0' && count < NAMES_MOST) {
        const size_t length = strcspn(text, "\n");
        const bool last = text[length] == '\0';
        text[length] = '\0';
        int fd = is_name(text) ? openat(directory, text, O_CREAT | O_CLOEXEC | O_WRONLY, 0600) : -1;
        if (fd >= 0) {
            names[count++] = text;
            close(fd);
        }
        text += last ? length : length + 1;
    }
    close(directory);
    return count;
}

/* Claims all chunks while claim files of other processes exist. No chunk may be claimed twice. No
 * unfinished chunk of this process's share may be left out. No chunk that another process finished
 * may be claimed. */
static void fuzz_claims(char *text)
{
    static const uint32_t share_of[CHUNKS] = {0, 0, 1, 1, 2, 2};
    const ClaimsConfig config = {".", SIGNATURE, share_of, CHUNKS, 0, SHARES, 3600};
    const char *names[NAMES_MOST];
    bool taken[CHUNKS] = {false}, again;
    ImgError err = {IMG_OK, ""};
    Claims *claims = NULL;
    size_t chunk;
    scratch_enter();
    const size_t count = put_claims(text, names);
    scratch_check(claims_open(&config, &claims, &err) == IMG_OK, "claims cannot be opened");
    for (size_t i = 0; claims_take(claims, &chunk, &again) == CLAIM_TAKEN; i++) {
        scratch_check(chunk < CHUNKS && !taken[chunk],
                      "a chunk is claimed twice, or does not exist");
        scratch_check(i < CHUNKS, "more claims than chunks");
        scratch_check(again || !has_file(names, count, chunk, "done-"),
                      "a finished chunk is claimed again");
        taken[chunk] = true;
        claims_finish(claims, chunk);
    }
    const size_t *lost;
    const size_t lost_count = claims_lost(claims, &lost);
    for (size_t i = 0; i < CHUNKS; i++) {
        bool is_lost = taken[i] || share_of[i] != 0;
        for (size_t k = 0; k < lost_count; k++)
            is_lost |= lost[k] == i &&
                       (has_file(names, count, i, "") || has_file(names, count, i, "done-"));
        scratch_check(is_lost, "a chunk is neither claimed nor reported as lost");
    }
    claims_close(claims);
    scratch_empty();
    scratch_leave();
}

/* --- Amounts ---------------------------------------------------------------------------------- */

static void fuzz_amounts(const char *text)
{
    char shown[AMOUNT_TEXT];
    uint64_t count = 0, bytes = 0, seconds = 0, again = 0;
    int32_t width = 0, height = 0;
    ImgError err = {IMG_OK, ""};
    if (img_amount_parse_count(text, &count, &err) == IMG_OK) {
        scratch_check(count >= 1, "a count of 0");
        snprintf(shown, sizeof shown, "%" PRIu64, count);
        scratch_check(img_amount_parse_count(shown, &again, &err) == IMG_OK && again == count,
                      "a printed count reads differently");
    }
    if (img_amount_parse_bytes(text, &bytes, &err) == IMG_OK) {
        (void)img_amount_print_option(bytes, shown);
        scratch_check(bytes >= 1, "an amount of 0 bytes");
        scratch_check(img_amount_parse_bytes(shown, &again, &err) == IMG_OK,
                      "a printed amount is rejected");
        scratch_check(again >= bytes, "a printed amount is too small");
    }
    if (img_amount_parse_seconds(text, &seconds, &err) == IMG_OK)
        scratch_check(seconds >= 1, "a time of 0 seconds");
    if (img_amount_parse_pixels(text, &width, &height))
        scratch_check(width >= 1 && height >= 1, "no pixels");
}

static void fuzz_percentiles(const char *text)
{
    ImgError err = {IMG_OK, ""};
    Percentiles percentiles, again;
    char list[PERCENTILES_MAX * (PERCENTILE_TEXT + 1) + 1] = "", one[PERCENTILE_TEXT];
    const ImgStatus status = percentiles_parse(text, &percentiles, &err);
    check_refused(status, &err);
    for (size_t i = 0; status == IMG_OK && i < percentiles.count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? "," : "",
                 percentile_text(percentiles.at[i], one));
    if (status != IMG_OK)
        return;
    scratch_check(percentiles_parse(list, &again, &err) == IMG_OK &&
                      again.count == percentiles.count &&
                      memcmp(again.at, percentiles.at, again.count * sizeof *again.at) == 0,
                  "printed percentiles read differently");
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Checks the functions that prepare untrusted text for output: removing control characters, marking
 * invalid bytes, converting to UTF-8, and cutting to a width. Their results must be printable or
 * valid UTF-8. */
static void fuzz_text(const char *text)
{
    char *clean = malloc(strlen(text) + 1), *marked = text_mark_bytes(text);
    char *utf8 = text_to_utf8((const uint8_t *)text, strlen(text));
    char cut[64];
    scratch_check(clean != NULL && marked != NULL && utf8 != NULL, "no memory");
    const size_t size = text_copy_clean(clean, text);
    scratch_check(size == strlen(clean) && size <= strlen(text) && strchr(clean, '\n') == NULL,
                  "the size of a clean text is wrong");
    check_printable(clean, size);
    scratch_check(text_copy_clean(clean, clean) == size, "cleaning a clean text changes it");
    scratch_check(text_is_utf8((const uint8_t *)marked, strlen(marked)) &&
                      text_is_utf8((const uint8_t *)utf8, strlen(utf8)),
                  "the result is not UTF-8");
    const size_t columns = text_cut(text, 40, true, cut, sizeof cut);
    scratch_check(columns <= 40 && strlen(cut) < sizeof cut &&
                      text_is_utf8((const uint8_t *)cut, strlen(cut)),
                  "a cut text is too long or not UTF-8");
    check_printable(cut, strlen(cut));
    free(clean);
    free(marked);
    free(utf8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Part parts[2] = {{"", 0}, {"", 0}};
    if (size < 1)
        return 0;
    const Part all = {(const char *)data + 1, size - 1};
    (void)parts_cut(data + 1, size - 1, parts, 2);
    char *text = strndup(all.text, all.size);
    char *first = strndup(parts[0].text, parts[0].size);
    char *second = strndup(parts[1].text, parts[1].size);
    scratch_check(text != NULL && first != NULL && second != NULL, "no memory");
    switch (data[0]) {
    case 'n':
    case 'z':
        fuzz_names(&all, data[0] == 'z');
        break;
    case 'p':
        fuzz_pattern(first, second);
        break;
    case 't':
        fuzz_tile_pattern(first, second);
        break;
    case 's':
        fuzz_shard(text);
        break;
    case 'e':
        fuzz_engine(text);
        break;
    case 'k':
        fuzz_claims(text);
        break;
    case 'a':
        fuzz_amounts(text);
        break;
    case 'c':
        fuzz_percentiles(text);
        break;
    case 'u':
        fuzz_text(text);
        break;
    default:
        break;
    }
    free(text);
    free(first);
    free(second);
    return 0;
}
