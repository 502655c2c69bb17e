#include "app/batch/record/record_table.h"

#include <stdlib.h>
#include <string.h>

/* Returns an upper bound of the number of lines: the number of newlines plus one. */
static size_t count_lines(const char *text, size_t size)
{
    size_t count = 1;
    const char *end = text + size;
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        count++;
    return count;
}

static size_t *find_slot(const RecordTable *table, const char *name, size_t size)
{
    size_t mask = table->slots_count - 1, at = (size_t)record_hash(name, size) & mask;
    for (; table->slots[at] != 0; at = (at + 1) & mask) {
        const RecordLine *line = &table->entries[table->slots[at] - 1].line;
        if (line->output_size == size && memcmp(line->output, name, size) == 0)
            break;
    }
    return &table->slots[at];
}

static void add_entry(RecordTable *table, const char *text, size_t size)
{
    RecordEntry *entry = &table->entries[table->count];
    if (!record_line_read(text, size, &entry->line))
        return;
    size_t *slot = find_slot(table, entry->line.output, entry->line.output_size);
    entry->text = text;
    entry->size = size;
    entry->earlier = *slot;
    entry->later = entry->forgotten = false;
    table->begun += entry->line.steps == RECORD_BEGUN;
    if (*slot != 0)
        table->entries[*slot - 1].later = true;
    else
        table->names++;
    *slot = ++table->count;
}

bool record_table_make(const char *text, size_t size, RecordTable *table)
{
    size_t most = count_lines(text, size);
    *table = RECORD_TABLE_NONE;
    table->slots_count = 16;
    while (table->slots_count < 2 * most)
        table->slots_count *= 2;
    table->slots = calloc(table->slots_count, sizeof *table->slots);
    table->entries = malloc(most * sizeof *table->entries);
    if (table->slots == NULL || table->entries == NULL) {
        record_table_free(table);
        return false;
    }
    for (const char *end = text + size; text < end;) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        /* The last line may lack its newline; it is valid if its hash is right. */
        size_t line = (size_t)((newline != NULL ? newline : end) - text);
        table->lines += line > 0;
        add_entry(table, text, line);
        text = newline != NULL ? newline + 1 : end;
    }
    return true;
}

size_t record_table_last(const RecordTable *table, const char *name)
{
    return table->count > 0 ? *find_slot(table, name, strlen(name)) : 0;
}

size_t record_table_find(const RecordTable *table, size_t at, const FileState *after)
{
    while (at != 0 && (table->entries[at - 1].forgotten ||
                       !record_line_fits(&table->entries[at - 1].line, after)))
        at = table->entries[at - 1].earlier;
    return at;
}

static bool is_needed(const RecordEntry *entry, const char *directory)
{
    if (entry->forgotten || !entry->later)
        return !entry->forgotten;
    FileState now;
    char *output = record_path_of(directory, entry->line.output, entry->line.output_size);
    bool fits = output != NULL && file_state(output, &now) && record_line_fits(&entry->line, &now);
    free(output);
    return fits;
}

char *record_table_text(const RecordTable *table, const char *directory, const char *head,
                        size_t *size)
{
    size_t most = strlen(head);
    for (size_t i = 0; i < table->count; i++)
        most += table->entries[i].size + 1;
    char *text = malloc(most + 1);
    if (text == NULL)
        return NULL;
    *size = strlen(head);
    memcpy(text, head, *size);
    for (size_t i = 0; i < table->count; i++) {
        const RecordEntry *entry = &table->entries[i];
        if (!is_needed(entry, directory))
            continue;
        memcpy(text + *size, entry->text, entry->size);
        *size += entry->size;
        text[(*size)++] = '\n';
    }
    return text;
}

void record_table_free(RecordTable *table)
{
    free(table->entries);
    free(table->slots);
    *table = RECORD_TABLE_NONE;
}
