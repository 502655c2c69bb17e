/* Tests of the inputs and outputs of a batch. Each test has its own directory. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/plan/batch_plan.h"
#include "io/encode.h"

static char home[] = "/tmp/imgtool-plan-XXXXXX";
static Settings settings;
static BatchPlan plan;
static ImgError err;

static void enter_directory(void)
{
    cr_assert_not_null(mkdtemp(home));
    cr_assert_eq(chdir(home), 0);
    /* discards the errors that are printed */
    cr_assert_not_null(freopen("/dev/null", "w", stderr));
    settings_init(&settings);
}

static void leave_directory(void)
{
    char command[96];
    batch_plan_free(&plan);
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", home, home);
    cr_assert_eq(system(command), 0);
}

TestSuite(plan, .init = enter_directory, .fini = leave_directory);

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

/* Creates an empty file for each of these names, and a directory for each name that ends with a
 * slash. */
static void make(const char *names)
{
    char *copy = strdup(names);
    for (char *name = strtok(copy, " "); name != NULL; name = strtok(NULL, " ")) {
        if (name[strlen(name) - 1] == '/')
            cr_assert_eq(mkdir(name, 0700), 0, "%s", name);
        else
            write_file(name, "", 0);
    }
    free(copy);
}

static ImgStatus plan_list(const char *const *operands, size_t count)
{
    batch_plan_free(&plan);
    err = (ImgError){IMG_OK, ""};
    if (settings.in_place != 0)
        return batch_plan_make(operands, count, NULL, &settings, &plan, &err);
    return batch_plan_make(operands, count - 1, operands[count - 1], &settings, &plan, &err);
}

/* Plans a batch with these operands. Without --in-place the last operand is OUTPUT_DIR. */
#define PLAN(...)                                                                                  \
    plan_list((const char *const[]){__VA_ARGS__},                                                  \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* Returns `path` relative to the directory of the test, whose name differs in each run. */
static const char *from_here(const char *path)
{
    static char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    if (length == 0 || strncmp(path, here, length) != 0)
        return path;
    if (path[length] == '\0')
        return ".";
    return path[length] == '/' ? path + length + 1 : path;
}

/* Returns the planned files as "input>output" pairs, separated by spaces. "@N" after a pair is the
 * number of its input root, the operand below which the input was found, if it is not 0. */
static const char *files(void)
{
    static char text[1024];
    text[0] = '\0';
    for (size_t i = 0; i < plan.count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s>%s", i > 0 ? " " : "", plan.files[i].input,
                 from_here(plan.files[i].output));
        if (plan.files[i].root != 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "@%zu", plan.files[i].root);
    }
    return text;
}

static const char *joined(char **list, size_t count)
{
    static char text[1024];
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " " : "", from_here(list[i]));
    }
    return text;
}

static void expect(ImgStatus status, const char *text)
{
    cr_assert_eq(status, IMG_OK, "%s", err.message);
    cr_expect_str_eq(files(), text);
}

static void expect_refusal(ImgStatus status, ImgStatus wanted, const char *says)
{
    cr_expect_eq(status, wanted, "%d: %s", (int)status, err.message);
    cr_expect(strstr(err.message, says) != NULL, "%s", err.message);
}

/* --- Search for inputs ------------------------------------------------------------------------ */

Test(plan, files_and_directories_are_inputs)
{
    make("in/ in/b.PNG in/a.png in/.h.png in/c.jpg in/sub/ in/sub/d.png e.png");
    expect(PLAN("e.png", "in", "out"), "e.png>out/e.png in/a.png>out/a.png in/b.PNG>out/b.PNG");
    cr_expect_eq(plan.failures, 0);
    cr_expect_str_eq(joined(plan.roots, plan.root_count), "out");
    cr_expect_str_eq(joined(plan.directories, plan.directory_count), "out");
    expect(PLAN("in/a.png", "./e.png", "out///"), "in/a.png>out/a.png ./e.png>out/e.png");
    expect(PLAN("e.png", "/"), "e.png>/e.png");
    cr_expect_str_eq(joined(plan.directories, plan.directory_count), "/");
}

