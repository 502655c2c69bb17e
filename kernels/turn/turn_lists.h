/* Private to the turn family: macros that expand to its CUDA implementations, as elements of lists.
 * The argument `applies_to` is the function that decides to which calls the implementations apply:
 * calls that swap the axes, or all others. */
#ifndef IMGTOOL_KERNELS_TURN_TURN_LISTS_H
#define IMGTOOL_KERNELS_TURN_TURN_LISTS_H

#include "kernels/turn/turn.h"

#define IMG_TURN_CUDA_IMPL(impl_name, kind, function, impl_note)                                   \
    {                                                                                              \
        .name = (impl_name), .backend = IMG_BACKEND_CUDA, .note = (impl_note),                     \
        .run = IMG_CUDA_RUN(function), .applies = (kind)                                           \
    }

#define IMG_TURN_TRANSPOSE_IMPLS(applies_to)                                                       \
    IMG_TURN_CUDA_IMPL("cuda-naive-read", applies_to, img_turn_cuda_naive_read,                    \
                       "one pixel per thread; reads coalesced, writes scattered"),                 \
        IMG_TURN_CUDA_IMPL("cuda-naive-write", applies_to, img_turn_cuda_naive_write,              \
                           "one pixel per thread; writes coalesced, reads scattered but cached"),  \
        IMG_TURN_CUDA_IMPL("cuda-tiled", applies_to, img_turn_cuda_tiled,                          \
                           "32 x 32 tile in shared memory; all coalesced, bank conflicts"),        \
        IMG_TURN_CUDA_IMPL("cuda-tiled-dynamic", applies_to, img_turn_cuda_tiled_dynamic,          \
                           "cuda-tiled in dynamic shared memory, sized at launch"),                \
        IMG_TURN_CUDA_IMPL("cuda-rectangle", applies_to, img_turn_cuda_rectangle,                  \
                           "32 x 16 tile, one pixel per thread, rows padded by two pixels"),       \
        IMG_TURN_CUDA_IMPL("cuda-padded-element", applies_to, img_turn_cuda_padded_element,        \
                           "tile rows padded by one pixel: no conflicts at 4 bytes per pixel"),    \
        IMG_TURN_CUDA_IMPL("cuda-padded-bank", applies_to, img_turn_cuda_padded_bank,              \
                           "tile rows padded by one bank: no conflicts up to 6 bytes per pixel"),  \
        IMG_TURN_CUDA_IMPL("cuda-padded-dynamic", applies_to, img_turn_cuda_padded_dynamic,        \
                           "cuda-padded-bank in dynamic shared memory"),                           \
        IMG_TURN_CUDA_IMPL("cuda-swizzled", applies_to, img_turn_cuda_swizzled,                    \
                           "no padding: positions in a row are XORed with the row number"),        \
        IMG_TURN_CUDA_IMPL(                                                                        \
            "cuda-fast", applies_to, img_turn_cuda_fast,                                           \
            "16 bytes per access, transposed in registers, swizzled; tile size by pixel size")

#define IMG_TURN_MOVE_IMPLS(applies_to)                                                            \
    IMG_TURN_CUDA_IMPL("cuda-element", applies_to, img_turn_cuda_element, "one pixel per thread"), \
        IMG_TURN_CUDA_IMPL("cuda-vector", applies_to, img_turn_cuda_vector,                        \
                           "16 bytes per access, shifted and reversed in registers")

#endif
