/* Private to the library: converts pictures and formats of the caller to ImgView and ImgFormat, and
 * back. */
#ifndef IMGTOOL_APP_LIBRARY_PICTURE_H
#define IMGTOOL_APP_LIBRARY_PICTURE_H

#include "app/library/context.h"

/* --- Formats ---------------------------------------------------------------------------------- */

/* Converts to an ImgFormat. False for an invalid format and for those without a counterpart: BGRA
 * and floats. */
bool img_lib_format(imgtool_format format, ImgFormat *own);
imgtool_format img_lib_format_of(ImgFormat format);

/* Writes a text such as "RGBA of 8 bits" for messages to `text`, of IMG_LIB_FORMAT_TEXT bytes, and
 * returns it. */
enum { IMG_LIB_FORMAT_TEXT = 48 };
const char *img_lib_format_text(imgtool_format format, char *text);

/* --- Pictures --------------------------------------------------------------------------------- */

/* IMGTOOL_E_USAGE for an invalid width, height or format. `name` is the name of the argument in
 * messages: "from". */
imgtool_status img_lib_check_shape(const imgtool_picture *picture, const char *name,
                                   imgtool_error *error);
/* Checks the same as img_lib_check_shape; also that pixels exist and rows do not overlap. */
imgtool_status img_lib_check_picture(const imgtool_picture *picture, const char *name,
                                     imgtool_error *error);

/* Returns IMGTOOL_E_LIMIT if the picture has more than max_pixels pixels. Call
 * img_lib_check_picture first. */
imgtool_status img_lib_check_limit(const imgtool_context *context, const imgtool_picture *picture,
                                   const char *name, imgtool_error *error);

/* Returns IMGTOOL_E_USAGE if a sample exceeds its 1, 2 or 4 bits. Files pack such samples into
 * bytes, and operations use them as table indices. Call img_lib_check_picture first. */
imgtool_status img_lib_check_samples(const imgtool_picture *picture, const char *name,
                                     imgtool_error *error);

/* IMGTOOL_E_UNSUPPORTED for a format without a counterpart. Call img_lib_check_picture first. */
imgtool_status img_lib_shape(const imgtool_picture *picture, const char *name, ImgShape *shape,
                             imgtool_error *error);
imgtool_status img_lib_view(const imgtool_picture *picture, const char *name, ImgView *view,
                            imgtool_error *error);

/* Returns the bytes of the pixels, without gaps between rows. */
static inline uint64_t img_lib_view_bytes(const ImgView *view)
{
    return (uint64_t)view->width * img_format_pixel_size(view->format) * (uint64_t)view->height;
}

/* Returns the bytes that imgtool_picture_allocate takes, with gaps between rows. The shape must
 * have been validated before, and be within the limits. */
uint64_t img_lib_allocated_bytes(const imgtool_picture *picture);

/* Returns true if the two pictures share memory; gaps between rows count as memory of a picture.
 * Both pictures must have been validated before. */
bool img_lib_overlap(const imgtool_picture *a, const imgtool_picture *b);

/* Returns the view as a picture that borrows the pixels. */
imgtool_picture img_lib_borrow(const ImgView *view);

/* Moves the image with its memory to *picture and sets *image to IMG_IMAGE_NONE. If the caller has
 * an allocator, the pixels are copied to memory of that allocator. IMG_E_MEMORY. */
ImgStatus img_lib_move_to_caller(const imgtool_context *context, ImgImage *image,
                                 imgtool_picture *picture, ImgError *err);

/* --- Conversion ------------------------------------------------------------------------------- */

/* True if `from` can be converted to `to`. Equal formats always can. */
bool img_lib_converts(imgtool_format from, imgtool_format to);

/* Does the work of imgtool_convert on up to `threads` threads of the team. Both pictures must be
 * checked, have the same size and not overlap. */
void img_lib_convert(const imgtool_picture *from, const imgtool_picture *to, ImgTeam *team,
                     int threads);

#endif
