/* Writes the results of a benchmark as JSON or CSV, and reads results in JSON. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_EXPORT_H
#define IMGTOOL_APP_BENCH_EXPORT_EXPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/report.h"

/* --- JSON ------------------------------------------------------------------------------------- */
/* The JSON document of a report. --json writes it; --compare and --load read it. app/text/schema/
 * describes it. Unknown values are null: a row that was not timed has "cold": null. */

/* Makes the JSON document of a report, without the key "comparison". Before json_print, the caller
 * adds this key by bench_add_comparison_json. */
cJSON *bench_json(const BenchReport *report, bool *failed);

/* Adds the description of a machine to the object `parent`, under the key `name`. */
void bench_json_machine(cJSON *parent, const char *name, const BenchMachine *machine, bool *failed);

/* Prints the JSON document of a report, with "comparison": null. */
ImgStatus bench_print_json(FILE *out, const BenchReport *report, ImgError *err);

/* Reads a JSON document of bench_print_json from an untrusted file. Fails with IMG_E_IO if the file
 * cannot be read, with IMG_E_LIMIT if it exceeds 64 MB, and with IMG_E_FORMAT if the document is
 * invalid, or if its schema is of another version. Messages name the file, and both versions of the
 * schema or the position of the mistake. After a failure *report is BENCH_REPORT_NONE; otherwise
 * the caller frees it. */
ImgStatus bench_load(const char *path, BenchReport *report, ImgError *err);

/* Same as bench_load, but reads a text of `length` bytes from memory. At least 16 zero bytes must
 * follow the text. Messages name no file. `err` must not be NULL. */
ImgStatus bench_load_text(const char *text, size_t length, BenchReport *report, ImgError *err);

/* Converts the parsed document `root` to *report, which must be empty. The caller frees *report
 * even after an error. */
ImgStatus bench_read_report(const cJSON *root, BenchReport *report, ImgError *err);

/* --- CSV -------------------------------------------------------------------------------------- */

/* Prints the results as CSV for spreadsheets and data frames. After the line of headings there is
 * one line per row of a group and per stage of a job. Values are in SI units, with 15 digits. Every
 * line is complete in itself: machine and version are columns too. Unknown values are empty
 * fields. */
void bench_print_csv(FILE *out, const BenchReport *report);

#endif
