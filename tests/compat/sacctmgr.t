# What the books show. Numbers of associations are left out: they count on.
root$ sacctmgr -i add qos short,long
root$ sacctmgr -i modify qos short set priority=100 maxwall=04:00:00 maxtresperuser=gres/gpu=8,cpu=16 flags=DenyOnLimit preempt=long
root$ sacctmgr -i modify qos long set gracetime=120 grptres=cpu=100,mem=2048 grptresmins=cpu=1000 grpjobs=5 maxjobspu=3 maxsubmitjobspu=9 usagefactor=0.5 mintres=cpu=2 description='a long one'
root$ sacctmgr -i add account zoo description='the zoo' organization=Bio fairshare=50
root$ sacctmgr -i add account art organization=fine
root$ sacctmgr -i add account cats,dogs parent=zoo fairshare=20 maxjobs=7
root$ sacctmgr -i add user carol account=cats fairshare=10
root$ sacctmgr -i add user alice account=dogs,zoo defaultaccount=zoo maxwall=60
root$ sacctmgr -i add user bob account=zoo partition=batch maxjobs=2
root$ sacctmgr -i modify user alice set qos+=short
root$ sacctmgr -i modify account cats set qos=normal,long defaultqos=normal grptres=mem=1000,gres/gpu=2

$ sacctmgr show qos format=name,priority,maxtresperuser%30,MaxWall,flags%20,preempt
$ sacctmgr show qos | cut -c1-400
$ sacctmgr -nP show qos
$ sacctmgr -p show qos long
$ sacctmgr show qos where name=short,nosuch format=name%20,desc%-20
$ sacctmgr -nP show qos format=name,gracet,grptres,grptresmins,grpj,maxjobspu,maxsubmitjobspu,usagefactor,mintres,description,limitfactor,usagethres
$ sacctmgr show assoc | cut -c1-300
$ sacctmgr -nP show assoc
$ sacctmgr show assoc tree format=account,user,share,partition
$ sacctmgr -P show assoc tree format=account,user
$ sacctmgr show assoc format=account,user,qos%30,defaultqos,maxjobs,maxwall
$ sacctmgr show assoc wopl format=account,user,qos%30,defaultqos,maxjobs,maxwall
$ sacctmgr show assoc withraw format=account,user,qos%30
$ sacctmgr show assoc wopl withraw format=account,user,qos%30
$ sacctmgr show assoc wolimits
$ sacctmgr show assoc wopi format=account,user,parentname,parentid
$ sacctmgr show assoc onlydefaults format=account,user
$ sacctmgr show assoc user=alice format=account,user,partition
$ sacctmgr show assoc where account=zoo format=account,user
$ sacctmgr show assoc account=zoo withsub format=account,user
$ sacctmgr show assoc account=zoo withsub tree format=account,user
$ sacctmgr show assoc parent=zoo format=account,user
$ sacctmgr show assoc partition=batch format=account,user,partition
$ sacctmgr show assoc qos=short format=account,user
$ sacctmgr show assoc cluster=nosuch
$ sacctmgr show assoc cluster=peer user=carol format=cluster,account
$ sacctmgr list associations user=ALICE format=user,account
$ sacctmgr show account
$ sacctmgr show account zoo
$ sacctmgr -n show account art,dogs
$ sacctmgr show account withassoc format=account,parentname,user
$ sacctmgr show account withassoc | cut -c1-300
$ sacctmgr -s show account cats format=account,user,share
$ sacctmgr show account where organization=bio
$ sacctmgr show account desc='the zoo'
$ sacctmgr show account withassoc user=alice format=account,user
$ sacctmgr show user
$ sacctmgr show user alice
$ sacctmgr show user withassoc format=user,account,partition,maxj,maxw
$ sacctmgr show user alice withassoc | cut -c1-300
$ sacctmgr -s show user bob format=user,def,part
$ sacctmgr show user withcoord
$ sacctmgr show user defaultaccount=zoo format=user
$ sacctmgr show user adminlevel=administrator format=user,admin
$ sacctmgr show tres type=gres format=type,name
$ sacctmgr show tres | head -5
$ sacctmgr show cluster format=cluster,share,qos,defaultqos
$ sacctmgr show cluster wol format=cluster
$ sacctmgr show cluster nosuch
$ sacctmgr show wckey
$ sacctmgr show resource
$ sacctmgr show resource withclusters
$ sacctmgr show reservation
$ sacctmgr show federation
$ sacctmgr show problem
$ sacctmgr show runawayjobs
root$ sacctmgr show runawayjobs
$ sacctmgr -n show qos format=name%3
$ sacctmgr show qos format=na,na
$ sacctmgr show qos format=NAME,Prio%-12
$ sacctmgr show qos format=account,user,name
$ sacctmgr show user format=name,user
$ sacctmgr show account format=name,account