Test(plan, missing_inputs_stay_in_the_plan)
{
    make("a.png in/");
    expect(PLAN("gone.png", "a.png", "gone/x.png/", "out"),
           "gone.png>out/gone.png a.png>out/a.png gone/x.png/>out/x.png");
    cr_expect_eq(plan.failures, 0);
    expect(PLAN("in", "*.gif", "a.png", "out"), "a.png>out/a.png");
    cr_expect_eq(plan.failures, 2, "a directory without files, a glob that matches none");
    cr_expect_eq(plan.failure_code, 3);
}

Test(plan, globs_are_expanded)
{
    make("a1.png a2.png b.png .c2.png in/ in/c.png [a]1.png out/ out/a1.PNG");
    expect(PLAN("a?.png", "out"), "a1.png>out/a1.png a2.png>out/a2.png");
    expect(PLAN("*2.png", "out"), "a2.png>out/a2.png");
    expect(PLAN("[a]1.png", "out"), "[a]1.png>out/[a]1.png");
    cr_expect_eq(plan.count, 1, "there is a file of that very name");
    expect(PLAN("[b-i]*", "out"), "b.png>out/b.png in/c.png>out/c.png");
    expect(PLAN("[io]*", "out"), "in/c.png>out/c.png");
    cr_expect_eq(plan.failures, 0, "OUTPUT_DIR is not searched");
}

Test(plan, a_tree_is_mirrored)
{
    make("in/ in/a.png in/s/ in/s/a.png in/s/t/ in/s/t/b.png in/s/t/c.png in/u/ in/u/no.txt in/v/ "
         "in/v/a.png in/w/ in/w/s/ in/w/s/d.png");
    settings.recursive = 1;
    expect(PLAN("in", "out/"),
           "in/a.png>out/a.png in/s/a.png>out/s/a.png in/s/t/b.png>out/s/t/b.png "
           "in/s/t/c.png>out/s/t/c.png in/v/a.png>out/v/a.png in/w/s/d.png>out/w/s/d.png");
    cr_expect_str_eq(joined(plan.directories, plan.directory_count),
                     "out out/s out/s/t out/v out/w out/w/s");
    expect(PLAN("./in//s/", "in/w/", "."), "./in//s/a.png>./a.png ./in//s/t/b.png>./t/b.png "
                                           "./in//s/t/c.png>./t/c.png in/w/s/d.png>./s/d.png");
}

Test(plan, the_output_directory_is_not_searched)
{
    make("in/ in/a.png in/out/ in/out/a.png in/s/ in/s/b.png in/out/s/ in/out/s/b.png");
    cr_assert_eq(symlink("in/out", "link"), 0);
    settings.recursive = 1;
    expect(PLAN("in", "link"), "in/a.png>link/a.png in/s/b.png>link/s/b.png");
    expect(PLAN("in", "in/out"), "in/a.png>in/out/a.png in/s/b.png>in/out/s/b.png");
    make("only/ only/out/ only/out/a.png");
    expect(PLAN("only", "only/out"), "");
    cr_expect_eq(plan.failures, 1);
}

Test(plan, an_unreadable_directory_is_one_failure)
{
    make("in/ in/a.png in/s/ in/s/b.png in/t/ in/t/c.png");
    cr_assert_eq(chmod("in/s", 0), 0);
    bool root = geteuid() == 0; /* root can read every directory, whatever its permissions */
    if (root)
        cr_assert_eq(chmod(home, 0755) | chmod("in", 0755) | chmod("in/t", 0755) | seteuid(65534),
                     0);
    settings.recursive = 1;
    expect(PLAN("in", "out"), "in/a.png>out/a.png in/t/c.png>out/t/c.png");
    cr_expect_eq(plan.failures, 1);
    cr_expect_eq(plan.failure_code, 3);
    if (root)
        cr_assert_eq(seteuid(0), 0);
}

Test(plan, links_are_followed)
{
    make("in/ in/a.png");
    cr_assert_eq(symlink(".", "in/loop"), 0);
    cr_assert_eq(symlink("a.png", "in/b.png"), 0);
    settings.recursive = 1;
    expect(PLAN("in", "out"), "in/a.png>out/a.png in/b.png>out/b.png");
}

/* --- Lists ------------------------------------------------------------------------------------ */

#define LIST(bytes) write_file("list", bytes, sizeof(bytes) - 1)

