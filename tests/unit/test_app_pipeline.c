/* Tests of parsing and printing pipelines. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/pipeline.h"

static ImgStep steps[IMG_STEPS_MAX];
static size_t count;
static ImgError err;

static ImgStatus parse(const char *text)
{
    img_error_clear(&err);
    return pipeline_parse(text, steps, &count, &err);
}

static void expect_print(const char *text, const char *printed)
{
    char out[256];
    cr_assert_eq(parse(text), IMG_OK, "'%s': %s", text, err.message);
    img_pipeline_print(steps, count, out, sizeof out);
    cr_expect_str_eq(out, printed);
}

static void expect_failure(const char *text, const char *part)
{
    cr_expect_eq(parse(text), IMG_E_USAGE, "'%s'", text);
    cr_expect(strstr(err.message, part) != NULL, "'%s' is not in '%s'", part, err.message);
}

Test(app_pipeline, steps_are_parsed_and_printed)
{
    expect_print("rotate", "rotate angle=90");
    expect_print("rotate angle=270 | flip axis=horizontal",
                 "rotate angle=270 | flip axis=horizontal");
    expect_print("rotate filter=bicubic angle=7.50 size=keep", "rotate angle=7.5 size=keep");
    expect_print("  rotate\tangle=180|transpose|\n flip ",
                 "rotate angle=180 | transpose | flip axis=vertical");
    expect_print("rotate angle=90 angle=180", "rotate angle=180");
    expect_print("crop width=5 x=1", "crop x=1 y=0 width=5 height=0");
}

Test(app_pipeline, a_size_needs_no_name)
{
    static const char *const rest = "fit=inside gravity=center only=any filter=lanczos3 "
                                    "background=#00000000";
    char printed[256];
    snprintf(printed, sizeof printed, "resize size=50%% %s | flip axis=vertical", rest);
    expect_print("resize 50% | flip", printed);
    expect_print("resize size=50% | flip", printed);
    snprintf(printed, sizeof printed, "resize size=x20 %s", rest);
    expect_print("resize filter=lanczos x20", printed);
    expect_failure("resize 50% 20", "resize has no option '20'");
    expect_failure("resize half", "size");
    expect_failure("erode 5x5", "erode has no option '5x5'");
}

Test(app_pipeline, errors_name_the_step_and_column)
{
    expect_failure("rotate |", "step 2, column 9: an operation is missing");
    expect_failure("| rotate", "step 1, column 1: an operation is missing");
    expect_failure("rotate || flip", "step 2, column 9: an operation is missing");
    expect_failure("rotat", "step 1, column 1: ");
    expect_failure("rotat", "did you mean 'rotate'?");
    expect_failure("flip | rotate angle=9o",
                   "step 2, column 15: rotate: invalid angle '9o': use -360..360");
    expect_failure("rotate angel=90", "did you mean 'angle'?");
    expect_failure("rotate 90", "step 1, column 8: rotate has no option '90'");
    expect_failure(
        "rotate angle",
        "step 1, column 8: the option 'angle' of rotate has no value; write angle=VALUE");
    expect_failure("rotate --angle=90", "write name=value");
    expect_failure("rotate flip", "'|' before the next operation");
    expect_failure("rotate =90", "step 1, column 8");
    expect_failure("rotate angle=", "step 1, column 8");
}

Test(app_pipeline, quotes_are_parsed_and_printed)
{
    expect_print("rotate 'angle=180'", "rotate angle=180");
    expect_print("lut file=look.cube", "lut file=look.cube");
    expect_print("lut file='my look.cube' | flip", "lut file='my look.cube' | flip axis=vertical");
    expect_print("lut file=my' 'l\"oo\"k", "lut file='my look'");
    expect_print("lut file=\"it's|one\"", "lut file=\"it's|one\"");
    /* The file name contains both kinds of quotes. */
    expect_print("lut file=a\"'\"'\" b'", "lut file='a'\"'\"'\" b'");
    expect_failure("flip | lut file='a b", "step 2, column 12: a quote is not closed on its line");
    expect_failure("lut file='a\nb'", "a quote is not closed");
    expect_failure("lut file=''", "invalid file '': name a file");
    expect_failure("lut file=\xC3\xA9 angle=90", "step 1, column 12: lut has no option");
}

Test(app_pipeline, blank_text_has_no_steps)
{
    expect_print("", "");
    expect_print(" \t\r\n", "");
    cr_expect_eq(count, 0);
}

