# What was used, to the second and from the first second on.
$ J=$(sbatch --parsable -n2 --gpus=1 -o /dev/null --wrap 'sleep 2'); wait_for "sacct -nX -j $J -o state | grep -q COMPLETED"
$ W='start=now-2hours end=now+1hour'
$ [ "$(sreport -nP -t sec cluster utilization $W format=alloc)" = "$(sacct -nXP -j $J -o cputimeraw)" ] && echo the same
the same
$ [ "$(sreport -nP -t sec -T gres/gpu cluster utilization $W format=alloc)" = "$(sacct -nXP -j $J -o elapsedraw)" ] && echo the same
the same

# Windows of whole hours, yesterday by default.
$ sreport cluster utilization start=2026-01-01 end=2026-01-02T00:29:29
--------------------------------------------------------------------------------
Cluster Utilization 2026-01-01T00:00:00 - 2026-01-01T23:59:59
Usage reported in CPU Minutes
--------------------------------------------------------------------------------
  Cluster Allocate     Down PLND Dow     Idle  Planned Reported 
--------- -------- -------- -------- -------- -------- -------- 
$ sreport user top | sed -n 2p | grep -c "$(date -d yesterday +%F)T00:00:00 - $(date -d yesterday +%F)T23:59:59 (86400 secs)"
1

# Wrong words.
$ sreport cluster nosuch
! Not valid report nosuch
! Valid cluster reports are, "AccountUtilizationByUser", "UserUtilizationByAccount", "UserUtilizationByWckey", "Utilization", and "WCKeyUtilizationByUser"
? 1
$ sreport -t days cluster utilization
! sreport: error: unknown time format days
? 1
$ sreport -aM cluster cluster utilization
! Only one cluster option can be used (--all_clusters OR --cluster OR --local)
? 1

# Commands from standard input.
$ printf 'time seconds\nnosuch\nexit\n' | sreport
sreport: time seconds
sreport: nosuch
sreport: exit
! invalid keyword: nosuch
? 1
