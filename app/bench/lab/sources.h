/* The source files of the experiments' kernels. The build embeds their text in the program. */
#ifndef IMGTOOL_APP_BENCH_LAB_SOURCES_H
#define IMGTOOL_APP_BENCH_LAB_SOURCES_H

typedef struct LabSource {
    /* path of the file, such as "app/bench/experiments/cuda/square.cu"; NULL ends the list */
    const char *path;
    const char *text;
} LabSource;

extern const LabSource lab_sources[];

#endif
