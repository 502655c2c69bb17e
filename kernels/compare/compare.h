/* How two pictures differ: squared error, largest difference, differing pixels, SSIM.
 *
 * Both pictures have the same size and format, gray to RGBA of 8 or 16 bits (img_compare_convert
 * makes them so). All sums are integers, and what is rounded is rounded pixel by pixel in one fixed
 * order, so that the numbers are the same for any number of threads and from any implementation.
 *
 * Pixels that are wholly transparent in both pictures count as equal, whatever their colour is:
 * nobody can see it. All other samples count as they are stored.
 *
 * SSIM is that of Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility
 * to structural similarity", IEEE Transactions on Image Processing 13 (2004): a Gaussian window of
 * 11 x 11 with sigma 1.5, K1 = 0.01, K2 = 0.03, averaged over the windows that lie wholly inside
 * the picture. A picture of less than 11 pixels across or down is extended to 11 by repeating its
 * edges. Luma is that of BT.601, as in the authors' own program and in most published figures. */
#ifndef IMGTOOL_KERNELS_COMPARE_COMPARE_H
#define IMGTOOL_KERNELS_COMPARE_COMPARE_H

#include "kernels/compare/comparison.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* Compares on up to `threads` threads of the team, which may be NULL. IMG_E_MEMORY. */
ImgStatus img_compare(const ImgView *a, const ImgView *b, ImgTeam *team, int threads,
                      ImgComparison *result, ImgError *err);

/* The same numbers in plain C, sample by sample: what img_compare is held against. Slow. */
void img_compare_reference(const ImgView *a, const ImgView *b, ImgComparison *result);

/* Bytes that img_compare allocates. */
uint64_t img_compare_bytes(ImgShape shape, int threads);

/* The mean squared error of a plane, and over all channels (luma not counted). */
double img_compare_plane_mse(const ImgComparison *result, int plane);
double img_compare_mse(const ImgComparison *result);

/* Peak signal-to-noise ratio in decibels, 10 log10(maximum^2 / mse); infinite where mse is 0. */
double img_compare_psnr(const ImgComparison *result, double mse);

/* Mean SSIM of a plane: 1 for equal planes (and for what differs by less than the 2^-29 that
 * windows are rounded to), down to -1. */
double img_compare_ssim(const ImgComparison *result, int plane);

/* The plane whose SSIM stands for the picture: luma, or gray. */
int img_compare_main_plane(const ImgComparison *result);

/* The least format that holds all samples of both exactly: colour where one has colour, alpha where
 * one has alpha, 16 bits where one has 16, else 8. Not for palettes. */
ImgFormat img_compare_format(ImgFormat a, ImgFormat b);

/* Copies a picture into such a format: samples are multiplied by the whole number that keeps white
 * white (257 from 8 to 16 bits), gray becomes equal red, green and blue, alpha that is not there
 * opaque. */
void img_compare_convert(const ImgView *src, const ImgView *dst, ImgTeam *team, int threads);

/* A picture of the differences, gray or RGB of the same depth without alpha: of each channel the
 * absolute difference times `factor`, at most white. Where alpha differs by more than a colour
 * does, its difference is shown in that colour's place, so that nothing that differs is black. */
ImgFormat img_compare_picture_format(ImgFormat format);
void img_compare_picture(const ImgView *a, const ImgView *b, uint32_t factor, const ImgView *dst,
                         ImgTeam *team, int threads);

#endif
