# The books from the first start on: who may see them, who may change them, and what is said.
conf: AccountingStorageTRES=gres/gpu

$ sacctmgr -nP show assoc format=cluster,account,user,share,qos
peer|root||1|normal
peer|root|root|1|normal
$ sacctmgr show qos format=name,priority,flags
      Name   Priority                Flags
---------- ---------- --------------------
    normal          0
$ sacctmgr -i add account mine
 Adding Account(s)
  mine
 Settings
  Description     = Account Name
  Organization    = Parent/Account Name
 Associations
  A = mine       C = peer
!  Problem adding accounts: Access/permission denied
? 1
root$ sacctmgr -i add qos short set priority=10 maxwall=4:00:00 maxtresperuser=gres/gpu=2
 Adding QOS(s)
  short
 Settings
  Description    = short
  MaxTRESPerUser           = gres/gpu=2
  MaxWall                  = 04:00:00
  Priority                 = 10
root$ sacctmgr -i add account zoo description='The Zoo' fairshare=20
 Adding Account(s)
  zoo
 Settings
  Description     = the zoo
  Organization    = Parent/Account Name
 Associations
  A = zoo        C = peer
 Settings
  Fairshare     = 20
  Parent        = root
root$ sacctmgr -i add account cats,dogs parent=zoo >/dev/null
root$ sacctmgr -i add user alice,bob account=cats maxjobs=3
 Adding User(s)
  alice
  bob
 Associations =
  U = alice     A = cats       C = peer
  U = bob       A = cats       C = peer
 Non Default Settings
  MaxJobs       = 3
root$ sacctmgr -i modify user alice set qos+=short
 Modified user associations...
  C = peer       A = cats                 U = alice
$ sacctmgr show assoc tree format=account,user,share,maxjobs,qos
Account                    User     Share MaxJobs                  QOS
-------------------- ---------- --------- ------- --------------------
root                                    1                       normal
 root                      root         1                       normal
 zoo                                   20                       normal
  cats                                  1                       normal
   cats                   alice         1       3         normal,short
   cats                     bob         1       3               normal
  dogs                                  1                       normal

# A question is answered within half a minute; the end of the input is a no.
root$ echo n | sacctmgr delete user bob
 Deleting users...
  bob
Would you like to commit changes? (You have 30 seconds to decide)
(N/y):
 Changes Discarded
root$ sacctmgr delete user bob </dev/null
 Deleting users...
  bob
Would you like to commit changes? (You have 30 seconds to decide)
(N/y):
 Changes Discarded
root$ echo y | sacctmgr delete user bob
 Deleting users...
  bob
Would you like to commit changes? (You have 30 seconds to decide)
(N/y):
root$ sacctmgr -nP show user format=user
alice
root

# What Slurm leaves to chance is refused.
root$ sacctmgr -i modify qos short set maxtrespu=cpu=x
! sacctmgr: error: Invalid value for cpu (x)
!  You didn't give me anything to set
? 1
# What an account is put below takes its place.
root$ sacctmgr -i modify account zoo set parent=cats
 Modified account associations...
  C = peer       A = zoo of root
root$ sacctmgr -nP show assoc account=zoo,cats user='' format=account,parentname | sort -u | grep '|.'
cats|root
zoo|cats
root$ sacctmgr -iQ modify account cats set parent=zoo >/dev/null
root$ sacctmgr -i delete cluster peer
!  Error with request: the cluster peer is this service: it can't be removed
? 1
root$ sacctmgr -i modify account zoo set rawusage=0
No cluster specified, resetting on local cluster peer
root$ sacctmgr -i modify account zoo set rawusage=5
! sacctmgr: error: Raw usage can only be set to 0 (zero)
? 1
root$ sacctmgr -i modify user alice set rawusage=0
! sacctmgr: error: An account must be specified
? 1
root$ sacctmgr -i modify account zoo set rawusage=0 fairshare=3
!  RawUsage must be the only setting: give the others in a line of their own
? 1
root$ sacctmgr -nP show transaction account=zoo action="Modify Associations" format=info | tail -1
raw_usage=0
root$ sacctmgr -i modify user alice set newname=eve
!  A user can't be renamed: his name is that of the machine's account; add the new one
? 1
root$ sacctmgr show federation
Federation    Cluster ID             Features     FedState
---------- ---------- -- -------------------- ------------
root$ sacctmgr -i add federation f
! sacctmgr: error: not supported: there is one cluster, and no federation
? 1

