/* Chooses parameters of operations: see op_case.h. */
#include "tests/fuzz/pixels/op_case.h"

#include <inttypes.h>
#include <string.h>

#include "kernels/core/params.h"
#include "tests/checkkernels/fill.h"

/* FILES_MOST contents of file parameters are kept, because the steps of a pipeline refer to them.
 * TEXT_MOST is the size of the longest generated text, in bytes. */
enum { FILES_MOST = 16, TEXT_MOST = 400 };

/* How a parameter gets its value. LEAVE keeps the default. SET_USUAL_TOO is the same as SET_USUAL,
 * to make usual values more likely. */
enum { LEAVE, SET_USUAL, SET_USUAL_TOO, SET_NUMBER, SET_WORD, SET_FLAG, SET_TEXT, SET_KINDS };

static ImgConstants files[FILES_MOST];
static unsigned next_file;

/* Prints the value of an accepted parameter and reads it again. Aborts if the parameters differ. */
static void expect_printed(const ImgOp *op, const ImgParam *param, const ImgParams *params)
{
    char text[IMG_PARAM_TEXT];
    ImgParams again = *params;
    ImgError err = {IMG_OK, ""};
    img_params_print(param, params, text, sizeof text);
    if (text[0] == '\0' || param->type == IMG_PARAM_FILE)
        return;
    expect(img_params_set(op, &again, param->name, text, &err) == IMG_OK,
           "%s: %s is printed as %s: %s", op->name, param->name, text, err.message);
    expect(memcmp(again.bytes, params->bytes, op->params_size) == 0,
           "%s: %s is printed as %s, which reads differently", op->name, param->name, text);
}

