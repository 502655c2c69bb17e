/* Removes temporary files that killed runs left behind. Reads each directory once, and looks up its
 * names among the sorted names of the outputs. The cost therefore grows only slightly faster than
 * the number of files. */
#include "app/batch/batch.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "app/batch/plan/batch_plan.h"
#include "app/text/paths.h"
#include "io/output/leftovers.h"
#include "io/output/output_path.h"

/* The directory, and the part of the name, that all temporary files of one output have in
 * common. */
typedef struct Origin {
    char *path;       /* resolved path of the output; owned */
    size_t directory; /* length of the directory in `path`, including the last slash */
    size_t stem; /* length of the part of the output's name that its temporary names contain, in
                    bytes; it follows the directory in `path` */
} Origin;

static int compare_bytes(const char *a, size_t a_size, const char *b, size_t b_size)
{
    int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

static int compare_directories(const Origin *a, const Origin *b)
{
    return compare_bytes(a->path, a->directory, b->path, b->directory);
}

static int compare_stems(const void *a, const void *b)
{
    const Origin *first = a, *second = b;
    return compare_bytes(first->path + first->directory, first->stem,
                         second->path + second->directory, second->stem);
}

static int compare_origins(const void *a, const void *b)
{
    int order = compare_directories(a, b);
    return order != 0 ? order : compare_stems(a, b);
}

/* Sets *origin from the output of the file. Returns false if the path of the output cannot be
 * resolved or memory is short; the temporary files of this output then remain. */
static bool make_origin(const BatchFile *file, Origin *origin)
{
    origin->path = NULL;
    if (!output_may_be_link(file))
        origin->path = strdup(file->output);
    else if (img_output_resolve(file->output, &origin->path, NULL, NULL) != IMG_OK)
        return false;
    if (origin->path == NULL)
        return false;
    origin->directory = path_directory_length(origin->path);
    origin->stem = img_output_stem(origin->path + origin->directory);
    return true;
}

static bool is_of_one(const char *name, const Origin *origins, size_t count)
{
    Origin origin = {NULL, 0, 0};
    const char *stem;
    if (!img_output_is_temporary(name, &stem, &origin.stem))
        return false;
    origin.path = (char *)stem;
    return bsearch(&origin, origins, count, sizeof *origins, compare_stems) != NULL;
}

/* Removes the leftovers in one directory. `origins` are the outputs in that directory, sorted by
 * name. Returns the number of removed files. */
static size_t clean_directory(const Origin *origins, size_t count)
{
    char *directory = strndup(origins->path, origins->directory);
    DIR *dir = directory != NULL ? opendir(directory[0] != '\0' ? directory : ".") : NULL;
    free(directory);
    if (dir == NULL)
        return 0;
    size_t removed = 0;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        removed += is_of_one(entry->d_name, origins, count) &&
                   img_leftover_remove(dirfd(dir), entry->d_name);
    closedir(dir);
    return removed;
}

size_t leftovers_remove(const BatchPlan *plan)
{
    Origin *origins = malloc((plan->count + 1) * sizeof *origins);
    if (origins == NULL)
        return 0;
    size_t count = 0, removed = 0;
    for (size_t i = 0; i < plan->count; i++)
        count += make_origin(&plan->files[i], &origins[count]);
    qsort(origins, count, sizeof *origins, compare_origins);
    for (size_t first = 0, next; first < count; first = next) {
        next = first + 1;
        while (next < count && compare_directories(&origins[first], &origins[next]) == 0)
            next++;
        removed += clean_directory(origins + first, next - first);
    }
    for (size_t i = 0; i < count; i++)
        free(origins[i].path);
    free(origins);
    return removed;
}