Test(plan, a_list_gives_input_names)
{
    make("s/ s/a.png d/ d/x.png d/e/ d/e/y.png");
    LIST("s/a.png\n\n./s//./b \xFF.png\nd\n/abs/c.png\n-");
    settings.from_file = "list";
    expect(PLAN("z.png", "out"),
           "z.png>out/z.png s/a.png>out/a.png ./s//./b \xFF.png>out/b \xFF.png d/x.png>out/x.png "
           "/abs/c.png>out/c.png ./->out/-.png");
    settings.recursive = 1;
    expect(PLAN("s/a.png", "out"), "s/a.png>out/a.png s/a.png>out/s/a.png ./s//./b "
                                   "\xFF.png>out/s/b \xFF.png d/e/y.png>out/e/y.png "
                                   "d/x.png>out/x.png /abs/c.png>out/c.png ./->out/-.png");
    cr_expect_str_eq(joined(plan.directories, plan.directory_count), "out out/e out/s");
}

Test(plan, a_list_can_end_names_with_nul)
{
    LIST("a\nb.png\0c d.png\0*.png");
    settings.from_file = "list";
    settings.null_separated = 1;
    expect(PLAN("out"), "a\nb.png>out/a\nb.png c d.png>out/c d.png *.png>out/*.png");
}

Test(plan, listed_names_must_not_leave_the_tree)
{
    settings.from_file = "list";
    LIST("s/../a.png\n../..b/c.png\n");
    expect(PLAN("out"), "s/../a.png>out/a.png ../..b/c.png>out/c.png");
    settings.recursive = 1;
    expect_refusal(PLAN("out"), IMG_E_USAGE, "s/../a.png: '..'");
    LIST("..b/c...png\n/x/../a.png\n");
    expect(PLAN("out"), "..b/c...png>out/..b/c...png /x/../a.png>out/a.png");
}

Test(plan, empty_lists_are_rejected)
{
    settings.from_file = "list";
    LIST("\n\n");
    expect(PLAN("out"), "");
    cr_expect_eq(plan.failures, 1);
    settings.from_file = "gone";
    expect_refusal(PLAN("out"), IMG_E_IO, "gone: the list cannot be opened: No such");
}

/* --- Names ------------------------------------------------------------------------------------ */

Test(plan, output_names_follow_the_pattern)
{
    settings.name_pattern = "{number}-{stem}-rot.{ext}";
    make("in/ in/a.png in/b.PNG");
    expect(PLAN("in", "out"), "in/a.png>out/1-a-rot.png in/b.PNG>out/2-b-rot.PNG");
    make("in/0 in/c.png in/d.png in/e.png in/f.png in/g.png in/h.png in/i.png in/j.png");
    settings.output_format = IMG_FILE_JPEG;
    cr_assert_eq(PLAN("in", "out"), IMG_OK);
    cr_assert_eq(plan.count, 10);
    cr_expect_str_eq(plan.files[0].output, "out/01-a-rot.jpg");
    cr_expect_str_eq(plan.files[9].output, "out/10-j-rot.jpg");
}

Test(plan, output_names_need_a_known_extension)
{
    settings.name_pattern = "{name}";
    expect(PLAN("a.png", "c.PNG", "out"), "a.png>out/a.png c.PNG>out/c.PNG");
    expect_refusal(PLAN("a.png", "b.tga", "out"), IMG_E_USAGE, "b.tga: the output 'b.tga' would");
    expect_refusal(PLAN("a.png", "b", "out"), IMG_E_USAGE, "b: the output 'b' would have no ext");
    settings.output_format = IMG_FILE_PNG;
    expect_refusal(PLAN("a.png", "b.tga", "out"), IMG_E_USAGE, "b.tga: the output 'b.tga' would");
    settings.name_pattern = "{oops}.png";
    expect_refusal(PLAN("a.png", "out"), IMG_E_USAGE, "--name, column 1: unknown field '{oops}'");
}

/* --- Several inputs with the same output ------------------------------------------------------ */

