#include "app/batch/shard/share.h"

#include <stdlib.h>
#include <string.h>

#include "app/engine/share/resources.h"

/* --- By hash ---------------------------------------------------------------------------------- */

static uint64_t add_byte(uint64_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * 0x100000001B3U;
}

static uint64_t mix(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * 0xFF51AFD7ED558CCDU;
    hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53U;
    return hash ^ hash >> 33;
}

uint64_t share_hash(const char *relative)
{
    uint64_t hash = 0xCBF29CE484222325U;
    bool slash = relative[0] == '/';
    for (const char *at = relative; *at != '\0'; at += *at == '/') {
        size_t length = strcspn(at, "/");
        bool counts = length > 0 && !(length == 1 && *at == '.');
        if (counts && slash)
            hash = add_byte(hash, '/');
        for (size_t i = 0; counts && i < length; i++)
            hash = add_byte(hash, at[i]);
        slash = slash || counts;
        at += length;
    }
    return mix(hash);
}

uint32_t share_of(uint64_t hash, uint32_t count)
{
    return (uint32_t)(hash % count);
}

/* --- By size ---------------------------------------------------------------------------------- */

typedef struct Load {
    uint64_t bytes;
    uint32_t share;
} Load;

/* Returns whether `a` has fewer bytes than `b`. If they have the same number, the share with the
 * lower index counts as lighter. */
static bool is_lighter(const Load *a, const Load *b)
{
    return a->bytes != b->bytes ? a->bytes < b->bytes : a->share < b->share;
}

/* Restores the order of the heap after its first element became heavier. The first element of a
 * heap is the lightest. */
static void sink(Load *heap, size_t count)
{
    for (size_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_lighter(&heap[child + 1], &heap[child]))
            child++;
        if (!is_lighter(&heap[child], &heap[at]))
            return;
        Load moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

typedef struct Weighed {
    uint64_t hash;
    ShareFile *file;
} Weighed;

/* Sorts by descending size, then by hash and path, so that the order of the list does not
 * matter. */
static int by_weight(const void *a, const void *b)
{
    const Weighed *left = a, *right = b;
    if (left->file->bytes != right->file->bytes)
        return left->file->bytes > right->file->bytes ? -1 : 1;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return strcmp(left->file->path + left->file->relative,
                  right->file->path + right->file->relative);
}

static ImgStatus assign_by_size(ShareFile *files, size_t count, uint32_t shares, ImgError *err)
{
    Weighed *weighed = malloc((count + 1) * sizeof *weighed);
    Load *heap = malloc(shares * sizeof *heap);
    if (weighed == NULL || heap == NULL) {
        free(weighed);
        free(heap);
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    }
    for (size_t i = 0; i < count; i++)
        weighed[i] = (Weighed){share_hash(files[i].path + files[i].relative), &files[i]};
    qsort(weighed, count, sizeof *weighed, by_weight);
    for (uint32_t i = 0; i < shares; i++)
        heap[i] = (Load){0, i};
    for (size_t i = 0; i < count; i++) {
        weighed[i].file->share = heap[0].share;
        /* + 1 so that empty files are also spread over the shares. */
        heap[0].bytes += weighed[i].file->bytes + 1;
        sink(heap, shares);
    }
    free(weighed);
    free(heap);
    return IMG_OK;
}

ImgStatus share_assign(ShareFile *files, size_t count, uint32_t shares, bool by_size, ImgError *err)
{
    if (by_size)
        return assign_by_size(files, count, shares, err);
    for (size_t i = 0; i < count; i++)
        files[i].share = share_of(share_hash(files[i].path + files[i].relative), shares);
    return IMG_OK;
}

/* --- Plans and inputs ------------------------------------------------------------------------- */

static ImgStatus assign(ShareFile *files, size_t count, uint32_t shares, const Settings *settings,
                        ImgError *err)
{
    bool by_size = settings->balance == BALANCE_SIZE;
    for (size_t i = 0; by_size && i < count; i++)
        files[i].bytes = img_resources_file_bytes(files[i].path);
    return share_assign(files, count, shares, by_size, err);
}

/* Moves the files of this process's share to the front. `room` is scratch space for as many files
 * as the plan has. */
static void part(BatchPlan *plan, BatchFile *room)
{
    size_t own = 0, others = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->files[i].share == plan->shard.index)
            plan->files[own++] = plan->files[i];
        else
            room[others++] = plan->files[i];
    }
    memcpy(plan->files + own, room, others * sizeof *room);
    plan->count = own;
    plan->others = others;
}

ImgStatus share_take(BatchPlan *plan, const Settings *settings, ImgError *err)
{
    ShareFile *files = calloc(plan->count + 1, sizeof *files);
    BatchFile *room = malloc((plan->count + 1) * sizeof *room);
    ImgStatus status = IMG_OK;
    if (files == NULL || room == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++)
        files[i] = (ShareFile){.path = plan->files[i].input, .relative = plan->files[i].relative};
    if (status == IMG_OK)
        status = assign(files, plan->count, plan->shard.count, settings, err);
    if (status == IMG_OK) {
        for (size_t i = 0; i < plan->count; i++)
            plan->files[i].share = files[i].share;
        part(plan, room);
    }
    free(files);
    free(room);
    return status;
}

void share_drop_others(BatchPlan *plan)
{
    for (size_t i = plan->count; i < plan->count + plan->others; i++) {
        free(plan->files[i].input);
        free(plan->files[i].output);
    }
    plan->others = 0;
}

ImgStatus share_take_inputs(Inputs *inputs, const Shard *shard, const Settings *settings,
                            ImgError *err)
{
    size_t kept = 0;
    ShareFile *files = calloc(inputs->count + 1, sizeof *files);
    if (files == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    for (size_t i = 0; i < inputs->count; i++)
        files[i] = (ShareFile){.path = inputs->paths[i], .relative = inputs->tops[i]};
    ImgStatus status = assign(files, inputs->count, shard->count, settings, err);
    for (size_t i = 0; status == IMG_OK && i < inputs->count; i++) {
        if (files[i].share == shard->index) {
            inputs->tops[kept] = inputs->tops[i];
            inputs->paths[kept++] = inputs->paths[i];
        } else {
            free(inputs->paths[i]);
        }
    }
    if (status == IMG_OK)
        inputs->count = kept;
    free(files);
    return status;
}
