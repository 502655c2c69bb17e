/* What was noted of files that were done ("16 bits reduced to 8"): counted, so that a batch of many
 * says it once. Not for several threads at a time. */
#ifndef IMGTOOL_APP_BATCH_REPORT_NOTES_H
#define IMGTOOL_APP_BATCH_REPORT_NOTES_H

#include "app/cli/options.h"

enum { NOTES_MAX = 32 };

typedef struct NoteCount {
    char *text; /* owned */
    char *path; /* of the first file, owned */
    size_t files;
} NoteCount;

/* Starts as NOTES_NONE, ends with notes_free. */
typedef struct Notes {
    NoteCount counts[NOTES_MAX];
    size_t count;
} Notes;

#define NOTES_NONE ((Notes){.count = 0})

/* False where there is no room for a note that is not there yet: print it then. */
bool notes_add(Notes *notes, const char *path, const char *text);

/* One line per note: with the file that it is about, or how many. */
void notes_print(const Notes *notes, const Settings *settings);

void notes_free(Notes *notes);

#endif
