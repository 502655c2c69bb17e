/* The lines of a record, with a hash table from names of outputs to lines. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_TABLE_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_TABLE_H

#include "app/batch/record/record_line.h"

typedef struct RecordEntry {
    RecordLine line;
    const char *text; /* the text of the line, `size` bytes without the newline */
    size_t size;
    size_t earlier; /* 1 + index of the previous line about the same output; 0: there is none */
    bool later;     /* a later line about the same output exists */
    bool forgotten; /* true if the line is ignored; set by the owner of the table */
} RecordEntry;

/* The lines of one record. Initialise it with RECORD_TABLE_NONE, and free it with
 * record_table_free. */
typedef struct RecordTable {
    RecordEntry *entries; /* the valid lines, in the order of the file */
    size_t count;
    size_t names; /* number of different outputs */
    size_t lines; /* number of lines in the text, valid or not, except empty ones */
    size_t begun; /* number of lines that mean "not done" (RECORD_BEGUN) */
    /* Hash table of slots_count slots: 1 + index of the last line about an output; 0: free. */
    size_t *slots;
    size_t slots_count; /* number of slots, a power of two */
} RecordTable;

#define RECORD_TABLE_NONE ((RecordTable){0})

/* Sets *table to the lines of `text`, which must stay valid as long as the table is used. Returns
 * false if there is no memory. */
bool record_table_make(const char *text, size_t size, RecordTable *table);

/* Returns 1 + index of the last line about this output, or 0 if there is none. The field `earlier`
 * leads to the lines before it. */
size_t record_table_last(const RecordTable *table, const char *name);

/* Returns 1 + index of the latest line about the output in the state `after`, or 0 if there is
 * none. The search starts at line `at` - 1 and follows `earlier`. `at` is a result of
 * record_table_last or a field `earlier`. */
size_t record_table_find(const RecordTable *table, size_t at, const FileState *after);

/* Returns the text of a shorter record: `head`, then all lines that are still needed. These are the
 * last line about each output, and earlier lines that match the present file below `directory`. An
 * earlier line can match because the last line is written before the rename, and the program may
 * have been killed in between. Returns NULL if there is no memory. The caller frees the text. */
char *record_table_text(const RecordTable *table, const char *directory, const char *head,
                        size_t *size);

void record_table_free(RecordTable *table);

#endif
