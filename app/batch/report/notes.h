/* Notes about finished files, such as "16 bits reduced to 8". A large batch counts the files of
 * each note, and prints the note once. Not thread-safe. */
#ifndef IMGTOOL_APP_BATCH_REPORT_NOTES_H
#define IMGTOOL_APP_BATCH_REPORT_NOTES_H

#include "app/cli/options.h"

enum { NOTES_MAX = 32 };

typedef struct NoteCount {
    char *text; /* owned */
    char *path; /* path of the first file with this note; owned */
    size_t files;
} NoteCount;

/* Initialise it with NOTES_NONE, and free it with notes_free. */
typedef struct Notes {
    NoteCount counts[NOTES_MAX];
    size_t count;
} Notes;

#define NOTES_NONE ((Notes){.count = 0})

/* Counts the note for one more file. Returns false if the note is new and there is no memory for
 * it; the caller then prints it. */
bool notes_add(Notes *notes, const char *path, const char *text);

/* Prints each note on a line, with the name of the file or, if several files have it, their number.
 */
void notes_print(const Notes *notes, const Settings *settings);

void notes_free(Notes *notes);

#endif
