# A dump of the books, and what a file changes in them.
root$ cd; sacctmgr -i add qos short >/dev/null
root$ sacctmgr -i add account zoo description='the zoo' organization=Bio fairshare=50 grptres=cpu=4,mem=100 grpwall=600 >/dev/null
root$ sacctmgr -i add account cats parent=zoo maxjobs=7 qos=normal,short maxwall=90 >/dev/null
root$ sacctmgr -i add user alice account=cats,zoo defaultaccount=cats fairshare=3 qos+=short >/dev/null
root$ sacctmgr -i add user bob account=zoo partition=batch adminlevel=operator maxtres=cpu=4 >/dev/null
root$ sacctmgr -i add coordinator bob account=zoo >/dev/null
root$ sacctmgr dump peer file=peer.cfg; cat peer.cfg
root$ sacctmgr dump peer; ls peer.cfg
root$ sacctmgr dump nosuch file=x
root$ sacctmgr dump
root$ sacctmgr dump peer file=/nosuch/file
$ sacctmgr dump peer file=x
root$ sacctmgr -i load peer.cfg
root$ printf "Cluster - 'peer'\nParent - 'root'\nAccount - 'birds':Description='birds':Organization='bio':Fairshare=9\nParent - 'birds'\nUser - 'carol':DefaultAccount='birds':Fairshare=2\nUser - 'alice'\n" >more.cfg; sacctmgr -i load more.cfg 2>&1 | grep -v Done
root$ sacctmgr -nP show assoc format=account,user,share,qos,parentname,grptres,maxj
root$ printf "Account - 'x'\n" >bad.cfg; sacctmgr -i load bad.cfg
root$ printf "Cluster - 'peer'\nParent - 'nosuch'\nAccount - 'x'\n" >bad.cfg; sacctmgr -i load bad.cfg
root$ printf "Cluster - 'peer'\nAccount - 'x':nosuch=3\n" >bad.cfg; sacctmgr -i load bad.cfg
root$ sacctmgr -i load nosuch.cfg
root$ sacctmgr -i load
root$ sacctmgr -i delete user alice,bob,carol >/dev/null; sacctmgr -i delete account birds,cats,zoo >/dev/null
root$ sacctmgr -i load file=peer.cfg 2>&1 | grep -v Done
root$ sacctmgr dump peer file=again.cfg; diff peer.cfg again.cfg
root$ sacctmgr -i delete user alice,bob >/dev/null; sacctmgr -i delete account cats,zoo,x >/dev/null; sacctmgr -i delete qos short >/dev/null; rm -f *.cfg
root$ sacctmgr -nP show assoc format=account,user
# The class of a cluster can be changed by a file.
root$ for c in Capacity Capability; do printf "Cluster - 'far':Classification=%s\nParent - 'root'\n" $c >f.cfg; sacctmgr -i load f.cfg 2>/dev/null | grep -E 'For|Class'; done; sacctmgr -nP show cluster far format=cluster,class; sacctmgr -i load f.cfg 2>&1 | grep -E 'For|Class|Nothing'; sacctmgr -i load f.cfg clean 2>&1 | grep -E '^For|^Class'; sacctmgr -i delete cluster far; rm f.cfg
# An account that a file names twice is where it was first; who is there already can get a default that is new to him.
root$ printf "Cluster - 'far'\nParent - 'root'\nAccount - 'ta1'\nAccount - 'ta2'\nParent - 'ta1'\nAccount - 'ta3'\nParent - 'ta3'\nUser - 'u3':DefaultAccount=ta3\n" >a.cfg; printf "Cluster - 'far'\nParent - 'root'\nAccount - 'ta1'\nAccount - 'ta3'\nParent - 'ta1'\nAccount - 'ta3'\nAccount - 'ta2'\nUser - 'u3':DefaultAccount=ta1\n" >b.cfg
root$ sacctmgr -i load a.cfg >/dev/null 2>&1; sacctmgr -i load b.cfg clean 2>/dev/null | grep Problem; sacctmgr -nP show assoc cluster=far format=account,parentname,user | sort; sacctmgr -i delete cluster far; sacctmgr -i delete user u3; sacctmgr -i delete account ta1,ta2,ta3; rm a.cfg b.cfg
