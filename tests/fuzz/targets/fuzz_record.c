/* Reads records of batches (app/batch/record). Anyone who can write to the directory may have
 * changed them.
 * Each line must have one valid spelling. A file must count as finished only if the last line about
 * it matches completely, and does not state that a run has begun to replace the file. Reading must
 * change no file except the record.
 * Input: a record; after a form feed, the record of another part of the batch. In a line that
 * begins with '+', the right hash replaces the '+'. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/batch/record/record.h"
#include "app/batch/record/record_line.h"
#include "app/batch/record/record_priv.h"
#include "app/batch/record/record_table.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text/text.h"

static const char steps[] = "flip axis=vertical";
static const char own_name[] = ".imgtool-batch", other_name[] = ".imgtool-batch.2-of-3";

/* The files that the corpus names. scratch_put sets their times. */
static const struct {
    const char *input, *output;
} files[] = {{"i.png", "o.png"}, {"sub.png", "sub.png"}, {"gone.png", "gone.png"}};
enum { FILES = sizeof files / sizeof *files };

/* --- Lines ------------------------------------------------------------------------------------ */

static void put_line(FuzzBytes *text, const char *line, size_t size)
{
    char check[9];
    if (size == 0 || line[0] != '+') {
        fuzz_put(text, line, size);
        return;
    }
    uint64_t hash = record_hash(line + 1, size - 1);
    snprintf(check, sizeof check, "%08x", (uint32_t)(hash ^ hash >> 32));
    fuzz_put(text, check, 8);
    fuzz_put(text, line + 1, size - 1);
}

static FuzzBytes make_text(const Part *part)
{
    FuzzBytes text = {0};
    fuzz_put(&text, "", 1); /* so that `data` is not NULL if the record is empty */
    text.size = 0;
    const char *at = part->text, *end = part->text + part->size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        put_line(&text, at, (size_t)((newline != NULL ? newline : end) - at));
        if (newline != NULL)
            fuzz_put(&text, "\n", 1);
        at = newline != NULL ? newline + 1 : end;
    }
    return text;
}

/* Checks that a line that was read is written with the same bytes. */
static void check_line(const RecordLine *line, const char *text, size_t size)
{
    char *written = record_line_write(line);
    scratch_check(written != NULL, "no memory");
    scratch_check(strlen(written) == size + 1 && memcmp(written, text, size) == 0 &&
                      written[size] == '\n',
                  "a line is written differently from how it was read");
    free(written);
}

/* Checks that a decoded name is an absolute path or lies in the directory of the record, and
 * contains no zero byte. */
static void check_name(const char *name, size_t size)
{
    char *path = record_path_of("dir", name, size);
    if (path == NULL)
        return;
    size_t length = strlen(path);
    size_t bytes = 0;
    for (size_t i = 0; i < size; i += name[i] == '%' ? 3 : 1)
        bytes++;
    scratch_check(length == bytes + (path[0] == '/' ? 0 : strlen("dir/")),
                  "a name contains a zero");
    scratch_check(path[0] == '/' || strncmp(path, "dir/", 4) == 0, "a name outside its directory");
    free(path);
}

static size_t find_slowly(const RecordTable *table, const RecordLine *wanted,
                          const FileState *state)
{
    for (size_t i = table->count; i > 0; i--) {
        const RecordLine *line = &table->entries[i - 1].line;
        if (line->output_size == wanted->output_size &&
            memcmp(line->output, wanted->output, line->output_size) == 0 &&
            file_state_equal(&line->after, state) &&
            (line->inode == 0 || (line->steps == 0) == (line->inode == state->inode)))
            return i;
    }
    return 0;
}

static void check_table(const FuzzBytes *text)
{
    RecordTable table;
    scratch_check(record_table_make((const char *)text->data, text->size, &table), "no memory");
    for (size_t i = 0; i < table.count; i++) {
        const RecordEntry *entry = &table.entries[i];
        char *name = strndup(entry->line.output, entry->line.output_size);
        FileState state = entry->line.after;
        state.inode = i % 2 == 0 ? entry->line.inode : 1;
        check_line(&entry->line, entry->text, entry->size);
        check_name(entry->line.output, entry->line.output_size);
        check_name(entry->line.input, entry->line.input_size);
        if (name != NULL && strlen(name) == entry->line.output_size)
            scratch_check(record_table_find(&table, record_table_last(&table, name), &state) ==
                              find_slowly(&table, &entry->line, &state),
                          "the table finds a different line");
        free(name);
    }
    record_table_free(&table);
}

