/* Finds the path of an output. Follows links itself, because realpath fails if the last link leads
 * to a file that does not exist. */
#include "io/output/output_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

/* MAX_LINKS: largest number of links that are followed for one path, as in Linux. RANDOM_LETTERS:
 * number of random letters in a temporary name. */
enum { MAX_LINKS = 40, RANDOM_LETTERS = 6 };

/* Largest number of bytes of a file name that its temporary name keeps. The temporary name is up to
 * 12 bytes longer (".NAME.XXXXXX.tmp"). So it fits the limits of common file systems (255 bytes)
 * and of eCryptfs (143 bytes). */
enum { STEM_BYTES = 100 };

static bool parse_descriptor(const char *digits, int *fd)
{
    char *end;
    if (digits[0] < '0' || digits[0] > '9')
        return false;
    unsigned long number = strtoul(digits, &end, 10);
    *fd = (int)number;
    return *end == '\0' && number <= INT_MAX;
}

bool img_output_is_descriptor(const char *path, int *fd)
{
    static const char *const directories[] = {"/dev/fd/", "/proc/self/fd/",
                                              "/proc/thread-self/fd/"};
    *fd = strcmp(path, "/dev/stdout") == 0 ? STDOUT_FILENO : STDERR_FILENO;
    if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0)
        return true;
    for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++) {
        size_t length = strlen(directories[i]);
        if (strncmp(path, directories[i], length) == 0)
            return parse_descriptor(path + length, fd);
    }
    return false;
}

static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Returns the path that the link `path` leads to. The result is relative to the same directory as
 * `path`. Returns NULL with errno set on failure. */
static char *follow(const char *path)
{
    char text[PATH_MAX];
    ssize_t length = readlink(path, text, sizeof text);
    if (length < 0)
        return NULL;
    if ((size_t)length == sizeof text) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    size_t directory = text[0] == '/' ? 0 : directory_length(path);
    char *next = malloc(directory + (size_t)length + 1);
    if (next == NULL)
        return NULL;
    memcpy(next, path, directory);
    memcpy(next + directory, text, (size_t)length);
    next[directory + (size_t)length] = '\0';
    return next;
}

/* Returns true if the link itself lies in procfs; its target may lie anywhere. */
static bool is_in_procfs(const char *link)
{
    struct statfs info;
    int fd = open(link, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    bool is = fd >= 0 && fstatfs(fd, &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
    if (fd >= 0)
        (void)close(fd);
    return is;
}

ImgStatus img_output_resolve(const char *path, char **target, bool *may_lack_name, ImgError *err)
{
    *target = strdup(path);
    if (may_lack_name != NULL)
        *may_lack_name = false;
    for (int links = 0; *target != NULL; links++) {
        struct stat info;
        bool found = lstat(*target, &info) == 0;
        if (found ? !S_ISLNK(info.st_mode) : img_errno_is_of_path(errno))
            return IMG_OK;
        if (found && may_lack_name != NULL && !*may_lack_name)
            *may_lack_name = is_in_procfs(*target);
        char *next = NULL;
        if (links == MAX_LINKS)
            errno = ELOOP;
        else if (found) /* if lstat failed, errno already has the reason */
            next = follow(*target);
        free(*target);
        *target = next;
    }
    return img_fail(err, img_errno_status(errno), "cannot be written: %s", strerror(errno));
}

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
static const char ending[] = ".tmp";

static void random_letters(char *out)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != (ssize_t)sizeof bits) {
        /* Names may be predictable, because O_EXCL detects a collision. */
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        bits = (uint64_t)now.tv_nsec * 2654435761U + (uint64_t)getpid();
    }
    for (int i = 0; i < RANDOM_LETTERS; i++) {
        out[i] = letters[bits % 36];
        bits /= 36;
    }
    out[RANDOM_LETTERS] = '\0';
}

size_t img_output_stem(const char *name)
{
    size_t stem = strlen(name);
    if (stem > STEM_BYTES) {
        stem = STEM_BYTES;
        /* Avoids a cut within a UTF-8 character, which has up to four bytes. Names in other
         * encodings may be cut anywhere. */
        while (stem > STEM_BYTES - 4 && ((unsigned char)name[stem] & 0xC0) == 0x80)
            stem--;
    }
    return stem;
}

char *img_output_temporary(const char *target)
{
    size_t directory = directory_length(target);
    const char *name = target + directory;
    size_t stem = img_output_stem(name);
    char random[RANDOM_LETTERS + 1];
    random_letters(random);
    size_t size = directory + stem + sizeof "..123456.tmp";
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%.*s.%.*s.%s%s", (int)directory, target, (int)stem, name, random,
                 ending);
    return path;
}

bool img_output_is_temporary(const char *name, const char **stem, size_t *stem_size)
{
    enum { ADDED = 1 + 1 + RANDOM_LETTERS + sizeof ending - 1 };
    size_t size = strlen(name);
    if (size <= ADDED || size > ADDED + STEM_BYTES || name[0] != '.')
        return false;
    *stem = name + 1;
    *stem_size = size - ADDED;
    const char *rest = *stem + *stem_size;
    return rest[0] == '.' && strspn(rest + 1, letters) == RANDOM_LETTERS &&
           strcmp(rest + 1 + RANDOM_LETTERS, ending) == 0;
}

bool img_output_lock(int fd)
{
    struct stat info;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(fd, &info) == 0 && info.st_nlink > 0;
}
