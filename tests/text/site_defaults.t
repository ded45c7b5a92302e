# What the site says counts where an option does not.
root$ conf=$(dirname $GRAPPE_SOCKET)/../conf
root$ printf '#!/bin/sh\necho "prolog for $SLURM_JOB_ID: $*" >&2\n' >$conf/srun-prolog; printf '#!/bin/sh\necho epilog >&2\n' >$conf/srun-epilog; chmod 755 $conf $conf/srun-*
root$ printf 'KillOnBadExit=1\nWaitTime=1\nSrunProlog=%s\nSrunEpilog=%s\nPropagateResourceLimitsExcept=STACK\n' $(realpath $conf/srun-prolog $conf/srun-epilog) >>$conf/slurm.conf
root$ scontrol reconfigure
$ srun echo hello
hello
! prolog for 1: echo hello
! epilog
$ srun --prolog=none --epilog=none echo hello
hello
$ srun -Q --prolog=none --epilog=none -n2 bash -c '[ $SLURM_PROCID = 0 ] || exit 3; sleep 60' 2>/dev/null
? 143
$ srun -Q --prolog=none --epilog=none -K0 -n2 bash -c '[ $SLURM_PROCID = 0 ] || exit 3; sleep 60' 2>/dev/null
? 137
$ srun -Q --prolog=none --epilog=none -K0 -W0 -n2 bash -c '[ $SLURM_PROCID = 0 ] || exit 3; sleep 2' 2>/dev/null
? 3

# Limits of the shell go along, but those the site excepts, unless they are asked for.
$ ulimit -S -n 500; ulimit -S -s 4000; echo 'ulimit -Sn; ulimit -Ss' >limits.sh
$ for how in "" --propagate=STACK --propagate=NONE; do srun -Q --prolog=none --epilog=none $how bash limits.sh | sed 's/^4000$/propagated/; s/^[0-9]*$/[&]/; s/\[500\]/propagated/; s/^\[.*/own/' | xargs; done
propagated own
own propagated
own own
