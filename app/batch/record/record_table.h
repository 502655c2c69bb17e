/* The lines of a record by the names of the outputs that they are about. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_TABLE_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_TABLE_H

#include "app/batch/record/record_line.h"

typedef struct RecordEntry {
    RecordLine line;
    const char *text; /* the whole line, without the newline */
    size_t size;
    size_t earlier; /* 1 + number of the line before it about the same output; 0: none */
    bool later;     /* there is one after it */
    bool forgotten; /* it counts for nothing; set by who has the table */
} RecordEntry;

/* Start with RECORD_TABLE_NONE, end with record_table_free. */
typedef struct RecordTable {
    RecordEntry *entries; /* lines that can be read, in their order */
    size_t count;
    size_t names;       /* outputs that they are about */
    size_t lines;       /* all lines of the text but empty ones */
    size_t begun;       /* lines about files that are to be done */
    size_t *slots;      /* hash table: 1 + number of the last line about an output; 0: free */
    size_t slots_count; /* a power of two */
} RecordTable;

#define RECORD_TABLE_NONE ((RecordTable){0})

/* Borrows `text`. False: no memory. */
bool record_table_make(const char *text, size_t size, RecordTable *table);

/* 1 + number of the last line about such an output; 0: none. The others follow by `earlier`. */
size_t record_table_last(const RecordTable *table, const char *name);

/* Likewise of the latest line that is about an output in this state, from the one of number `at` -
 * 1 back, as record_table_last or `earlier` says it. */
size_t record_table_find(const RecordTable *table, size_t at, const FileState *after);

/* `head`, and the lines that are still of use, with outputs as they are now below `directory`: the
 * last about each output, and those before it that fit the file, as the last is written before the
 * file gets its name, and the program may have been killed there. NULL: no memory. The caller frees
 * it. */
char *record_table_text(const RecordTable *table, const char *directory, const char *head,
                        size_t *size);

void record_table_free(RecordTable *table);

#endif
