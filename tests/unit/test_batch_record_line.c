/* Tests of a line of the record of a batch. A written line is read back unchanged; a torn or
 * damaged line is rejected. */
#include "app/batch/record/record_line.h"

#include "test_directory.h"

static RecordLine sample(const char *output, const char *input)
{
    return (RecordLine){
        .steps = 0x0123456789ABCDEFU,
        .before = {17, 1700000000, 5, 0},
        .after = {UINT64_MAX, -3, 999999999, 0},
        .output = output,
        .input = input,
        .output_size = strlen(output),
        .input_size = strlen(input),
    };
}

/* Later versions must be able to read exactly these bytes. The check value is the FNV-1a hash of
 * the rest of the line, with its two halves combined by xor. */
Test(batch_record_line, a_line_has_this_form)
{
    RecordLine line = sample("a%20b.png", "=");
    char *text = record_line_write(&line);
    const char *rest = " 0123456789abcdef 17 1700000000.000000005 18446744073709551615 "
                       "-3.999999999 a%20b.png =\n";
    char check[9];
    uint64_t hash = record_hash(rest, strlen(rest) - 1);
    snprintf(check, sizeof check, "%08x", (unsigned)(hash >> 32) ^ (unsigned)hash);
    cr_expect_str_eq(text + 8, rest);
    cr_expect_eq(strncmp(text, check, 8), 0, "%s", text);
    free(text);
}

/* A line can end with the inode of the replaced file. The inode is written if the states of that
 * file and of the output are equal. */
Test(batch_record_line, a_line_can_end_with_an_inode)
{
    RecordLine line = sample("a.png", "="), read;
    line.inode = 18446744073709551615U;
    char *text = record_line_write(&line);
    cr_expect_not_null(strstr(text, " a.png = 18446744073709551615\n"), "%s", text);
    cr_assert(record_line_read(text, strlen(text) - 1, &read));
    cr_expect_eq(read.inode, line.inode);
    free(text);
}

/* A line can name an inode. If the line is about a finished file, it is the inode of the file that
 * was replaced, and the line does not match a file with this inode. If the line is about a file
 * that is not done, it is the inode of that file, and the line matches no other file. */
Test(batch_record_line, a_line_matches_by_state_and_inode)
{
    RecordLine line = sample("a.png", "=");
    FileState state = line.after;
    state.inode = 5;
    cr_expect(record_line_fits(&line, &state));
    line.inode = 5;
    cr_expect_not(record_line_fits(&line, &state));
    state.inode = 6;
    cr_expect(record_line_fits(&line, &state));
    line.steps = RECORD_BEGUN;
    cr_expect_not(record_line_fits(&line, &state));
    state.inode = 5;
    cr_expect(record_line_fits(&line, &state));
    state.size--;
    cr_expect_not(record_line_fits(&line, &state));
}

/* These are published test values of the FNV-1a hash. */
Test(batch_record_line, the_hash_gives_the_published_values)
{
    cr_expect_eq(record_hash("", 0), 0xCBF29CE484222325U);
    cr_expect_eq(record_hash("a", 1), 0xAF63DC4C8601EC8CU);
    cr_expect_eq(record_hash("foobar", 6), 0x85944171F73967E8U);
}

/* Parses a copy of the text in an allocation of exactly `size` bytes, so that a sanitizer reports a
 * read past its end. */
static bool reads(const char *text, size_t size, RecordLine *line)
{
    char *exact = malloc(size > 0 ? size : 1);
    memcpy(exact, text, size);
    bool read = record_line_read(exact, size, line);
    free(exact);
    return read;
}

Test(batch_record_line, a_line_is_read_as_it_was_written)
{
    RecordLine line = sample("out.png", "in/x.png"), read;
    char *text = record_line_write(&line);
    cr_assert(record_line_read(text, strlen(text) - 1, &read));
    cr_expect_eq(read.steps, line.steps);
    cr_expect(file_state_equal(&read.before, &line.before));
    cr_expect(file_state_equal(&read.after, &line.after));
    cr_expect_eq(read.output_size, 7);
    cr_expect_eq(strncmp(read.output, "out.png", 7), 0);
    cr_expect_eq(read.input_size, 8);
    cr_expect_eq(strncmp(read.input, "in/x.png", 8), 0);
    free(text);
}

Test(batch_record_line, a_line_with_a_missing_or_changed_byte_is_rejected)
{
    RecordLine line = sample("out.png", "in/x.png"), read;
    char *text = record_line_write(&line);
    size_t size = strlen(text) - 1;
    cr_assert(reads(text, size, &read));
    for (size_t i = 0; i < size; i++) {
        cr_expect_not(reads(text, i, &read), "%zu bytes", i);
        cr_expect_not(reads(text + i + 1, size - i - 1, &read), "without %zu bytes", i + 1);
        for (int bit = 0; bit < 8; bit++) {
            text[i] = (char)(text[i] ^ 1 << bit);
            /* Flipping a bit can turn a digit of the hash into upper case, which must be rejected.
             * So each line has one spelling. */
            cr_expect_not(reads(text, size, &read), "bit %d of byte %zu", bit, i);
            text[i] = (char)(text[i] ^ 1 << bit);
        }
    }
    free(text);
}