/* --- Verdicts about outputs ------------------------------------------------------------------- */

/* The fields of a line, in the order of record_line.h. */
typedef enum Field {
    CHECK,
    STEPS,
    SIZE_BEFORE,
    TIME_BEFORE,
    SIZE,
    TIME,
    OUTPUT,
    INPUT,
    INODE, /* absent from most lines */
    FIELDS
} Field;

static bool cut_line(const char *line, size_t size, Part fields[FIELDS])
{
    const char *end = line + size;
    fields[INODE] = (Part){end, 0};
    for (int i = 0; i < FIELDS; i++) {
        const char *space = memchr(line, ' ', (size_t)(end - line));
        fields[i] = (Part){line, (size_t)((space != NULL ? space : end) - line)};
        if (space == NULL)
            return i >= INPUT;
        line = space + 1;
    }
    return false;
}

static bool is_text(const Part *part, const char *text)
{
    return part->size == strlen(text) && memcmp(part->text, text, part->size) == 0;
}

static bool is_state(const Part *size, const FileState *state)
{
    char text[48];
    snprintf(text, sizeof text, "%llu", (unsigned long long)state->size);
    if (!is_text(size, text))
        return false;
    snprintf(text, sizeof text, "%lld.%09lld", (long long)state->seconds,
             (long long)state->nanoseconds);
    return is_text(size + 1, text);
}

static bool is_whole(const char *line, size_t size)
{
    char check[9];
    RecordLine ignored;
    uint64_t hash = size > 8 ? record_hash(line + 8, size - 8) : 0;
    snprintf(check, sizeof check, "%08x", (uint32_t)(hash ^ hash >> 32));
    return size > 8 && memcmp(line, check, 8) == 0 && record_line_read(line, size, &ignored);
}

static bool fits(const Part fields[FIELDS], size_t file)
{
    char hash[17];
    FileState before;
    const bool same = strcmp(files[file].input, files[file].output) == 0;
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)record_hash(steps, strlen(steps)));
    return is_text(&fields[STEPS], hash) &&
           is_text(&fields[INPUT], same ? "=" : files[file].input) &&
           (same ||
            (file_state(files[file].input, &before) && is_state(&fields[SIZE_BEFORE], &before)));
}

/* Returns true if the inode of a line fits the output. A line without an inode fits every file. In
 * a line that begins a file, the inode must be the output's. In other lines it must differ from the
 * output's. */
static bool is_file(const Part *inode, bool begun, const FileState *state)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)state->inode);
    return inode->size == 0 || is_text(inode, text) == begun;
}

/* Returns true if the line, which states that a run begins to replace a file, is of a run with
 * other steps. Such a line must be ignored. */
static bool begins_others(const Part *input)
{
    char own[18];
    snprintf(own, sizeof own, "=%016llx", (unsigned long long)record_hash(steps, strlen(steps)));
    return input->size == strlen(own) && input->text[0] == '=' && !is_text(input, own);
}

/* The state of an output according to a record. BEGUN: a run has begun to replace it. */
typedef enum Verdict { UNDONE, FINISHED, BEGUN } Verdict;

/* Returns the verdict of the last line about the output. Only lines that describe its present size
 * and time count. */
static Verdict verdict_of(const FuzzBytes *text, size_t file)
{
    const char *at = (const char *)text->data, *end = at + text->size;
    Part fields[FIELDS];
    FileState after;
    Verdict verdict = UNDONE;
    while (at < end && file_state(files[file].output, &after)) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const size_t size = (size_t)((newline != NULL ? newline : end) - at);
        if (is_whole(at, size) && cut_line(at, size, fields) &&
            is_text(&fields[OUTPUT], files[file].output) && is_state(&fields[SIZE], &after)) {
            bool begun = is_text(&fields[STEPS], "0000000000000000");
            if (is_file(&fields[INODE], begun, &after) && !(begun && begins_others(&fields[INPUT])))
                verdict = begun ? BEGUN : fits(fields, file) ? FINISHED : UNDONE;
        }
        at += size + 1;
    }
    return verdict;
}

/* Returns true if one of the two records states that the file is finished, and neither states that
 * it is begun. */
static bool is_finished(const FuzzBytes *own, const FuzzBytes *other, size_t file)
{
    Verdict first = verdict_of(own, file), second = verdict_of(other, file);
    return first != BEGUN && second != BEGUN && (first == FINISHED || second == FINISHED);
}

