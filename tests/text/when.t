conf: FirstJobId=700
# When a job will probably start: one that waits, and one that is not submitted.
$ printf '#!/bin/sh\n#SBATCH -N4 --exclusive --mem=0 -t 60 -J train\nsleep 100\n' > job.sh
$ grappe when job.sh --lang=en | sed -E 's/run [0-9]+ times/run N times/'
This job will probably start now.
  The queue was run N times into the future; nothing is known yet of how long this user's jobs take.
$ A=$(sbatch --parsable -J big -N4 --exclusive --mem=0 -t 3-0 -o /dev/null --wrap 'sleep 100'); W=$(sbatch --parsable -o /dev/null job.sh); wait_for "squeue -h -j $W -o %r | grep -q Resources"
$ grappe when $W --lang=en | sed -E "s/\b$W\b/W/; s/[0-9]{4}-[0-9T:-]+/TIME/g; s/in about [0-9.]+ [a-z]+/in about SPAN/; s/run [0-9]+ times/run N times/"
Job W (train) will probably start at TIME (in about SPAN).
  Nine of ten such jobs start until TIME (in about SPAN).
  If every job ran until its limit and nobody came, it would start at TIME (in about SPAN).
  The queue was run N times into the future; nothing is known yet of how long this user's jobs take.
$ grappe when job.sh --time=10 -N1 --lang=fr | sed -E "s/[0-9]{4}-[0-9T:-]+/TIME/g; s/dans environ [0-9.]+ [a-z]+/dans environ SPAN/; s/[0-9]+ fois/N fois/"
Ce job commencera probablement à TIME (dans environ SPAN).
  Neuf sur dix de ces jobs commencent avant TIME (dans environ SPAN).
  Si chaque job durait jusqu'à sa limite et que personne n'arrivait, il commencerait à TIME (dans environ SPAN).
  La file a été déroulée N fois dans le futur ; rien n'est encore connu de la durée des jobs de cette personne.
$ grappe when $A | sed "s/$A/A/"
Job A (big) is running.

# Of every job that waits, also of those that are not planned: A may run longer than is planned ahead.
$ squeue -h -j $W -o %S
N/A
$ wait_for "squeue -h --start -j $W -o %S | grep -q ^2"; squeue -h --start -j $W -o '%i %S %r' | sed -E "s/\b$W\b/W/; s/[0-9]{4}-[0-9T:-]+/TIME/"
W TIME Resources

# What was said is compared with what came.
$ wait_for 'grappe forecast -sP | grep -q "^|0|1|"'; grappe forecast --score -P
Name|Forecasts|Waiting|MeanWait|MeanError|ErrorPart|WithinBound
|0|1|0.0|0.0|0.000|0.000
$ scancel $A; wait_for "squeue -h -j $W -o %T | grep -q RUNNING"; wait_for 'grappe forecast -sP | grep -q "^|1|0|"'; grappe forecast --score | sed -E 's/ +/ /g; s/([0-9]+-)?[0-9]+:[0-9:]+/TIME/g; s/[0-9.]+ [0-9.]+ %/PART PART %/'
 Forecasts Waiting MeanWait MeanError Error/Wait WithinBound
all 1 0 TIME TIME PART PART %
$ grappe forecast -s --by=user -P | cut -d'|' -f1-3; grappe forecast -s --by=partition -P | cut -d'|' -f1-3; grappe forecast -s -u bob -P | cut -d'|' -f1-3
Name|Forecasts|Waiting
alice|1|0
Name|Forecasts|Waiting
batch|1|0
Name|Forecasts|Waiting
|0|0
$ scancel $W

# No forecast.
$ H=$(sbatch --parsable -H -J held -o /dev/null --wrap true); grappe when $H --lang=en | sed "s/$H/H/"; scancel $H
Job H (held) waits: JobHeldUser
  You hold it: `scontrol release` lets it go.
There is no forecast: it does not wait for the machine alone.
$ grappe when 99999
! grappe when: error: Invalid job id specified
? 1
$ grappe when -N5 job.sh --lang=en
! grappe when: error: as it is, it would never start
! grappe when: error: Requested partition configuration not available now
? 1
$ grappe when -p nowhere job.sh
! grappe when: error: invalid partition specified: nowhere
! grappe when: error: Invalid partition name specified
? 1
$ grappe when
! grappe when: error: a job's number or a script is needed: grappe when JOBID, grappe when script.sh
? 1
$ grappe forecast
! grappe forecast: error: grappe forecast --score says how good forecasts were; grappe when makes one
? 1
