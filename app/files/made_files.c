#include "app/files/made_files.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "app/text/paths.h"
#include "kernels/core/parallel/lock.h"

/* An output of this run. Its time of change tells it from a later file of another process that got
 * the same inode. */
typedef struct Made {
    FileId id;
    struct timespec changed;
} Made;

struct MadeFiles {
    ImgReplaceGuard guard;
    pthread_mutex_t alone; /* locked from the check of an output until its rename, so that no other
                              output is renamed in between */
    pthread_mutex_t mutex; /* protects the fields below */
    /* Hash table with linear probing, at most half full. A slot with inode 0 is free. */
    Made *slots;
    size_t slot_count, count;
};

enum { SLOTS_FIRST = 1024 };

/* Returns the slot that contains the file. If there is none, returns the free slot where the file
 * belongs. */
static Made *find(Made *slots, size_t slot_count, FileId file)
{
    size_t at =
        (size_t)(((uint64_t)file.inode + (uint64_t)file.device) * 0x9E3779B97F4A7C15U >> 16);
    for (at &= slot_count - 1; slots[at].id.inode != 0; at = (at + 1) & (slot_count - 1))
        if (file_id_compare(&slots[at].id, &file) == 0)
            break;
    return &slots[at];
}

static bool grow(MadeFiles *files)
{
    const size_t slot_count = 2 * files->slot_count;
    Made *slots = calloc(slot_count, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < files->slot_count; i++) {
        const Made old = files->slots[i];
        if (old.id.inode != 0)
            *find(slots, slot_count, old.id) = old;
    }
    free(files->slots);
    files->slots = slots;
    files->slot_count = slot_count;
    return true;
}

static bool is_noted(const MadeFiles *files, const struct stat *file)
{
    const Made *made = find(files->slots, files->slot_count, file_id(file));
    return made->id.inode != 0 && made->changed.tv_sec == file->st_mtim.tv_sec &&
           made->changed.tv_nsec == file->st_mtim.tv_nsec;
}

/* Adds a file to the set. Returns false if there is no memory. */
static bool add(MadeFiles *files, const struct stat *file)
{
    Made *slot = find(files->slots, files->slot_count, file_id(file));
    const bool is_new = slot->id.inode == 0;
    *slot = (Made){file_id(file), file->st_mtim};
    files->count += is_new;
    return 2 * files->count < files->slot_count || grow(files);
}

static ImgStatus may_replace(void *context, const struct stat *made, const struct stat *old,
                             ImgError *err)
{
    MadeFiles *files = context;
    pthread_mutex_lock(&files->mutex);
    const bool clashes = old != NULL && is_noted(files, old);
    const bool added = clashes || add(files, made);
    pthread_mutex_unlock(&files->mutex);
    if (clashes)
        return img_fail(err, IMG_E_USAGE,
                        "would replace another output of this run, because the file system ignores "
                        "upper and lower case; give it another name");
    return added ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory for a list of the outputs");
}

static void lock(void *context)
{
    pthread_mutex_lock(&((MadeFiles *)context)->alone);
}

static void unlock(void *context)
{
    pthread_mutex_unlock(&((MadeFiles *)context)->alone);
}

MadeFiles *made_files_create(void)
{
    MadeFiles *files = calloc(1, sizeof *files);
    Made *slots = calloc(SLOTS_FIRST, sizeof *slots);
    if (files == NULL || slots == NULL) {
        free(files);
        free(slots);
        return NULL;
    }
    files->guard = (ImgReplaceGuard){may_replace, lock, unlock, files};
    pthread_mutex_init(&files->alone, NULL);
    img_lock_init(&files->mutex);
    files->slots = slots;
    files->slot_count = SLOTS_FIRST;
    return files;
}

void made_files_free(MadeFiles *files)
{
    if (files == NULL)
        return;
    pthread_mutex_destroy(&files->alone);
    pthread_mutex_destroy(&files->mutex);
    free(files->slots);
    free(files);
}

const ImgReplaceGuard *made_files_guard(const MadeFiles *files)
{
    return files != NULL ? &files->guard : NULL;
}
