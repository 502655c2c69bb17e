/* State of a running comparison, which the files of app/compare share. */
#ifndef IMGTOOL_APP_COMPARE_COMPARE_PRIV_H
#define IMGTOOL_APP_COMPARE_COMPARE_PRIV_H

#include "app/compare/compare.h"
#include "app/compare/side.h"
#include "app/engine/result.h"

typedef struct Comparison {
    const Settings *settings;
    Side sides[2];
    ImgShape common; /* shape of both pictures in the common format */
    SideRequests requests;
    ImgBandHeights bands;  /* numbers of rows that are compared at a time */
    Result result;         /* output for the picture of differences; empty without --diff */
    ResultRowsPlan output; /* plan for the picture of differences; used only with --diff */
    ResultRows *rows;      /* writes the picture of differences */
    ImgImage differences;  /* a band of the picture of differences */
    ImgTeam *team;
    int most_threads; /* --threads or the number of CPUs; 1 for small pictures */
    int threads;      /* number of threads that --max-memory allows, at most most_threads */
} Comparison;

/* Decides whether rows are decoded when they are compared, and with how many threads; starts the
 * team. Fails with IMG_E_LIMIT if --max-memory or --max-pixels does not allow it. Call it after
 * both files are read. */
ImgStatus compare_plan(Comparison *comparison, ImgError *err);

/* Plans to decode both pictures as a whole, after decoding rows has failed. Fails with the same
 * errors as compare_plan. */
ImgStatus compare_plan_whole(Comparison *comparison, ImgError *err);

#endif