/* Expects that parsing fails, and that the message marks exactly `word` in the text. */
static void expect_marked(const char *text, const char *lines, const char *word)
{
    char mark[CARET_SIZE] = "";
    img_error_clear(&err);
    cr_expect_eq(pipeline_parse_marked(text, lines, steps, &count, mark, &err), IMG_E_USAGE, "'%s'",
                 text);
    const char *carets = strchr(mark, '\n') + 1, *first = strchr(carets, '^');
    size_t size = strspn(first, "^~");
    cr_expect_eq(first[size], '\n');
    cr_expect_eq(size, strlen(word), "'%s' in %s", word, mark);
    cr_expect_eq(strncmp(mark + (first - carets), word, size), 0, "'%s' in %s", word, mark);
}

Test(app_pipeline, errors_mark_the_whole_word)
{
    expect_marked("rotate angel=90 | flip", NULL, "angel");
    expect_marked("flip | rotate angle=9o|flip", NULL, "angle=9o");
    expect_marked("flip | filp", NULL, "filp");
    expect_marked("rotate 90", NULL, "90");
    expect_marked("rotate --angle=90", NULL, "--angle=90");
    expect_marked("rotate =90", NULL, "=90");
    expect_marked("flip | crop | flip", NULL, "crop");
    expect_marked("flip || rotate", NULL, "|");
    expect_marked("flip|          filp   ", "flip # mirror\n filp # \n", "filp");
}

Test(app_pipeline, a_missing_step_is_marked_after_the_bar)
{
    char mark[CARET_SIZE];
    cr_expect_eq(pipeline_parse_marked("flip |       ", "flip | # x\n ", steps, &count, mark, NULL),
                 IMG_E_USAGE);
    cr_expect_str_eq(mark, "  flip | # x\n        ^\n");
}

Test(app_pipeline, very_long_words_are_rejected)
{
    char text[600] = "rotate angle=";
    memset(text + strlen(text), '9', 400);
    cr_expect_eq(parse(text), IMG_E_USAGE);
    memset(text, 'x', sizeof text - 1);
    cr_expect_eq(parse(text), IMG_E_USAGE);
}

Test(app_pipeline, the_number_of_steps_is_limited)
{
    char text[(IMG_STEPS_MAX + 1) * 5 + 1] = "";
    for (int i = 0; i < IMG_STEPS_MAX; i++)
        strcat(text, i > 0 ? "|flip" : "flip");
    cr_expect_eq(parse(text), IMG_OK, "%s", err.message);
    cr_expect_eq(count, IMG_STEPS_MAX);
    strcat(text, "|flip");
    expect_failure(text, "step 65, column 321: more than 64 steps");
}

Test(app_pipeline, printing_stops_at_the_end_of_the_buffer)
{
    char out[12];
    cr_assert_eq(parse("rotate | flip | transpose"), IMG_OK);
    img_pipeline_print(steps, count, out, sizeof out);
    cr_expect_eq(strlen(out), sizeof out - 1);
}

/* `looks` is true if the steps change the appearance of the picture, not only its bit depth.
 * `reshaped` is true if they change the aspect ratio of its pixels. */
Test(app_pipeline, effects_tell_if_the_look_or_the_pixel_shape_changes)
{
    static const struct {
        const char *text;
        int32_t width, height;
        bool looks, reshaped;
    } cases[] = {{"depth bits=16", 5, 4, false, false},
                 {"depth bits=16 | depth dither=ordered", 5, 4, false, false},
                 {"channels alpha=opaque", 5, 4, false, false},
                 {"channels red=blue", 5, 4, true, false},
                 {"channels alpha=opaque | channels alpha=drop", 5, 4, true, false},
                 {"invert | depth bits=16", 5, 4, true, false},
                 {"rotate angle=90", 5, 4, false, false},
                 {"resize 720x480 fit=fill", 704, 480, true, true},
                 {"resize 10x10", 40, 30, true, false},
                 {"resize 50% fit=fill", 101, 67, true, false},
                 {"resize 50 fit=fill", 101, 67, true, false},
                 {"resize 10", 1000, 3, true, true},
                 {"resize 704x240 fit=fill | rotate angle=90", 704, 480, true, true},
                 {"resize 40x30 fit=fill", 40, 30, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ImgShape src = {cases[i].width, cases[i].height, {IMG_COLOR_RGB, 8}};
        cr_assert_eq(parse(cases[i].text), IMG_OK, "%s: %s", cases[i].text, err.message);
        const ImgEffect effect = img_steps_effect(steps, count, src);
        cr_expect_eq(effect.looks_changed, cases[i].looks, "%s", cases[i].text);
        cr_expect_eq(effect.reshaped, cases[i].reshaped, "%s", cases[i].text);
    }
}
