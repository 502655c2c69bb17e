/* Private to the library: the caller's pictures and formats as the tree's, and back. */
#ifndef IMGTOOL_APP_LIBRARY_PICTURE_H
#define IMGTOOL_APP_LIBRARY_PICTURE_H

#include "app/library/context.h"

/* --- Formats ---------------------------------------------------------------------------------- */

/* The tree's format. False: it has none, as of BGRA and floats, or there is no such format. */
bool img_lib_format(imgtool_format format, ImgFormat *own);
imgtool_format img_lib_format_of(ImgFormat format);

/* "RGBA of 8 bits", for messages. `text` has IMG_LIB_FORMAT_TEXT bytes; returns it. */
enum { IMG_LIB_FORMAT_TEXT = 48 };
const char *img_lib_format_text(imgtool_format format, char *text);

/* --- Pictures --------------------------------------------------------------------------------- */

/* IMGTOOL_E_USAGE for a width, height or format that is none. `name` is what messages call it:
 * "from". */
imgtool_status img_lib_check_shape(const imgtool_picture *picture, const char *name,
                                   imgtool_error *error);
/* The same, and for pixels that are not there or rows that overlap. */
imgtool_status img_lib_check_picture(const imgtool_picture *picture, const char *name,
                                     imgtool_error *error);

/* IMGTOOL_E_LIMIT for more than max_pixels, of a picture that was checked. */
imgtool_status img_lib_check_limit(const imgtool_context *context, const imgtool_picture *picture,
                                   const char *name, imgtool_error *error);

/* IMGTOOL_E_USAGE for a sample that is more than its 1, 2 or 4 bits hold, of a picture that was
 * checked: they share bytes in files, and are indices of tables. */
imgtool_status img_lib_check_samples(const imgtool_picture *picture, const char *name,
                                     imgtool_error *error);

/* IMGTOOL_E_UNSUPPORTED where the tree has no such format; of a picture that was checked. */
imgtool_status img_lib_shape(const imgtool_picture *picture, const char *name, ImgShape *shape,
                             imgtool_error *error);
imgtool_status img_lib_view(const imgtool_picture *picture, const char *name, ImgView *view,
                            imgtool_error *error);

/* Bytes of its pixels, without what is between rows. */
static inline uint64_t img_lib_view_bytes(const ImgView *view)
{
    return (uint64_t)view->width * img_format_pixel_size(view->format) * (uint64_t)view->height;
}

/* Bytes that imgtool_picture_allocate takes, with what is between rows; of a picture whose shape
 * was checked, and is one of the limits. */
uint64_t img_lib_allocated_bytes(const imgtool_picture *picture);

/* Of pictures that were checked: does memory of one, gaps between rows too, belong to the other? */
bool img_lib_overlap(const imgtool_picture *a, const imgtool_picture *b);

/* The picture that a view shows; not owned. */
imgtool_picture img_lib_borrow(const ImgView *view);

/* Makes *picture the image's, memory included; `image` is IMG_IMAGE_NONE afterwards. Where the
 * caller has an allocator it is copied there. IMG_E_MEMORY. */
ImgStatus img_lib_hand_out(const imgtool_context *context, ImgImage *image,
                           imgtool_picture *picture, ImgError *err);

/* --- Conversion ------------------------------------------------------------------------------- */

/* Is there a way from one to the other? The same format always is one. */
bool img_lib_converts(imgtool_format from, imgtool_format to);

/* imgtool_convert of pictures that were checked, have one size and do not overlap, on up to so many
 * threads of the team. */
void img_lib_convert(const imgtool_picture *from, const imgtool_picture *to, ImgTeam *team,
                     int threads);

#endif
