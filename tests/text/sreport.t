# What was used, to the second and from the first second on.
$ J=$(sbatch --parsable -n2 --gpus=1 -o /dev/null --wrap 'sleep 2'); wait_for "sacct -nX -j $J -o state | grep -q COMPLETED"
$ W='start=now-2hours end=now+1hour'
$ [ "$(sreport -nP -t sec cluster utilization $W format=alloc)" = "$(sacct -nXP -j $J -o cputimeraw)" ] && echo the same
the same
$ [ "$(sreport -nP -t sec -T gres/gpu cluster utilization $W format=alloc)" = "$(sacct -nXP -j $J -o elapsedraw)" ] && echo the same
the same

# By account and user, and of a reservation.
root$ sacctmgr -i add account cs >/dev/null; sacctmgr -i add account ai parent=cs >/dev/null; sacctmgr -i add user alice account=ai >/dev/null
$ J=$(sbatch --parsable -A ai -n4 -o /dev/null --wrap 'sleep 2'); wait_for "sacct -nX -j $J -o state | grep -q COMPLETED"
$ S=$(sacct -nXP -j $J -o cputimeraw)
$ sreport -nP -t sec cluster AccountUtilizationByUser $W tree | sed "s/|$S|/|S|/"
peer|root|||S|0
peer| cs|||S|0
peer|  ai|||S|0
peer|   ai|alice||S|0
$ sreport -nP -t sec user top $W | sed "s/|$S|/|S|/"
peer|alice||ai|S|0
$ sreport -nP -t sec -T cpu,gres/gpu cluster UserUtilizationByAccount $W | sed "s/|$S$/|S/"
peer|alice||ai|cpu|S
peer|alice||ai|gres/gpu|0
$ sreport -nP job sizesbyaccount $W flatview PrintJobCount accounts=ai grouping=2,4
peer|ai|0|0|1|100.00%
root$ scontrol create reservation reservationname=class users=alice nodes=node1 starttime=now duration=10 >/dev/null
$ wait_for "sreport -nP reservation utilization start=now-2hours end=now+1hour | grep -q class"; sreport -nP reservation utilization $W format=name,nodes,tresname,trescount,totaltime,trestime,allocated
class|node1|cpu|8|00:10:00|01:20:00|0
root$ scontrol delete reservation class
$ sreport reservation utilization $W nodes=node[
!  Invalid value for nodes (node[)
? 1
$ sreport -nP reservation utilization $W nodes=node[1,3] format=name
class

# Reservations stay in the books: today's, or those that are asked for, of any time.
root$ scontrol create reservation reservationname=exam accounts=ai nodes=node[2-3] starttime=now+1hour duration=60 >/dev/null
$ sacctmgr -nP show reservation end=now format=id,name,nodenames,tres,flags
~ [0-9]+\|class\|node1\|cpu=8\|SPEC_NODES
$ sacctmgr -nP show reservation names=exam format=cluster,name,nodenames,tres,unused
peer|exam|node[2-3]|cpu=16|0.000000
$ sacctmgr -nP show reservation nodes=node[1,4] format=name,unused | sed 's/[0-9]/N/g'
~ class\|N+\.NNNNNN
$ sacctmgr -nP show reservation ids=999999
$ sacctmgr show reservation ids=x
! sacctmgr: error: Invalid value for ID (x)
? 1
$ sacctmgr show reservation nodes=node[
! sacctmgr: error: Invalid node list: node[
? 1
root$ scontrol delete reservation exam

# A node that is out is down time.
root$ scontrol update nodename=node2 state=down reason=test
$ sleep 2; sreport -nP -t sec cluster utilization $W format=down | grep -cv '^0$'
1
root$ scontrol update nodename=node2 state=resume
$ sacctmgr -nP show event nodes=node2 format=cluster,nodename,event,state,reason,user,tres
peer|node2|Node|DOWN|test|root(0)|billing=8,cpu=8,gres/gpu=4,mem=32000M,node=1
$ sacctmgr -nP show event event=cluster format=clusternodes,reason,end
node[1-4]|Cluster Registered TRES|Unknown

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