static bool set(const ImgOp *op, const ImgParam *param, ImgParams *params, const char *text)
{
    const ImgParams before = *params;
    ImgError err = {IMG_OK, ""};
    const ImgStatus status = img_params_set(op, params, param->name, text, &err);
    expect(status == err.status && (err.message[0] == '\0') == (status == IMG_OK),
           "%s: %s=%s: status %d, message '%s'", op->name, param->name, text, (int)status,
           err.message);
    expect(status == IMG_OK || memcmp(before.bytes, params->bytes, op->params_size) == 0,
           "%s: %s=%s is rejected, but changes parameters", op->name, param->name, text);
    expect(status == IMG_OK || status == IMG_E_USAGE, "%s: %s=%s: status %d", op->name, param->name,
           text, (int)status);
    if (status == IMG_OK)
        expect_printed(op, param, params);
    return status == IMG_OK;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Writes a number in the way that parameters of this type are written. `value` is in thousandths
 * for decimals, and in millionths for lists of numbers. */
static void print_number(ImgParamType type, int64_t value, char *text, size_t size)
{
    const int64_t unit = type == IMG_PARAM_DECIMAL ? 1000 : type == IMG_PARAM_NUMBERS ? 1000000 : 1;
    const uint64_t positive = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    const char *sign = value < 0 ? "-" : "";
    if (unit == 1)
        snprintf(text, size, "%s%" PRIu64, sign, positive);
    else
        snprintf(text, size, "%s%" PRIu64 ".%0*" PRIu64, sign, positive / (uint64_t)unit,
                 unit == 1000 ? 3 : 6, positive % (uint64_t)unit);
}

/* Returns a limit of the parameter's range, a number near a limit, or any number. */
static int64_t choose_number(Choices *choices, const ImgParam *param)
{
    enum { LEAST, MOST, INSIDE_LEAST, INSIDE_MOST, BELOW, ABOVE, SMALL, ANY, KINDS };
    switch (choose_below(choices, KINDS)) {
    case LEAST:
        return param->min;
    case MOST:
        return param->max;
    case INSIDE_LEAST:
        return param->min + choose_byte(choices);
    case INSIDE_MOST:
        return param->max - choose_byte(choices);
    case BELOW:
        return param->min - 1 - choose_byte(choices);
    case ABOVE:
        return param->max + 1 + choose_byte(choices);
    case SMALL:
        return (int64_t)(int16_t)choose_16(choices);
    default:
        return (int64_t)choose_64(choices) >> choose_below(choices, 64);
    }
}

static void set_number(Choices *choices, const ImgOp *op, const ImgParam *param, ImgParams *params)
{
    char text[64];
    const int64_t value = choose_number(choices, param);
    print_number(param->type, value, text, sizeof text);
    const bool inside = value >= param->min && value <= param->max,
               taken = set(op, param, params, text);
    if (param->type == IMG_PARAM_INT || param->type == IMG_PARAM_DECIMAL)
        expect(taken == inside, "%s: %s=%s is %s", op->name, param->name, text,
               taken ? "accepted" : "rejected");
    else
        expect(!taken || inside || param->type != IMG_PARAM_NUMBERS, "%s: %s=%s is accepted",
               op->name, param->name, text);
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Sets the parameter to a random text of characters that occur in values. */
static void set_text(Choices *choices, const ImgOp *op, const ImgParam *param, ImgParams *params)
{
    static const char letters[] = "0123456789.,-x%:#+e aftrnsp";
    char text[32];
    const unsigned length = choose_below(choices, sizeof text);
    for (unsigned i = 0; i < length; i++)
        text[i] = letters[choose_below(choices, sizeof letters - 1)];
    text[length] = '\0';
    (void)set(op, param, params, text);
}

static unsigned count_words(const ImgChoice *words)
{
    unsigned count = 0;
    while (words != NULL && words[count].name != NULL)
        count++;
    return count;
}

/* Sets the parameter to one of its words. Returns false if it has none. */
static bool set_word(Choices *choices, const ImgOp *op, const ImgParam *param, ImgParams *params)
{
    const unsigned advertised = count_words(param->choices),
                   all = advertised + count_words(param->synonyms);
    if (all == 0)
        return false;
    const unsigned number = choose_below(choices, all);
    const ImgChoice *word =
        number < advertised ? &param->choices[number] : &param->synonyms[number - advertised];
    expect(set(op, param, params, word->name), "%s: %s=%s is rejected", op->name, param->name,
           word->name);
    return true;
}

static bool set_flag(Choices *choices, const ImgOp *op, const ImgParam *param, ImgParams *params)
{
    const unsigned count = count_words(param->flags);
    return count > 0 &&
           img_params_set_flag(op, params, param->flags[choose_below(choices, count)].name);
}

/* Draws a value in the same way as checkkernels, mostly one that suits a picture of this shape. */
static void set_usual(Choices *choices, const ImgOp *op, const ImgParam *param, ImgShape shape,
                      ImgParams *params)
{
    Random random = {1 + choose_16(choices)};
    char text[IMG_PARAM_TEXT];
    draw_value(param, shape, params, &random, text);
    if (text[0] != '\0')
        (void)set(op, param, params, text);
}

/* --- Files ------------------------------------------------------------------------------------ */

/* Makes bytes of the input the content of a file parameter. */
static void set_file_text(Choices *choices, const ImgOp *op, const ImgParam *param,
                          ImgParams *params)
{
    const size_t most = choose_16(choices) % TEXT_MOST,
                 size = choices->left < most ? choices->left : most;
    char *text = allocate(size);
    ImgConstants content = {NULL, 0};
    ImgError err = {IMG_OK, ""};
    memcpy(text, choices->at, size);
    const ImgStatus status = op->file.read(text, size, &content, &err);
    expect(status == err.status && (status == IMG_OK) == (content.bytes != NULL),
           "%s: a text is accepted without a result, or rejected with one: %d, '%s'", op->name,
           (int)status, err.message);
    expect(status == IMG_OK || err.message[0] != '\0', "%s: a text is rejected without a message",
           op->name);
    free(text);
    choices->at += size;
    choices->left -= size;
    if (status != IMG_OK)
        return;
    ImgConstants *kept = &files[next_file++ % FILES_MOST];
    img_constants_free(kept);
    *kept = content;
    (void)img_params_set(op, params, param->name, "text", NULL);
    img_params_set_content(param, params, content.bytes);
}

static void set_file(Choices *choices, const ImgOp *op, const ImgParam *param, ImgParams *params)
{
    Random random = {1 + choose_16(choices)};
    if (op->file.read != NULL && !op->file.is_picture && choose_below(choices, 4) == 2)
        set_file_text(choices, op, param, params);
    else
        draw_file(op, param, &random, params);
}

/* --- All kinds of values ---------------------------------------------------------------------- */

/* Sets a value of the kind `kind`. Returns false if that kind does not suit the parameter. */
static bool set_unusual(Choices *choices, unsigned kind, const ImgOp *op, const ImgParam *param,
                        ImgParams *params)
{
    const bool has_numbers = param->type == IMG_PARAM_INT || param->type == IMG_PARAM_DECIMAL ||
                             param->type == IMG_PARAM_NUMBERS || param->type == IMG_PARAM_SIZE;
    if (kind == SET_NUMBER && has_numbers)
        set_number(choices, op, param, params);
    else if (kind == SET_TEXT)
        set_text(choices, op, param, params);
    else
        return (kind == SET_FLAG && set_flag(choices, op, param, params)) ||
               ((kind == SET_WORD || param->type == IMG_PARAM_CHOICE) &&
                set_word(choices, op, param, params));
    return true;
}

static void choose_param(Choices *choices, const ImgOp *op, const ImgParam *param, ImgShape shape,
                         ImgParams *params)
{
    unsigned kind = choose_below(choices, SET_KINDS);
    /* A parameter without a default is left out half of the time, because another one may replace
     * it. */
    if (param->default_value[0] == '\0')
        kind = choose_below(choices, 2) != 0 ? LEAVE : kind == LEAVE ? SET_USUAL : kind;
    if (kind == LEAVE)
        return;
    if (param->type == IMG_PARAM_FILE)
        set_file(choices, op, param, params);
    else if (!set_unusual(choices, kind, op, param, params))
        set_usual(choices, op, param, shape, params);
}

void choose_params(Choices *choices, const ImgOp *op, ImgShape shape, ImgParams *params)
{
    img_params_init(op, params);
    for (const ImgParam *param = op->params; param->name != NULL; param++)
        choose_param(choices, op, param, shape, params);
}
