/* One piece of work on several threads at once. */
#ifndef IMGTOOL_KERNELS_CORE_CREW_H
#define IMGTOOL_KERNELS_CORE_CREW_H

/* `worker` counts from 0, which is the calling thread. */
typedef void ImgCrewWork(void *context, int worker);

/* Calls `work` on up to `threads` threads at a time, at least on the calling one, and returns when
 * all have come back; says how many there were. Where the system refuses threads there are fewer,
 * and all of them may run one after the other: work must be taken from what is left to do, and no
 * worker may wait for one that might not have started. */
int img_crew_run(int threads, ImgCrewWork *work, void *context);

#endif
