/* Memory for pictures that are larger than the memory that may be used. The pixels are in temporary
 * files without names, which are mapped into memory. The system keeps pages of these files in
 * memory while there is free memory, and writes them to the disk when memory is short. Pages that
 * were used some time ago are unmapped, so that the process itself stays small. */
#ifndef IMGTOOL_KERNELS_CORE_STORE_H
#define IMGTOOL_KERNELS_CORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Any thread may use a store. */
typedef struct ImgStore ImgStore;

/* The place for the files of a store. The texts are borrowed until img_store_free. */
typedef struct ImgStorePlace {
    const char *directory; /* NULL: there is no place */
    /* Path of a file in the directory. Some file systems do not support files without names. There,
     * each file is created with this path, which is removed at once. NULL: a random name. */
    const char *file;
    const char *setting; /* what determined the directory, such as "TMPDIR"; messages name it */
    /* Called before `file` is created and after it is removed, so that the program does not end
     * in between. They may be NULL. */
    void (*enter)(void *context), (*leave)(void *context);
    void *context;
} ImgStorePlace;

/* Creates a store without files. About `resident` bytes of the files are mapped at a time. Fails
 * with IMG_E_MEMORY. */
ImgStatus img_store_create(const ImgStorePlace *place, uint64_t resident, ImgStore **store,
                           ImgError *err);

/* Frees the store and all its memory. Does nothing for NULL. */
void img_store_free(ImgStore *store);

/* Allocates `bytes` bytes of zeros, aligned to a page. Their space on the disk is reserved, so that
 * a full disk is an error now and not later. Fails with IMG_E_IO, and with IMG_E_TEMPORARY if the
 * disk is full. */
ImgStatus img_store_alloc(ImgStore *store, size_t bytes, void **memory, ImgError *err);

/* Frees memory from img_store_alloc. */
void img_store_release(ImgStore *store, void *memory);

/* Unmaps all pages. Their content remains, and threads that use them go on after a page fault. */
void img_store_unmap(ImgStore *store);

/* Copies `bytes` bytes to `to`, which is inside memory from img_store_alloc. For large blocks this
 * takes a third of the time of a copy in memory, because no page is mapped. Fails with IMG_E_IO. */
ImgStatus img_store_write(ImgStore *store, void *to, const void *from, size_t bytes, ImgError *err);

/* Copies `bytes` bytes from memory of img_store_alloc to `to`, without mapping a page. Fails with
 * IMG_E_IO. */
ImgStatus img_store_read(ImgStore *store, void *to, const void *from, size_t bytes, ImgError *err);

/* Returns `resident` of img_store_create. */
uint64_t img_store_resident(const ImgStore *store);

/* Returns the largest sum of the bytes of all files so far. */
uint64_t img_store_bytes(ImgStore *store);

#ifdef __cplusplus
}
#endif
#endif