Test(plan, two_inputs_with_one_output_clash)
{
    make("s/ s/a.png t/ t/a.png t/a.bmp t/z.png");
    expect_refusal(PLAN("s", "t", "out"), IMG_E_USAGE,
                   "s/a.png and t/a.png would both become out/a.png; --name '{number}-");
    expect_refusal(PLAN("t/z.png", "s/a.png", "t/z.png", "s/./a.png", "out"), IMG_E_USAGE,
                   "t/z.png and t/z.png would both become out/z.png; it is named twice");
    expect_refusal(PLAN("t/z.png", "s/a.png", "s/./a.png", "t/z.png", "out"), IMG_E_USAGE,
                   "s/a.png and s/./a.png would both become out/a.png");
    settings.output_format = IMG_FILE_TGA;
    expect_refusal(PLAN("t/a.png", "t/a.bmp", "out"), IMG_E_USAGE,
                   "t/a.png and t/a.bmp would both become out/a.tga");
    settings.name_pattern = "{name}-{stem}.{ext}";
    expect(PLAN("t/a.png", "t/a.bmp", "out"), "t/a.png>out/a.png-a.tga t/a.bmp>out/a.bmp-a.tga");
    settings.name_pattern = "x.{ext}";
    expect_refusal(PLAN("t/a.png", "t/a.bmp", "out"), IMG_E_USAGE, "; {number} in --name keeps");
    settings.name_pattern = "{number}.{ext}";
    expect(PLAN("s", "s", "out"), "s/a.png>out/1.tga s/a.png>out/2.tga");
}

Test(plan, listed_names_with_one_output_clash)
{
    settings.from_file = "list";
    LIST("s/a.png\nt/a.png\n");
    expect_refusal(PLAN("out"), IMG_E_USAGE, "; --recursive keeps the directories");
    settings.recursive = 1;
    expect(PLAN("out"), "s/a.png>out/s/a.png t/a.png>out/t/a.png");
    LIST("s/a.png\n./s//a.png\n");
    expect_refusal(PLAN("out"), IMG_E_USAGE, "s/a.png and ./s//a.png would both become out/s/a");
}

Test(plan, an_output_that_is_a_directory_of_others_clashes)
{
    make("in/ in/s.png/ in/s.png/a.png t/ t/s.png");
    settings.recursive = 1;
    expect_refusal(PLAN("in", "t", "out"), IMG_E_USAGE,
                   "t/s.png would become out/s.png, which is also a directory");
}

Test(plan, outputs_must_not_be_inputs)
{
    make("in/ in/a.png in/b.png");
    cr_assert_eq(symlink("in", "link"), 0);
    expect_refusal(PLAN("in", "./link"), IMG_E_USAGE,
                   "in/a.png would be replaced by its own output ./link/a.png; ");
    cr_expect(strstr(err.message, "--in-place") != NULL);
    make("out/");
    cr_assert_eq(symlink("../in/b.png", "out/a.png"), 0);
    expect_refusal(PLAN("in", "out"), IMG_E_USAGE,
                   "in/b.png is an input, and would be replaced by out/a.png, the output of in/a");
    expect(PLAN("in/a.png", "out"), "in/a.png>out/a.png");
    make("out/b.png");
    expect(PLAN("in/b.png", "out"), "in/b.png>out/b.png");
    settings.name_pattern = "{stem}-rot.{ext}";
    expect(PLAN("in", "in"), "in/a.png>in/a-rot.png in/b.png>in/b-rot.png");
    make("in/a-rot.png");
    expect_refusal(PLAN("in", "in"), IMG_E_USAGE, "in/a-rot.png is an input, and would be");
}

/* --- In place --------------------------------------------------------------------------------- */

Test(plan, in_place_output_equals_input)
{
    make("in/ in/a.png in/s/ in/s/b.png t/ t/c.png t/d.png e.png");
    settings.in_place = settings.recursive = 1;
    expect(PLAN("in/", "e.png", "t/c.png", "./f.png", "t//d.png"),
           "in/a.png>in/a.png in/s/b.png>in/s/b.png@1 e.png>e.png@2 t/c.png>t/c.png@3 "
           "./f.png>f.png@2 t//d.png>t/d.png@3");
    cr_expect_str_eq(joined(plan.roots, plan.root_count), "in in/s . t");
    cr_expect_eq(plan.directory_count, 0);
    expect(PLAN("e.png", "gone/x.png", "/no-such.png"), "e.png>e.png /no-such.png>/no-such.png@1");
    cr_expect_eq(plan.failures, 1, "a directory that is not there can keep no record");
    cr_expect_str_eq(joined(plan.roots, plan.root_count), ". /");
}

