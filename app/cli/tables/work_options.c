/* Options that choose the work: steps, devices, files, parts of a batch, the server, sheets and
 * tiles. */
#include "app/cli/tables/option_tables.h"
#include "kernels/core/geometry/gravity.h"

static const ImgChoice backends[] = {
    {"auto", IMG_BACKEND_AUTO}, {"cpu", IMG_BACKEND_CPU}, {"cuda", IMG_BACKEND_CUDA}, {NULL, 0}};

static const OptionHelp help_of_backend[] = {
    {FOR_BENCH, "what to measure. auto: the CPU and, if there is one, the GPU; cpu, cuda: only "
                "that, or fail"},
    {0, NULL}};

static const OptionHelp help_of_jobs[] = {
    {FOR_SERVE, "number of CPU threads, for all jobs together"}, {0, NULL}};

static const OptionHelp default_of_device[] = {
    {FOR_BATCH, "all GPUs"}, {FOR_ALL & ~FOR_BATCH, "the first GPU"}, {0, NULL}};

static const OptionHelp help_of_base[] = {
    {FOR_BATCH, "directory to which names in LIST are relative. With --recursive, outputs keep "
                "their path relative to DIR"},
    {0, NULL}};

static const ImgChoice balances[] = {{"hash", BALANCE_HASH}, {"size", BALANCE_SIZE}, {NULL, 0}};

static const ImgChoice vias[] = {{"serve", VIA_SERVE}, {NULL, 0}};

static const ImgChoice fits[] = {
    {"inside", CELL_FIT_INSIDE}, {"cover", CELL_FIT_COVER}, {"fill", CELL_FIT_FILL}, {NULL, 0}};

static const ImgChoice layouts[] = {
    {"grid", TILE_LAYOUT_GRID}, {"dzi", TILE_LAYOUT_DZI}, {NULL, 0}};

