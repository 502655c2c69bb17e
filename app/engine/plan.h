/* Plans the work on a picture before a pixel is decoded: computes the shapes and the memory. */
#ifndef IMGTOOL_APP_ENGINE_PLAN_H
#define IMGTOOL_APP_ENGINE_PLAN_H

#include "app/engine/load.h"
#include "app/engine/share/place.h"
#include "io/encode.h"

typedef struct Plan {
    ImgShape after; /* shape of the result */
    /* Facts about the file, as far as steps need them. If no step needs facts, only `light`, the
     * transfer function, is set. */
    ImgFacts facts;
    uint64_t peak_bytes; /* peak memory, in bytes, without the buffers of decoder and encoder */
} Plan;

/* Sets *palette to the palette of the metadata. Binds the steps to it, and returns true, if they
 * can copy the indices of a picture of shape `src`. `metadata` may be NULL. */
bool img_plan_bind_palette(ImgStep *steps, size_t count, ImgShape src, const ImgMetadata *metadata,
                           ImgPalette *palette);

/* Sets *facts to the facts about the file that steps need. */
ImgStatus img_plan_facts(const ImgStep *steps, size_t count, const ImgMetadata *metadata,
                         const ImgLimits *limits, ImgFacts *facts, ImgError *err);

/* Binds the steps to a picture of shape `src` and its metadata, and plans them. Sets all fields of
 * *plan. */
ImgStatus img_plan_steps(ImgStep *steps, size_t count, ImgShape src, const ImgMetadata *metadata,
                         const ImgLimits *limits, ImgRoom room, Plan *plan, ImgError *err);

/* Opens and reads the file of `load`, binds the steps to it, and computes the memory that they
 * need. Decodes no pixel. `format` is the format of the output; NULL: there is no output.
 *
 * `place` is the place of the picture in a pool; NULL: the file is processed alone. With a place,
 * memory is reserved twice: img_place_admit reserves an estimate after the header is read, and
 * img_place_settle changes the reservation to the real need once that is known. Both may block.
 * img_place_admit sets *share to the threads and the executor that the picture may use. Without a
 * place, the caller sets *share.
 *
 * Fails with IMG_E_LIMIT and a remedy if more than --max-memory is needed. Messages name the
 * file. */
ImgStatus img_plan_file(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                        const Place *place, Share *share, Plan *plan, ImgError *err);

/* Limits for results whose size an executor measures during the run (ImgExecLimits). `most_bytes`
 * is private to plan_measured.c. */
typedef struct PlanLimits {
    Load *load;                  /* load of the picture; img_plan_file must have succeeded */
    const ImgFileFormat *format; /* format of the output; NULL: there is no output */
    const Place *place;          /* place of the picture; NULL: it is processed alone */
    int threads;
    uint64_t most_bytes;
} PlanLimits;

/* Makes the executor apply the plan to results whose size it measures. If such a result is larger
 * than planned, it must fit --max-memory together with its encoder, and then becomes the new plan
 * (Load.room). While other pictures are processed, this memory must also be free. If it is not
 * free, Load.lacking is set, and the caller must restart the picture after its admitted memory is
 * released. `own` must stay valid until the last run of the picture has ended. */
void img_plan_limit_exec(PlanLimits *own, ImgExec *exec);

/* Reserves `need` bytes for the rest of a job, which was planned with less memory because a size
 * was not yet known. Fails like a run that needs more than the limits in `own`. */
ImgStatus img_plan_admit(const PlanLimits *own, uint64_t need, ImgError *err);

/* Reserves memory for the whole picture, if a plan by rows turns out to be impossible. While the
 * job waits for that memory, it holds only the file. */
ImgStatus img_plan_leave_rows(Load *load, const ImgStep *steps, size_t count, const Place *place,
                              Share *share, ImgError *err);

/* Plans the bands of steps again, for a picture of shape `shape` before them and a result of shape
 * `after`, which may have been measured. With Load.by_rows `steps` are all steps of the job;
 * otherwise they are the steps after the first Load.whole_steps steps. Sets load->sink,
 * load->strips and load->bands. Fails as img_plan_admit does. */
ImgStatus img_plan_bands_again(const PlanLimits *own, const ImgStep *steps, size_t count,
                               ImgShape shape, ImgShape after, ImgError *err);

/* Returns the planned number of threads for decoding by rows. */
int img_plan_decode_threads(const Load *load, int threads);

/* --- Private to planning -------------------------------------------------------------------------
 *
 * Private functions of planning. A job is planned before pixels are decoded, and again when a run
 * has measured the size of its result. */

/* Returns the bytes of memory for a result of the shape `after` while it is encoded, or while
 * Load.again runs on it. Returns 0 if the job has neither an output nor Load.again. */
uint64_t img_plan_encoding_bytes(const Load *load, const ImgFileFormat *format, ImgShape after,
                                 const ImgMetadata *metadata, ImgRoom room);

/* Returns the bytes of memory for running the steps. For a picture in memory, these are `whole`. If
 * the picture is in a store (a temporary file), the steps run in bands if the bands fit into the
 * store's memory or into `room`. Running on the whole picture could need fewer bytes, but would map
 * all pages of the file. */
uint64_t img_plan_stored_bytes(const Load *load, const ImgStep *steps, size_t count, uint64_t whole,
                               uint64_t room);

/* Fails, and sets Load.lacking, if `need` bytes are not free and the job must not block. */
ImgStatus img_plan_lacks(Load *load, uint64_t need, ImgError *err);

/* Returns the bytes of memory that decoder and encoder need for a file of `bytes` bytes, on the CPU
 * or a GPU. */
uint64_t img_plan_bytes_beside(const Load *load, uint64_t bytes);

/* --- Bands (plan_bands.c) --------------------------------------------------------------------- */

/* Returns the peak memory in bytes if the bound steps run in bands while the file is decoded: the
 * sum for file, rows, steps, and encoder or result. Returns 0 if the steps cannot run in bands, or
 * the caller does not want that. Bands for the encoder are decoded in order, by one thread at a
 * time. The encoder takes such bands if memory is short, if there is only one thread, or if no step
 * needs rows around a pixel. With two threads it also takes them if the result takes more than half
 * as much memory as the source. In all other cases threads would wait for rows, so the result is
 * collected in memory. */
uint64_t img_plan_by_rows(Load *load, const ImgStep *steps, size_t count, ImgShape shape,
                          ImgShape after, const ImgFileFormat *format, uint64_t file_bytes,
                          ImgRoom room);

/* Returns whether passing rows to the steps is better than decoding the whole picture first. Rows
 * are decoded one after the other. With many threads, decoding a whole picture is faster
 * (io/png/MEASUREMENTS.md). If the file has an index of the positions where threads can start,
 * fewer threads suffice to make that faster. The whole picture is also preferred if rows would save
 * little memory. */
bool img_plan_prefers_rows(const Load *load, const ImgStep *steps, size_t count, uint64_t by_rows,
                           int threads);

/* Returns the number of threads that decode rows: as many, from 1 to `threads`, as fit into `most`
 * bytes. Sets *bytes to the memory for them: `by_rows` bytes and the buffers of the threads. */
int img_plan_rows_threads(const Load *load, uint64_t by_rows, uint64_t most, int threads,
                          uint64_t *bytes);

/* Plans a result that is encoded in bands while the last steps run, without ever being in memory.
 * `others` is the memory in bytes for decoding. If a GPU may run the steps, the plan also needs
 * memory for the whole result, since a GPU runs steps on whole pictures. */
void img_plan_tail(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                   ImgRoom room, const Plan *plan, uint64_t others);

#endif
