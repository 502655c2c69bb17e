/* Tests of extended attributes that are as many and as long as the system allows. Few file systems
 * store that much, so functions of this program replace those of the C library. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/output/attributes.h"

enum { NAMES_BYTES = 60000, VALUE_BYTES = 65536 };

static char names[NAMES_BYTES]; /* names of the old file's attributes, each with its NUL */
static size_t names_size;
static size_t value_size = 1;
static int set_count;
static const char *refused = ""; /* name of the attribute that setxattr rejects for the new file */

ssize_t listxattr(const char *path, char *list, size_t size) /* NOLINT: the C library's names */
{
    cr_expect_str_eq(path, "old");
    if (size == 0)
        return (ssize_t)names_size;
    errno = ERANGE;
    if (size < names_size)
        return -1;
    memcpy(list, names, names_size);
    return (ssize_t)names_size;
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t size) /* NOLINT */
{
    cr_expect_str_eq(path, "old");
    errno = ENODATA;
    if (strncmp(name, "user.", 5) != 0)
        return -1;
    errno = ERANGE;
    if (size < value_size)
        return -1;
    memset(value, name[5], value_size);
    return (ssize_t)value_size;
}

int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
/* NOLINT */
{
    const char *bytes = value;
    cr_expect(strcmp(path, "new") == 0 && flags == 0);
    if (strncmp(name, "user.", 5) != 0)
        return 0;
    errno = ENOSPC;
    if (strcmp(name, refused) == 0)
        return -1;
    cr_expect_eq(size, value_size);
    cr_expect(bytes[0] == name[5] && bytes[size - 1] == name[5]);
    set_count++;
    return 0;
}

static void add_name(const char *name)
{
    cr_assert_leq(names_size + strlen(name) + 1, NAMES_BYTES);
    strcpy(names + names_size, name);
    names_size += strlen(name) + 1;
}

static ImgError kept(void)
{
    char directory[] = "/tmp/imgtool-test-XXXXXX";
    struct stat old;
    ImgError err = {IMG_OK, ""}, lost = {IMG_OK, ""};
    cr_assert(mkdtemp(directory) != NULL && chdir(directory) == 0);
    fclose(fopen("old", "w"));
    fclose(fopen("new", "w"));
    cr_assert_eq(stat("old", &old), 0);
    cr_expect_eq(img_attributes_copy("old", &old, "new", &lost, &err), IMG_OK, "%s", err.message);
    cr_expect(unlink("old") == 0 && unlink("new") == 0 && chdir("/") == 0 && rmdir(directory) == 0);
    return lost;
}

Test(io_attributes, many_attributes_are_kept)
{
    char name[64];
    add_name("security.selinux");
    for (int i = 0; i < 900; i++) {
        snprintf(name, sizeof name, "user.%c.a name as long as fifty or more letters, %04d",
                 'a' + i % 26, i);
        add_name(name);
    }
    cr_expect_gt(names_size, 40000);
    cr_expect_eq(kept().status, IMG_OK);
    cr_expect_eq(set_count, 900);
}

Test(io_attributes, values_of_the_maximum_length_are_kept)
{
    value_size = VALUE_BYTES;
    add_name("user.thumbnail");
    add_name("user.icon");
    cr_expect_eq(kept().status, IMG_OK);
    cr_expect_eq(set_count, 2);
}

Test(io_attributes, lost_attributes_are_reported)
{
    add_name("user.first");
    add_name("user.second");
    add_name("user.third");
    refused = "user.second";
    const ImgError lost = kept();
    cr_expect_str_eq(lost.message,
                     "the attribute 'user.second' is not kept: No space left on device");
    cr_expect_eq(set_count, 2);
}

Test(io_attributes, a_file_without_attributes_reports_nothing)
{
    cr_expect_eq(kept().status, IMG_OK);
    cr_expect_eq(set_count, 0);
}