const Option options_of_work[] = {
    {"pipeline", OPTION_FILE, GROUP_STEPS, FOR_RUN | FOR_BATCH, AT(pipeline_file),
     .argument = "FILE", .help = "read the steps from this file, as @FILE does; leave out STEPS"},
    {"backend", OPTION_CHOICE, GROUP_WHERE,
     FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_BENCH | FOR_SERVE | FOR_MANY, AT(engine.backend),
     .choices = backends, .number = IMG_BACKEND_AUTO, .help_for = help_of_backend,
     .help = "where to run. auto: the CPU or a GPU, whichever is faster; cpu, cuda: only there, "
             "or fail"},
    {"impl", OPTION_IMPL, GROUP_WHERE, FOR_IMAGE | FOR_BATCH | FOR_MEASURE, AT(engine.impl),
     .default_text = "the fastest",
     .help = "force one implementation, such as cpu-avx2, for tests: all give the same result. "
             "'imgtool ops -v' lists them"},
    {"impl", OPTION_TEXT, GROUP_BENCH, FOR_BENCH, AT(engine.impl), .argument = "NAME,...",
     .default_text = "all", .help = "measure only these implementations; --list shows their names"},
    {"device", OPTION_INT, GROUP_WHERE,
     FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_BENCH | FOR_SERVE | FOR_MANY, AT(engine.device),
     .given = ENGINE_GIVEN_DEVICE, .min = 0, .max = 1023,
     .default_text = "the first GPU; all GPUs for batch", .default_for = default_of_device,
     .help = "number of the CUDA device, from 0; 'imgtool devices' lists them"},
    {"threads", OPTION_INT, GROUP_WHERE,
     FOR_IMAGE | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_MANY | FOR_OPTIMIZE,
     AT(engine.threads), .min = 1, .max = 1024,
     .default_text = "one per CPU available to this process", .help = "number of CPU threads"},

    {"jobs", OPTION_INT, GROUP_BATCH, FOR_BATCH | FOR_SERVE, AT(engine.jobs), .letter = 'j',
     .min = 1, .max = 1024, .default_text = "one per CPU available to this process",
     .help = "number of CPU threads, for all files together", .help_for = help_of_jobs},
    {"recursive", OPTION_FLAG, GROUP_BATCH,
     FOR_INFO | FOR_MEASURE | FOR_BATCH | FOR_BENCH | FOR_MANY, AT(recursive), .letter = 'r',
     .help = "also search subdirectories"},
    {"from-file", OPTION_FILE, GROUP_BATCH, FOR_INFO | FOR_MEASURE | FOR_BATCH | FOR_MANY,
     AT(from_file), .argument = "LIST",
     .help = "read further names of inputs from the file LIST, one per line; - is standard "
             "input. Lines that begin with '#' are comments"},
    {"base", OPTION_FILE, GROUP_BATCH, FOR_INFO | FOR_MEASURE | FOR_BATCH | FOR_MANY, AT(list_base),
     .argument = "DIR", .default_text = "the current directory", .help_for = help_of_base,
     .help = "names in LIST are relative to DIR"},
    {"null", OPTION_FLAG, GROUP_BATCH, FOR_INFO | FOR_MEASURE | FOR_BATCH | FOR_MANY,
     AT(null_separated), .letter = '0',
     .help = "names in LIST end with a NUL byte, as 'find -print0' writes them"},
    {"name", OPTION_TEXT, GROUP_BATCH, FOR_BATCH, AT(name_pattern), .argument = "PATTERN",
     .default_text = "{stem}.{ext}",
     .help = "names of outputs, such as '{stem}-small.{ext}'. {stem}: the input's name without "
             "its extension; {name}: the name with it; {ext}: the output's extension; {number}: "
             "1, 2 and so on; {dir}: the name of the input's directory"},
    {"in-place", OPTION_FLAG, GROUP_BATCH, FOR_BATCH, AT(in_place),
     .help = "replace each input once its result is complete; there is no OUTPUT_DIR"},
    {"resume", OPTION_FLAG, GROUP_BATCH, FOR_BATCH, AT(resume),
     .help = "skip files that an earlier run finished. A file is done again if the steps, the "
             "files that they read, or the input have changed"},
    {"no-record", OPTION_FLAG, GROUP_BATCH, FOR_BATCH, AT(no_record),
     .help = "do not write the file .imgtool-batch beside the outputs; --resume is then "
             "impossible"},
    {"newer", OPTION_FLAG, GROUP_BATCH, FOR_BATCH, AT(newer),
     .help = "process only inputs that have no output, or that were modified after it"},
    {"dry-run", OPTION_FLAG, GROUP_BATCH, FOR_BATCH | FOR_TILES, AT(dry_run), .letter = 'n',
     .help = "print what would be done, without doing it"},
    {"fail-fast", OPTION_FLAG, GROUP_BATCH, FOR_BATCH, AT(fail_fast),
     .help = "start no more files after one has failed"},
    {"report", OPTION_FILE, GROUP_BATCH, FOR_BATCH, AT(report_file), .argument = "FILE.json",
     .help = "write a report: one line of JSON per file; - is standard output"},

    {"shard", OPTION_TEXT, GROUP_SHARDS, FOR_BATCH, AT(shard), .argument = "I/N|auto",
     .words = "auto",
     .help = "process part I of N, such as 1/4; I counts from 1. auto reads I and N from the "
             "environment of Slurm, MPI, Kubernetes or AWS Batch"},
    {"shards", OPTION_INT, GROUP_SHARDS, FOR_BATCH, AT(shards), .min = 1, .max = 1000000,
     .default_text = "read from the scheduler",
     .help = "number of parts, for --shard auto if the scheduler does not set it. With "
             "--dry-run, print the work of each part"},
    {"balance", OPTION_CHOICE, GROUP_SHARDS, FOR_BATCH, AT(balance), .choices = balances,
     .number = BALANCE_HASH,
     .help = "how to assign files to parts. hash: by a hash of the path; size: by size, so "
             "that parts have about equal bytes.\n\n"
             "With size, all parts must find the same files"},
    {"steal", OPTION_TEXT, GROUP_SHARDS, FOR_BATCH, AT(steal), .bare = "60s", .argument = "TIME",
     .help = "when this part is finished, process files that other running parts have not begun. "
             "Also process files of a part that has sent no heartbeat for TIME, such as 90s or 5m: "
             "it may have crashed. --steal alone means 60s.\n\n"
             "Implies --resume"},
    {"grace", OPTION_TEXT, GROUP_SHARDS, FOR_BATCH, AT(grace), .argument = "TIME",
     .default_text = "25s",
     .help = "after SIGTERM, finish files in progress for up to TIME, such as 25s or 2m; then "
             "undo the rest and exit"},

    {"via", OPTION_CHOICE, GROUP_SERVE, FOR_IMAGE, AT(via), .choices = vias,
     .help = "send this command to a running 'imgtool serve', which saves the start-up time of "
             "CUDA. Fails if no server is running"},
    {"socket", OPTION_FILE, GROUP_SERVE, FOR_IMAGE | FOR_SERVE, AT(socket), .argument = "PATH",
     .default_text = "$IMGTOOL_SOCKET, else one per user", .help = "path of the server's socket"},
    {"detach", OPTION_FLAG, GROUP_SERVE, FOR_SERVE, AT(detach),
     .help = "return when the server is ready, and leave it running in the background"},
    {"idle", OPTION_TEXT, GROUP_SERVE, FOR_SERVE, AT(idle), .argument = "TIME",
     .default_text = "15m", .help = "exit after TIME without a job: 30s, 15m, 2h, 1d, or never"},
    {"stop", OPTION_FLAG, GROUP_SERVE, FOR_SERVE, AT(stop),
     .help = "let the running server finish its jobs, and wait until it has exited"},
    {"status", OPTION_FLAG, GROUP_SERVE, FOR_SERVE, AT(status),
     .help = "print the state of the running server on one line"},

    {"columns", OPTION_INT, GROUP_MANY, FOR_MONTAGE, AT(columns), .min = 1, .max = INT32_MAX,
     .default_text = "just enough for a sheet no taller than wide",
     .help = "number of pictures per row"},
    {"cell", OPTION_TEXT, GROUP_MANY, FOR_MONTAGE, AT(cell_size), .argument = "WxH|W",
     .default_text = "256x256", .help = "size of a cell in pixels: WxH, or W for a square"},
    {"spacing", OPTION_INT, GROUP_MANY, FOR_MONTAGE, AT(spacing), .number = 8, .min = 0,
     .max = 1000000, .help = "space between cells, in pixels"},
    {"margin", OPTION_INT, GROUP_MANY, FOR_MONTAGE, AT(margin), .number = -1, .min = 0,
     .max = 1000000, .default_text = "same as --spacing",
     .help = "space around all cells, in pixels"},
    {"background", OPTION_TEXT, GROUP_MANY, FOR_MONTAGE, AT(sheet_background), .argument = "COLOR",
     .default_text = "white",
     .help = "background of the sheet; a colour that is not opaque adds alpha"},
    {"fit", OPTION_CHOICE, GROUP_MANY, FOR_MONTAGE, AT(cell_fit), .choices = fits,
     .number = CELL_FIT_INSIDE,
     .help = "how to fit a picture into its cell. inside: scale it to fit into the cell; cover: "
             "scale it to cover the cell, and crop the rest; fill: stretch it to the cell"},
    {"gravity", OPTION_CHOICE, GROUP_MANY, FOR_MONTAGE, AT(gravity), .choices = img_gravity_choices,
     .synonyms = img_gravity_synonyms, .number = IMG_GRAVITY_CENTER,
     .help = "position of a picture in its cell, and part of the picture that cover keeps"},
    {"enlarge", OPTION_FLAG, GROUP_MANY, FOR_MONTAGE, AT(enlarge),
     .help = "enlarge pictures that are smaller than their cells"},
    {"skip-broken", OPTION_FLAG, GROUP_MANY, FOR_MONTAGE, AT(skip_broken),
     .help = "leave the cell of a broken picture empty; without it, no sheet is written"},
    {"size", OPTION_TEXT, GROUP_MANY, FOR_TILES, AT(tile_size), .argument = "WxH|W",
     .default_text = "254 with --layout dzi",
     .help = "size of a tile in pixels: WxH, or W for a square; tiles at the right and bottom "
             "edges may be smaller. Required for --layout grid"},
    {"overlap", OPTION_INT, GROUP_MANY, FOR_TILES, AT(overlap), .min = 0, .max = INT32_MAX,
     .default_text = "0; 1 with --layout dzi",
     .help = "number of pixels that neighbouring tiles share; with --layout dzi, pixels that "
             "each tile adds on every side"},
    {"layout", OPTION_CHOICE, GROUP_MANY, FOR_TILES, AT(layout), .choices = layouts,
     .number = TILE_LAYOUT_GRID,
     .help = "grid: tiles of the picture at full size; dzi: Deep Zoom pyramid for viewers such "
             "as OpenSeadragon"},
    {"max-tiles", OPTION_COUNT, GROUP_MANY, FOR_TILES, AT(max_tiles), .number = 100000,
     .help = "reject pictures that need more than N tiles, such as 500k or 2M"},
    {"steps", OPTION_TEXT, GROUP_MANY, FOR_MANY, AT(steps), .argument = "STEPS",
     .help = "apply these steps to each picture first, such as 'trim | sharpen'; @FILE reads "
             "them from a file. 'imgtool help run' explains steps"},
    {.name = NULL},
};
