/* Tests of the values of every type of parameter, for a made-up operation. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/params/fixed.h"
#include "kernels/core/params/value.h"

typedef struct Values {
    int32_t count, amount;
    ImgRgba color;
    ImgNumbers matrix;
    ImgSize size;
    int32_t mode;
    ImgFile file;
} Values;

static const ImgChoice words[] = {{"auto", -7}, {NULL, 0}};
static const ImgChoice modes[] = {{"fast", 3}, {"exact", -1}, {NULL, 0}};
static const ImgChoice mode_flags[] = {{"mode", -1}, {NULL, 0}};
static const ImgChoice odd_flags[] = {{"quickly", 3}, {"exactly", -1}, {NULL, 0}};

static const ImgParam params_of_example[] = {
    {.name = "count",
     .type = IMG_PARAM_INT,
     .offset = offsetof(Values, count),
     .default_value = "auto",
     .min = -100,
     .max = 1000,
     .choices = words,
     .help = "a whole number"},
    {.name = "amount",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Values, amount),
     .default_value = "0",
     .min = -1500,
     .max = 2000,
     .help = "up to three decimals"},
    {.name = "color",
     .type = IMG_PARAM_COLOR,
     .offset = offsetof(Values, color),
     .default_value = "white",
     .help = "a colour"},
    {.name = "matrix",
     .type = IMG_PARAM_NUMBERS,
     .offset = offsetof(Values, matrix),
     .default_value = "",
     .min = -10000000,
     .max = 10000000,
     .help = "numbers"},
    {.name = "size",
     .type = IMG_PARAM_SIZE,
     .offset = offsetof(Values, size),
     .default_value = "",
     .min = 2,
     .max = 5000,
     .help = "a size"},
    {.name = "mode",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Values, mode),
     .default_value = "fast",
     .choices = modes,
     .flags = mode_flags,
     .help = "a word"},
    {.name = "file",
     .type = IMG_PARAM_FILE,
     .offset = offsetof(Values, file),
     .default_value = "",
     .help = "a file"},
    {.name = NULL},
};

static const ImgOp example = {
    .name = "example", .params = params_of_example, .params_size = sizeof(Values)};

static ImgParams params;
static ImgError err;

static void start(void)
{
    img_error_clear(&err);
    img_params_init(&example, &params);
}

TestSuite(params_of, .init = start);

static Values values(void)
{
    Values stored;
    memcpy(&stored, params.bytes, sizeof stored);
    return stored;
}

static const char *printed(const char *name)
{
    static char text[IMG_PARAM_TEXT];
    img_params_print(img_param_find(&example, name), &params, text, sizeof text);
    return text;
}

static void set(const char *name, const char *value)
{
    cr_expect_eq(img_params_set(&example, &params, name, value, &err), IMG_OK, "%s", err.message);
}

/* Expects that `value` is accepted, and that it is printed as `print`. */
static void expect_value(const char *name, const char *value, const char *print)
{
    set(name, value);
    cr_expect_str_eq(printed(name), print, "%s", value);
}

static void expect_refused(const char *name, const char *value, const char *message)
{
    char whole[512];
    ImgParams before = params;
    img_error_clear(&err);
    cr_expect_eq(img_params_set(&example, &params, name, value, &err), IMG_E_USAGE, "'%s'", value);
    snprintf(whole, sizeof whole, "example: invalid %s '%s': %s", name, value, message);
    cr_expect_str_eq(err.message, whole);
    cr_expect_eq(memcmp(&params, &before, sizeof params), 0);
}

