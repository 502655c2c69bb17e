#include "app/batch/report/progress.h"

static const double spacing = 0.5;   /* seconds between samples */
static const double rate_window = 5; /* shortest time, in seconds, over which a rate is computed */
/* The remaining time is estimated from the speed in the last left_window seconds. */
static const double left_window = 30;
/* A rate is computed over at least this many files, unless fewer are finished. */
static const size_t rate_files = 10;
static const double least_time = 0.5; /* seconds at the start during which rates are unknown */
/* The estimate of the remaining time is based on the files of the last left_window seconds. This
 * many files, at the mean speed of the whole batch, are added to them, so that a single huge file
 * changes the estimate little. */
static const double mean_files = 10;

static const PaceSample *sample_at(const Pace *pace, size_t back)
{
    return &pace->samples[(pace->count - 1 - back) % PACE_SAMPLES];
}

static size_t samples_kept(const Pace *pace)
{
    return pace->count < PACE_SAMPLES ? pace->count : PACE_SAMPLES;
}

static void keep(Pace *pace, PaceSample sample)
{
    pace->samples[pace->count % PACE_SAMPLES] = sample;
    pace->count++;
}

void pace_note(Pace *pace, double now, const BatchTotals *totals)
{
    double settled = (double)batch_totals_settled(totals);
    PaceSample sample = {now, totals->done, settled, totals->bytes_read, totals->bytes_written};
    bool skipping = totals->skipped != pace->skipped;
    if (pace->count == 0 || (!pace->working && skipping)) {
        pace->base = sample;
        pace->count = 0;
        keep(pace, sample);
    }
    sample.ahead += 0.5 * (double)totals->under_way;
    pace->working |= totals->done + totals->failed > 0;
    pace->skipped = totals->skipped;
    pace->files = totals->files;
    pace->latest = sample;
    if (now - sample_at(pace, 0)->time >= spacing)
        keep(pace, sample);
}

/* Returns the latest sample since which at least rate_window seconds have passed and rate_files
 * files were finished. If there is none, returns the oldest sample. */
static const PaceSample *rate_start(const Pace *pace)
{
    size_t kept = samples_kept(pace);
    for (size_t back = 0; back < kept; back++) {
        const PaceSample *sample = sample_at(pace, back);
        if (pace->latest.time - sample->time >= rate_window &&
            pace->latest.done - sample->done >= rate_files)
            return sample;
    }
    return sample_at(pace, kept - 1);
}

/* Returns the oldest sample within left_window seconds, or the newest sample if all are older. */
static const PaceSample *window_start(const Pace *pace)
{
    size_t back = samples_kept(pace) - 1;
    while (back > 0 && pace->latest.time - sample_at(pace, back)->time > left_window)
        back--;
    return sample_at(pace, back);
}

static double seconds_left(const Pace *pace)
{
    double elapsed = pace->latest.time - pace->base.time;
    double ahead = pace->latest.ahead - pace->base.ahead;
    double remaining = (double)pace->files - pace->latest.ahead;
    if (elapsed < least_time || ahead <= 0)
        return -1;
    const PaceSample *oldest = window_start(pace);
    double recent = pace->latest.ahead - oldest->ahead;
    double mean = ahead / elapsed;
    double speed = ((recent > 0 ? recent : 0) + mean_files) /
                   (pace->latest.time - oldest->time + mean_files / mean);
    return remaining > 0 ? remaining / speed : 0;
}

PaceNow pace_now(const Pace *pace)
{
    PaceNow now = {-1, -1, -1, -1};
    if (pace->count == 0)
        return now;
    const PaceSample *start = rate_start(pace);
    double seconds = pace->latest.time - start->time;
    if (seconds >= least_time) {
        now.images = (double)(pace->latest.done - start->done) / seconds;
        now.read = (double)(pace->latest.read - start->read) / seconds;
        now.written = (double)(pace->latest.written - start->written) / seconds;
    }
    now.left = seconds_left(pace);
    return now;
}
