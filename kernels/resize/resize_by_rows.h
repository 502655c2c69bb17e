/* Private to resize: as ImgByRows has it. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_BY_ROWS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_BY_ROWS_H

#include "kernels/core/op.h"

uint64_t img_resize_by_rows_bytes(ImgShape src, const void *params);
ImgStatus img_resize_by_rows(const ImgCall *call, void **state, ImgError *err);
ImgStatus img_resize_by_rows_avx2(const ImgCall *call, void **state, ImgError *err);
ImgStatus img_resize_by_rows_avx512(const ImgCall *call, void **state, ImgError *err);
void img_resize_by_rows_take(void *state, const ImgView *rows, int32_t first);
void img_resize_by_rows_end(void *state);

#endif
