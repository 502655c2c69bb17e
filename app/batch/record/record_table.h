/* The lines of a record, indexed by output name. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_TABLE_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_TABLE_H

#include "app/batch/record/record_line.h"

typedef struct RecordEntry {
    RecordLine line;
    const char *text; /* the whole line, without the newline */
    size_t size;
    size_t earlier; /* 1 + index of the previous line about the same output; 0: none */
    bool later;     /* a later line about the same output exists */
    bool forgotten; /* ignored; set by the owner of the table */
} RecordEntry;

/* Start with RECORD_TABLE_NONE, end with record_table_free. */
typedef struct RecordTable {
    RecordEntry *entries; /* valid lines, in file order */
    size_t count;
    size_t names;       /* number of different outputs */
    size_t lines;       /* number of lines in the text, without empty ones */
    size_t begun;       /* number of lines that mean "not done" */
    size_t *slots;      /* hash table: 1 + index of the last line about an output; 0: free */
    size_t slots_count; /* a power of two */
} RecordTable;

#define RECORD_TABLE_NONE ((RecordTable){0})

/* Indexes `text`, which is borrowed. Returns false if there is no memory. */
bool record_table_make(const char *text, size_t size, RecordTable *table);

/* Returns 1 + index of the last line about this output; 0: none. Earlier ones follow by `earlier`.
 */
size_t record_table_last(const RecordTable *table, const char *name);

/* Returns 1 + index of the latest line about the output in this state; 0: none. Starts at the line
 * `at` - 1, a result of record_table_last or an `earlier`, and goes back. */
size_t record_table_find(const RecordTable *table, size_t at, const FileState *after);

/* Returns `head` and all lines that are still needed, for outputs as they are now below
 * `directory`. These are the last line about each output, and earlier ones that match the file. An
 * earlier line can match since the last line is written before the rename, and the program may have
 * been killed between them. The caller frees the text; NULL: no memory. */
char *record_table_text(const RecordTable *table, const char *directory, const char *head,
                        size_t *size);

void record_table_free(RecordTable *table);

#endif
