#include "io/png/optimize/forms.h"

#include <string.h>

/* Pictures of at most this number of pixels are tried without a palette, too. A palette takes up to
 * 1 kB; larger pictures of up to 256 colours are nearly always smaller with one. */
enum { SMALL_PIXELS = 1 << 16 };

typedef ImgStatus Reduction(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* A picture without owned pixels. */
static ImgReduced borrow(const ImgReduced *picture)
{
    ImgReduced borrowed = *picture;
    borrowed.image = IMG_IMAGE_NONE;
    return borrowed;
}

/* Replaces the picture by its reduced form, if there is one. */
static ImgStatus replace(ImgReduced *picture, ImgReduced *reduced, ImgStatus status)
{
    if (status != IMG_OK || reduced->view.data == NULL)
        return status;
    img_reduced_free(picture);
    *picture = *reduced;
    return IMG_OK;
}

static ImgStatus reduce(ImgReduced *picture, Reduction *reduction, ImgError *err)
{
    ImgReduced reduced = IMG_REDUCED_NONE;
    return replace(picture, &reduced, reduction(picture, &reduced, err));
}

/* Adds a form, which takes over its pixels. */
static void add(ImgForms *forms, ImgReduced *picture, bool is_extra)
{
    forms->is_extra[forms->count] = is_extra;
    forms->list[forms->count++] = *picture;
    *picture = IMG_REDUCED_NONE;
}

static ImgStatus add_reduced(ImgForms *forms, const ImgReduced *picture, Reduction *reduction,
                             ImgError *err)
{
    ImgReduced reduced = IMG_REDUCED_NONE;
    const ImgStatus status = reduction(picture, &reduced, err);
    if (status == IMG_OK && reduced.view.data != NULL)
        add(forms, &reduced, false);
    return status;
}

/* --- Forms without a palette ------------------------------------------------------------------ */

static bool is_gray(const ImgReduced *picture)
{
    const ImgColor color = picture->view.format.color;
    return color == IMG_COLOR_GRAY || color == IMG_COLOR_GRAY_ALPHA;
}

static bool is_small(const ImgReduced *picture)
{
    return (int64_t)picture->view.width * picture->view.height <= SMALL_PIXELS;
}

/* Reduces a picture without palette to the simplest type of at least 8 bits, with an alpha channel
 * instead of a transparent colour. */
static ImgStatus simplify(ImgReduced *picture, const ImgOptimizeOptions *options, ImgError *err)
{
    ImgStatus status = reduce(picture, img_reduce_widen, err);
    if (status == IMG_OK)
        status = reduce(picture, img_reduce_key_to_alpha, err);
    if (status == IMG_OK && options->clears_hidden)
        status = reduce(picture, img_reduce_hidden, err);
    if (status == IMG_OK)
        status = reduce(picture, img_reduce_to_8, err);
    if (status == IMG_OK && !options->keeps_alpha)
        status = reduce(picture, img_reduce_opaque, err);
    if (status == IMG_OK && !options->keeps_colour)
        status = reduce(picture, img_reduce_to_gray, err);
    return status;
}

/* Adds a form without palette, with the fewest bits and with 8. Takes over its pixels. */
static ImgStatus add_direct(ImgForms *forms, ImgReduced *picture, bool wide, ImgError *err)
{
    const int count = forms->count;
    ImgStatus status = add_reduced(forms, picture, img_reduce_gray_bits, err);
    if (status == IMG_OK && (wide || forms->count == count))
        add(forms, picture, false);
    return status;
}

/* Adds the form, and the form with a transparent colour instead of alpha. */
static ImgStatus add_directs(ImgForms *forms, ImgReduced *picture,
                             const ImgOptimizeOptions *options, ImgError *err)
{
    ImgReduced keyed = IMG_REDUCED_NONE;
    const bool wide = img_effort(options->effort)->wide;
    ImgStatus status = img_reduce_to_key(picture, options->clears_hidden, &keyed, err);
    if (status == IMG_OK && keyed.view.data != NULL)
        status = add_direct(forms, &keyed, wide, err);
    img_reduced_free(&keyed);
    return status == IMG_OK ? add_direct(forms, picture, wide, err) : status;
}

/* --- Forms with a palette --------------------------------------------------------------------- */

/* Returns whether gray takes no more bits than indices. */
static bool is_better_gray(const ImgForms *forms, const ImgReduced *indexed)
{
    for (int i = 0; i < forms->count; i++) {
        const ImgFormat format = forms->list[i].view.format;
        if (format.color == IMG_COLOR_GRAY && format.bits <= indexed->view.format.bits)
            return true;
    }
    return false;
}

static ImgStatus order_first_seen(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    return img_reduce_order(from, IMG_ORDER_FIRST_SEEN, to, err);
}

/* Adds the palette in all orders. `indexed` has the order of IMG_ORDER_FIRST_SEEN, from which all
 * others are made, so that they do not depend on the order of the input. */
static ImgStatus add_orders(ImgForms *forms, ImgReduced *indexed, const ImgOptimizeOptions *options,
                            ImgError *err)
{
    const ImgEffort *effort = img_effort(options->effort);
    ImgStatus status = IMG_OK;
    for (int order = IMG_ORDER_FIRST_SEEN + 1; status == IMG_OK && order < IMG_ORDERS; order++) {
        ImgReduced sorted = IMG_REDUCED_NONE;
        if ((effort->orders >> order & 1) == 0)
            continue;
        status = img_reduce_order(indexed, (ImgPaletteOrder)order, &sorted, err);
        if (status == IMG_OK && sorted.view.data != NULL)
            add(forms, &sorted, false);
    }
    if (status == IMG_OK && effort->wide && !options->keeps_type)
        status = add_reduced(forms, indexed, img_reduce_widen, err);
    if (status == IMG_OK)
        add(forms, indexed, false);
    return status;
}

/* Returns whether a form without a difference in palette and bits exists. */
static bool is_known(const ImgForms *forms, const ImgReduced *picture)
{
    for (int i = 0; i < forms->count; i++) {
        const ImgReduced *form = &forms->list[i];
        if (img_format_equals(form->view.format, picture->view.format) &&
            form->colours.entries == picture->colours.entries &&
            memcmp(form->colours.palette, picture->colours.palette,
                   (size_t)picture->colours.entries * IMG_COLOUR_CHANNELS) == 0)
            return true;
    }
    return false;
}

/* Adds the palette as it is, without unused entries: with equal ones merged, and with all. */
static ImgStatus add_extras(ImgForms *forms, const ImgReduced *source, bool narrows, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (int merges = 1; merges >= 0 && status == IMG_OK; merges--) {
        ImgReduced reduced = IMG_REDUCED_NONE;
        status = img_reduce_entries(source, merges == 1, narrows, &reduced, err);
        if (status != IMG_OK)
            break;
        if (reduced.view.data == NULL)
            reduced = borrow(source);
        if (is_known(forms, &reduced))
            img_reduced_free(&reduced);
        else
            add(forms, &reduced, true);
    }
    return status;
}

/* --- All forms -------------------------------------------------------------------------------- */

/* Makes, of a palette picture, `indexed`: no unused or equal entries, in the order of first
 * occurrence; and `direct`, without a palette, if that may be smaller. */
static ImgStatus from_palette(const ImgReduced *source, const ImgOptimizeOptions *options,
                              ImgReduced *indexed, ImgReduced *direct, ImgError *err)
{
    ImgReduced reduced = IMG_REDUCED_NONE;
    *indexed = borrow(source);
    ImgStatus status = replace(
        indexed, &reduced, img_reduce_entries(source, true, !options->keeps_type, &reduced, err));
    if (status == IMG_OK)
        status = reduce(indexed, order_first_seen, err);
    const bool may_be_gray = !options->keeps_colour && img_palette_is_gray(indexed);
    if (status == IMG_OK && !options->keeps_type && (may_be_gray || is_small(source)))
        status = img_reduce_expand(indexed, direct, err);
    if (status == IMG_OK && direct->view.data != NULL)
        status = simplify(direct, options, err);
    return status;
}

static ImgStatus from_direct(const ImgReduced *source, const ImgOptimizeOptions *options,
                             ImgReduced *indexed, ImgReduced *direct, ImgError *err)
{
    *direct = borrow(source);
    if (options->keeps_type)
        return IMG_OK;
    ImgStatus status = simplify(direct, options, err);
    if (status == IMG_OK)
        status = img_reduce_to_palette(direct, indexed, err);
    return status == IMG_OK ? reduce(indexed, order_first_seen, err) : status;
}

static ImgStatus add_all(ImgForms *forms, ImgReduced *indexed, ImgReduced *direct,
                         const ImgOptimizeOptions *options, ImgError *err)
{
    ImgStatus status = IMG_OK;
    const bool has_palette = indexed->view.data != NULL;
    if (direct->view.data != NULL && (!has_palette || is_small(direct) || is_gray(direct)))
        status = options->keeps_type ? (add(forms, direct, false), IMG_OK)
                                     : add_directs(forms, direct, options, err);
    if (status == IMG_OK && has_palette && !is_better_gray(forms, indexed))
        status = add_orders(forms, indexed, options, err);
    return status;
}

ImgStatus img_forms_make(const ImgReduced *source, const ImgOptimizeOptions *options,
                         ImgForms *forms, ImgError *err)
{
    ImgReduced indexed = IMG_REDUCED_NONE, direct = IMG_REDUCED_NONE, own = borrow(source);
    const bool is_palette = source->view.format.color == IMG_COLOR_PALETTE;
    ImgStatus status = IMG_OK;
    if (options->clears_hidden)
        status = reduce(&own, img_reduce_hidden, err);
    if (status == IMG_OK)
        status = (is_palette ? from_palette : from_direct)(&own, options, &indexed, &direct, err);
    if (status == IMG_OK)
        status = add_all(forms, &indexed, &direct, options, err);
    if (status == IMG_OK && is_palette)
        status = add_extras(forms, &own, !options->keeps_type, err);
    img_reduced_free(&indexed);
    img_reduced_free(&direct);
    /* Other forms may refer to its pixels. */
    if (own.image.view.data != NULL)
        add(forms, &own, true);
    return status;
}

void img_forms_free(ImgForms *forms)
{
    for (int i = 0; i < forms->count; i++)
        img_reduced_free(&forms->list[i]);
    forms->count = 0;
}

/* Two pictures while one becomes the other, one with a transparent colour, and indices: five
 * orders, the order of the input with and without equal entries, and one picture between them. */
uint64_t img_forms_bytes(ImgShape shape)
{
    enum { INDEXED = 8, PIXELS = 3 };
    const uint64_t pixels = (uint64_t)shape.width * (uint64_t)shape.height;
    return PIXELS * img_image_bytes(shape) + INDEXED * pixels;
}