# A field or a command that is nearly right.
$ sacctmgr show qos format=prioriti
! Unknown field 'prioriti'
! did you mean Priority?
? 1
$ sacctmgr shwo qos
! invalid keyword: shwo
! did you mean show?
? 1
$ sacctmgr show quos
! No valid entity in list command
! Input line must include "Account", "Association", "Cluster", "Configuration",
! "Event", "Federation", "Problem", "QOS", "Resource", "Reservation",
! "RunAwayJobs", "Stats", "Transaction", "TRES", "User", or "WCKey"
! did you mean qos?
? 1

# Jobs stand in the way of what they run under.
$ J=$(sbatch --parsable -A cats -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -t R -j $J | grep -q ."
root$ sacctmgr -i delete user alice
!  Error with request: Job(s) active, cancel job(s) before remove
!   JobID = 1          C = peer       A = cats       U = alice
? 1
$ scancel $J; wait_for "! squeue -h -j $J | grep -q ."

# After their end jobs can still be commented.
$ sacctmgr -i modify job where jobid=1 set comment=checked derivedexitcode=3 | sed 's/at .*/at TIME/'
 Modified jobs...
  1 submitted at TIME
$ sacct -X -nP -j 1 -o comment,derivedexitcode
checked|0:3
$ sacctmgr -i modify job where jobid=1 set admincomment=x
! sacctmgr: error: Your user doesn't have privilege to perform this action
!  Error with request: Access/permission denied
? 1
$ sacctmgr -i modify job where jobid=99 set comment=x
 Nothing modified
? 1

# A file of the whole, loaded again from scratch.
root$ sacctmgr -Q dump peer file=a.cfg; grep -v '^#' a.cfg
Cluster - 'peer':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
Account - 'zoo':Description='the zoo':Organization='zoo':Fairshare=20
Parent - 'zoo'
Account - 'cats':Description='cats':Organization='zoo':Fairshare=1
Account - 'dogs':Description='dogs':Organization='zoo':Fairshare=1
Parent - 'cats'
User - 'alice':DefaultAccount='cats':Fairshare=1:MaxJobs=3:QOS='+short'
root$ sacctmgr -iQ load a.cfg clean | head -2; sacctmgr -Q dump peer file=b.cfg; diff a.cfg b.cfg
For cluster peer
Account Associations
root$ printf "Cluster - 'peer'\nParent - 'root'\nAccount - 'zoo':Fairshare=30:MaxJobs=5\n" >c.cfg; sacctmgr -iQ load c.cfg
For cluster peer
 Changed fairshare             for Account zoo              20 -> 30
 Changed MaxJobs               for Account zoo                 -> 5
root$ sacctmgr -nP show assoc account=zoo format=account,share,maxjobs
zoo|30|5
root$ rm -f a.cfg b.cfg c.cfg
root$ sacctmgr -nP show txn action='Remove Users' format=action,actor,where
Remove Users|root|bob
root$ sacctmgr -nP show txn action='Remove Users' withassoc format=user,account,cluster
bob||
root$ sacctmgr -nP show txn action='Remove Associations' withassoc format=user,account,cluster | head -1
bob|cats|peer

# What happened to nodes, and who did it.
root$ scontrol update nodename=node2 state=drain reason='fan broken'
$ wait_for "sacctmgr -n show event nodes=node2 | grep -q fan"
$ sacctmgr -nP show event states=drain format=cluster,nodename,end,event,state,reason,user,tres
peer|node2|Unknown|Node|DRAIN|fan broken|root(0)|billing=8,cpu=8,gres/gpu=4,mem=32000M,node=1
$ sacctmgr -n show event states=down
$ sacctmgr -nP show event event=cluster format=cluster,clusternodes,reason
peer|node[1-4]|Cluster Registered TRES
$ sacctmgr show event event=foo
!  Unknown event type: 'foo'  Valid events are Cluster and Node.
? 1
root$ scontrol update nodename=node2 state=resume

# What the cluster has, by name.
$ sacctmgr -nP show cluster format=cluster,nodecount,tres
peer|4|billing=32,cpu=32,gres/gpu=16,mem=125G,node=4

# The commands are completed.
$ tab 'sacctmgr mod'
modify
$ tab 'sacctmgr delete '
accounts
clusters
coordinators
federations
qos
resource
users
$ tab 'sacctmgr show account z'
zoo

# Words that would change nothing are refused, not passed over.
root$ sacctmgr show stats foo
!  Unknown condition: foo
? 1
root$ sacctmgr clear stats foo
!  Unknown condition: foo
? 1
root$ sacctmgr show runawayjobs clusters=other
~ !  There is one cluster, .*: clusters=other
? 1
