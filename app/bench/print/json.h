/* A benchmark's findings as JSON, and back: what --json writes, --compare reads.
 *
 * Times are "..._seconds", rates "..._per_second", noise and shares parts of 1. Keys:
 *
 *     imgtool_bench    1, the number of this format
 *     machine          version, date, command, cpu, system, cpu_mhz, threads, memory_bytes, gpu,
 *                      driver, runtime, compute_capability, multiprocessors, gpu_memory_bytes,
 *                      gpu_mhz, gpu_memory_mhz
 *     interrupted      true: not all that was asked for is here
 *     failed           true: a row or a job is
 *     groups[]         section (ops, lab), title, heading, subject, format, counted, backend,
 *                      bytes, operations, rows[]
 *     groups[].rows[]  name, verdict (verified, limit, failed, skipped), message, cold and warm
 *                      (samples, median_seconds, noise, minimum_seconds, low_seconds,
 *                      high_seconds), bytes_per_second, operations_per_second, share_of_limit,
 *                      speedup, speedup_low, speedup_high, counting (modelled, measured), counts
 *                      (the keys of fields.c)
 *     jobs[]           title, subject, backend, device, verdict, message, images, pixel_bytes,
 *                      bytes_in, bytes_out, images_per_second, pixel_bytes_per_second, stages (an
 *                      object a stage, as cold)
 *
 * What was not found is left out: rows without times have no "cold". */
#ifndef IMGTOOL_APP_BENCH_PRINT_JSON_H
#define IMGTOOL_APP_BENCH_PRINT_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/report.h"

enum { BENCH_JSON_FORMAT = 1 };

/* The tree, to which more can be added before json_print. */
cJSON *bench_json(const BenchReport *report, bool *failed);

/* "machine" */
void bench_json_machine(cJSON *parent, const char *name, const BenchMachine *machine, bool *failed);

ImgStatus bench_print_json(FILE *out, const BenchReport *report, ImgError *err);

/* Reads what bench_print_json wrote. The file may be anything: IMG_E_IO where it cannot be read,
 * IMG_E_LIMIT over 64 MB, IMG_E_FORMAT with the place of what is wrong. Messages name the file. On
 * failure `report` is BENCH_REPORT_NONE; otherwise the caller frees it. */
ImgStatus bench_load(const char *path, BenchReport *report, ImgError *err);

#endif
