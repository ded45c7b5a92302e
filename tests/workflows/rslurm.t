# R's rslurm runs a function over the rows of a table as an array, and gathers what came of it.
needs: Rscript
$ printf 'library(rslurm)\nj <- slurm_apply(function(a, b) data.frame(s = a + b), data.frame(a = 1:8, b = 11:18), jobname = "try", nodes = 2, cpus_per_node = 2, slurm_options = list(time = "5:00", mem = "500M"))\nr <- get_slurm_out(j, outtype = "table", wait = TRUE)\nprint(get_job_status(j)$completed)\nprint(r$s)\n' >a.R; Rscript a.R 2>said
[1] TRUE
[1] 12 14 16 18 20 22 24 26
