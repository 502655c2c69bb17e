/* Tests of every type of parameter: on the command line, in steps, in files of steps, in the help
 * and in JSON. The test replaces the registry of the library by a registry with one made-up
 * operation. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench/plan.h"
#include "app/cli/args.h"
#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "app/cli/pipeline.h"
#include "app/text/caret.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

typedef struct Values {
    int32_t amount;
    ImgRgba background;
    ImgNumbers matrix;
    ImgSize size;
} Values;

static const ImgParam params_of_example[] = {
    {.name = "amount",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Values, amount),
     .default_value = "0.5",
     .min = -1000,
     .max = 1000,
     .help = "how much"},
    {.name = "background",
     .type = IMG_PARAM_COLOR,
     .offset = offsetof(Values, background),
     .default_value = "white",
     .help = "what is behind"},
    {.name = "matrix",
     .type = IMG_PARAM_NUMBERS,
     .offset = offsetof(Values, matrix),
     .default_value = "",
     .min = INT32_MIN,
     .max = INT32_MAX,
     .help = "row by row"},
    {.name = "size",
     .type = IMG_PARAM_SIZE,
     .offset = offsetof(Values, size),
     .default_value = "",
     .min = 1,
     .max = 65535,
     .help = "of the result"},
    {.name = NULL},
};

static ImgStatus run_nothing(const ImgCall *call, ImgError *err)
{
    (void)call;
    (void)err;
    return IMG_OK;
}

static const ImgImpl impls[] = {
    {.name = "reference", .backend = IMG_BACKEND_CPU, .note = "plain", .run = run_nothing},
    {.name = NULL}};

static const ImgOp example = {
    .name = "example",
    .synopsis = "Do nothing",
    .help = "Nothing at all.",
    .example = "--amount -0.5",
    .params = params_of_example,
    .params_size = sizeof(Values),
    .impls = impls,
};

const ImgOp *const img_ops[] = {&example, NULL};
const ImgOp *const img_measures[] = {NULL};

const ImgOp *img_op_at(size_t index)
{
    return index == 0 ? &example : NULL;
}

ImgStatus img_op_find(const char *name, const ImgOp **op, ImgError *err)
{
    *op = strcmp(name, example.name) == 0 ? &example : NULL;
    return *op != NULL ? IMG_OK : img_fail(err, IMG_E_USAGE, "there is no operation '%s'", name);
}

ImgStatus img_op_or_measure_find(const char *name, const ImgOp **op, ImgError *err)
{
    return img_op_find(name, op, err);
}

static Args args;
static ImgError err;

static void end(void)
{
    args_free(&args);
}

TestSuite(app_params, .fini = end);

static ImgStatus parse(const char *const *words)
{
    char *argv[16] = {"imgtool", "example"};
    int argc = 2;
    for (; words[argc - 2] != NULL; argc++)
        argv[argc] = (char *)words[argc - 2];
    args_free(&args);
    img_error_clear(&err);
    return args_parse(argc, argv, &args, &err);
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

static void expect_param(const char *name, const char *value)
{
    char text[IMG_PARAM_TEXT];
    img_params_print(img_param_find(&example, name), &args.params, text, sizeof text);
    cr_expect_str_eq(text, value);
}

static void expect_message(const char *part)
{
    cr_expect_not_null(strstr(err.message, part), "'%s' is not in '%s'", part, err.message);
}

Test(app_params, a_negative_value_is_not_an_option)
{
    cr_assert_eq(PARSE("--amount", "-0.5", "in", "out"), IMG_OK, "%s", err.message);
    expect_param("amount", "-0.5");
    cr_expect_eq(args.operand_count, 2);
    cr_assert_eq(PARSE("in", "--amount=-0.25", "out"), IMG_OK, "%s", err.message);
    expect_param("amount", "-0.25");
    cr_assert_eq(PARSE("in", "out", "--amount", "-1"), IMG_OK, "%s", err.message);
    expect_param("amount", "-1");
    cr_assert_eq(PARSE("--matrix", "-1,0;0,-1", "in", "out"), IMG_OK, "%s", err.message);
    expect_param("matrix", "-1,0,0,-1");
    cr_expect_eq(PARSE("--amount", "-1.5", "in", "out"), IMG_E_USAGE);
    expect_message("example: invalid amount '-1.5': use -1..1");
    cr_expect_eq(PARSE("--amount", "--size", "5", "in", "out"), IMG_E_USAGE);
    expect_message("--amount needs a value: -1..1");
    cr_expect_eq(PARSE("-0.5", "in", "out"), IMG_E_USAGE);
    expect_message("example has no option '-0.5'");
}

Test(app_params, values_of_every_type_are_read)
{
    cr_assert_eq(PARSE("--background", "#F00", "--size=50%", "--matrix=1;2", "in", "out"), IMG_OK,
                 "%s", err.message);
    expect_param("background", "#ff0000");
    expect_param("size", "50%");
    expect_param("matrix", "1,2");
    cr_expect_eq(PARSE("in", "out", "--background"), IMG_E_USAGE);
    expect_message("--background needs a value: COLOR");
    cr_expect_eq(PARSE("in", "out", "--size="), IMG_E_USAGE);
    expect_message("example: invalid size '': use WxH, W or xH of 1..65535 pixels");
    cr_expect_eq(PARSE("50%", "in", "out"), IMG_E_USAGE);
    expect_message("for the option write --size 50%");
}

static void expect_steps(const char *text, const char *printed)
{
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    char out[1024], again[1024];
    img_error_clear(&err);
    cr_assert_eq(pipeline_parse(text, steps, &count, &err), IMG_OK, "%s", err.message);
    img_pipeline_print(steps, count, out, sizeof out);
    cr_expect_str_eq(out, printed);
    cr_assert_eq(pipeline_parse(out, steps, &count, &err), IMG_OK, "%s", err.message);
    img_pipeline_print(steps, count, again, sizeof again);
    cr_expect_str_eq(again, out);
}

Test(app_params, steps_are_printed_as_they_are_read)
{
    expect_steps("example", "example amount=0.5 background=#ffffff");
    expect_steps("example background=#12345678 size=x7|example matrix=1;-2.50 amount=-0.1",
                 "example amount=0.5 background=#12345678 size=x7 | "
                 "example amount=-0.1 background=#ffffff matrix=1,-2.5");
}

/* Values of the maximum length must be accepted, and longer ones rejected. */
Test(app_params, long_values_are_read_whole_or_rejected)
{
    char text[1200] = "example matrix=",
         printed[700] = "example amount=0.5 background=#ffffff matrix=";
    for (int i = 0; i < IMG_NUMBERS_MAX; i++) {
        strcat(text, i > 0 ? ",-000000002147.483648" : "-000000002147.483648");
        strcat(printed, i > 0 ? ",-2147.483648" : "-2147.483648");
    }
    expect_steps(text, printed);
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    for (int i = 0; i < 30; i++) {
        strcat(text, ",-000000002147.483648");
        img_error_clear(&err);
        cr_expect_eq(pipeline_parse(text, steps, &count, &err), IMG_E_USAGE, "%d", i);
        expect_message("use at most 25 numbers");
    }
}

