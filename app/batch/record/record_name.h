/* What records are called. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_NAME_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_NAME_H

#include <stdbool.h>

/* ".imgtool-batch", in the directory that is written to; of a batch that several processes share,
 * each has its own: ".imgtool-batch.3-of-8". */
extern const char record_name[];

/* Is a file of that name, without its directory, a record? */
bool record_is_name(const char *name);

#endif
