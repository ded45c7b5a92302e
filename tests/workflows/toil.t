# Toil runs a CWL workflow: sbatch, squeue, sacct and scontrol as its Slurm batch system calls them.
needs: toil-cwl-runner
$ printf 'cwlVersion: v1.2\nclass: Workflow\ninputs:\n  names: "string[]"\noutputs:\n  out: {type: "File[]", outputSource: say/out}\nrequirements:\n  ScatterFeatureRequirement: {}\nsteps:\n  say:\n    scatter: name\n    in: {name: names}\n    out: [out]\n    run:\n      class: CommandLineTool\n      baseCommand: echo\n      stdout: $(inputs.name).txt\n      inputs: {name: {type: string, inputBinding: {position: 1}}}\n      outputs: {out: stdout}\n' >hello.cwl; echo '{"names": ["a", "b", "c"]}' >in.json
$ toil-cwl-runner --batchSystem slurm --workDir $PWD --jobStore $PWD/store --outdir out --disableCaching hello.cwl in.json 2>said | grep -c '"class": "File"'
3
$ cat out/?.txt | sort
a
b
c
$ sacct -X -n -P -o state | sort | uniq -c | sed 's/^ *[0-9]*/N/'
N COMPLETED
