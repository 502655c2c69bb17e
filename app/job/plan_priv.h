/* Private interface of planning: before pixels are decoded, and again after a run has measured. */
#ifndef IMGTOOL_APP_JOB_PLAN_PRIV_H
#define IMGTOOL_APP_JOB_PLAN_PRIV_H

#include "app/job/plan.h"

/* Returns the memory of a result of that shape with its encoder or Load.again; 0 if there is
 * neither. */
uint64_t plan_encoding_bytes(const Load *load, const ImgFileFormat *format, ImgShape after,
                             const ImgMetadata *metadata, ImgRoom room);

/* Fails with Load.lacking set when memory is short and the job must not block. */
ImgStatus plan_lacks(Load *load, uint64_t need, ImgError *err);

/* Returns the memory of the codec for a file of that size, on the CPU or a GPU. */
uint64_t plan_bytes_beside(const Load *load, uint64_t bytes);

#endif