Test(params_of, defaults_are_stored_and_known)
{
    cr_expect_eq(img_params_check_defaults(&example, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(values().count, -7);
    cr_expect_eq(values().color.red, 65535);
    cr_expect_eq(values().color.alpha, 65535);
    cr_expect_eq(values().matrix.count, 0);
    cr_expect_eq(values().size.width + values().size.height + values().size.share, 0);
    cr_expect_str_eq(printed("color"), "#ffffff");
    cr_expect_str_eq(printed("matrix"), "");
    cr_expect_str_eq(printed("size"), "");
    for (const ImgParam *param = example.params; param->name != NULL; param++)
        cr_expect(img_param_is_default(param, &params), "%s", param->name);
    set("color", "#fffffe");
    set("matrix", "0");
    set("size", "2");
    set("count", "1");
    set("amount", "-0.001");
    set("mode", "exact");
    set("file", "x");
    for (const ImgParam *param = example.params; param->name != NULL; param++)
        cr_expect_not(img_param_is_default(param, &params), "%s", param->name);
    set("color", "#FFFF");
    cr_expect(img_param_is_default(img_param_find(&example, "color"), &params));
}

Test(params_of, only_numbers_sizes_and_files_may_lack_a_default)
{
    for (ImgParamType type = IMG_PARAM_INT; type <= IMG_PARAM_FILE; type++) {
        const ImgParam one[] = {
            {.name = "it", .type = type, .default_value = "", .max = 9, .help = "nothing"},
            {.name = NULL}};
        const ImgOp op = {.name = "example", .params = one, .params_size = sizeof(ImgNumbers)};
        bool may = type == IMG_PARAM_NUMBERS || type == IMG_PARAM_SIZE || type == IMG_PARAM_RATIO ||
                   type == IMG_PARAM_RANGE || type == IMG_PARAM_FILE;
        cr_expect_eq(img_params_check_defaults(&op, NULL) == IMG_OK, may, "%d", (int)type);
    }
}

Test(params_of, a_file_is_any_path_of_one_line)
{
    static const char odd[] = "a b/'\"|=#\xC3\xA9.cube";
    char path[IMG_PATH_SIZE + 1];
    expect_value("file", "look.cube", "look.cube");
    expect_value("file", odd, odd);
    memset(path, 'p', sizeof path);
    path[IMG_PATH_SIZE - 1] = '\0';
    expect_value("file", path, path);
    cr_expect_null(values().file.content);
    path[IMG_PATH_SIZE - 1] = 'p';
    path[IMG_PATH_SIZE] = '\0';
    cr_expect_eq(img_params_set(&example, &params, "file", path, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "at most 1023 bytes"), "%s", err.message);
    expect_refused("file", "", "name a file");
    expect_refused("file", "a\nb", "a path has no control characters here; rename the file");
}

Test(params_of, copies_share_the_content_of_a_file)
{
    static const int content = 5;
    set("file", "look.cube");
    img_params_set_content(img_param_find(&example, "file"), &params, &content);
    const ImgParams copy = params;
    cr_expect_eq(memcmp(&copy, &params, sizeof copy), 0);
    cr_expect_eq(values().file.content, &content);
    cr_expect_str_eq(printed("file"), "look.cube");
    set("file", "other.cube");
    cr_expect_null(values().file.content);
}

Test(params_of, integers_may_be_negative)
{
    expect_value("count", "-100", "-100");
    cr_expect_eq(values().count, -100);
    expect_value("count", "-0", "0");
    expect_value("count", "007", "7");
    expect_value("count", "-7", "auto");
    expect_refused("count", "-101", "use auto or -100..1000");
    expect_refused("count", "1.5", "use auto or -100..1000");
    expect_refused("count", "--5", "use auto or -100..1000");
    expect_refused("count", "+5", "use auto or -100..1000");
    expect_refused("count", "autp", "did you mean 'auto'? Use auto or -100..1000");
}

Test(params_of, decimals_may_be_negative)
{
    static const struct {
        const char *typed, *printed;
        int32_t stored;
    } cases[] = {
        {"-0.5", "-0.5", -500},
        {"-0.250", "-0.25", -250},
        {"-0", "0", 0},
        {"-0.000", "0", 0},
        {"-1", "-1", -1000},
        {"-1.005", "-1.005", -1005},
        {"-1.5", "-1.5", -1500},
        {"-0.001", "-0.001", -1},
        {"0.07", "0.07", 70},
        {"2", "2", 2000},
        {"1.250", "1.25", 1250},
        /* Values are rounded to thousandths. Halves are rounded away from zero. */
        {"0.0001", "0", 0},
        {"0.0005", "0.001", 1},
        {"-0.0005", "-0.001", -1},
        {"0.123456789012345678", "0.123", 123},
        {"1.9996", "2", 2000},
        {"1e0", "1", 1000},
        {"1e-3", "0.001", 1},
        {"4.9E-4", "0", 0},
        {"5e-4", "0.001", 1},
        {"0.0015e+3", "1.5", 1500},
        {"-1.5004", "-1.5", -1500},
        {"0e99999999999", "0", 0},
        {"1e-99999999999", "0", 0},
        {"000000000000001", "1", 1000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_value("amount", cases[i].typed, cases[i].printed);
        cr_expect_eq(values().amount, cases[i].stored, "%s", cases[i].typed);
    }
    static const char *const wrong[] = {"",      "-",   "-1.501", "2.0005",       "-.5", "-0.",
                                        "1e",    "+1",  "1e+",    "--0.5",        "- 1", "1 ",
                                        "-0.5x", "1e1", "1e0.5",  "2e99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_refused("amount", wrong[i], "use -1.5..2");
}

Test(params_of, fixed_point_numbers_of_any_size_are_parsed)
{
    char text[IMG_FIXED_TEXT];
    int64_t value = 5;
    cr_expect(img_fixed_parse("-999999999999.999999,", 20, 6, &value));
    cr_expect_eq(value, INT64_C(-999999999999999999));
    cr_expect_not(img_fixed_parse("1000000000000", 13, 0, &value), "13 digits");
    cr_expect_not(img_fixed_parse("1.5", 3, 0, &value));
    cr_expect_not(img_fixed_parse("", 0, 3, &value));
    cr_expect_not(img_fixed_parse("-", 1, 3, &value));
    cr_expect_eq(value, INT64_C(-999999999999999999), "unchanged");
    /* Without decimal places only integers are accepted, in any notation. */
    cr_expect_not(img_fixed_parse("15e-1", 5, 0, &value));
    cr_expect_not(img_fixed_parse("1e12", 4, 0, &value), "13 digits");
    cr_expect(img_fixed_parse("3.00", 4, 0, &value) && value == 3);
    cr_expect(img_fixed_parse("1.5e1", 5, 0, &value) && value == 15);
    cr_expect(img_fixed_parse("4000e-3", 7, 0, &value) && value == 4);
    cr_expect(img_fixed_parse("1e11", 4, 6, &value) && value == INT64_C(100000000000000000));
    cr_expect(img_fixed_parse("0.0000005", 9, 6, &value) && value == 1);
    cr_expect(img_fixed_parse("0.00000049999999", 16, 6, &value) && value == 0);
    cr_expect(img_fixed_parse("9.9999995", 9, 6, &value) && value == 10000000);
    img_fixed_print(INT32_MIN, 3, text);
    cr_expect_str_eq(text, "-2147483.648");
    img_fixed_print(INT64_MIN, 6, text);
    cr_expect_str_eq(text, "-9223372036854.775808");
    img_fixed_print(-100, 0, text);
    cr_expect_str_eq(text, "-100");
}

static void expect_color(const char *value, ImgRgba color, const char *print)
{
    expect_value("color", value, print);
    ImgRgba stored = values().color;
    cr_expect(stored.red == color.red && stored.green == color.green && stored.blue == color.blue &&
                  stored.alpha == color.alpha,
              "%s", value);
}

Test(params_of, colours_are_parsed)
{
    expect_color("#f00", (ImgRgba){65535, 0, 0, 65535}, "#ff0000");
    expect_color("#1230", (ImgRgba){0x1111, 0x2222, 0x3333, 0}, "#11223300");
    expect_color("#010203", (ImgRgba){257, 514, 771, 65535}, "#010203");
    expect_color("#0102037F", (ImgRgba){257, 514, 771, 127 * 257}, "#0102037f");
    expect_color("#AbCdEfFF", (ImgRgba){0xabab, 0xcdcd, 0xefef, 65535}, "#abcdef");
    expect_color("transparent", (ImgRgba){0, 0, 0, 0}, "#00000000");
    expect_color("Transparent", (ImgRgba){0, 0, 0, 0}, "#00000000");
    expect_color("RebeccaPurple", (ImgRgba){0x6666, 0x3333, 0x9999, 65535}, "#663399");
    expect_color("aliceblue", (ImgRgba){0xf0f0, 0xf8f8, 65535, 65535}, "#f0f8ff");
    expect_color("YELLOWGREEN", (ImgRgba){0x9a9a, 0xcdcd, 0x3232, 65535}, "#9acd32");
    expect_color("black", (ImgRgba){0, 0, 0, 65535}, "#000000");
}

Test(params_of, invalid_colours_are_rejected)
{
    static const char rule[] =
        "a colour name of CSS, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa";
    static const char *const wrong[] = {
        "",           "#",         "#f",         "#ff",   "#fffff",   "#gggggg", "#fffffff",
        "#fffffffff", "#ff 00 00", "rgb(1,2,3)", "# ff0", "0x123456", "red ",    "#red"};
    char message[256];
    snprintf(message, sizeof message, "use %s", rule);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (strcmp(wrong[i], "red ") != 0)
            expect_refused("color", wrong[i], message);
    snprintf(message, sizeof message, "did you mean 'red'? Use %s", rule);
    expect_refused("color", "red ", message);
    expect_refused("color", "Redd", message);
    snprintf(message, sizeof message, "did you mean 'rebeccapurple'? Use %s", rule);
    expect_refused("color", "rebecapurple", message);
    snprintf(message, sizeof message, "did you mean 'transparent'? Use %s", rule);
    expect_refused("color", "trasparent", message);
    snprintf(message, sizeof message, "did you mean '#ff0000'? Use %s", rule);
    expect_refused("color", "ff0000", message);
}

Test(params_of, colour_names_are_sorted_and_found)
{
    const char *name, *before = "";
    size_t count = 0;
    uint32_t sum = 0;
    for (; (name = img_color_name_at(count)) != NULL; count++) {
        uint32_t rgba = 1;
        cr_expect_lt(strcmp(before, name), 0, "%s", name);
        cr_expect(img_color_find(name, &rgba), "%s", name);
        cr_expect(strcmp(name, "transparent") == 0 ? rgba == 0 : (rgba & 255) == 255, "%s", name);
        before = name;
        char line[64];
        snprintf(line, sizeof line, "%s %08x\n", name, (unsigned)rgba);
        for (const char *at = line; *at != '\0'; at++)
            sum = sum * 31 + (unsigned char)*at;
    }
    cr_expect_eq(count, 148 + 1);
    cr_expect_eq(sum, 0x62e73e2b, "as in another copy of the standard's table");
}

/* Both spellings of gray are accepted. Names to which X11 and CSS give different colours have the
 * colours of CSS. */
Test(params_of, often_confused_colour_names_follow_css)
{
    static const struct {
        const char *name;
        uint32_t rgba;
    } cases[] = {
        {"gray", 0x808080ff},          {"grey", 0x808080ff},
        {"green", 0x008000ff},         {"maroon", 0x800000ff},
        {"purple", 0x800080ff},        {"lime", 0x00ff00ff},
        {"darkslategrey", 0x2f4f4fff}, {"lightgrey", 0xd3d3d3ff},
        {"darkgray", 0xa9a9a9ff},      {"cyan", 0x00ffffff},
        {"aqua", 0x00ffffff},          {"lightgoldenrodyellow", 0xfafad2ff},
    };
    uint32_t rgba;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect(img_color_find(cases[i].name, &rgba), "%s", cases[i].name);
        cr_expect_eq(rgba, cases[i].rgba, "%s", cases[i].name);
    }
    cr_expect_not(img_color_find("lightgoldenrodyellows", &rgba));
    cr_expect_not(img_color_find("", &rgba));
}

Test(params_of, numbers_are_parsed)
{
    expect_value("matrix", "0.299,0.587,0.114", "0.299,0.587,0.114");
    cr_expect_eq(values().matrix.count, 3);
    cr_expect_eq(values().matrix.values[0], 299000);
    cr_expect_eq(values().matrix.values[1], 587000);
    cr_expect_eq(values().matrix.values[2], 114000);
    expect_value("matrix", "1,0;-0.5,10.000;-10,-0.000001", "1,0,-0.5,10,-10,-0.000001");
    cr_expect_eq(values().matrix.values[2], -500000);
    cr_expect_eq(values().matrix.values[4], -10000000);
    cr_expect_eq(values().matrix.values[5], -1);
    expect_value("matrix", "5", "5");
    cr_expect_eq(values().matrix.count, 1);
    for (int i = 1; i < IMG_NUMBERS_MAX; i++)
        cr_expect_eq(values().matrix.values[i], 0, "earlier values are gone");
    expect_value("matrix", "1,2,3,4,5;6,7,8,9,0;1,2,3,4,5;6,7,8,9,0;1,2,3,4,5",
                 "1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5");
    cr_expect_eq(values().matrix.count, IMG_NUMBERS_MAX);
}

Test(params_of, invalid_numbers_are_rejected)
{
    static const struct {
        const char *typed;
        int number;
        const char *entry;
    } cases[] = {
        {"", 1, ""},       {",", 1, ""},
        {"1,", 2, ""},     {"1,,3", 2, ""},
        {";1", 1, ""},     {"1;;2", 2, ""},
        {"1,x", 2, "x"},   {"1, 2", 2, " 2"},
        {"11", 1, "11"},   {"-10.000001", 1, "-10.000001"},
        {"1|2", 1, "1|2"}, {"1e2", 1, "1e2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[256];
        snprintf(message, sizeof message,
                 "number %d is '%s'; use numbers of -10..10, with ',' or ';' between them",
                 cases[i].number, cases[i].entry);
        expect_refused("matrix", cases[i].typed, message);
    }
    expect_refused("matrix", "1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6",
                   "use at most 25 numbers");
    expect_refused("matrix", "0,123456789012345678901234567890123456789\xC3\xA9,1",
                   "number 2 is '123456789012345678901234567890123456789'; use numbers of -10..10, "
                   "with ',' or ';' between them");
}

static void expect_size(const char *value, int32_t width, int32_t height, int32_t share,
                        const char *print)
{
    expect_value("size", value, print);
    ImgSize size = values().size;
    cr_expect(size.width == width && size.height == height && size.share == share, "%s", value);
}

Test(params_of, sizes_are_parsed)
{
    expect_size("800x600", 800, 600, 0, "800x600");
    expect_size("800", 800, 0, 0, "800");
    expect_size("x600", 0, 600, 0, "x600");
    expect_size("50%", 0, 0, 50000, "50%");
    expect_size("33.333%", 0, 0, 33333, "33.333%");
    expect_size("0.001%", 0, 0, 1, "0.001%");
    expect_size("12.50%", 0, 0, 12500, "12.5%");
    expect_size("100000%", 0, 0, 100000000, "100000%");
    expect_size("2x5000", 2, 5000, 0, "2x5000");
}

Test(params_of, invalid_sizes_are_rejected)
{
    static const char *const wrong[] = {
        "",      "x",     "800x", "x0",      "0",           "1",      "1x2",  "2x1",  "5001",
        "x5001", "8x6x4", "-5",   "800X600", "800 x 600",   "50x50%", "x50%", "%",    "0%",
        "-5%",   "5.5",   "0.0%", "0.0004%", "100000.001%", "50%%",   "50% ", "wide", "99999999999",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_refused("size", wrong[i],
                       "use WxH, W or xH of 2..5000 pixels, or P% of 0.001..100000");
}

Test(params_of, sizes_have_at_least_one_pixel_and_at_most_the_limit)
{
    const ImgParam one[] = {
        {.name = "size", .type = IMG_PARAM_SIZE, .default_value = "", .max = INT32_MAX, .help = ""},
        {.name = NULL}};
    const ImgOp op = {.name = "any", .params = one, .params_size = sizeof(ImgSize)};
    ImgSize size;
    cr_expect_eq(img_params_set(&op, &params, "size", "2147483647x1", NULL), IMG_OK);
    memcpy(&size, params.bytes, sizeof size);
    cr_expect_eq(size.width, INT32_MAX);
    cr_expect_eq(size.height, 1);
    cr_expect_eq(img_params_set(&op, &params, "size", "2147483648", NULL), IMG_E_USAGE);
    cr_expect_eq(img_params_set(&op, &params, "size", "0x1", &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "of 1..2147483647 pixels"), "%s", err.message);
}

Test(params_of, help_shows_the_accepted_values)
{
    static const char *const shown[] = {"auto|-100..1000", "-1.5..2", "COLOR", "NUMBER,...",
                                        "WxH|W|xH|P%"};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        char text[64];
        img_param_describe(&example.params[i], text, sizeof text);
        cr_expect_str_eq(text, shown[i]);
    }
}

static uint32_t random_number(uint32_t below)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 32) % below);
}

static int32_t random_between(int32_t least, int32_t most)
{
    return (int32_t)(least + (int64_t)random_number((uint32_t)((int64_t)most - least + 1)));
}

static uint16_t random_component(void)
{
    return (uint16_t)(random_number(256) * 257);
}

static ImgNumbers random_numbers(const ImgParam *param)
{
    ImgNumbers numbers = {.count = random_between(1, IMG_NUMBERS_MAX)};
    int32_t step = random_number(2) == 0 ? 1 : 12500;
    for (int32_t i = 0; i < numbers.count; i++)
        numbers.values[i] = random_between(param->min / step, param->max / step) * step;
    return numbers;
}

static ImgSize random_size(const ImgParam *param)
{
    uint32_t kind = random_number(4);
    if (kind == 0)
        return (ImgSize){.share = random_between(1, 100000000)};
    return (ImgSize){.width = kind & 1 ? random_between(param->min, param->max) : 0,
                     .height = kind & 2 ? random_between(param->min, param->max) : 0};
}

/* The printed text of a value must be parsed to the same bytes. */
Test(params_of, printed_values_are_read_back)
{
    const ImgParam *all = example.params;
    for (int i = 0; i < 20000; i++) {
        Values stored = {
            .count = random_between(all[0].min, all[0].max),
            .amount = random_between(all[1].min, all[1].max),
            .color = {random_component(), random_component(), random_component(),
                      random_component()},
            .matrix = random_numbers(&all[3]),
            .size = random_size(&all[4]),
            .mode = modes[random_number(2)].value,
            .file = {.path = {(char)('a' + random_number(26)), ' ', '/'}},
        };
        ImgParams from = {.bytes = {0}};
        memcpy(from.bytes, &stored, sizeof stored);
        img_params_init(&example, &params);
        for (const ImgParam *param = all; param->name != NULL; param++) {
            char text[IMG_PARAM_TEXT];
            img_params_print(param, &from, text, sizeof text);
            set(param->name, text);
            cr_assert_eq(memcmp(params.bytes + param->offset, from.bytes + param->offset,
                                img_param_size(param)),
                         0, "%s %s", param->name, text);
        }
    }
}

Test(params_of, the_longest_text_fits)
{
    const ImgParam one[] = {{.name = "matrix",
                             .type = IMG_PARAM_NUMBERS,
                             .default_value = "",
                             .min = INT32_MIN,
                             .max = INT32_MAX,
                             .help = ""},
                            {.name = NULL}};
    const ImgOp op = {.name = "any", .params = one, .params_size = sizeof(ImgNumbers)};
    ImgNumbers numbers = {.count = IMG_NUMBERS_MAX};
    for (int i = 0; i < IMG_NUMBERS_MAX; i++)
        numbers.values[i] = INT32_MIN;
    char text[IMG_PARAM_TEXT], part[9];
    memcpy(params.bytes, &numbers, sizeof numbers);
    img_params_print(one, &params, text, sizeof text);
    cr_expect_eq(strlen(text), IMG_NUMBERS_MAX * sizeof "-2147.483648" - 1);
    cr_expect_eq(img_params_set(&op, &params, "matrix", text, NULL), IMG_OK);
    cr_expect_eq(memcmp(params.bytes, &numbers, sizeof numbers), 0);
    img_params_print(one, &params, part, sizeof part);
    cr_expect_str_eq(part, "-2147.48", "cut off, and terminated");
}

/* --- Ratios, and options that are a colour or a word ------------------------------------------ */

typedef struct Odd {
    ImgRatio ratio;
    ImgRange range;
    ImgRgba color;
} Odd;

static const ImgChoice color_words[] = {{"auto", 1}, {"none", 256}, {NULL, 0}};
static const ImgParam odd_params[] = {{.name = "ratio",
                                       .type = IMG_PARAM_RATIO,
                                       .offset = offsetof(Odd, ratio),
                                       .default_value = "",
                                       .help = "width to height"},
                                      {.name = "range",
                                       .type = IMG_PARAM_RANGE,
                                       .offset = offsetof(Odd, range),
                                       .default_value = "",
                                       .min = 2,
                                       .max = 90,
                                       .help = "from one number to another"},
                                      {.name = "color",
                                       .type = IMG_PARAM_COLOR,
                                       .offset = offsetof(Odd, color),
                                       .default_value = "auto",
                                       .choices = color_words,
                                       .help = "a colour or a word"},
                                      {.name = NULL}};
static const ImgOp odd = {.name = "odd", .params = odd_params, .params_size = sizeof(Odd)};

static void expect_printed(const char *name, const char *typed, const char *printed)
{
    ImgParams now, again;
    char text[IMG_PARAM_TEXT];
    img_params_init(&odd, &now);
    again = now;
    cr_assert_eq(img_params_set(&odd, &now, name, typed, NULL), IMG_OK, "%s", typed);
    img_params_print(img_param_find(&odd, name), &now, text, sizeof text);
    cr_expect_str_eq(text, printed);
    cr_assert_eq(img_params_set(&odd, &again, name, text, NULL), IMG_OK, "%s", text);
    cr_expect_eq(memcmp(&now, &again, sizeof now), 0, "%s", typed);
}

Test(params_of, ranges_have_two_ends_or_one)
{
    static const char *const wrong[] = {"",    "-",     "60-",  "-80",  "80-60",
                                        "1-5", "60-91", "2-3-", "2..3", "2-3-4"};
    expect_printed("range", "60-80", "60-80");
    expect_printed("range", "2-80", "80");
    expect_printed("range", "90", "90");
    expect_printed("range", "5-5", "5-5");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ImgParams now;
        ImgError failure = {IMG_OK, ""};
        img_params_init(&odd, &now);
        cr_expect_eq(img_params_set(&odd, &now, "range", wrong[i], &failure), IMG_E_USAGE, "%s",
                     wrong[i]);
        cr_expect_not_null(strstr(failure.message, "MIN-MAX, or only MAX, of 2..90"), "%s",
                           failure.message);
    }
}

