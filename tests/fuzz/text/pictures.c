/* Makes the files on which fuzzed commands work, and checks which of them a command changed. The
 * functions are described in text.h. */

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/record/record.h"
#include "app/batch/record/record_line.h"
#include "app/library/imgtool.h"
#include "io/output/output_path.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/text/text.h"

typedef struct Kept {
    const char *name;
    FuzzBytes content;
    struct stat info; /* attributes of the file just after it was written */
} Kept;

static Kept kept[] = {{.name = "a.png"}, {.name = "b.png"},   {.name = "p.png"}, {.name = "e.png"},
                      {.name = "f.png"}, {.name = "d/c.png"}, {.name = "s"}};
enum {
    KEPT = sizeof kept / sizeof *kept,
    TEXT = KEPT - 1,
    AT_THE_TOP = KEPT /* number of entries of the directory: "d" is one, d/c.png is not */
};

/* The subdirectory with the pictures. One more picture is beside it, which reveals whether a
 * command writes outside the subdirectory. */
#define INSIDE "in"
static Kept beside = {.name = "../beside.png"};
enum {
    /* number of entries of the private directory: the subdirectory and one picture */
    WITH_BESIDE = 2
};

/* --- Making pictures -------------------------------------------------------------------------- */

static imgtool_context *own_context(void)
{
    static imgtool_context *context;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = 1;
    config.backend = IMGTOOL_BACKEND_CPU;
    if (context == NULL)
        scratch_check(imgtool_context_create(&config, &context, NULL) == IMGTOOL_OK, "no context");
    return context;
}

static void set(imgtool_metadata *metadata, const char *type, const void *data, size_t bytes)
{
    scratch_check(imgtool_metadata_set(metadata, type, data, bytes, NULL) == IMGTOOL_OK,
                  "no metadata");
}

static imgtool_metadata *metadata_of(imgtool_color color)
{
    static const uint8_t exif[] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0,
                                   3,   0,   0, 0,  1, 0, 6, 0, 0, 0, 0, 0,  0};
    static const uint8_t colors[4 * 3] = {0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 255, 255};
    static const uint8_t alpha[] = {0, 128};
    imgtool_metadata *metadata = NULL;
    scratch_check(imgtool_metadata_create(own_context(), &metadata, NULL) == IMGTOOL_OK,
                  "no metadata");
    if (color == IMGTOOL_PALETTE) {
        set(metadata, "PLTE", colors, sizeof colors);
        set(metadata, "tRNS", alpha, sizeof alpha);
    } else {
        set(metadata, "eXIf", exif, sizeof exif);
        set(metadata, "tEXt", "Comment\0tiny", 12);
    }
    return metadata;
}

static void make(Kept *file, imgtool_format format, int32_t width, int32_t height)
{
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *metadata = metadata_of(format.color);
    void *data = NULL;
    size_t bytes = 0;
    picture.width = width;
    picture.height = height;
    picture.format = format;
    encoding.metadata = metadata;
    scratch_check(imgtool_picture_allocate(own_context(), &picture, NULL) == IMGTOOL_OK,
                  "no picture");
    for (size_t i = 0; i < picture.stride * (size_t)height; i++)
        ((uint8_t *)picture.pixels)[i] = (uint8_t)(format.color == IMGTOOL_PALETTE ? i % 4 : i * 9);
    scratch_check(imgtool_write_memory(own_context(), &picture, &encoding, &data, &bytes, NULL) ==
                      IMGTOOL_OK,
                  "is not written");
    fuzz_put(&file->content, data, bytes);
    imgtool_free(own_context(), data);
    imgtool_picture_free(own_context(), &picture);
    imgtool_metadata_destroy(metadata);
}

static void make_all(void)
{
    make(&kept[0], (imgtool_format){IMGTOOL_RGBA, 8}, 6, 4);
    make(&kept[1], (imgtool_format){IMGTOOL_GRAY, 16}, 5, 9);
    make(&kept[2], (imgtool_format){IMGTOOL_PALETTE, 2}, 7, 3);
    make(&kept[3], (imgtool_format){IMGTOOL_RGB, 8}, 13, 12);
    make(&kept[4], (imgtool_format){IMGTOOL_RGBA, 16}, 13, 12);
    make(&kept[5], (imgtool_format){IMGTOOL_RGB, 8}, 3, 3);
    make(&beside, (imgtool_format){IMGTOOL_RGB, 8}, 4, 2);
}

/* --- Writing and comparing files -------------------------------------------------------------- */

static bool is_as_it_was(const Kept *file)
{
    struct stat now;
    return stat(file->name, &now) == 0 && now.st_ino == file->info.st_ino &&
           now.st_size == file->info.st_size && now.st_mode == file->info.st_mode &&
           now.st_mtim.tv_sec == file->info.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == file->info.st_mtim.tv_nsec;
}

