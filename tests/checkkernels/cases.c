/* Selection of the cases that are checked (cases.h). */
#include "tests/checkkernels/cases.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/core/color/palette.h"
#include "kernels/core/params.h"
#include "tests/checkkernels/fill.h"

/* Sizes at which kernels often fail: one pixel, lines, one pixel less and more than a tile, primes,
 * and several blocks. Also a picture so large that kernels use stores that bypass the caches, and
 * lines longer than the maximum grid height. */
static const int32_t sizes[][2] = {
    {1, 1},    {1, 2},    {2, 1},     {3, 5},       {1, 31},      {31, 1},
    {16, 16},  {17, 15},  {31, 33},   {32, 32},     {33, 31},     {63, 65},
    {64, 64},  {76, 62},  {5, 257},   {257, 5},     {127, 129},   {251, 241},
    {1003, 7}, {7, 1003}, {521, 389}, {1613, 1367}, {1, 2000000}, {2000000, 1},
};

/* All formats except palettes of 1, 2 and 8 bits. Operations treat these like palettes of 4 bits,
 * because each index has a byte of its own. */
static const ImgFormat formats[] = {
    {IMG_COLOR_GRAY, 8},       {IMG_COLOR_PALETTE, 4}, {IMG_COLOR_GRAY, 16},
    {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_RGB, 8},     {IMG_COLOR_GRAY, 1},
    {IMG_COLOR_RGBA, 8},       {IMG_COLOR_GRAY, 2},    {IMG_COLOR_GRAY_ALPHA, 16},
    {IMG_COLOR_RGB, 16},       {IMG_COLOR_GRAY, 4},    {IMG_COLOR_RGBA, 16},
};

enum { INT_DRAWS = 6, TRIES = 64, TURNS_MOST = 64, CHOICE_DRAWS = 24, THREADS = 3 };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool is_small(ImgShape shape)
{
    return (size_t)shape.width * (size_t)shape.height <= CASE_SMALL;
}

static bool is_within(ImgShape shape, uint64_t largest)
{
    return largest == 0 || (uint64_t)shape.width * (uint64_t)shape.height <= largest;
}

static int count_choices(const ImgParam *param)
{
    int count = 0;
    while (param->type == IMG_PARAM_CHOICE && param->choices[count].name != NULL)
        count++;
    return count;
}

/* Returns true if the operation has too many combinations of choices to try them all. */
static bool has_many_choices(const ImgOp *op)
{
    int64_t all = 1;
    for (const ImgParam *param = op->params; param->name != NULL && all <= TURNS_MOST; param++)
        all *= count_choices(param) > 0 ? count_choices(param) : 1;
    return all > TURNS_MOST;
}

/* Sets all parameters at random: choices, numbers and files. Draw 0 keeps the defaults of
 * parameters that have one. Returns false if `draw` is past the last draw. */
static bool set_random(const ImgOp *op, ImgShape shape, int draw, Random *random, ImgParams *params)
{
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        char text[IMG_PARAM_TEXT];
        const int choices = count_choices(param);
        if (draw == 0 && param->default_value[0] != '\0')
            continue;
        draw_value(param, shape, params, random, text);
        if (text[0] != '\0')
            (void)img_params_set(op, params, param->name, text, NULL);
        if (choices > 0)
            (void)img_params_set(op, params, param->name,
                                 param->choices[random_below(random, (uint32_t)choices)].name,
                                 NULL);
    }
    return draw < CHOICE_DRAWS;
}

/* Sets the choices to combination number `draw` of their values, so that the draws try each
 * combination once. Numbers are random except in draw 0. Returns false if `draw` is past the last
 * draw. */
static bool set_draw(const ImgOp *op, ImgShape shape, int draw, Random *random, ImgParams *params)
{
    img_params_init(op, params);
    bool has_numbers = false;
    if (has_many_choices(op))
        return set_random(op, shape, draw, random, params);
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        char text[IMG_PARAM_TEXT];
        if (param->default_value[0] == '\0' && random_below(random, 2) == 0) {
            /* The parameter stays unset here, because another parameter may replace it. In another
             * draw it may get a random number, so has_numbers is true. */
            has_numbers = true;
        } else if (param->type == IMG_PARAM_FILE) {
            draw_file(op, param, random, params);
            has_numbers = true;
        } else if (param->type != IMG_PARAM_CHOICE) {
            draw_value(param, shape, params, random, text);
            has_numbers = true;
            if (draw > 0)
                (void)img_params_set(op, params, param->name, text, NULL);
        } else {
            const int choices = count_choices(param);
            if (choices == 0)
                continue;
            (void)img_params_set(op, params, param->name, param->choices[draw % choices].name,
                                 NULL);
            draw /= choices;
        }
    }
    return has_numbers ? draw < INT_DRAWS : draw == 0;
}