/* --- Files ------------------------------------------------------------------------------------ */

static void put_files(const FuzzBytes *own, const FuzzBytes *other)
{
    scratch_put("i.png", "input", 5);
    scratch_put("o.png", "the output", 10);
    scratch_put("sub.png", "replaced", 8);
    scratch_put(own_name, own->data, own->size);
    if (other->size > 0)
        scratch_put(other_name, other->data, other->size);
}

static Record *open_record(RecordScope scope)
{
    ImgError err = {IMG_OK, ""};
    Record *record = NULL;
    ImgStatus status = record_open_shard(".", &(Shard){0, 0}, scope, steps, &record, &err);
    scratch_check((status == IMG_OK) == (record != NULL), "status and result do not agree");
    scratch_check(status == IMG_OK || status == IMG_E_IO, "rejected with an unexpected status");
    scratch_check(status == IMG_OK || strstr(err.message, own_name) != NULL,
                  "the message does not name the record");
    return record;
}

static bool has(Record *record, const char *input, const char *output)
{
    ImgError err = {IMG_OK, ""};
    bool has = false;
    scratch_check(record_is_finished(record, input, output, &has, &err) == IMG_OK,
                  "record_is_finished fails");
    return has;
}

/* Notes in the record that the run begins to replace sub.png. After that sub.png must not count as
 * finished, and the state of other files must be the same. Returns the record, opened again. */
static Record *check_beginning(Record *record)
{
    ImgError err = {IMG_OK, ""};
    bool other = has(record, "i.png", "o.png");
    scratch_check(record_forget(record, "sub.png", &err) == IMG_OK, "record_forget fails");
    if (record_has_to_begin(record))
        scratch_check(record_begin(record, true, &err) == IMG_OK &&
                          record_note_begun(record, &err) == IMG_OK,
                      "record_begin or record_note_begun fails");
    (void)record_close(record, NULL);
    record = open_record(RECORD_WITH_ALL_OTHERS);
    scratch_check(record != NULL, "a record that a run has begun is rejected");
    scratch_check(!has(record, "sub.png", "sub.png"),
                  "a file that a run begins counts as finished");
    scratch_check(has(record, "i.png", "o.png") == other, "the state of another file changes");
    return record;
}

/* Adds a line to the record. The next run must find that line. */
static void check_adding(Record *record)
{
    ImgError err = {IMG_OK, ""};
    FileState before;
    scratch_check(file_state("i.png", &before), "no input");
    scratch_check(record_add(record, "i.png", &before, "o.png", "new.png", &err) == IMG_OK,
                  "record_add fails");
    scratch_check(rename("o.png", "new.png") == 0, "the output cannot be renamed");
    (void)record_close(record, NULL);
    record = open_record(RECORD_ALONE);
    scratch_check(record != NULL, "a record is rejected after record_add");
    scratch_check(has(record, "i.png", "new.png"), "the added line is lost");
    scratch_check(!has(record, "i.png", "o.png"), "a missing file counts as finished");
    (void)record_close(record, NULL);
}

static void check_untouched(const FuzzBytes *other)
{
    static const struct {
        const char *name;
        off_t size;
    } kept[] = {{"i.png", 5}, {"new.png", 10}, {"sub.png", 8}};
    struct stat info;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        scratch_check(stat(kept[i].name, &info) == 0 && info.st_size == kept[i].size,
                      "a picture has changed");
    scratch_check(stat(other_name, &info) != 0 || (size_t)info.st_size == other->size,
                  "the other part's record has changed");
    scratch_check(scratch_count(".") == (other->size > 0 ? 5 : 4), "a file was added");
}

static void fuzz_files(const FuzzBytes *own, const FuzzBytes *other)
{
    scratch_enter();
    put_files(own, other);
    Record *record = open_record(RECORD_WITH_ALL_OTHERS);
    for (size_t i = 0; record != NULL && i < FILES; i++)
        scratch_check(has(record, files[i].input, files[i].output) == is_finished(own, other, i),
                      "record_is_finished gives a different verdict");
    if (record != NULL) {
        record = check_beginning(record);
        check_adding(record);
        check_untouched(other);
    }
    scratch_empty();
    scratch_leave();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Part parts[2] = {{"", 0}, {"", 0}};
    (void)parts_cut(data, size, parts, 2);
    FuzzBytes own = make_text(&parts[0]), other = make_text(&parts[1]);
    check_table(&own);
    fuzz_files(&own, &other);
    free(own.data);
    free(other.data);
    return 0;
}
