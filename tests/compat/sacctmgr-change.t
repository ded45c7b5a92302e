# What changes print, who may make them, and what is refused.
root$ sacctmgr -i add qos fast set priority=5 maxwall=1:00:00
root$ sacctmgr -i add qos fast
root$ sacctmgr -i add qos one,two Description='two of them' GraceTime=5 Flags=NoReserve,DenyOnLimit MaxTRESPerUser=cpu=4 MaxJobs=3 preemptmode=requeue
root$ sacctmgr -i modify qos one set flags+=OverPartQOS
root$ sacctmgr -i modify qos one set flags-=NoReserve priority=-1 maxtrespu=cpu=-1,mem=5
root$ sacctmgr -nP show qos one,two format=name,flags,preemptmode,prio,maxtrespu,maxjobspu,gracet,desc
root$ sacctmgr -i modify qos two set preempt=one,fast
root$ sacctmgr -i modify qos two set preempt-=one
root$ sacctmgr -nP show qos two format=preempt
root$ sacctmgr -i modify qos where name=nosuch set priority=1
root$ sacctmgr -i modify qos one set nosuch=1
root$ sacctmgr -i modify qos one set priority=x
root$ sacctmgr -i modify qos one set maxwall=x
root$ sacctmgr -i modify qos one set flags=nosuch
root$ sacctmgr -i modify qos one set preemptmode=nosuch
root$ sacctmgr -i modify qos one set maxtrespu=nosuch=3
root$ sacctmgr -i modify qos one set maxtrespu=cpu
root$ sacctmgr -i modify qos one set preempt=nosuch
root$ sacctmgr -i modify qos one
root$ sacctmgr -i modify qos one set
root$ sacctmgr -i add qos
root$ sacctmgr -i delete qos
root$ sacctmgr -i delete qos nosuch
root$ sacctmgr -i delete qos where name=two
root$ sacctmgr -i delete qos two

# A script's variable that was not set: nothing is chosen, never all. (The real one has its database
# refuse the statement, in the database's words.)
root$ sacctmgr -i add account lone >/dev/null; sacctmgr -i add user carol account=lone >/dev/null
root$ for w in name= user= '' name=,; do sacctmgr -i delete user "$w" >/dev/null 2>&1; echo $?; done; sacctmgr -nP show assoc account=lone format=account,user
root$ sacctmgr -i delete user account=; sacctmgr -i delete user name=carol account=; sacctmgr -i delete user cluster=
root$ sacctmgr -i delete account name= >/dev/null 2>&1; echo $?; sacctmgr -i delete account name= cluster=peer; sacctmgr -i delete account description=
root$ sacctmgr -i delete qos name=; sacctmgr -i delete cluster name=
root$ sacctmgr -i delete coordinator name= account=lone
root$ sacctmgr -i modify account name= set fairshare=6
root$ sacctmgr -nP show user name=; sacctmgr -nP show account name=; sacctmgr -nP show qos name= format=name; sacctmgr -nP show assoc account= format=user,account
root$ sacctmgr -nP show assoc user= account=lone format=user,account; sacctmgr -nP show user withassoc account= name=carol format=user,account
root$ sacctmgr -nP show assoc account=lone format=account,user
# With users it is their associations with the account that are changed.
root$ sacctmgr -i modify account lone where user=carol set maxjobs=2 fairshare=7; sacctmgr -i modify account where user=carol account=lone set description=alone grpjobs=3; sacctmgr -i modify account lone where user=nosuch set maxjobs=1
root$ sacctmgr -nP show assoc account=lone format=account,user,fairshare,maxjobs,grpjobs; sacctmgr -i modify account lone cluster=peer set rawusage=0
root$ sacctmgr -i delete account lone user=carol; sacctmgr -nP show assoc account=lone format=account,user; sacctmgr -i delete account lone >/dev/null
# The usage of a QoS is one cluster's.
root$ sacctmgr -i add qos used >/dev/null; sacctmgr -i modify qos used cluster=peer set rawusage=0; sacctmgr -i modify qos used set rawusage=0; sacctmgr -i modify qos where name=used cluster=nosuch set rawusage=0
root$ sacctmgr -i modify qos used cluster=peer set priority=3; sacctmgr -nP show qos used cluster=peer format=name; sacctmgr -i delete qos used cluster=peer; sacctmgr -i delete qos used

