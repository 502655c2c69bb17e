/* Source files of the experiments' kernels, embedded at build time. */
#ifndef IMGTOOL_APP_BENCH_LAB_SOURCES_H
#define IMGTOOL_APP_BENCH_LAB_SOURCES_H

typedef struct LabSource {
    const char *path; /* path, such as "app/bench/experiments/cuda/square.cu"; NULL ends the list */
    const char *text;
} LabSource;

extern const LabSource lab_sources[];

#endif
