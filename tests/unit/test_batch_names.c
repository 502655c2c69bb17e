/* Tests of output names that are made from patterns, and of input names that are read from
 * lists. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/batch/plan/name_pattern.h"
#include "app/files/gather.h"
#include "app/files/output_name.h"
#include "io/encode.h"
#include "test_directory.h"

/* --- Patterns --------------------------------------------------------------------------------- */

static const char *expand(const char *pattern, const char *name, int32_t format)
{
    static char text[256];
    NameValues values = {.directory = "trip/", .directory_length = 4, .number = 7, .digits = 3};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(name_pattern_check(pattern, format, &err), IMG_OK, "%s", err.message);
    name_values_set(&values, name, strlen(name), format);
    size_t length = name_pattern_expand(pattern, &values, NULL, 0);
    cr_assert_lt(length, sizeof text);
    /* an allocation of the exact size, so that a sanitizer reports a write past it */
    char *exact = malloc(length);
    cr_assert_eq(name_pattern_expand(pattern, &values, exact, length), length);
    memcpy(text, exact, length);
    text[length] = '\0';
    free(exact);
    return text;
}

Test(name_pattern, patterns_fill_in_fields)
{
    cr_expect_str_eq(expand("{stem}-rot.{ext}", "a.png", -1), "a-rot.png");
    cr_expect_str_eq(expand("{number}.{ext}", "a.png", -1), "007.png");
    cr_expect_str_eq(expand("{dir}-{stem}.{ext}", "a.png", -1), "trip-a.png");
    cr_expect_str_eq(expand("{name}", "IMG.PNG", -1), "IMG.PNG");
    cr_expect_str_eq(expand("x{name}.{ext}", "a.b.png", -1), "xa.b.png.png");
    cr_expect_str_eq(expand("{stem}{stem}.png", "a.tar.png", -1), "a.tara.tar.png");
    cr_expect_str_eq(expand("{{{stem}}}{{}}.{ext}", "a.png", -1), "{a}{}.png");
    cr_expect_str_eq(expand("{{stem}}.png", "a.png", -1), "{stem}.png");
    cr_expect_str_eq(expand("{ext}.{stem}.TGA", "a.png", -1), "png.a.TGA");
    cr_expect_str_eq(expand("{stem}.{ext}", "\xFF \n.png", -1), "\xFF \n.png");
}

Test(name_pattern, extensions_follow_the_pattern)
{
    cr_expect_str_eq(expand(name_pattern_usual, "IMG.PNG", -1), "IMG.PNG", "as it is spelt");
    cr_expect_str_eq(expand(name_pattern_usual, "a.JPEG", -1), "a.png", "every input is a PNG");
    cr_expect_str_eq(expand(name_pattern_usual, "IMG.PNG", IMG_FILE_PNG), "IMG.png");
    cr_expect_str_eq(expand(name_pattern_usual, "a.png", IMG_FILE_JPEG), "a.jpg");
    cr_expect_str_eq(expand(name_pattern_usual, "a.png", IMG_FILE_BMP), "a.bmp");
    cr_expect_str_eq(expand(name_pattern_usual, "a.png", IMG_FILE_TGA), "a.tga");
    cr_expect_str_eq(expand(name_pattern_usual, "photo", -1), "photo.png", "there is none");
    cr_expect_str_eq(expand(name_pattern_usual, "photo.", -1), "photo.png");
    cr_expect_str_eq(expand(name_pattern_usual, "photo.dat", -1), "photo.png", "an unknown one");
    cr_expect_str_eq(expand(name_pattern_usual, "a.pngpngpngpng", -1), "a.png");
    cr_expect_str_eq(expand(name_pattern_usual, ".png", -1), ".png.png", "a hidden file");
    cr_expect_str_eq(expand("{stem}.jpg", "a.png", IMG_FILE_JPEG), "a.jpg");
    cr_expect_str_eq(expand("{stem}.jpeg", "a.png", IMG_FILE_JPEG), "a.jpeg");
}

Test(name_pattern, a_buffer_that_is_too_small_is_reported)
{
    NameValues values = {.number = 12, .digits = 1};
    char text[4] = "....";
    name_values_set(&values, "a.png", 5, -1);
    cr_expect_eq(name_pattern_expand("{number}{stem}.{ext}", &values, text, 3), 7);
    cr_expect_arr_eq(text, "12a.", 4);
}

static void refuses(const char *pattern, int32_t format, size_t column, const char *says)
{
    char place[32];
    ImgError err = {IMG_OK, ""};
    snprintf(place, sizeof place, "--name, column %zu:", column);
    cr_expect_eq(name_pattern_check(pattern, format, &err), IMG_E_USAGE, "'%s'", pattern);
    cr_expect(strncmp(err.message, place, strlen(place)) == 0, "'%s': %s", pattern, err.message);
    cr_expect(strstr(err.message, says) != NULL, "'%s': %s", pattern, err.message);
}

Test(name_pattern, invalid_patterns_are_rejected)
{
    refuses("", -1, 1, "'{stem}.{ext}'");
    refuses("a{Stem}.png", -1, 2, "'{Stem}'; there are {stem}, {ext}, {name}, {number} and {dir}");
    refuses("{}.png", -1, 1, "unknown field '{}'");
    refuses("{stems}.png", -1, 1, "unknown field");
    refuses("ab{stem.png", -1, 3, "'{{'");
    refuses("{stem{ext}}.png", -1, 1, "'{{'");
    refuses("{", -1, 1, "'{{'");
    refuses("{stem}}.png", -1, 7, "'}}'");
    refuses("a/{stem}.png", -1, 2, "--recursive");
    refuses("{stem}", -1, 7, "'.{ext}'");
    refuses("{stem}{ext}", -1, 12, "'.{ext}'");
    refuses("{stem}.p{ext}", -1, 14, "'.{ext}'");
    refuses("a.{stem}{ext}", -1, 14, "'.{ext}'");
    refuses("{stem}.{number}", -1, 16, "'.{ext}'");
    refuses("{name}-", -1, 8, "'.{ext}'");
    refuses("{stem}.v2", -1, 7, "is not that of a format");
    refuses("{stem}.", -1, 7, "is not that of a format");
    refuses("{stem}.png.pngpngpng", -1, 11, "is not that of a format");
    refuses("{stem}.jpg", IMG_FILE_PNG, 7, "--format");
    refuses("{stem}.PNG", IMG_FILE_TGA, 7, "--format");
}

