# A workload through the scheduler, several ways side by side.
$ printf '; MaxProcs: 10\n1 0 0 100 8 -1 -1 8 100 -1 1 1 1 -1 -1 -1 -1 -1\n2 1 0 100 10 -1 -1 10 100 -1 1 2 1 -1 -1 -1 -1 -1\n3 2 0 10 2 -1 -1 2 10 -1 1 3 1 -1 -1 -1 -1 -1\n' > small.swf
$ grappe simulate -p easy,fcfs small.swf
small.swf
                            easy          fcfs
mean wait                   0:33          1:39
median wait                 0:00          1:39
90 % wait at most           1:39          3:19
worst wait                  1:39          3:18
mean slowdown               1.33          7.93
utilisation               80.0 %        80.0 %
hours delivered              0.0           0.0
fairness                  91.1 %        90.2 %
split over links               -             -
users worse off           0 of 3        1 of 3
longest queue                  2             2
jobs                           3             3
jobs refused                   0             0
$ grappe simulate -p easy -w add=10 -w max-time=1 --html page.html small.swf | head -3
small.swf
                            easy  easy, add=10  easy, max-time=1
mean wait                   0:33          0:00              0:32
$ grep -c '<svg' page.html
6

# What came from sacct.
$ printf 'JobID|User|Submit|Start|End|Timelimit|ReqCPUS|ReqTRES\n5|alice|2026-11-15T10:00:00|2026-11-15T10:00:10|2026-11-15T11:00:10|02:00:00|4|cpu=4,gres/gpu=1\n' > dump.txt
$ grappe simulate -p easy dump.txt
! grappe: error: dump.txt does not say what machine it comes from: give --machine, such as 8x64:gpu=8 (its largest job has 4 CPUs and 1 GPUs)
? 1
$ grappe simulate -p easy -m 1x8:gpu=2 dump.txt | grep -E '^(mean|jobs )'
mean wait                   0:00
mean slowdown               1.00
jobs                           1
jobs refused                   0

# GPUs in groups of links: who looks at them keeps jobs together.
$ grappe simulate -p grappe,no-links -m 2x16:gpu=8:links=4 -g 2000 -l 1.2 | awk '/^split/ {print ($4 < $7) ? "fewer" : $0}'
fewer

# The same seed gives the same bytes.
$ grappe simulate -g 300 -s 5 --html a.html > a.txt; grappe simulate -g 300 -s 5 --html b.html > b.txt; cmp a.txt b.txt && cmp a.html b.html

# Mistakes.
$ grappe simulate
! grappe: error: one workload is needed: the name of a file, or --generate=JOBS
? 1
$ grappe simulate nothing.swf
! grappe: error: nothing.swf: No such file or directory
? 1
$ echo 'hello' > hello.txt; grappe simulate hello.txt
! grappe: error: hello.txt:1: this is neither SWF, nor the output of `sacct -P`, nor a list of GPU jobs
? 1
$ printf '1 2 three\n' > broken.swf; grappe simulate broken.swf
! grappe: error: broken.swf:1: column 3 of 18 is not a number
? 1
$ grappe simulate -p fifo -g 10
! grappe: error: 'fifo' is not a policy: fcfs, easy, sjf, shortest-run, small-first, first-in-line, all-planned, whole-node, grappe, hold-back, pack, no-links
? 1
$ grappe simulate -m 4x -g 10
! grappe: error: '4x' is not a machine: write 100, or NODESxCPUS as 16x64:gpu=8
? 1
$ grappe simulate -w gpus=4 -g 10
! grappe: error: 'gpus=4' is not a change: use add=MACHINE, machine=MACHINE or max-time=TIME
? 1