# How far words may be abbreviated.
$ for f in al alloc allocat ac acc acti actionr ass cla cl clustern co con cou counta cp d des defaultq du el en ev fea fed feds g gra grpc grpcpu grpcpum grpj grpt grptres grptresr i in l limitf maxc maxj maxjobsa maxjobsp maxn maxnodespu maxs maxsubmitp maxt maxtresp maxtresperu maxtresr maxtresrunminspa maxw minp mint mintres n nodec noden o pa parent parenti part pl pre preempt preemptm pri p q qos qosr r rg rp s se ser st star su t ti timeen tr ty un usa usaget u wc wh w; do sacctmgr show tres type=cpu format=$f 2>&1; done
$ for e in ac as cl co conf p q reso rese ru u w; do sacctmgr -n show $e nosuch=1 2>&1 | head -1; done
$ for v in a ad ar ass c cl cr d de du e exi h l lis m one q qui quit re rea rem s sh u v ver; do sacctmgr -n $v nosuch 2>&1 </dev/null | grep keyword; done
$ for c in n=zoo a=zoo acct=zoo d=zoo o=bio par=zoo p=zoo u=alice i=1 q=normal; do sacctmgr -i -nP show account $c format=account 2>&1 | head -2; done
$ for c in n=alice u=alice ac=zoo a=zoo ad=none c=peer def=zoo defaulta=zoo w=x p=batch part=batch; do sacctmgr -i -nP show user $c format=user 2>&1 | head -1; done

# Mistakes.
$ sacctmgr show qos format=nosuch
$ sacctmgr show nosuch
$ sacctmgr show
$ sacctmgr nosuch
$ sacctmgr show qos nosuch=3
$ sacctmgr show account nosuch=3
$ sacctmgr show assoc nosuch=3
$ sacctmgr show user nosuch=3
$ sacctmgr show cluster nosuch=3
$ sacctmgr show tres nosuch=3
$ echo n | sacctmgr show account user=alice
$ sacctmgr exit
$ sacctmgr add

root$ sacctmgr -i delete user alice
root$ sacctmgr -i delete user bob,carol
root$ sacctmgr -i delete account art,zoo,cats,dogs
root$ sacctmgr -i delete qos short,long | sort
$ sacctmgr -nP show assoc format=account,user

# Reservations that are over, and one that has not begun.
root$ scontrol create reservation reservationname=lab users=alice nodes=node1 starttime=now duration=10
root$ scontrol create reservation reservationname=exam accounts=root nodes=node[2-3] starttime=now+1hour duration=60
root$ sleep 2; scontrol delete reservation lab
root$ wait_for "sacctmgr -nP show reservation names=exam format=name | grep -q exam"; sleep 1
root$ sacctmgr -P show reservation format=cluster,name,nodenames,tres,flags
root$ sacctmgr -nP show reservation names=lab format=name,nodenames
root$ sacctmgr -nP show reservation names=exam format=name,nodenames,tres
root$ sacctmgr -nP show reservation names=nosuch
root$ sacctmgr -nP show reservation clusters=nosuch
root$ sacctmgr -nP show reservation ids=99999
root$ sacctmgr show reservation start=soon
root$ sacctmgr show reservation where nosuch=1
root$ scontrol delete reservation exam