Test(params_of, ratios_have_two_parts)
{
    static const char *const wrong[] = {
        "",     ":",    "16",    "16:",  ":9",       "0:9",
        "16:0", "-1:1", "1:1:1", "16x9", "0.0001:1", "100000.001:1"};
    expect_printed("ratio", "16:9", "16:9");
    expect_printed("ratio", "2.390:1.0", "2.39:1");
    expect_printed("ratio", "100000:0.001", "100000:0.001");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ImgParams now;
        ImgError failure = {IMG_OK, ""};
        img_params_init(&odd, &now);
        cr_expect_eq(img_params_set(&odd, &now, "ratio", wrong[i], &failure), IMG_E_USAGE, "%s",
                     wrong[i]);
        cr_expect_not_null(strstr(failure.message, "such as 16:9"), "%s", failure.message);
    }
}

Test(params_of, a_word_of_a_colour_parameter_is_not_a_colour)
{
    char text[IMG_PARAM_TEXT];
    ImgParams now;
    expect_printed("color", "auto", "auto");
    expect_printed("color", "none", "none");
    expect_printed("color", "#010000", "#010000");
    expect_printed("color", "transparent", "#00000000");
    img_params_init(&odd, &now);
    cr_expect(img_param_is_default(&odd_params[2], &now));
    img_param_describe(&odd_params[2], text, sizeof text);
    cr_expect_str_eq(text, "COLOR|auto|none");
}

