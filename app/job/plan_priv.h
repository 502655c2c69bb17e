/* Private to those who plan what a picture takes: before its pixels are decoded, and once more
 * where a run has measured. */
#ifndef IMGTOOL_APP_JOB_PLAN_PRIV_H
#define IMGTOOL_APP_JOB_PLAN_PRIV_H

#include "app/job/plan.h"

/* A result of that shape, and what its encoder or Load.again takes beside it. 0 where there is
 * neither a format nor such a step. */
uint64_t plan_encoding_bytes(const Load *load, const ImgFileFormat *format, ImgShape after,
                             const ImgMetadata *metadata, ImgRoom room);

/* More memory than is free, for whom waits for none: Load.lacking. */
ImgStatus plan_lacks(Load *load, uint64_t need, ImgError *err);

/* What the codec takes of a file of so many bytes, on the CPU or a GPU. */
uint64_t plan_bytes_beside(const Load *load, uint64_t bytes);

#endif
