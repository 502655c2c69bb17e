/* Tests of parsing the command line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/engine/job.h"
#include "app/engine/share/machine.h"
#include "io/metadata/metadata.h"
#include "kernels/core/params.h"

static Args args;
static ImgError err;

static void end(void)
{
    args_free(&args);
}

TestSuite(app_args, .fini = end);

/* Parses "imgtool" followed by `words`, an array that ends with NULL. */
static ImgStatus parse(const char *const *words)
{
    char *argv[16] = {"imgtool"};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++)
        argv[argc] = (char *)words[argc - 1];
    args_free(&args);
    img_error_clear(&err);
    return args_parse(argc, argv, &args, &err);
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

static void expect_message(const char *part)
{
    cr_expect(strstr(err.message, part) != NULL, "'%s' is not in '%s'", part, err.message);
}

static const char *param_value(const char *name)
{
    static char text[64];
    img_params_print(img_param_find(args.op, name), &args.params, text, sizeof text);
    return text;
}

Test(app_args, an_operation_has_default_settings)
{
    cr_assert_eq(PARSE("rotate", "in.png", "out.png"), IMG_OK, "%s", err.message);
    cr_expect_str_eq(args.op->name, "rotate");
    cr_expect_eq(args.operand_count, 2);
    cr_expect_str_eq(args.operands[0], "in.png");
    cr_expect_str_eq(args.operands[1], "out.png");
    cr_expect_str_eq(param_value("angle"), "90");
    cr_expect_eq(args.settings.engine.backend, IMG_BACKEND_AUTO);
    cr_expect_eq(args.settings.engine.threads, 0);
    cr_expect_eq(args.settings.engine.max_pixels, 1000000000);
}

Test(app_args, options_are_accepted_in_any_position)
{
    cr_assert_eq(PARSE("-v", "--backend", "cpu", "rotate", "--angle=270", "a", "--level", "9", "b",
                       "--strip"),
                 IMG_OK, "%s", err.message);
    cr_expect_str_eq(param_value("angle"), "270");
    cr_expect_eq(args.settings.engine.backend, IMG_BACKEND_CPU);
    cr_expect_eq(args.settings.engine.level, 9);
    cr_expect_eq(args.settings.engine.verbosity, VERBOSITY_MORE);
    cr_expect(args.settings.engine.strip);
    cr_expect_str_eq(args.operands[0], "a");
    cr_expect_str_eq(args.operands[1], "b");
}

Test(app_args, a_dash_is_an_operand_and_two_end_the_options)
{
    cr_assert_eq(PARSE("rotate", "-", "-"), IMG_OK, "%s", err.message);
    cr_expect_str_eq(args.operands[0], "-");
    cr_assert_eq(PARSE("rotate", "--", "-v", "--angle"), IMG_OK, "%s", err.message);
    cr_expect_str_eq(args.operands[0], "-v");
    cr_expect_str_eq(args.operands[1], "--angle");
    cr_expect_eq(args.settings.engine.verbosity, VERBOSITY_NORMAL);
}

Test(app_args, short_flags_can_be_combined)
{
    cr_assert_eq(PARSE("rotate", "-vq", "a", "b"), IMG_OK, "%s", err.message);
    cr_expect_eq(args.settings.engine.verbosity, VERBOSITY_QUIET, "the last one counts");
    cr_expect_eq(PARSE("rotate", "-vx", "a", "b"), IMG_E_USAGE);
    expect_message("'-vx'");
}

Test(app_args, help_and_version_end_parsing)
{
    cr_expect_eq(PARSE("rotate", "--help"), IMG_OK, "%s", err.message);
    cr_expect(args.settings.help);
    cr_expect_str_eq(args.op->name, "rotate");
    cr_expect_eq(PARSE("-V", "nonsense"), IMG_OK, "%s", err.message);
    cr_expect(args.settings.version);
}

Test(app_args, an_empty_command_line_has_no_command)
{
    cr_assert_eq(parse((const char *const[]){NULL}), IMG_OK);
    cr_expect_null(args.command);
}

