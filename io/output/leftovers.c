#include "io/output/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "io/output/output_path.h"
#include "io/output/output_priv.h"

/* Opens a temporary file for writing, because NFS requires that for an exclusive lock. */
static int open_leftover(int directory, const char *name)
{
    return openat(directory, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

bool img_leftover_remove(int directory, const char *name)
{
    struct stat info;
    const int fd = open_leftover(directory, name);
    if (fd < 0)
        return false;
    const bool removed = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && img_output_lock(fd) &&
                         unlinkat(directory, name, 0) == 0;
    close(fd);
    return removed;
}

/* --- Temporary files of other outputs --------------------------------------------------------- */

/* Returns true for file systems of local disks, whose locks are visible to all programs that use
 * the file system. linux/magic.h has their magic numbers, except those of XFS, ZFS, NTFS and
 * exFAT. */
static bool has_reliable_locks(int directory)
{
    static const unsigned long types[] = {
        0xEF53 /* ext2 to ext4 */,  0x58465342 /* XFS */,  0x9123683E /* Btrfs */,
        0xF2F52010 /* F2FS */,      0x2FC12FC1 /* ZFS */,  0x01021994 /* tmpfs */,
        0x794C7630 /* overlayfs */, 0x7366746E /* NTFS */, 0x2011BAB0 /* exFAT */,
    };
    struct statfs info;
    if (fstatfs(directory, &info) != 0)
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if ((unsigned long)info.f_type == types[i])
            return true;
    return false;
}

/* Returns true if the name ends with the extension of a picture. Leftovers of other outputs are
 * removed only if it returns true: other programs may use temporary names of the same form, but
 * seldom for pictures. */
static bool is_of_picture(const char *stem, size_t size)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg", ".bmp", ".tga", ".svg", ".dzi"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(endings[i]);
        if (size > length && strncasecmp(stem + size - length, endings[i], length) == 0)
            return true;
    }
    return false;
}

/* Returns true if the file belongs to this user and is either not empty or more than
 * SECONDS_SETTLED seconds old. A new empty file may not be locked yet, because its program locks it
 * just after creating it. */
static bool is_ours_and_settled(int directory, const char *name)
{
    enum { SECONDS_SETTLED = 10 };
    struct stat info;
    return fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode) &&
           info.st_uid == geteuid() &&
           (info.st_size > 0 || info.st_mtim.tv_sec + SECONDS_SETTLED < time(NULL));
}

/* --- Search of a directory -------------------------------------------------------------------- */

typedef struct Sweep {
    int directory;
    /* File name of the output. The names of its temporary files contain the first `own_size` bytes
     * of this name. */
    const char *own;
    size_t own_size;
    bool takes_others;
} Sweep;

static bool sweep_entry(const Sweep *sweep, const char *name)
{
    const char *stem;
    size_t size;
    if (!img_output_is_temporary(name, &stem, &size))
        return false;
    const bool is_own = size == sweep->own_size && memcmp(stem, sweep->own, size) == 0;
    if (!is_own && !(sweep->takes_others && is_of_picture(stem, size) &&
                     is_ours_and_settled(sweep->directory, name)))
        return false;
    return img_leftover_remove(sweep->directory, name);
}

size_t img_leftovers_sweep(const ImgOutput *output)
{
    enum { ENTRIES_MOST = 1000 };
    if (output == NULL || output->target == NULL)
        return 0;
    const char *slash = strrchr(output->target, '/');
    const size_t length = slash != NULL ? (size_t)(slash - output->target) + 1 : 0;
    char *path = length > 0 ? strndup(output->target, length) : NULL;
    DIR *dir = length > 0 && path == NULL ? NULL : opendir(path != NULL ? path : ".");
    free(path);
    if (dir == NULL)
        return 0;
    const char *name = output->target + length;
    const Sweep sweep = {dirfd(dir), name, img_output_stem(name), has_reliable_locks(dirfd(dir))};
    size_t removed = 0;
    const struct dirent *entry;
    for (int i = 0; i < ENTRIES_MOST && (entry = readdir(dir)) != NULL; i++)
        removed += sweep_entry(&sweep, entry->d_name);
    closedir(dir);
    return removed;
}
