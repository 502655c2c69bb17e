/* One of the two pictures of a comparison. It delivers rows in the common format, to which both
 * pictures are converted. Rows are decoded when they are requested, or the whole picture is decoded
 * first. */
#ifndef IMGTOOL_APP_COMPARE_SIDE_H
#define IMGTOOL_APP_COMPARE_SIDE_H

#include "app/engine/load.h"

typedef struct Side {
    Load load;          /* the file, read by img_load_read */
    ImgShape common;    /* shape of the picture in the common format */
    LoadRows rows;      /* the rows of the file; used only with SideRequests.by_rows */
    ImgImage copied;    /* buffer for the rows of a request, if the picture is in a store */
    ImgImage converted; /* buffer for the rows of a request; empty if rows need no conversion */
} Side;

/* Settings by which the rows of both pictures are requested. */
typedef struct SideRequests {
    bool by_rows;  /* true: rows are decoded when they are requested; false: the whole picture is
                      decoded first */
    ImgTeam *team; /* team of threads; borrowed; may be NULL */
    int threads;   /* number of threads for conversions */
    int decode_threads; /* largest number of threads that decode a whole picture */
    bool ahead;         /* true: another thread decodes rows before they are requested */
    int32_t most;       /* largest number of rows in a request */
} SideRequests;

/* Returns whether the rows are converted to the common format. */
bool side_converts(const Side *side);

/* Returns the bytes of memory of the whole picture; 0 if it is in a temporary file. */
uint64_t side_image_bytes(const Side *side);

/* Returns the bytes of memory that a side needs while it delivers rows. They include the encoded
 * file if it is still in memory. */
uint64_t side_bytes(const Side *side, const SideRequests *how);

/* Begins to deliver rows. The file is kept, because this side is decoded again as a whole if the
 * file of the other side seems to be damaged. Without `by_rows` this function decodes the whole
 * picture, for which Load.room must be set. Messages name the file. */
ImgStatus side_begin(Side *side, const SideRequests *how, ImgError *err);

/* Sets *view to `count` rows from row `first` on, which are valid until the next call. The order of
 * requests is restricted as for ImgRowSource.rows. Messages name the file. */
ImgStatus side_rows(Side *side, const SideRequests *how, int32_t first, int32_t count,
                    ImgView *view, ImgError *err);

/* Frees the pixels and all buffers, but not the file. */
void side_end(Side *side);

#endif