/* Parses steps from a file that contains `text`. */
static ImgStatus read_text(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count)
{
    char operand[] = "@/tmp/imgtool-steps.XXXXXX";
    int fd = mkstemp(operand + 1);
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    img_error_clear(&err);
    char mark[CARET_SIZE];
    ImgStatus status = pipeline_read(operand, false, steps, count, mark, &err);
    unlink(operand + 1);
    return status;
}

Test(app_params, a_colour_in_a_file_is_not_a_comment)
{
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    char out[512];
    cr_assert_eq(read_text("# comment\n"
                           "example background=#ff0000\n"
                           "#example background=red\n"
                           "  # comment\n"
                           "example background=#00f # blue | example\n"
                           "example background=#0f08\t#comment#\r\n",
                           steps, &count),
                 IMG_OK, "%s", err.message);
    img_pipeline_print(steps, count, out, sizeof out);
    cr_expect_str_eq(out, "example amount=0.5 background=#ff0000 | "
                          "example amount=0.5 background=#0000ff | "
                          "example amount=0.5 background=#00ff0088");
    cr_expect_eq(read_text("example background= #ff0000\n", steps, &count), IMG_E_USAGE);
    expect_message("invalid background ''");
    cr_expect_eq(read_text("example size=5#no comment\n", steps, &count), IMG_E_USAGE);
    expect_message("step 1, line 1, column 9: example: invalid size '5#no'");
}

Test(app_params, help_and_markdown_describe_every_parameter)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    docs_operation(out, &example);
    docs_markdown(out);
    fclose(out);
    static const char *const parts[] = {
        "--amount -1..1",
        "--background COLOR",
        "what is behind (default: white)",
        "--matrix NUMBER,...",
        "row by row\n",
        "--size WxH|W|xH|P%",
        "| `--matrix NUMBER,...` | `none` | row by row |",
        "| `--size WxH\\|W\\|xH\\|P%` | `none` | of the result |",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        cr_expect_not_null(strstr(text, parts[i]), "'%s' is not in '%s'", parts[i], text);
    free(text);
}

/* Returns the text that `imgtool ops` prints. The caller frees it. */
static char *print_ops(void)
{
    FILE *file = tmpfile();
    char *text = calloc(1, 1 << 16);
    cr_assert(file != NULL && text != NULL);
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    int code = cmd_ops(&args);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    cr_expect_eq(code, CLI_OK);
    rewind(file);
    cr_expect_gt(fread(text, 1, (1 << 16) - 1, file), 0);
    fclose(file);
    return text;
}

Test(app_params, json_has_types_and_ranges)
{
    cr_assert_eq(args_parse(3, (char *[]){"imgtool", "ops", "--json", NULL}, &args, &err), IMG_OK);
    char *text = print_ops();
    static const char *const parts[] = {
        "\"default\":\"0.5\",\"type\":\"decimal\",\"minimum\":-1,\"maximum\":1,\"choices\":null",
        "\"default\":\"white\",\"type\":\"color\",\"minimum\":null,\"maximum\":null,",
        "\"default\":\"\",\"type\":\"numbers\",\"minimum\":-2147.483648,\"maximum\":2147.483647,",
        "\"default\":\"\",\"type\":\"size\",\"minimum\":1,\"maximum\":65535,\"choices\":null",
    };
    char *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (strchr(" \t\n", *from) == NULL)
            *to++ = *from;
    *to = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        cr_expect_not_null(strstr(text, parts[i]), "'%s' is not in '%s'", parts[i], text);
    free(text);
}

/* A title omits every value that equals its default, in any spelling of the value. */
Test(app_params, titles_name_values_that_differ_from_the_default)
{
    ImgStep step;
    char title[256];
    cr_assert_eq(pipeline_parse_single("example", &step, &err), IMG_OK);
    bench_step_title(&step, title, sizeof title);
    cr_expect_str_eq(title, "example");
    cr_assert_eq(pipeline_parse_single("example background=#fff matrix=1,-2 size=50%", &step, &err),
                 IMG_OK, "%s", err.message);
    bench_step_title(&step, title, sizeof title);
    cr_expect_str_eq(title, "example matrix=1,-2 size=50%");
}
