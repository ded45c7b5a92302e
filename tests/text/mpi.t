# MPI programs of both families, over two nodes of two tasks each.
needs: mpicc.openmpi mpicc.mpich
$ printf '#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char** argv) {\n int rank, size, sum;\n MPI_Init(&argc, &argv);\n MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n MPI_Comm_size(MPI_COMM_WORLD, &size);\n MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n printf("rank %%d of %%d sum %%d on %%s\\n", rank, size, sum, getenv("SLURMD_NODENAME"));\n if (argc > 1 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);\n MPI_Finalize();\n}\n' >mpi.c; mpicc.openmpi -o openmpi mpi.c && mpicc.mpich -o mpich mpi.c

$ srun --mpi=list
MPI plugin types are...
	none
	pmi2
	pmix
specific pmix plugin versions available: pmix_v4
$ srun --mpi=pmix_v3 true
! srun: error: Invalid MPI type 'pmix_v3', --mpi=list for acceptable types
? 1

# Started by srun.
$ srun --mpi=pmix -N2 --ntasks-per-node=2 ./openmpi | sort
rank 0 of 4 sum 6 on node1
rank 1 of 4 sum 6 on node1
rank 2 of 4 sum 6 on node2
rank 3 of 4 sum 6 on node2
$ srun --mpi=pmi2 -N2 --ntasks-per-node=2 ./mpich | sort
rank 0 of 4 sum 6 on node1
rank 1 of 4 sum 6 on node1
rank 2 of 4 sum 6 on node2
rank 3 of 4 sum 6 on node2

# Started by their own mpirun, which uses srun to reach the other nodes.
$ salloc -Q -N2 --ntasks-per-node=2 mpirun.openmpi ./openmpi | sort
rank 0 of 4 sum 6 on node1
rank 1 of 4 sum 6 on node1
rank 2 of 4 sum 6 on node2
rank 3 of 4 sum 6 on node2
$ salloc -Q -N2 -n4 mpirun.mpich ./mpich | sort | cut -d' ' -f1-6
rank 0 of 4 sum 6
rank 1 of 4 sum 6
rank 2 of 4 sum 6
rank 3 of 4 sum 6
$ printf '#!/bin/bash\n#SBATCH -N2 --ntasks-per-node=2 -o mpi.out\nmpirun.openmpi ./openmpi | sort\nmpirun.mpich ./mpich | wc -l\nsrun --mpi=pmix ./openmpi | tail -n 1 | cut -c 6-\n' >mpi.sh; sbatch --wait mpi.sh >/dev/null; sed 's/^[0-3] of/N of/' mpi.out | sed 's/ on node[12]$//'
rank 0 of 4 sum 6
rank 1 of 4 sum 6
rank 2 of 4 sum 6
rank 3 of 4 sum 6
4
N of 4 sum 6

# An abort ends all ranks.
$ srun --mpi=pmi2 -n2 ./mpich abort >/dev/null 2>&1; test $? -ne 0
$ OMPI_MCA_btl=^vader srun --mpi=pmix -n2 ./openmpi abort >/dev/null 2>&1; test $? -ne 0