root$ sacctmgr -i add account zoo
root$ sacctmgr -i add account zoo
root$ sacctmgr -i add account zoo,cats parent=zoo description=animals organization=Bio fairshare=3 grpjobs=4 grptres=cpu=10,mem=100 maxwall=90 qos=normal,fast defaultqos=fast priority=7
root$ sacctmgr -i add account art parent=nosuch
root$ sacctmgr -i add account art cluster=nosuch
root$ sacctmgr -i add account art nosuch=3
root$ sacctmgr -i add account art qos=nosuch
root$ sacctmgr -i add account art defaultqos=nosuch
root$ sacctmgr -i add account art fairshare=x
root$ sacctmgr -i add account art fairshare=parent
root$ sacctmgr -i add account
root$ sacctmgr -i add account name=set1 cluster=peer
root$ sacctmgr -i modify account zoo set fairshare=20
root$ sacctmgr -i modify account where name=zoo,art set maxjobs=4 grpwall=5:00 grptresmins=cpu=5
root$ sacctmgr -i modify account cats set description='only cats' organization=bio2
root$ sacctmgr -i modify account cats set desc=x fairshare=4
root$ sacctmgr -i modify account art set parent=zoo
root$ sacctmgr -i modify account art set parent=nosuch
root$ sacctmgr -i modify account nosuch set fairshare=3
root$ sacctmgr -i modify account art set name=x
root$ sacctmgr -i modify account art set cluster=x
root$ sacctmgr -i modify account art set nosuch=x
root$ sacctmgr -i modify account nosuch=3 set fairshare=1
root$ sacctmgr -i modify account art
root$ sacctmgr -i modify account art set qos+=one
root$ sacctmgr -i modify account art set qos-=normal
root$ sacctmgr -i modify account art set qos=normal
root$ sacctmgr -i modify account art set qos=
root$ sacctmgr -i modify account art set qos=one,+fast
root$ sacctmgr -i modify account art set fairshare=-1 maxjobs=-1
root$ sacctmgr -nP show assoc format=account,user,share,parentname,qos,maxj,grpj,grptres,grptresmins,grpwall,maxw,defaultqos,priority
root$ sacctmgr -nP show account

root$ sacctmgr -i add user alice account=zoo
root$ sacctmgr -i add user alice account=zoo
root$ sacctmgr -i add user alice account=cats
root$ sacctmgr -i add user alice account=cats partition=batch
root$ sacctmgr -i add user bob,carol account=zoo,cats defaultaccount=cats adminlevel=operator fairshare=5 maxjobs=6 qos=normal
root$ sacctmgr -i add user nosuchuser account=zoo
root$ sacctmgr -i add user bob
root$ sacctmgr -i add user
root$ sacctmgr -i add user bob account=nosuch
root$ sacctmgr -i add user bob account=zoo nosuch=4
root$ sacctmgr -i add user bob account=zoo adminlevel=nosuch
root$ sacctmgr -i modify user alice set maxjobs=3
root$ sacctmgr -i modify user alice where account=cats set maxjobs=4
root$ sacctmgr -i modify user where name=alice account=cats set fairshare=parent qos+=fast
root$ sacctmgr -i modify user alice set adminlevel=admin
root$ sacctmgr -i modify user alice set adminlevel=none
root$ sacctmgr -i modify user alice set defaultaccount=cats
root$ sacctmgr -i modify user alice set defaultaccount=art
root$ sacctmgr -i modify user alice set account=art
root$ sacctmgr -i modify user alice set defaultqos=one
root$ sacctmgr -i modify user alice set defaultqos=normal
root$ sacctmgr -i modify user alice set nosuch=3
root$ sacctmgr -i modify user nosuch set maxjobs=3
root$ sacctmgr -i modify user alice set
root$ sacctmgr -nP show assoc format=account,user,partition,share,qos,maxj,defaultqos
root$ sacctmgr -nP show user format=user,defaultaccount,admin
root$ sacctmgr -i delete qos one
root$ sacctmgr -i delete qos normal

