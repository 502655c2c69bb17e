/* Adds up the results of the files of a batch. */
#include "app/batch/report/batch_result.h"

size_t batch_totals_settled(const BatchTotals *totals)
{
    return totals->done + totals->failed + totals->skipped + totals->upright;
}

bool batch_result_ran(const BatchResult *result)
{
    return result->report.run.device[0] != '\0';
}

double batch_result_run_seconds(const BatchResult *result)
{
    const ImgRunReport *run = &result->report.run;
    return run->init + run->upload + run->kernel + run->download;
}

void batch_totals_add(BatchTotals *totals, const BatchResult *result)
{
    const JobReport *report = &result->report;
    if (result->outcome == BATCH_SKIPPED) {
        totals->skipped++;
        return;
    }
    totals->bytes_read += report->load.bytes;
    totals->read += report->load.read;
    totals->decode += report->load.decode;
    totals->expand += report->load.expand;
    totals->run += batch_result_run_seconds(result);
    totals->encode += report->encode;
    totals->write += report->write;
    if (result->outcome == BATCH_FAILED) {
        totals->failed++;
        return;
    }
    if (result->outcome == BATCH_UPRIGHT) {
        totals->upright++;
        return;
    }
    totals->done++;
    totals->bytes_written += report->bytes_written;
    totals->on_gpu += batch_result_ran(result) && report->run.backend == IMG_BACKEND_CUDA;
}
