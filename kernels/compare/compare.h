/* Compares two pictures: squared error, largest difference, number of differing pixels, and SSIM
 * (structural similarity).
 *
 * Both pictures have the same size and format, gray to RGBA of 8 or 16 bits (see
 * img_compare_convert). All sums are integers, and rounding happens pixel by pixel in one fixed
 * order. So the numbers are the same for any number of threads and any implementation.
 *
 * Pixels that are fully transparent in both pictures count as equal, because their colours are
 * invisible. All other samples are compared as they are stored.
 *
 * SSIM is defined as in Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error
 * visibility to structural similarity", IEEE Transactions on Image Processing 13 (2004). It uses a
 * Gaussian window of 11 x 11 with sigma 1.5, K1 = 0.01, K2 = 0.03. It is averaged over the windows
 * that are completely inside the picture. A picture of less than 11 pixels across or down is
 * extended to 11 by repeating its edges. Luma is computed as in BT.601, like in the authors' own
 * program and in most published figures. */
#ifndef IMGTOOL_KERNELS_COMPARE_COMPARE_H
#define IMGTOOL_KERNELS_COMPARE_COMPARE_H

#include "kernels/compare/comparison.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* Number of rows that two successive bands of a comparison have in common. */
enum { IMG_COMPARE_AGAIN = IMG_SSIM_WINDOW - 1 };

/* Compares two pictures with up to `threads` threads of the team, which may be NULL. Returns
 * IMG_E_MEMORY when memory is short. */
ImgStatus img_compare(const ImgView *a, const ImgView *b, ImgTeam *team, int threads,
                      ImgComparison *result, ImgError *err);

/* Compares two pictures band by band, so that they are never in memory as a whole.
 * img_comparer_create allocates a comparer, and img_comparer_free frees it. */
typedef struct ImgComparer ImgComparer;

/* Prepares the comparison of two pictures of this shape, with up to `threads` threads of the team,
 * which is borrowed and may be NULL. Returns IMG_E_MEMORY when memory is short. Call
 * img_comparer_free even if this function fails. */
ImgStatus img_comparer_create(ImgShape shape, ImgTeam *team, int threads, ImgComparer **comparer,
                              ImgError *err);

/* Returns the index of the first row of the next band. It is up to IMG_COMPARE_AGAIN rows before
 * the end of the previous band, because windows of SSIM at this end need rows of both bands. */
int32_t img_comparer_first_row(const ImgComparer *comparer);

/* Compares the next band of both pictures. Its first row must be img_comparer_first_row, and it
 * must have at least one row that the previous band did not have. */
void img_comparer_add(ImgComparer *comparer, const ImgView *a, const ImgView *b);

/* Returns the result, after all rows of the pictures were compared. It does not depend on the
 * heights of the bands. */
ImgComparison img_comparer_result(const ImgComparer *comparer);

/* Frees a comparer, which may be NULL. */
void img_comparer_free(ImgComparer *comparer);

/* Computes the same numbers as img_compare in plain C, sample by sample. It is slow, and serves as
 * the reference for tests. */
void img_compare_reference(const ImgView *a, const ImgView *b, ImgComparison *result);

/* Returns the number of bytes that img_compare or a comparer allocates for pictures of this shape
 * and up to `threads` threads. */
uint64_t img_compare_bytes(ImgShape shape, int threads);

/* img_compare_plane_mse returns the mean squared error of one plane. img_compare_mse returns the
 * mean squared error of all channels together; luma is not a channel. */
double img_compare_plane_mse(const ImgComparison *result, int plane);
double img_compare_mse(const ImgComparison *result);

/* Returns the peak signal-to-noise ratio in decibels, 10 log10(maximum^2 / mse). It is infinite if
 * mse is 0. */
double img_compare_psnr(const ImgComparison *result, double mse);

/* Returns the mean SSIM of a plane, from -1 to 1. It is 1 for equal planes. It may also be 1 for
 * planes that differ slightly, because the SSIM of each window is rounded to a multiple of
 * 2^-29. */
double img_compare_ssim(const ImgComparison *result, int plane);

/* Returns the index of the plane whose SSIM represents the whole picture: luma, or gray if there is
 * no colour. */
int img_compare_main_plane(const ImgComparison *result);

/* Returns the smallest format that can hold all samples of the formats `a` and `b` exactly. It has
 * colour, alpha or 16 bits only if `a` or `b` has them; otherwise it is gray, has no alpha, or has
 * 8 bits. `a` and `b` must not be palette formats. */
ImgFormat img_compare_format(ImgFormat a, ImgFormat b);

/* Copies a picture into the format of `dst`, which img_compare_format has chosen. Samples are
 * multiplied by an integer (257 from 8 to 16 bits), so white stays white. Gray becomes three equal
 * colours, and missing alpha becomes opaque. */
void img_compare_convert(const ImgView *src, const ImgView *dst, ImgTeam *team, int threads);

/* img_compare_picture computes a picture of the differences. img_compare_picture_format returns its
 * format: gray or RGB of the same depth, without alpha. Each sample is the absolute difference of a
 * channel times `factor`, clamped to white. If the difference of alpha is larger than the
 * difference of a colour, it replaces the difference of the colour. So every pixel that differs is
 * brighter than black. */
ImgFormat img_compare_picture_format(ImgFormat format);
void img_compare_picture(const ImgView *a, const ImgView *b, uint32_t factor, const ImgView *dst,
                         ImgTeam *team, int threads);

#endif
