/* Rejects a plan in which two outputs with different paths are the same file, because a symbolic
 * link leads from one path to the other. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/batch/plan/batch_plan.h"
#include "app/batch/plan/plan_priv.h"
#include "app/files/path_parts.h"
#include "io/output/output_path.h"

/* An output after symbolic links are resolved: device and inode of its directory, and its name
 * there. */
typedef struct Place {
    dev_t device;
    ino_t inode;
    char *path; /* resolved path of the output; owned */
    const char *name;
    const BatchFile *file;
} Place;

static int by_place(const void *a, const void *b)
{
    const Place *left = a, *right = b;
    if (left->device != right->device)
        return left->device < right->device ? -1 : 1;
    if (left->inode != right->inode)
        return left->inode < right->inode ? -1 : 1;
    int order = strcmp(left->name, right->name);
    if (order != 0)
        return order;
    return left->file < right->file ? -1 : left->file > right->file;
}

static bool is_same(const Place *a, const Place *b)
{
    return a->device == b->device && a->inode == b->inode && strcmp(a->name, b->name) == 0;
}

/* An output after symbolic links are resolved: device and inode of its directory, and its name
 * there. */
static bool find_directory(Place *place, const Place *before)
{
    size_t length = (size_t)(place->name - place->path);
    struct stat info;
    if (before != NULL && (size_t)(before->name - before->path) == length &&
        memcmp(before->path, place->path, length) == 0) {
        place->device = before->device;
        place->inode = before->inode;
        return true;
    }
    const bool there = path_directory(place->path, &info);
    if (there) {
        place->device = info.st_dev;
        place->inode = info.st_ino;
    }
    return there;
}

/* Sets *place to the output of the file, after symbolic links are resolved. `path` stays NULL if
 * the output cannot be resolved or its directory does not exist; the output is then not
 * compared. */
static ImgStatus find_place(const BatchFile *file, bool may_be_link, const Place *before,
                            Place *place, ImgError *err)
{
    ImgStatus status = IMG_OK;
    *place = (Place){.file = file};
    if (may_be_link)
        status = img_output_resolve(file->output, &place->path, NULL, NULL);
    else if ((place->path = strdup(file->output)) == NULL)
        status = IMG_E_MEMORY;
    if (status == IMG_E_MEMORY)
        return img_fail(err, status, "no memory for the list of files");
    if (status != IMG_OK)
        return IMG_OK;
    place->name = path_name(place->path);
    if (!find_directory(place, before)) {
        free(place->path);
        place->path = NULL;
    }
    return IMG_OK;
}

/* Fails with IMG_E_USAGE if two outputs are the same name in the same directory. `places` are
 * sorted, so equal ones are neighbours. */
static ImgStatus find_same(const Place *places, size_t count, ImgError *err)
{
    for (size_t i = 1; i < count; i++)
        if (is_same(&places[i - 1], &places[i]))
            return img_fail(err, IMG_E_USAGE,
                            "%s and %s would both become %s, through a link; remove the link, or "
                            "name another OUTPUT_DIR",
                            places[i - 1].file->input, places[i].file->input, places[i].path);
    return IMG_OK;
}

ImgStatus clash_of_links(const BatchPlan *plan, ImgError *err)
{
    if (plan->count + plan->others < 2 || !directory_may_exist(plan->roots[0]))
        return IMG_OK;
    const size_t all = plan->count + plan->others;
    const bool has_links = clash_has_links(plan);
    Place *places = malloc(all * sizeof *places);
    if (places == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    size_t count = 0;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < all && status == IMG_OK; i++) {
        const Place *before = count > 0 ? &places[count - 1] : NULL;
        const BatchFile *file = &plan->files[i];
        const bool may_be_link = i < plan->count ? output_may_be_link(file) : has_links;
        status = find_place(file, may_be_link, before, &places[count], err);
        count += places[count].path != NULL;
    }
    qsort(places, count, sizeof *places, by_place);
    if (status == IMG_OK)
        status = find_same(places, count, err);
    for (size_t i = 0; i < count; i++)
        free(places[i].path);
    free(places);
    return status;
}