/* Parses a line that consists of the correct check value and `body`. */
static bool reads_body(const char *body)
{
    char text[300];
    RecordLine line;
    uint64_t hash = record_hash(body, strlen(body));
    int size = snprintf(text, sizeof text, "%08x%s", (unsigned)(hash >> 32) ^ (unsigned)hash, body);
    return reads(text, (size_t)size, &line);
}

Test(batch_record_line, another_spelling_is_rejected)
{
    static const char *const wrong[] = {
        "",
        " ",
        " 0123456789abcdef",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a ",
        " 0123456789abcdef 1 2.000000000 3 4.000000000  b",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a b c",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a b ",
        " 0123456789abcde 1 2.000000000 3 4.000000000 a b",
        " 0123456789abcdeff 1 2.000000000 3 4.000000000 a b",
        " 0123456789abcdeg 1 2.000000000 3 4.000000000 a b",
        " 0123456789abcdef -1 2.000000000 3 4.000000000 a b",
        " 0123456789abcdef 18446744073709551616 2.000000000 3 4.000000000 a b",
        " 0123456789abcdef 1 9223372036854775808.000000000 3 4.000000000 a b",
        " 0123456789abcdef 1 2.00000000 3 4.000000000 a b",
        " 0123456789abcdef 1 2.0000000000 3 4.000000000 a b",
        " 0123456789abcdef 1 --2.000000000 3 4.000000000 a b",
        " 0123456789abcdef 1 .000000000 3 4.000000000 a b",
        " 0123456789abcdef a 2.000000000 3 4.000000000 a b",
        /* record_line_write never writes numbers or names in these forms. */
        " 0123456789abcdef 01 2.000000000 3 4.000000000 a b",
        " 0123456789abcdef 1 02.000000000 3 4.000000000 a b",
        " 0123456789abcdef 1 -0.000000000 3 4.000000000 a b",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a\x01 b",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a b\x7f",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 \xc3\xa4 b",
        /* An inode cannot be 0 or start with 0, must fit 64 bits, and may appear only once. */
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a b 0",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a b 07",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a b 18446744073709551616",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a b 7 7",
        " 0123456789abcdef 1 2.000000000 3 4.000000000 a b 7 ",
    };
    cr_expect(reads_body(" 0123456789abcdef 1 2.000000000 3 -4.000000000 a b"));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_expect_not(reads_body(wrong[i]), "\"%s\"", wrong[i]);
}

/* A NUL byte would end the name early, so that the line would be about another file. */
Test(batch_record_line, names_have_no_nul_byte)
{
    static const char body[] = " 0123456789abcdef 1 2.000000000 3 4.000000000 a\0c b";
    char text[sizeof body + 8];
    RecordLine line;
    uint64_t hash = record_hash(body, sizeof body - 1);
    snprintf(text, sizeof text, "%08x", (unsigned)(hash >> 32) ^ (unsigned)hash);
    memcpy(text + 8, body, sizeof body);
    cr_expect_not(reads(text, sizeof body + 7, &line));
    cr_expect_null(record_path_of("out", "a.png%00c", 9));
    cr_expect_null(record_path_of("out", "a\0c", 3));
}

Test(batch_record_line, names_are_relative_and_encoded)
{
    static const struct {
        const char *directory, *path, *name;
    } cases[] = {
        {"out", "out/a.png", "a.png"},
        {"out/", "out/sub/a.png", "sub/a.png"},
        {"./out", "out//sub/./a.png", "sub/a.png"},
        {"out", "./out/a.png", "a.png"},
        {"out", "output/a.png", "output/a.png"},
        {"out", "ou/a.png", "ou/a.png"},
        {"out", "/out/a.png", "/out/a.png"},
        {"/", "/a.png", "a.png"},
        {"/x/out", "/x/out/a.png", "a.png"},
        {".", "./a.png", "a.png"},
        {".", "a.png", "a.png"},
        {"", "a.png", "a.png"},
        {".", "/a.png", "/a.png"},
        {"../out", "../out/a.png", "a.png"},
        {NULL, "in/./a.png", "in/a.png"},
        {NULL, "a b\n%=.png", "a%20b%0A%25%3D.png"},
        {NULL, "\x01\x7F\xFF\xC3\xA4", "%01%7F%FF%C3%A4"},
        {NULL, "=", "%3D"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *name = record_name_of(cases[i].directory, cases[i].path);
        cr_expect_str_eq(name, cases[i].name, "%s for %s", name, cases[i].path);
        free(name);
    }
}

Test(batch_record_line, every_byte_of_a_name_is_restored)
{
    char path[3 + 255 + 1] = "in/";
    for (int i = 0; i < 255; i++)
        path[3 + i] = (char)(i + 1 == '/' ? '.' : i + 1);
    path[3 + 255] = '\0';
    char *name = record_name_of("in", path);
    cr_expect_null(strpbrk(name, " \n="));
    char *back = record_path_of("in", name, strlen(name));
    cr_expect_str_eq(back, path);
    free(name);
    free(back);
    static const char *const wrong[] = {"%", "%4", "%GG", "%4G", "a%"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_expect_null(record_path_of("in", wrong[i], strlen(wrong[i])), "%s", wrong[i]);
    char *absolute = record_path_of("in", "/a.png", 6);
    cr_expect_str_eq(absolute, "/a.png");
    free(absolute);
}
