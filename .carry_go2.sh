export LD_LIBRARY_PATH=$PWD/.carry
I=.carry/imgtool
( time $I bench --json > $OUT/run1.json ) 2> $OUT/time1.txt; echo rc $?
( time $I bench --json --compare $OUT/run1.json > $OUT/run2.json ) 2> $OUT/time2.txt; echo rc $?
grep real $OUT/time*.txt
( time $I bench lab --json > $OUT/lab_ncu.json ) 2> $OUT/time3.txt; echo rc $?; cat $OUT/time3.txt | head -5
mkdir -p $OUT/bin; ( time PATH=/usr/bin:/bin $I bench lab --json --compare $OUT/lab_ncu.json > $OUT/lab_model.json ) 2> $OUT/time4.txt; cat $OUT/time4.txt | head -3
.carry/checkkernels --bench --backend cuda --op rotate --fill photo > $OUT/ck_rotate.txt
.carry/checkkernels --bench --backend cuda --op histogram --fill photo > $OUT/ck_hist.txt
.carry/checkkernels --bench --backend cuda --op threshold --fill photo > $OUT/ck_thr.txt
ncu --csv --page raw --nvtx --print-nvtx-rename kernel --clock-control none --metrics gpu__time_duration.sum $I bench rotate histogram sum --format rgb8 --profile > $OUT/ncu.csv 2>&1
$I bench rotate --format gray8,gray16,rgb8,rgba8,rgb16,rgba16 --size 16384x16384 --backend cuda --plot $OUT/rotate.png > $OUT/rotate.txt 2>&1; echo rc $?
$I bench files samples > $OUT/files.txt 2>&1; echo rc $?
for t in memcheck racecheck; do compute-sanitizer --tool $t --error-exitcode 9 .carry/run_lab > $OUT/$t.txt 2>&1; echo $t $?; tail -1 $OUT/$t.txt; done
compute-sanitizer --tool memcheck --error-exitcode 9 $I bench lab square matmul coalescing --profile > $OUT/mem2.txt 2>&1; echo mem $?