/* Only the name counts, even if the current directory has a pipe of the same name. */
Test(name_pattern, no_file_is_accessed, .init = enter_directory, .fini = leave_directory)
{
    cr_assert_eq(mkfifo("x.dat", 0600), 0);
    cr_assert_eq(mkfifo("photo.dat", 0600), 0);
    cr_expect_str_eq(expand(name_pattern_usual, "photo.dat", -1), "photo.png");
    refuses("{stem}.dat", -1, 7, "is not that of a format");
    char *output = NULL;
    cr_expect_eq(output_name("photo.dat", ".", -1, &output, NULL), IMG_OK);
    cr_expect_str_eq(output, "./photo.png");
    free(output);
}

Test(name_pattern, patterns_tell_if_they_count)
{
    cr_expect(name_pattern_counts("{stem}-{number}.{ext}"));
    cr_expect_not(name_pattern_counts("{stem}{{number}}.{ext}"));
}

/* --- Lists ------------------------------------------------------------------------------------ */

static char path[] = "/tmp/imgtool-names-XXXXXX";
static char seen[256]; /* all names so far, each followed by '|' */
static char longest[32];

static ImgStatus note(void *context, const char *name, ImgError *err)
{
    (void)context;
    (void)err;
    size_t used = strlen(seen);
    if (strlen(name) < 100)
        snprintf(seen + used, sizeof seen - used, "%s|", name);
    else
        snprintf(longest, sizeof longest, "%zu", strlen(name));
    return IMG_OK;
}

static ImgStatus read_list(const char *bytes, size_t size, bool null_separated, ImgError *err)
{
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    seen[0] = '\0';
    err->status = IMG_OK;
    ImgStatus status = name_list_read(path, null_separated, note, NULL, err);
    unlink(path);
    memset(path + strlen(path) - 6, 'X', 6);
    return status;
}

#define READ(bytes, null, err) read_list(bytes, sizeof(bytes) - 1, null, err)

Test(name_list, names_are_bytes)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(READ("a\n\n b c \n\xFF\x80\r\nlast", false, &err), IMG_OK, "%s", err.message);
    cr_expect_str_eq(seen, "a| b c |\xFF\x80|last|");
    cr_assert_eq(READ("a\nb\0\nc\0-\0", true, &err), IMG_OK, "%s", err.message);
    cr_expect_str_eq(seen, "a\nb|\nc|-|");
    cr_assert_eq(READ("a\0last", true, &err), IMG_OK, "%s", err.message);
    cr_expect_str_eq(seen, "a|last|");
    cr_assert_eq(READ("", false, &err), IMG_OK);
    cr_expect_str_eq(seen, "");
}

/* Windows editors end lines with two bytes and start UTF-8 files with a byte order mark. */
Test(name_list, line_endings_and_byte_order_marks_are_removed)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(READ("\xEF\xBB\xBF"
                      "a\r\n\r\nb\r\r\n\xEF\xBB\xBF"
                      "c\rd",
                      false, &err),
                 IMG_OK);
    cr_expect_str_eq(seen, "a|b\r|\xEF\xBB\xBF"
                           "c\rd|");
    cr_assert_eq(READ("\xEF\xBB\xBF", false, &err), IMG_OK);
    cr_expect_str_eq(seen, "");
    cr_assert_eq(READ("\xEF\xBB\xBF"
                      "a\r\0",
                      true, &err),
                 IMG_OK);
    cr_expect_str_eq(seen, "\xEF\xBB\xBF"
                           "a\r|");
}

Test(name_list, names_can_have_any_length_that_the_system_opens)
{
    ImgError err = {IMG_OK, ""};
    static char text[PATH_MAX + 1];
    memset(text, 'x', sizeof text);
    text[PATH_MAX - 1] = '\n';
    cr_assert_eq(read_list(text, PATH_MAX, false, &err), IMG_OK, "%s", err.message);
    cr_expect_str_eq(longest, "4095");
    text[PATH_MAX - 1] = 'x';
    text[PATH_MAX] = '\n';
    cr_expect_eq(read_list(text, PATH_MAX + 1, false, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "longer than the 4095 bytes"), "%s", err.message);
}

Test(name_list, empty_names_and_names_with_nul_are_rejected)
{
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(READ("a\0\0b\0", true, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "name 2 of the list is empty"), "%s", err.message);
}

Test(name_list, read_errors_are_reported)
{
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(READ("a\nb\0c\n", false, &err), IMG_E_USAGE);
    cr_expect(strstr(err.message, "line 2") != NULL && strstr(err.message, "--null") != NULL, "%s",
              err.message);
    cr_expect_str_eq(seen, "a|");
    err.status = IMG_OK;
    cr_expect_eq(name_list_read("/tmp", false, note, NULL, &err), IMG_E_IO);
    cr_expect(strstr(err.message, "/tmp: the list cannot be read: Is a") != NULL, "%s",
              err.message);
    err.status = IMG_OK;
    cr_expect_eq(name_list_read("/tmp/is/not/there", false, note, NULL, &err), IMG_E_IO);
}