root$ sacctmgr -i add coordinator alice account=zoo
root$ sacctmgr -i add coordinator nosuch account=zoo
root$ sacctmgr -i add coordinator alice account=nosuch
root$ sacctmgr -i add coordinator alice
root$ sacctmgr -i add coordinator account=zoo
root$ sacctmgr show account withcoord format=account,coord
root$ sacctmgr show user withcoord format=user,coord
$ sacctmgr -i add user carol account=cats partition=batch
$ sacctmgr -i modify account cats set maxjobs=3
$ sacctmgr -i add account dogs parent=zoo
$ sacctmgr -i add account birds
$ sacctmgr -i modify user alice set adminlevel=admin
$ sacctmgr -i add qos mine
$ sacctmgr -i modify qos fast set priority=3
$ sacctmgr -i delete qos fast
root$ sacctmgr -i delete coordinator alice account=zoo
root$ sacctmgr -i delete coordinator alice
root$ sacctmgr -i delete coordinator
$ sacctmgr -i add account mine
$ sacctmgr -i modify account zoo set maxjobs=3
$ sacctmgr -i delete account zoo
$ sacctmgr -i delete user bob
$ sacctmgr -i add user carol account=art

root$ echo n | sacctmgr delete user carol
root$ echo y | sacctmgr delete user where name=carol account=zoo
root$ echo | sacctmgr add account new
root$ echo xy | sacctmgr add account new
root$ echo y | sacctmgr modify account set maxjobs=8
root$ sacctmgr -r -i add account other
root$ sacctmgr -Q -i add account other
root$ sacctmgr -Q -i add account other
root$ sacctmgr -i delete user alice account=zoo
root$ sacctmgr -i delete user alice account=cats
root$ sacctmgr -i delete user nosuch
root$ sacctmgr -i delete user
root$ sacctmgr -i delete account
root$ sacctmgr -i delete account nosuch
root$ sacctmgr -i delete account root
root$ sacctmgr -i delete user alice
root$ sacctmgr -i delete user bob,carol,nosuchuser
root$ sacctmgr -i delete account zoo
root$ sacctmgr -i delete account art,cats,new,other,set1,dogs
root$ sacctmgr -i delete account name=art cluster=peer
root$ sacctmgr -i modify cluster peer set fairshare=3 maxjobs=9
root$ sacctmgr -i modify cluster peer set grpwall=3
root$ sacctmgr -i modify cluster peer set fairshare=1 maxjobs=-1
root$ sacctmgr -i modify cluster nosuch set fairshare=3
root$ sacctmgr -i add cluster
root$ sacctmgr -i add cluster peer
root$ sacctmgr -i delete cluster nosuch
root$ sacctmgr -i delete cluster
$ sacctmgr -i modify cluster peer set fairshare=3
root$ sacctmgr -i delete qos fast,one,two
root$ sacctmgr -i add user carol account=root wckeys=w1,w2
root$ sacctmgr show wckey
root$ sacctmgr -i delete user carol wckeys=w2
root$ sacctmgr -i delete user carol wckeys=w1
root$ sacctmgr -i delete user carol wckeys=w1
root$ sacctmgr -nP show wckey
root$ sacctmgr -i delete user carol
root$ sacctmgr -i add resource matlab server=flex servertype=flexlm count=100 type=license cluster=peer percentallowed=40
root$ sacctmgr -i add resource matlab server=flex servertype=flexlm count=100 type=license cluster=peer percentallowed=40
root$ sacctmgr show resource
root$ sacctmgr show resource withclusters
root$ sacctmgr -nP show resource withclusters format=name,server,allocated,allowed,cluster,countallowed,countused,descr
root$ sacctmgr -i modify resource matlab set count=50
root$ sacctmgr -i modify resource where name=matlab cluster=peer set percentallowed=50
root$ sacctmgr -i modify resource matlab set percentallowed=50
root$ sacctmgr -i modify resource where name=matlab cluster=peer set percentallowed=150
root$ sacctmgr -i add resource toolbox
root$ sacctmgr -i add resource toolbox count=4
root$ sacctmgr -i delete resource matlab
root$ sacctmgr -i delete resource toolbox
root$ sacctmgr -i delete resource
root$ sacctmgr -nP show assoc format=account,user
root$ sacctmgr -nP show qos format=name
root$ sacctmgr -nP show user format=user
# Licenses of a server that several clusters share: scontrol shows the part that is this one's, and jobs can have them.
root$ l() { scontrol "$@" show lic; }; sacctmgr -i add resource name=matlab count=40 server=srv servertype=flexlm type=license percentallowed=50 cluster=peer >/dev/null; l; l -o
root$ srun -Q -L matlab@srv:3 scontrol show lic matlab@srv; srun -L matlab:1 true; srun -L matlab@srv:30 true
root$ sacctmgr -i modify resource where name=matlab server=srv cluster=peer set percentallowed=100 >/dev/null; l; scontrol reconfigure 2>/dev/null; l; sacctmgr -i delete resource where name=matlab >/dev/null; l