Test(app_args, misspelt_names_get_a_suggestion)
{
    cr_expect_eq(PARSE("rotat", "a", "b"), IMG_E_USAGE);
    expect_message("did you mean 'rotate'?");
    cr_expect_eq(PARSE("inof", "a"), IMG_E_USAGE);
    expect_message("did you mean 'info'?");
    cr_expect_eq(PARSE("rotate", "--angel", "90", "a", "b"), IMG_E_USAGE);
    expect_message("did you mean '--angle'?");
    cr_expect_eq(PARSE("rotate", "--bakcend=cpu", "a", "b"), IMG_E_USAGE);
    expect_message("did you mean '--backend'?");
    cr_expect_eq(PARSE("rotate", "--backend", "cdua", "a", "b"), IMG_E_USAGE);
    expect_message("did you mean 'cuda'?");
    cr_expect_eq(PARSE("zzzzzz", "a", "b"), IMG_E_USAGE);
    expect_message("imgtool help");
}

Test(app_args, invalid_values_are_rejected)
{
    cr_expect_eq(PARSE("rotate", "a", "b", "--angle"), IMG_E_USAGE);
    expect_message("--angle needs a value: 90|180|270");
    cr_expect_eq(PARSE("rotate", "--level", "--strip", "a", "b"), IMG_E_USAGE);
    expect_message("--level needs a value: 0..9");
    cr_expect_eq(PARSE("rotate", "--strip=yes", "a", "b"), IMG_E_USAGE);
    expect_message("invalid --strip 'yes': use all, private, gps or none");
    cr_assert_eq(PARSE("rotate", "--strip", "a", "b"), IMG_OK, "%s", err.message);
    cr_expect_eq(args.settings.engine.strip, IMG_KEEP_PIXELS);
    cr_assert_eq(PARSE("rotate", "--strip=private", "a", "b"), IMG_OK, "%s", err.message);
    cr_expect_eq(args.settings.engine.strip, IMG_KEEP_SHOWN);
    cr_expect_eq(PARSE("rotate", "--no-index=yes", "a", "b"), IMG_E_USAGE);
    expect_message("--no-index takes no value");
    cr_expect_eq(PARSE("rotate", "--level", "10", "a", "b"), IMG_E_USAGE);
    expect_message("invalid --level '10': use 0..9");
    cr_expect_eq(PARSE("rotate", "--level=", "a", "b"), IMG_E_USAGE);
    cr_expect_eq(PARSE("rotate", "--level", "4x", "a", "b"), IMG_E_USAGE);
    cr_expect_eq(PARSE("rotate", "--level", "99999999999999999999", "a", "b"), IMG_E_USAGE);
    cr_expect_eq(PARSE("rotate", "--angle", "7.5o", "a", "b"), IMG_E_USAGE);
    expect_message("rotate: invalid angle");
    cr_expect_eq(PARSE("crop", "--width", "-5", "a", "b"), IMG_E_USAGE);
    expect_message("-5");
    cr_expect_eq(PARSE("rotate", "--max-memory", "1G", "a", "b"), IMG_OK, "%s", err.message);
    cr_expect_eq(args.settings.engine.max_memory, UINT64_C(1) << 30);
}

Test(app_args, missing_and_extra_operands_are_rejected)
{
    cr_expect_eq(PARSE("rotate"), IMG_E_USAGE);
    expect_message("INPUT is missing; usage: imgtool rotate [options] INPUT OUTPUT");
    cr_expect_eq(PARSE("rotate", "a"), IMG_E_USAGE);
    expect_message("OUTPUT is missing");
    cr_expect_eq(PARSE("run", "rotate", "a"), IMG_E_USAGE);
    expect_message("OUTPUT is missing; usage: imgtool run [options] STEPS INPUT OUTPUT");
    cr_expect_eq(PARSE("rotate", "a", "b", "c"), IMG_E_USAGE);
    expect_message("unexpected argument 'c'");
    cr_expect_eq(PARSE("rotate", "angle=90", "a", "b"), IMG_E_USAGE);
    expect_message("write --angle=90");
    cr_expect_eq(PARSE("info"), IMG_E_USAGE);
    expect_message("FILE is missing");
    cr_expect_eq(PARSE("info", "a", "b", "c", "d"), IMG_OK, "%s", err.message);
    cr_expect_eq(args.operand_count, 4);
    cr_expect_eq(PARSE("help"), IMG_OK, "%s", err.message);
    cr_expect_eq(PARSE("devices", "x"), IMG_E_USAGE);
}

Test(app_args, empty_file_names_are_rejected)
{
    cr_expect_eq(PARSE("rotate", "", "b"), IMG_E_USAGE);
    expect_message("rotate: INPUT is empty");
    cr_expect_eq(PARSE("run", "rotate", "a", ""), IMG_E_USAGE);
    expect_message("run: OUTPUT is empty");
    cr_expect_eq(PARSE("info", "a", "b", ""), IMG_E_USAGE);
    expect_message("info: FILE is empty");
    cr_expect_eq(PARSE("run", "", "a", "b"), IMG_OK, "the steps have an error of their own");
}