static void put(Kept *file)
{
    (void)unlink(file->name);
    scratch_put(file->name, file->content.data, file->content.size);
    scratch_check(stat(file->name, &file->info) == 0, "no file");
}

void pictures_put(const char *text, size_t size)
{
    if (kept[0].content.size == 0)
        make_all();
    (void)mkdir(INSIDE, 0700);
    scratch_check(chdir(INSIDE) == 0, "no directory");
    (void)mkdir("d", 0700);
    kept[TEXT].content.size = 0;
    fuzz_put(&kept[TEXT].content, text, size);
    for (size_t i = 0; i < KEPT; i++)
        if (i == TEXT || !is_as_it_was(&kept[i]))
            put(&kept[i]);
    if (!is_as_it_was(&beside))
        put(&beside);
}

bool pictures_beside_unchanged(void)
{
    return is_as_it_was(&beside) && scratch_count("..") == WITH_BESIDE;
}

bool pictures_unchanged(void)
{
    for (size_t i = 0; i < KEPT; i++)
        if (!is_as_it_was(&kept[i]))
            return false;
    return scratch_count(".") == AT_THE_TOP && scratch_count("d") == 1;
}

void pictures_clean(void)
{
    if (!pictures_unchanged() || !pictures_beside_unchanged())
        scratch_empty();
}

static bool has_temporary(const char *directory)
{
    const char *stem;
    size_t size;
    bool has = false;
    DIR *dir = opendir(directory);
    for (const struct dirent *entry; dir != NULL && !has && (entry = readdir(dir)) != NULL;)
        has = img_output_is_temporary(entry->d_name, &stem, &size);
    if (dir != NULL)
        closedir(dir);
    return has;
}

bool pictures_have_temporary(void)
{
    return has_temporary(".") || has_temporary("d");
}

bool pictures_readable(const char *name)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G'};
    uint8_t begin[sizeof signature];
    struct stat info;
    if (stat(name, &info) != 0 || !S_ISREG(info.st_mode))
        return strcmp(name, "-") == 0 || strchr(name, '.') == NULL || S_ISDIR(info.st_mode);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    const bool is_png = fd >= 0 && read(fd, begin, sizeof begin) == (ssize_t)sizeof begin &&
                        memcmp(begin, signature, sizeof begin) == 0;
    close(fd);
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    if (!is_png)
        return info.st_size > 0;
    const imgtool_status status = imgtool_read_file(own_context(), name, &picture, NULL, NULL);
    imgtool_picture_free(own_context(), &picture);
    return status == IMGTOOL_OK;
}

bool pictures_is_file(const char *name)
{
    struct stat info;
    return strcmp(name, "-") != 0 && stat(name, &info) == 0 && S_ISREG(info.st_mode);
}

bool pictures_equal(const char *a, const char *b)
{
    FuzzBytes one = {0}, other = {0};
    const bool equal = fuzz_put_file(&one, a) && fuzz_put_file(&other, b) &&
                       one.size == other.size &&
                       (one.size == 0 || memcmp(one.data, other.data, one.size) == 0);
    free(one.data);
    free(other.data);
    return equal;
}

static uint64_t state;

static void add_file(const char *path, const struct stat *info)
{
    char line[PATH_MAX + 128];
    const int size =
        snprintf(line, sizeof line, "%s %llu %lld.%09ld", path, (unsigned long long)info->st_size,
                 (long long)info->st_mtim.tv_sec, info->st_mtim.tv_nsec);
    /* a sum, because the order of the files must not matter */
    state += record_hash(line, (size_t)size);
}

/* Does not call nftw, because MemorySanitizer does not see the memory that nftw writes. */
static void add_directory(const char *directory) /* NOLINT(misc-no-recursion): a few levels */
{
    DIR *entries = opendir(directory);
    if (entries == NULL) {
        scratch_check(false, "no directory");
        return;
    }
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        char path[PATH_MAX];
        struct stat info;
        const int size = snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            size >= (int)sizeof path || lstat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            add_directory(path);
        else if (S_ISREG(info.st_mode) && !record_is_name(entry->d_name))
            add_file(path, &info);
    }
    closedir(entries);
}

uint64_t pictures_state(void)
{
    state = 0;
    add_directory(".");
    return state;
}

/* --- Streams ---------------------------------------------------------------------------------- */

static int streams[2] = {-1, -1};

void pictures_close_streams(void)
{
    static int nowhere = -1;
    if (nowhere < 0)
        nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)fflush(stdout);
    for (int fd = 0; fd < 2; fd++) {
        streams[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        scratch_check(dup2(nowhere, fd) == fd, "no /dev/null");
    }
}

void pictures_open_streams(void)
{
    for (int fd = 0; fd < 2; fd++) {
        if (streams[fd] >= 0) {
            (void)dup2(streams[fd], fd);
            close(streams[fd]);
        } else {
            close(fd);
        }
    }
}
