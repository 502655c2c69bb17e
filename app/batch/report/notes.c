#include "app/batch/report/batch_result.h"

#include <stdlib.h>
#include <string.h>

#include "app/term/messages.h"

bool notes_add(Notes *notes, const char *path, const char *text)
{
    for (size_t i = 0; i < notes->count; i++) {
        if (strcmp(notes->counts[i].text, text) == 0) {
            notes->counts[i].files++;
            return true;
        }
    }
    if (notes->count == NOTES_MAX)
        return false;
    NoteCount added = {strdup(text), strdup(path), 1};
    if (added.text == NULL || added.path == NULL) {
        free(added.text);
        free(added.path);
        return false;
    }
    notes->counts[notes->count++] = added;
    return true;
}

void notes_print(const Notes *notes, const Settings *settings)
{
    for (size_t i = 0; i < notes->count; i++) {
        const NoteCount *note = &notes->counts[i];
        if (note->files == 1)
            report_note(settings, "%s: %s", note->path, note->text);
        else
            report_note(settings, "%zu files: %s", note->files, note->text);
    }
}

void notes_free(Notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->counts[i].text);
        free(notes->counts[i].path);
    }
    *notes = NOTES_NONE;
}