/* Binds a random palette as the result of a measurement, in one of the two forms of the result. The
 * table has the number of entries, their quality, whether they are exact, and the entries
 * (kernels/quantize/quantize.h). */
static void draw_palette(const ImgOp *op, ImgShape shape, Random *random, ImgParams *params)
{
    enum { BEFORE = 3 };
    uint64_t measured[BEFORE + IMG_PALETTE_MAX] = {0};
    const ImgShape row = {BEFORE + IMG_PALETTE_MAX, 1, {IMG_COLOR_COUNTS, 64}};
    const ImgView table = img_view_make(measured, sizeof measured, row);
    ImgShape result;
    op->palette.choose(params->bytes, false);
    op->measured.take(params->bytes, shape, NULL);
    if (op->shape(shape, params->bytes, &result, NULL) != IMG_OK)
        return;
    measured[0] = 1 + random_below(random, UINT32_C(1) << result.format.bits);
    measured[2] = random_below(random, 4) == 0;
    for (uint64_t i = 0; i < measured[0]; i++) {
        const uint32_t color = (uint32_t)random_next(random);
        const uint32_t opaque = random_below(random, 2) == 0 ? UINT32_C(0xff000000) : 0;
        measured[BEFORE + i] = (color | opaque) >> 24 == 0 ? 0 : color | opaque;
    }
    op->measured.take(params->bytes, shape, &table);
    op->palette.choose(params->bytes, random_below(random, 4) == 0);
}

/* Binds a random rectangle as the result of a measurement. All other operations that measure the
 * picture measure a rectangle. It is stored as the distance of each side from the opposite edge of
 * the picture, such as of the left side from the right edge (kernels/canvas/trim.h). */
static void draw_measured(const ImgOp *op, ImgShape shape, Random *random, ImgParams *params)
{
    uint64_t bounds[4];
    const ImgShape row = {4, 1, {IMG_COLOR_COUNTS, 64}};
    const int32_t sides[2] = {shape.width, shape.height};
    for (int i = 0; i < 2; i++) {
        const uint32_t first = random_below(random, (uint32_t)sides[i]);
        bounds[i] = (uint32_t)sides[i] - first;
        bounds[2 + i] = first + 1 + random_below(random, (uint32_t)sides[i] - first);
    }
    const ImgView table = img_view_make(bounds, sizeof bounds, row);
    op->measured.take(params->bytes, shape, &table);
}

/* Binds a random palette with at least one free entry. An operation that needs a background colour
 * finds it in the palette, or adds it there. */
static void bind_palette(const ImgOp *op, ImgShape shape, Random *random, ImgParams *params)
{
    ImgPalette palette = {.room = INT32_C(1) << shape.format.bits};
    if (op->palette.bind == NULL)
        return;
    if (shape.format.color != IMG_COLOR_PALETTE) {
        (void)op->palette.bind(params->bytes, shape, NULL);
        return;
    }
    palette.count = (int32_t)random_below(random, (uint32_t)palette.room);
    for (int32_t i = 0; i < palette.count; i++)
        memcpy(palette.colors[i], &(uint32_t){(uint32_t)random_next(random)}, 4);
    (void)op->palette.bind(params->bytes, shape, &palette);
}

/* Returns false if the result is much larger than the source, because the check could then take
 * minutes: for example, a line of a million pixels rotated by a few degrees. */
static bool is_moderate(ImgShape src, ImgShape result)
{
    enum { TIMES = 4, ANYWAY = 1 << 16 };
    return (int64_t)result.width * result.height <=
           TIMES * (int64_t)src.width * src.height + ANYWAY;
}

bool case_params(const ImgOp *op, ImgShape shape, int draw, Random *random, ImgParams *params)
{
    ImgShape result;
    for (int i = 0; i < TRIES; i++) {
        if (!set_draw(op, shape, draw, random, params))
            return false;
        if (op->palette.get != NULL)
            draw_palette(op, shape, random, params);
        else if (op->measured.by != NULL)
            draw_measured(op, shape, random, params);
        bind_palette(op, shape, random, params);
        if (op->shape(shape, params->bytes, &result, NULL) == IMG_OK && is_moderate(shape, result))
            return true;
    }
    img_params_init(op, params);
    return op->shape(shape, params->bytes, &result, NULL) == IMG_OK;
}