Test(params_of, flags_are_parsed)
{
    static const ImgParam choice[] = {{.name = "way",
                                       .type = IMG_PARAM_CHOICE,
                                       .default_value = "fast",
                                       .choices = modes,
                                       .flags = odd_flags},
                                      {.name = NULL}};
    const ImgOp op = {.name = "odd", .params = choice, .params_size = sizeof(int32_t)};
    const ImgParam *of;
    cr_assert(img_params_set_flag(&example, &params, "mode"));
    cr_expect_eq(values().mode, -1);
    cr_expect(!img_params_set_flag(&example, &params, "count"));
    cr_expect(img_param_is_flag(img_param_find(&example, "mode")));
    cr_expect_null(img_param_flags(img_param_find(&example, "mode")));
    cr_expect_null(img_param_flags(img_param_find(&example, "count")));
    cr_expect_str_eq(img_param_flag_find(&op, "exactly", &of)->name, "exactly");
    cr_expect_eq(of, choice);
    cr_expect(!img_param_is_flag(choice));
    cr_expect_eq(img_param_flags(choice), odd_flags);
    ImgParams own;
    img_params_init(&op, &own);
    cr_assert(img_params_set_flag(&op, &own, "exactly"));
    char text[IMG_PARAM_TEXT];
    img_params_print(choice, &own, text, sizeof text);
    cr_expect_str_eq(text, "exact");
    cr_expect(!img_params_set_flag(&op, &own, "way"));
}
