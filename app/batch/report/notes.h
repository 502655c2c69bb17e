/* Notes about finished files, such as "16 bits reduced to 8", with the number of files, so that a
 * large batch prints each once. Not thread-safe. */
#ifndef IMGTOOL_APP_BATCH_REPORT_NOTES_H
#define IMGTOOL_APP_BATCH_REPORT_NOTES_H

#include "app/cli/options.h"

enum { NOTES_MAX = 32 };

typedef struct NoteCount {
    char *text; /* owned */
    char *path; /* of the first file; owned */
    size_t files;
} NoteCount;

/* Starts as NOTES_NONE, ends with notes_free. */
typedef struct Notes {
    NoteCount counts[NOTES_MAX];
    size_t count;
} Notes;

#define NOTES_NONE ((Notes){.count = 0})

/* Counts a note. Returns false if a new note has no room; the caller then prints it. */
bool notes_add(Notes *notes, const char *path, const char *text);

/* Prints one line per note, with the file or the number of files. */
void notes_print(const Notes *notes, const Settings *settings);

void notes_free(Notes *notes);

#endif