bool case_is_chosen(uint64_t number, uint64_t every, uint64_t seed)
{
    Random random = random_start(seed, number / every);
    return number % every == random_next(&random) % every;
}

/* Returns false if other cases already reveal what this case could. In large pictures, contents
 * other than random ones are tried only in draw 0, and only if the operation changes or counts
 * values: operations that only move pixels treat all contents alike. */
static bool is_worth_checking(const Case *one, int draw)
{
    if (one->fill == FILL_RANDOM || is_small(one->shape))
        return true;
    return draw == 0 && (one->result.format.color == IMG_COLOR_COUNTS ||
                         img_op_effect(one->op, one->shape, one->params.bytes).values_changed);
}

typedef struct Offer {
    uint64_t every, seed, number;
    CaseVisit *visit; /* called for each chosen case; NULL if cases are only counted */
    void *context;
} Offer;

static void offer_shape(const ImgOp *op, ImgShape shape, Offer *offer)
{
    Case one = {.op = op, .shape = shape, .seed = offer->seed};
    Random random = random_start(offer->seed, offer->number);
    for (int draw = 0; case_params(op, shape, draw, &random, &one.params); draw++) {
        if (op->shape(shape, one.params.bytes, &one.result, NULL) != IMG_OK)
            continue;
        for (one.fill = 0; one.fill < FILL_COUNT; one.fill++) {
            if (!is_worth_checking(&one, draw))
                continue;
            uint64_t number = offer->number++;
            one.threads = 2 + (int)(number % THREADS);
            if (offer->visit != NULL && case_is_chosen(number, offer->every, offer->seed))
                offer->visit(&one, offer->context);
        }
    }
}

static uint64_t offer_all(const ImgOp *op, const CaseChoice *choice, Offer offer)
{
    for (size_t s = 0; s < COUNT(sizes); s++) {
        for (size_t f = 0; f < COUNT(formats); f++) {
            ImgShape shape = {sizes[s][0], sizes[s][1], formats[f]};
            /* An operation that depends on metadata is checked only in small pictures. It chooses
             * among implementations that other cases check. */
            if (is_within(shape, choice->largest) && (is_small(shape) || op->facts.bind == NULL))
                offer_shape(op, shape, &offer);
        }
    }
    return offer.number;
}

uint64_t cases_each(const ImgOp *op, const CaseChoice *choice, CaseVisit *visit, void *context)
{
    uint64_t every = choice->every;
    if (every == 0) {
        uint64_t all = offer_all(op, choice, (Offer){.seed = choice->seed});
        every = (all + choice->most - 1) / choice->most;
    }
    return offer_all(op, choice, (Offer){every > 0 ? every : 1, choice->seed, 0, visit, context});
}

/* --- Lists ------------------------------------------------------------------------------------ */

typedef struct Weighed {
    double seconds;
    size_t number;
} Weighed;

static void append(const Case *one, void *context)
{
    CaseList *list = context;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        Case *grown = realloc(list->cases, capacity * sizeof *grown);
        if (grown == NULL)
            abort();
        list->cases = grown;
        list->capacity = capacity;
    }
    list->cases[list->count++] = *one;
}

static int by_seconds(const void *a, const void *b)
{
    const Weighed *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Orders the cases by the time that `auto` estimates for the fastest CPU implementation, the
 * slowest case first. Most of the time of a case is spent in the reference, whose times have about
 * the same order. */
static bool put_in_order(CaseList *list)
{
    Weighed *weighed = malloc((list->count + 1) * sizeof *weighed);
    list->order = malloc((list->count + 1) * sizeof *list->order);
    if (weighed == NULL || list->order == NULL) {
        free(weighed);
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const Case *one = &list->cases[i];
        weighed[i] = (Weighed){img_op_cpu_seconds(one->op, one->shape, one->params.bytes), i};
    }
    qsort(weighed, list->count, sizeof *weighed, by_seconds);
    for (size_t i = 0; i < list->count; i++)
        list->order[i] = weighed[i].number;
    free(weighed);
    return true;
}

bool case_list_make(CaseList *list, const ImgOp *op, const CaseChoice *choice)
{
    *list = (CaseList){.cases = NULL};
    atomic_init(&list->taken, 0);
    list->of = cases_each(op, choice, append, list);
    return put_in_order(list);
}

void case_list_free(CaseList *list)
{
    free(list->cases);
    free(list->order);
    *list = (CaseList){.cases = NULL};
}

const Case *case_list_take(CaseList *list, size_t *number)
{
    const size_t next = atomic_fetch_add(&list->taken, 1);
    if (next >= list->count)
        return NULL;
    *number = list->order[next];
    return &list->cases[*number];
}
