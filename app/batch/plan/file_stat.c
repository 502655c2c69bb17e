#include "app/batch/plan/batch_plan.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { THREADS_MOST = 64, FILES_PER_THREAD = 16 };

typedef struct Search {
    BatchPlan *plan;
    bool outputs;
    atomic_size_t next;
} Search;

/* Converts the results of stat: its return value `answer`, and `info`. After a failure that is not
 * about the path (img_errno_is_of_path), `known` is false, so that later checks call stat again. */
static FileStat result_of(int answer, const struct stat *info)
{
    if (answer != 0)
        return (FileStat){.known = img_errno_is_of_path(errno)};
    return (FileStat){.known = true,
                      .exists = true,
                      .is_link = S_ISLNK(info->st_mode),
                      .device = info->st_dev,
                      .inode = info->st_ino,
                      .bytes = info->st_size > 0 ? (uint64_t)info->st_size : 0};
}

static void *stat_files(void *context)
{
    Search *search = context;
    for (size_t i; (i = search->next++) < search->plan->count;) {
        BatchFile *file = &search->plan->files[i];
        struct stat info;
        file->input_stat = result_of(stat(file->input, &info), &info);
        if (search->outputs)
            file->output_stat = result_of(lstat(file->output, &info), &info);
        else
            file->output_stat = (FileStat){.known = true};
    }
    return NULL;
}

void plan_stat_files(BatchPlan *plan, int threads)
{
    pthread_t helpers[THREADS_MOST];
    Search search = {.plan = plan, .outputs = directory_may_exist(plan->roots[0])};
    size_t wanted = plan->count / FILES_PER_THREAD, started = 0;
    size_t most = threads < THREADS_MOST ? (size_t)threads : THREADS_MOST;
    wanted = wanted < most ? wanted : most;
    while (started + 1 < wanted &&
           pthread_create(&helpers[started], NULL, stat_files, &search) == 0)
        started++;
    (void)stat_files(&search);
    for (size_t i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
}

bool directory_may_exist(const char *directory)
{
    struct stat info;
    return stat(directory, &info) == 0 || !img_errno_is_of_path(errno);
}

static bool identity(const FileStat *seen, const char *path, dev_t *device, ino_t *inode)
{
    struct stat info;
    FileStat now = *seen;
    if (!seen->known || seen->is_link)
        now = result_of(stat(path, &info), &info);
    *device = now.device;
    *inode = now.inode;
    return now.exists;
}

bool stat_output(const BatchFile *file, dev_t *device, ino_t *inode)
{
    return identity(&file->output_stat, file->output, device, inode);
}

bool stat_input(const BatchFile *file, dev_t *device, ino_t *inode)
{
    return identity(&file->input_stat, file->input, device, inode);
}

bool output_may_be_link(const BatchFile *file)
{
    return !file->output_stat.known || file->output_stat.is_link;
}
