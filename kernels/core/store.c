#include "kernels/core/store.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
    /* The most bytes of a file that the kernel maps at a page fault. The store assumes this number
     * for every fault. Often the kernel maps only 4 or 64 KiB (fault_around_bytes); pages are then
     * unmapped earlier than necessary. */
    FAULT_BYTES = 2 << 20,
    PAUSE_NANOSECONDS = 2000000,
};

/* A file of the store, mapped as a whole. */
typedef struct Area {
    uint8_t *memory;
    size_t bytes;
    int file;
    struct Area *next;
} Area;

struct ImgStore {
    ImgStorePlace place;
    uint64_t resident;
    pthread_mutex_t lock; /* protects the fields below */
    pthread_cond_t ends;  /* signalled when `is_ending` is set */
    Area *areas;
    uint64_t bytes, most; /* sum of the bytes of all files; the largest sum so far */
    pthread_t trimmer;    /* thread that unmaps pages */
    bool has_trimmer, is_ending;
};

/* --- Pages in memory -------------------------------------------------------------------------- */

static uint64_t count_faults(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

/* Unmaps all pages of the files. Their content remains in the cache of the system or on the disk,
 * and threads that use them go on after a page fault. */
static void unmap_pages(const ImgStore *store)
{
    for (const Area *area = store->areas; area != NULL; area = area->next)
        (void)madvise(area->memory, area->bytes, MADV_DONTNEED);
}

static struct timespec soon(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += PAUSE_NANOSECONDS;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Unmaps all pages as soon as the page faults may have mapped `resident` bytes since the pages were
 * last unmapped. */
static void *trim(void *context)
{
    ImgStore *store = context;
    uint64_t before = count_faults();
    pthread_mutex_lock(&store->lock);
    while (!store->is_ending) {
        const struct timespec time = soon();
        (void)pthread_cond_timedwait(&store->ends, &store->lock, &time);
        const uint64_t faults = count_faults();
        if ((faults - before) * FAULT_BYTES >= store->resident) {
            unmap_pages(store);
            before = faults;
        }
    }
    pthread_mutex_unlock(&store->lock);
    return NULL;
}

/* --- Files ------------------------------------------------------------------------------------ */

static ImgStatus refuse(const ImgStore *store, int error, size_t bytes, ImgError *err)
{
    const bool is_full = error == ENOSPC || error == EDQUOT;
    return img_fail(
        err, is_full ? IMG_E_TEMPORARY : IMG_E_IO,
        "a temporary file of %zu bytes in %s: %s; set %s to a directory with enough space", bytes,
        store->place.directory, strerror(error), store->place.setting);
}

/* Creates a file and removes its name at once. The path is place->file or, if that is NULL, a
 * random path made from the pattern `path`. */
static int create_and_unlink(const ImgStorePlace *place, char *path)
{
    if (place->enter != NULL)
        place->enter(place->context);
    const int file = place->file != NULL
                         ? open(place->file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                         : mkostemp(path, O_CLOEXEC);
    const int error = errno;
    const char *name = place->file != NULL ? place->file : path;
    if (file >= 0 && unlink(name) != 0)
        /* tries once more, because a network file system can fail temporarily */
        (void)unlink(name);
    if (place->leave != NULL)
        place->leave(place->context);
    errno = error;
    return file;
}

static int open_random(const ImgStorePlace *place)
{
    static const char name[] = "/.imgtool-XXXXXX";
    const size_t size = strlen(place->directory) + sizeof name;
    char *path = malloc(size);
    if (path == NULL)
        return -1;
    snprintf(path, size, "%s%s", place->directory, name);
    const int file = create_and_unlink(place, path);
    free(path);
    return file;
}

/* Waits and tries again while the path exists: another thread is about to remove it. */
static int open_named(const ImgStorePlace *place)
{
    enum { TRIES = 1000 };
    const struct timespec pause = {0, PAUSE_NANOSECONDS};
    int file = create_and_unlink(place, NULL);
    for (int i = 1; i < TRIES && file < 0 && errno == EEXIST; i++) {
        (void)nanosleep(&pause, NULL);
        file = create_and_unlink(place, NULL);
    }
    return file;
}

/* Opens a file without a name. If that is not possible, creates a file and removes its name: some
 * file systems, such as NFS, do not support O_TMPFILE (EOPNOTSUPP), and old kernels ignore the flag
 * and try to open the directory (EISDIR). */
static int open_file(const ImgStorePlace *place)
{
#ifdef O_TMPFILE
    const int file = open(place->directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return file;
#endif
    return place->file != NULL ? open_named(place) : open_random(place);
}

/* Reserves space for the file. Fails at once if the file needs more than nine tenths of the free
 * space: some file systems would first fill all of it, which other programs need, and fail then.
 * Returns 0 or an error number. */
static int reserve(int file, size_t bytes)
{
    struct statvfs space;
    if (fstatvfs(file, &space) == 0 && space.f_frsize > 0 &&
        bytes / space.f_frsize > space.f_bavail / 10 * 9)
        return ENOSPC;
    return posix_fallocate(file, 0, (off_t)bytes);
}

/* Opens a file of `bytes` bytes and maps it. Returns 0 or an error number. */
static int open_area(const ImgStorePlace *place, size_t bytes, Area *area)
{
    area->bytes = bytes;
    area->file = open_file(place);
    if (area->file < 0)
        return errno;
    const int error = reserve(area->file, bytes);
    if (error != 0)
        return error;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, area->file, 0);
    if (memory == MAP_FAILED)
        return errno;
    area->memory = memory;
    return 0;
}

static void close_area(Area *area)
{
    if (area->memory != NULL)
        (void)munmap(area->memory, area->bytes);
    if (area->file >= 0)
        (void)close(area->file);
    free(area);
}

ImgStatus img_store_create(const ImgStorePlace *place, uint64_t resident, ImgStore **store,
                           ImgError *err)
{
    ImgStore *own = *store = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a store of pictures");
    own->place = *place;
    own->resident = resident;
    pthread_mutex_init(&own->lock, NULL);
    pthread_cond_init(&own->ends, NULL);
    return IMG_OK;
}

void img_store_free(ImgStore *store)
{
    if (store == NULL)
        return;
    pthread_mutex_lock(&store->lock);
    store->is_ending = true;
    pthread_cond_signal(&store->ends);
    pthread_mutex_unlock(&store->lock);
    if (store->has_trimmer)
        (void)pthread_join(store->trimmer, NULL);
    while (store->areas != NULL)
        img_store_release(store, store->areas->memory);
    pthread_cond_destroy(&store->ends);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

ImgStatus img_store_alloc(ImgStore *store, size_t bytes, void **memory, ImgError *err)
{
    Area *area = calloc(1, sizeof *area);
    *memory = NULL;
    if (area == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a temporary file");
    const int error = open_area(&store->place, bytes, area);
    if (error != 0) {
        close_area(area);
        return refuse(store, error, bytes, err);
    }
    *memory = area->memory;
    pthread_mutex_lock(&store->lock);
    area->next = store->areas;
    store->areas = area;
    store->bytes += bytes;
    store->most = store->bytes > store->most ? store->bytes : store->most;
    if (!store->has_trimmer)
        store->has_trimmer = pthread_create(&store->trimmer, NULL, trim, store) == 0;
    pthread_mutex_unlock(&store->lock);
    return IMG_OK;
}

/* Returns the address of the pointer, in the linked list, to the area that contains `memory`. The
 * lock must be held. */
static Area **find_area(ImgStore *store, const uint8_t *memory)
{
    Area **link = &store->areas;
    while (*link != NULL &&
           (memory < (*link)->memory || memory >= (*link)->memory + (*link)->bytes))
        link = &(*link)->next;
    return link;
}

void img_store_release(ImgStore *store, void *memory)
{
    pthread_mutex_lock(&store->lock);
    Area **link = find_area(store, memory), *area = *link;
    if (area != NULL) {
        *link = area->next;
        store->bytes -= area->bytes;
    }
    pthread_mutex_unlock(&store->lock);
    if (area != NULL)
        close_area(area);
}

void img_store_unmap(ImgStore *store)
{
    pthread_mutex_lock(&store->lock);
    unmap_pages(store);
    pthread_mutex_unlock(&store->lock);
}

/* Returns the area that contains `memory`. It exists as long as the caller does not free it. */
static const Area *area_of(ImgStore *store, const uint8_t *memory)
{
    pthread_mutex_lock(&store->lock);
    const Area *area = *find_area(store, memory);
    pthread_mutex_unlock(&store->lock);
    return area;
}

ImgStatus img_store_write(ImgStore *store, void *to, const void *from, size_t bytes, ImgError *err)
{
    const Area *area = area_of(store, to);
    const off_t at = (off_t)((uint8_t *)to - area->memory);
    size_t done = 0;
    while (done < bytes) {
        const ssize_t count =
            pwrite(area->file, (const uint8_t *)from + done, bytes - done, at + (off_t)done);
        if (count < 0 && errno != EINTR)
            return refuse(store, errno, area->bytes, err);
        done += count > 0 ? (size_t)count : 0;
    }
    return IMG_OK;
}

ImgStatus img_store_read(ImgStore *store, void *to, const void *from, size_t bytes, ImgError *err)
{
    const Area *area = area_of(store, from);
    const off_t at = (off_t)((const uint8_t *)from - area->memory);
    size_t done = 0;
    while (done < bytes) {
        const ssize_t count =
            pread(area->file, (uint8_t *)to + done, bytes - done, at + (off_t)done);
        if (count == 0 || (count < 0 && errno != EINTR))
            return img_fail(err, IMG_E_IO, "a temporary file in %s cannot be read: %s",
                            store->place.directory,
                            count == 0 ? "it is too short" : strerror(errno));
        done += count > 0 ? (size_t)count : 0;
    }
    return IMG_OK;
}

uint64_t img_store_resident(const ImgStore *store)
{
    return store->resident;
}

uint64_t img_store_bytes(ImgStore *store)
{
    pthread_mutex_lock(&store->lock);
    const uint64_t most = store->most;
    pthread_mutex_unlock(&store->lock);
    return most;
}
