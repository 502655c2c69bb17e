#include "app/batch/plan/look.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "io/errno_status.h"

enum { THREADS_MOST = 64, FILES_PER_THREAD = 16 };

typedef struct Looking {
    BatchPlan *plan;
    bool outputs;
    atomic_size_t next;
} Looking;

/* Where a look says nothing, whoever needs it looks again. */
static FileLook look_of(int answer, const struct stat *info)
{
    if (answer != 0)
        return (FileLook){.looked = img_errno_is_of_path(errno)};
    return (FileLook){.looked = true,
                      .there = true,
                      .link = S_ISLNK(info->st_mode),
                      .device = info->st_dev,
                      .inode = info->st_ino,
                      .bytes = info->st_size > 0 ? (uint64_t)info->st_size : 0};
}

static void *look(void *context)
{
    Looking *looking = context;
    for (size_t i; (i = looking->next++) < looking->plan->count;) {
        BatchFile *file = &looking->plan->files[i];
        struct stat info;
        file->input_look = look_of(stat(file->input, &info), &info);
        if (looking->outputs)
            file->output_look = look_of(lstat(file->output, &info), &info);
        else
            file->output_look = (FileLook){.looked = true};
    }
    return NULL;
}

void plan_look(BatchPlan *plan, int threads)
{
    pthread_t helpers[THREADS_MOST];
    Looking looking = {.plan = plan, .outputs = look_may_be_there(plan->roots[0])};
    size_t wanted = plan->count / FILES_PER_THREAD, started = 0;
    size_t most = threads < THREADS_MOST ? (size_t)threads : THREADS_MOST;
    wanted = wanted < most ? wanted : most;
    while (started + 1 < wanted && pthread_create(&helpers[started], NULL, look, &looking) == 0)
        started++;
    (void)look(&looking);
    for (size_t i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
}

bool look_may_be_there(const char *directory)
{
    struct stat info;
    return stat(directory, &info) == 0 || !img_errno_is_of_path(errno);
}

static bool identity(const FileLook *seen, const char *path, dev_t *device, ino_t *inode)
{
    struct stat info;
    FileLook now = *seen;
    if (!seen->looked || seen->link)
        now = look_of(stat(path, &info), &info);
    *device = now.device;
    *inode = now.inode;
    return now.there;
}

bool look_output(const BatchFile *file, dev_t *device, ino_t *inode)
{
    return identity(&file->output_look, file->output, device, inode);
}

bool look_input(const BatchFile *file, dev_t *device, ino_t *inode)
{
    return identity(&file->input_look, file->input, device, inode);
}

bool look_may_be_link(const BatchFile *file)
{
    return !file->output_look.looked || file->output_look.link;
}