Test(plan, in_place_takes_each_file_once)
{
    make("in/ in/a.png in/s/ in/s/b.png");
    cr_assert_eq(symlink("a.png", "in/z.png"), 0);
    cr_assert_eq(link("in/a.png", "in/hard.png"), 0);
    cr_assert_eq(symlink("in", "link"), 0);
    settings.in_place = settings.recursive = 1;
    expect(PLAN("in/s", "in", "link", "in/a.png", "./in/s/b.png"),
           "in/s/b.png>in/s/b.png in/a.png>in/a.png@1 in/hard.png>in/hard.png@1");
    expect(PLAN("in/s/b.png", "link/s/../a.png", "link/hard.png", "in/hard.png"),
           "in/s/b.png>in/s/b.png link/s/../a.png>in/a.png@1 link/hard.png>in/hard.png@1");
    cr_expect_str_eq(joined(plan.roots, plan.root_count), "in/s in");
}

/* --- Rejected operands and options ------------------------------------------------------------ */

Test(plan, contradicting_options_are_rejected)
{
    make("a.png");
    settings.null_separated = 1;
    expect_refusal(PLAN("a.png", "out"), IMG_E_USAGE, "--from-file");
    settings.null_separated = 0;
    expect_refusal(PLAN("out"), IMG_E_USAGE, "INPUT is missing");
    expect_refusal(PLAN("-", "out"), IMG_E_USAGE, "standard input");
    expect_refusal(PLAN("", "out"), IMG_E_USAGE, "empty");
    expect_refusal(PLAN("a.png", "-"), IMG_E_USAGE, "OUTPUT_DIR");
    expect_refusal(PLAN("a.png", "a.png"), IMG_E_USAGE,
                   "the last argument must be the output directory; 'a.png' is a file");
    expect_refusal(PLAN("a.png", "a.png/out"), IMG_E_IO, "Not a directory");
    cr_assert_eq(symlink("nothing", "dangling"), 0);
    expect_refusal(PLAN("a.png", "dangling"), IMG_E_IO, "No such file");
    settings.in_place = 1;
    settings.name_pattern = "{name}";
    expect_refusal(PLAN("a.png"), IMG_E_USAGE, "leave out --name");
    settings.name_pattern = NULL;
    settings.output_format = IMG_FILE_PNG;
    expect_refusal(PLAN("a.png"), IMG_E_USAGE, "leave out --format");
}

/* --- Directories ------------------------------------------------------------------------------ */

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

Test(plan, output_directories_are_created)
{
    make("in/ in/s/ in/s/t/ in/s/t/a.png in/u/ in/u/b.png");
    settings.recursive = 1;
    cr_assert_eq(PLAN("in", "x//y/out/"), IMG_OK);
    cr_expect_not(is_directory("x"), "nothing is written yet");
    cr_assert_eq(directories_create(&plan, &err), IMG_OK, "%s", err.message);
    cr_expect(is_directory("x/y/out/s/t"));
    cr_expect(is_directory("x/y/out/u"));
    cr_assert_eq(directories_create(&plan, &err), IMG_OK, "they exist already");
    make("o/ o/s");
    cr_assert_eq(PLAN("in", "o"), IMG_OK);
    expect_refusal(directories_create(&plan, &err), IMG_E_IO,
                   "o/s: the directory cannot be created: Not a directory");
}

Test(plan, large_plans_work)
{
    enum { COUNT = 3000 };
    char name[32], *list = NULL;
    size_t size;
    FILE *file = open_memstream(&list, &size);
    for (int i = 0; i < COUNT; i++)
        fprintf(file, "%d/%d.png\n", i % 100, i);
    fclose(file);
    write_file("list", list, size);
    free(list);
    settings.from_file = "list";
    settings.recursive = 1;
    cr_assert_eq(PLAN("out"), IMG_OK, "%s", err.message);
    cr_assert_eq(plan.count, COUNT);
    cr_expect_eq(plan.directory_count, 101);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "out/%zu/%zu.png", i % 100, i);
        cr_expect_str_eq(plan.files[i].output, name);
    }
}
