# What a node can have and what it has now are two lists; jobs find the second.
root$ scontrol update node=node1 AvailableFeatures=q,r ActiveFeatures=r; scontrol show node node1 | grep Features; sinfo -h -n node1 -o '%f|%b'
   AvailableFeatures=q,r
   ActiveFeatures=r
q,r|r
$ srun -C r printenv SLURMD_NODENAME
node1
$ srun -C q true
! srun: error: Unable to allocate resources: Requested node configuration is not available
? 1

# Nothing is active that is not available; what is added is active at once.
root$ scontrol update node=node1 AvailableFeatures=q
! slurm_update error: Active features not subset of available features
? 1
root$ scontrol update node=node1 ActiveFeatures=x
! slurm_update error: Active features not subset of available features
? 1
root$ scontrol update node=node1 AvailableFeatures=q,r,s; scontrol show node node1 | grep Features
   AvailableFeatures=q,r,s
   ActiveFeatures=q,r,s

# None at all.
root$ scontrol update node=node1 ActiveFeatures=; scontrol show node node1 | grep Features; sinfo -h -n node1 -o '%f|%b'
   AvailableFeatures=q,r,s
   ActiveFeatures=
q,r,s|