Test(app_args, a_file_name_that_starts_with_a_dash_needs_two_dashes)
{
    char directory[] = "/tmp/imgtool-args.XXXXXX";
    cr_assert(mkdtemp(directory) != NULL && chdir(directory) == 0);
    fclose(fopen("-d.png", "w"));
    fclose(fopen("--angel=90.png", "w"));
    cr_expect_eq(PARSE("rotate", "-d.png", "b"), IMG_E_USAGE);
    expect_message("write './-d.png', or put '--' before it");
    cr_expect_eq(PARSE("rotate", "--angel=90.png", "b"), IMG_E_USAGE);
    expect_message("write './--angel=90.png'");
    cr_expect_eq(PARSE("rotate", "-0.png", "b"), IMG_E_USAGE);
    expect_message("'imgtool help rotate'");
    unlink("-d.png");
    unlink("--angel=90.png");
    cr_expect_eq(rmdir(directory), 0);
}

Test(app_args, given_options_are_recorded)
{
    cr_assert_eq(PARSE("--device", "0", "rotate", "a", "b", "-v"), IMG_OK, "%s", err.message);
    cr_expect(option_given(&args.settings, "device"), "with its default, but given");
    cr_expect(option_given(&args.settings, "verbose"));
    cr_expect_not(option_given(&args.settings, "level"));
}

Test(app_args, every_option_has_a_bit)
{
    int count = 0;
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        count++;
    cr_expect_leq(count, 8 * (int)sizeof(args.settings.given));
}

Test(app_args, a_file_of_steps_replaces_the_steps_operand)
{
    cr_assert_eq(PARSE("run", "in.png", "--pipeline=steps", "out.png"), IMG_OK, "%s", err.message);
    cr_expect_eq(args.operand_count, 3);
    cr_expect_str_eq(args.operands[0], "@steps");
    cr_expect_str_eq(args.operands[2], "out.png");
    cr_expect_eq(args.operands[3], NULL);
    cr_expect_eq(PARSE("run", "--pipeline", "steps", "flip", "in.png", "out.png"), IMG_E_USAGE);
    cr_expect_eq(PARSE("batch", "--pipeline", "steps", "flip | rotate", "in", "out"), IMG_E_USAGE);
    cr_expect_eq(PARSE("batch", "--pipeline", "steps", "flips", "out"), IMG_OK, "%s", err.message);
    cr_expect_eq(args.operand_count, 3);
}

Test(app_args, device_and_cpu_backend_exclude_each_other)
{
    cr_assert_eq(PARSE("rotate", "--device=0", "--backend=cpu", "a", "b"), IMG_OK);
    ImgStep step = {.op = args.op, .params = args.params};
    Job job = {
        .input = "a", .output = "b", .steps = &step, .count = 1, .options = &args.settings.engine};
    cr_expect_eq(img_job_check(&job, &err), IMG_E_USAGE);
    expect_message("exclude each other; leave one out");
}

Test(app_args, options_of_other_commands_are_rejected)
{
    cr_expect_eq(PARSE("rotate", "--json", "a", "b"), IMG_E_USAGE);
    expect_message("rotate has no option '--json'");
    cr_expect_eq(PARSE("--json", "-v", "rotate", "a", "b"), IMG_E_USAGE);
    expect_message("rotate has no option '--json'");
    cr_expect_eq(PARSE("info", "--angle", "90", "a"), IMG_E_USAGE);
    cr_expect_eq(PARSE("--json", "info", "a"), IMG_OK, "%s", err.message);
    cr_expect(args.settings.json);
}

Test(app_args, every_status_has_an_exit_code)
{
    cr_expect_eq(exit_code_of(IMG_OK), 0);
    cr_expect_eq(exit_code_of(IMG_E_USAGE), 2);
    for (int status = IMG_E_IO; status <= IMG_E_UNSUPPORTED; status++)
        cr_expect_eq(exit_code_of((ImgStatus)status), 3);
    cr_expect_eq(exit_code_of(IMG_E_UNAVAILABLE), 4);
    cr_expect_eq(exit_code_of(IMG_E_DEVICE), 4);
    cr_expect_eq(exit_code_of(IMG_E_MISMATCH), 5);
}
