/* Private to the library: converts pictures and formats of the caller to ImgView and ImgFormat, and
 * back. */
#ifndef IMGTOOL_APP_LIBRARY_PICTURE_H
#define IMGTOOL_APP_LIBRARY_PICTURE_H

#include "app/library/context.h"

/* --- Formats ---------------------------------------------------------------------------------- */

/* Converts `format` to an ImgFormat. Returns false for an invalid format, and for formats that
 * ImgFormat does not have: BGRA and floats. */
bool img_lib_format(imgtool_format format, ImgFormat *own);
imgtool_format img_lib_format_of(ImgFormat format);

enum { IMG_LIB_FORMAT_TEXT = 48 }; /* size of a text about a format, in bytes */

/* Writes a text about the format to `text`, such as "RGBA of 8 bits", for messages. Returns `text`,
 * which has IMG_LIB_FORMAT_TEXT bytes. */
const char *img_lib_format_text(imgtool_format format, char *text);

/* --- Pictures --------------------------------------------------------------------------------- */

/* Returns IMGTOOL_E_USAGE for an invalid width, height or format. `name` is the name of the
 * argument in messages, such as "from". */
imgtool_status img_lib_check_shape(const imgtool_picture *picture, const char *name,
                                   imgtool_error *error);
/* Checks the same as img_lib_check_shape. Also checks that the picture has pixels and that its rows
 * do not overlap. */
imgtool_status img_lib_check_picture(const imgtool_picture *picture, const char *name,
                                     imgtool_error *error);

/* Returns IMGTOOL_E_LIMIT if the picture has more than max_pixels pixels. Call
 * img_lib_check_picture first. */
imgtool_status img_lib_check_limit(const imgtool_context *context, const imgtool_picture *picture,
                                   const char *name, imgtool_error *error);

/* Returns IMGTOOL_E_USAGE if a sample has a value that its 1, 2 or 4 bits cannot hold. Files pack
 * such samples into bytes, and operations use them as table indices. Call img_lib_check_picture
 * first. */
imgtool_status img_lib_check_samples(const imgtool_picture *picture, const char *name,
                                     imgtool_error *error);

/* Converts the picture's shape or pixels to an ImgShape or ImgView. Returns IMGTOOL_E_UNSUPPORTED
 * for formats that ImgFormat does not have. Call img_lib_check_picture first. */
imgtool_status img_lib_shape(const imgtool_picture *picture, const char *name, ImgShape *shape,
                             imgtool_error *error);
imgtool_status img_lib_view(const imgtool_picture *picture, const char *name, ImgView *view,
                            imgtool_error *error);

/* Checks the caller's picture with all of these functions, and converts it to an ImgView. */
imgtool_status img_lib_read_picture(const imgtool_context *context, const imgtool_picture *picture,
                                    const char *name, ImgView *view, imgtool_error *error);

/* Returns the number of bytes of the pixels, without the gaps between rows. */
static inline uint64_t img_lib_view_bytes(const ImgView *view)
{
    return (uint64_t)view->width * img_format_pixel_size(view->format) * (uint64_t)view->height;
}

/* Returns the number of bytes that imgtool_picture_allocate takes, with the gaps between rows. The
 * shape must have been checked before, and be within the limits. */
uint64_t img_lib_allocated_bytes(const imgtool_picture *picture);

/* Returns true if the two pictures share memory. Gaps between rows count as memory of the picture,
 * unless the rows of the two pictures alternate. Both pictures must have been checked before. */
bool img_lib_overlap(const imgtool_picture *a, const imgtool_picture *b);

/* Returns the view as a picture that borrows the pixels. */
imgtool_picture img_lib_borrow(const ImgView *view);

/* Moves the image with its memory to *picture, and sets *image to IMG_IMAGE_NONE. If the caller has
 * an allocator, copies the pixels to memory of that allocator. Fails with IMG_E_MEMORY. */
ImgStatus img_lib_move_to_caller(const imgtool_context *context, ImgImage *image,
                                 imgtool_picture *picture, ImgError *err);

/* --- Conversion ------------------------------------------------------------------------------- */

/* Returns true if `from` can be converted to `to`. Equal formats always can. */
bool img_lib_converts(imgtool_format from, imgtool_format to);

/* Converts the pixels like imgtool_convert, on up to `threads` threads of the team. Both pictures
 * must have been checked, have the same size and not overlap. */
void img_lib_convert(const imgtool_picture *from, const imgtool_picture *to, ImgTeam *team,
                     int threads);

#endif
