#include "cli/docs/manual.h"

#include "base/text.h"
#include "cli/sacct/fields.h"
#include "cli/sacctmgr/commands.h"
#include "cli/sacctmgr/fields.h"
#include "cli/scontrol/keywords.h"
#include "cli/sinfo/fields.h"
#include "cli/squeue/job_fields.h"
#include "cli/squeue/step_fields.h"
#include "cli/sreport/commands.h"
#include "cli/sshare/sshare.h"
#include "cli/sstat/sstat.h"

namespace grappe {
namespace {

using Terms = std::vector<std::pair<std::string, std::string>>;

struct Text {
  std::string_view command;
  std::string_view description;
  std::string_view examples;
};

constexpr Text kTexts[] = {
    {"sbatch",
     "Submits a script and returns at once. The service keeps the script, starts it when its "
     "resources are free, and writes its output to slurm-JOBID.out in the folder it was submitted "
     "from. Lines \"#SBATCH --option\" at the head of the script are options too; the environment "
     "wins over them, and the command line over both.\n\n"
     "When sbatch has printed the number of the job, the job is on disk: no restart of the service "
     "or of the machine loses it.",
     " sbatch job.sh\n sbatch -n 4 --mem-per-cpu=2G --gpus=1 -t 2:00:00 job.sh data.csv\n"
     " sbatch --array=0-99%4 --wrap './fit $SLURM_ARRAY_TASK_ID'\n"
     " sbatch --dependency=afterok:41 next.sh"},
    {"salloc",
     "Waits until resources are free, then runs a command with them, or a shell on a node. The "
     "allocation ends with the command. Steps in it are started by srun.",
     " salloc -n 4 -t 30\n salloc -N 2 srun hostname"},
    {"srun",
     "Runs a program as one or more tasks, with its output on the terminal. Inside a job it starts "
     "a step on the job's resources; elsewhere it asks for resources of its own, waits for them "
     "and "
     "gives them back at the end.\n\n"
     "The exit code is the greatest of the tasks'; of a task that was ended by a signal it is 128 "
     "and the signal's number. Ctrl-C once shows how the tasks are, twice within a second ends "
     "them.",
     " srun --pty bash\n srun -n 4 --gpus=1 python train.py\n srun --mpi=pmi2 -n 8 ./program"},
    {"scancel",
     "Ends jobs, tasks of arrays or steps, or sends them a signal. Without numbers the filters "
     "choose: of one's own jobs, or as root of everybody's.",
     " scancel 41\n scancel 42_[1-3]\n scancel --me --state=PENDING\n scancel -s USR1 43"},
    {"sacct",
     "Shows what is remembered of jobs and their steps, from the moment they are submitted. "
     "Without "
     "options one's own of today; with -j, or as root, everybody's. With --state it is those that "
     "were in one of the states now, or between --starttime and --endtime.\n\n"
     "A field may be typed by its beginning and in any case; its width follows a percent sign, "
     "negative for the left edge. A value that does not fit ends in a plus.",
     " sacct -j 41\n sacct -X -S now-7days -s FAILED,TIMEOUT\n"
     " sacct -j 41 -o jobid,state%20,elapsed,maxrss,reqmem\n"
     " sacct -nP -X -j 41 -o state,exitcode"},
    {"sacctmgr",
     "Shows and changes the books: who may use the cluster, on whose account, and within which "
     "limits. A user in an account is an association, and so is an account in its parent; what is "
     "limited there holds for all below it. Users see the books, coordinators change what lies "
     "below their accounts, operators and administrators everything.\n\n"
     "A change is shown and asked about first; with -i it is carried out at once. Conditions "
     "stand before the word set or after the word where, values after set. Key+=value and "
     "Key-=value add to a list and take from it; -1 clears a limit.\n\n"
     "A field may be typed by its beginning and in any case; its width follows a percent sign, "
     "negative for the left edge.",
     " sacctmgr show assoc tree format=account,user,fairshare,qos%40\n"
     " sacctmgr add account cs description='computer science'\n"
     " sacctmgr -i add user alice account=cs fairshare=10\n"
     " sacctmgr modify user where name=alice set qos+=long maxjobs=4\n"
     " sacctmgr modify qos long set maxtresperuser=gres/gpu=1 maxwall=14-0\n"
     " sacctmgr -nP show qos format=name,priority\n"
     " sacctmgr dump mine file=mine.cfg"},
    {"sreport",
     "Reports what was used in a window of time: by accounts and users, by workload keys, by size "
     "of jobs, of reservations, and of the cluster as a whole. The window is made of whole hours, "
     "and is yesterday unless start= and end= say otherwise; what has not ended counts until "
     "now.\n\n"
     "Without a command it reads commands until exit; \"!!\" repeats the last one. Words may be "
     "abbreviated and typed in any case.",
     " sreport cluster utilization start=2026-11-01\n"
     " sreport -t minper -T gres/gpu cluster utilization start=9/01/26 end=now\n"
     " sreport cluster AccountUtilizationByUser tree start=now-7days\n"
     " sreport -t hours user top start=2026-11-01 topcount=5\n"
     " sreport -nP job sizesbyaccount grouping=1,2,4,8 PrintJobCount"},
    {"squeue",
     "Lists the jobs that wait, run or are ending; those that have ended stay for a while and are "
     "shown by --states=all. The last column says where a job runs, or in parentheses why it "
     "waits.",
     " squeue --me\n squeue -t PENDING --start\n squeue -o \"%i %j %T %R\"\n"
     " squeue -O \"jobid:8,name:20,tres-alloc:40\""},
    {"sinfo", "Lists the partitions and the state of their nodes, a line for each that differ.",
     " sinfo\n sinfo -N -l\n sinfo -o \"%n %C %G\"\n sinfo -R"},
    {"scontrol",
     "Shows everything about jobs, steps, nodes, partitions, reservations and the configuration, "
     "and changes what may be changed: users their own jobs, root everything.\n\n"
     "Without a command it reads commands until exit; \"!!\" repeats the last one. Words may be "
     "abbreviated and typed in any case.",
     " scontrol show job 41\n scontrol update JobId=41 TimeLimit=+30\n scontrol hold 42\n"
     " scontrol update NodeName=node3 State=DRAIN Reason=\"disk\""},
    {"sattach",
     "Attaches to a running step: prints what its tasks write and gives them what is typed.",
     " sattach 41.0\n sattach --layout 41.0"},
    {"sbcast",
     "Copies a file to every node of a job. The nodes are slices of one machine, so it is there "
     "once.",
     " sbcast program /tmp/program\n srun /tmp/program"},
    {"sstat",
     "Shows what running steps use: processor time, memory, page faults, what they read and write. "
     "The figures are measured when they are asked for. Of a job the lowest numbered step is "
     "meant, "
     "of a job without steps none: its script is JOB.batch. Users see their own steps.\n\n"
     "Ave is the mean of the tasks, Max and Min the task with the most and the least; Node and "
     "Task say which. When a step has ended sacct shows the same fields.",
     " sstat -j 41.batch\n sstat -a -j 41 -o jobid,maxrss,avecpu,maxdiskwrite\n sstat -i -j 41.0"},
    {"sprio",
     "Shows what the priority of pending jobs is made of: age, fair share, size, partition, QoS, "
     "association, resources, what an operator adds (SITE) and niceness. Each is between 0 and 1, "
     "times its weight; the sum is the priority. Jobs that are held or may not run yet are not "
     "shown. A job that may run in several partitions has a line for each.",
     " sprio\n sprio -l -u alice\n sprio -n -S -y\n sprio -w"},
    {"sshare",
     "Shows the tree of accounts and users: the shares that each has, and what was used of them. "
     "Without -a or -u only one's own lines and all accounts.\n\n"
     "NormShares is the part of the level's shares, EffectvUsage the part of what the level has "
     "used, LevelFS the first divided by the second: above 1 has had less than its share. "
     "FairShare is the rank among all users, from 1 down. RawUsage is in billing-seconds, and "
     "counts half after PriorityDecayHalfLife. `grappe share` says the same in words.",
     " sshare\n sshare -a -l\n sshare -A cs -u alice,bob -o account,user,levelfs"},
    {"seff",
     "Compares what an ended job used with what it was given: processor time with its cores, "
     "memory with what it asked for. `grappe job` says the same in words, with the options to "
     "change.",
     " seff 41\n seff 42_3"},
    {"sdiag",
     "Prints what the service counts: jobs, cycles of the scheduler, and the calls that it "
     "answered, by kind and by user.",
     " sdiag\n sdiag -t"},
};

const Text* find_text(std::string_view command) {
  for (const Text& text : kTexts) {
    if (text.command == command) return &text;
  }
  return nullptr;
}

const Terms kFileSigns = {
    {"%j", "the number of the job"},
    {"%x", "the name of the job"},
    {"%A, %a", "the array's number and the task's in it"},
    {"%u", "the name of the user"},
    {"%N", "the node (a file for each)"},
    {"%n", "the node's place in the job"},
    {"%t", "the task (a file for each)"},
    {"%s, %J", "the step, and job.step"},
    {"%%", "a percent sign"},
    {"%4j", "with zeros before it, up to four digits"},
};

const Terms kJobVariables = {
    {"SLURM_JOB_ID", "the number of the job"},
    {"SLURM_JOB_NAME, SLURM_JOB_PARTITION, SLURM_JOB_ACCOUNT, SLURM_JOB_QOS", "as submitted"},
    {"SLURM_JOB_NODELIST, SLURM_JOB_NUM_NODES", "the nodes it has"},
    {"SLURM_NTASKS, SLURM_CPUS_PER_TASK, SLURM_NTASKS_PER_NODE", "what was asked for"},
    {"SLURM_CPUS_ON_NODE, SLURM_JOB_CPUS_PER_NODE", "the CPUs it has"},
    {"SLURM_MEM_PER_NODE, SLURM_MEM_PER_CPU", "the memory it has, in megabytes"},
    {"SLURM_JOB_GPUS, CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES", "the GPUs it has"},
    {"SLURM_ARRAY_JOB_ID, SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT", "of a task of an array"},
    {"SLURM_SUBMIT_DIR, SLURM_SUBMIT_HOST", "where it was submitted"},
    {"SLURM_TMPDIR", "a folder of its own on a local disk, removed after it"},
    {"SLURM_RESTART_COUNT", "how often it was put back into the queue"},
};

const Terms kTaskVariables = {
    {"SLURM_PROCID, SLURM_LOCALID, SLURM_NODEID",
     "the task's number in the step, on its node, "
     "and the node's"},
    {"SLURM_STEP_ID, SLURM_STEP_NODELIST, SLURM_STEP_NUM_TASKS", "the step"},
    {"SLURM_STEP_GPUS", "the GPUs of the step"},
};

const Terms kReportConditions = {
    {"start=, end=",
     "the window, as sacct reads times: 2026-11-15T08:00, 9/01/26, now-7days; rounded to hours"},
    {"format=", "columns, divided by commas, each with its width after a percent sign"},
    {"accounts=, users=, wckeys=", "only these"},
    {"clusters=, all_clusters", "there is one"},
    {"tree", "of AccountUtilizationByUser: accounts are indented as in the tree"},
    {"topcount=, group", "of TopUsage: so many users; one line for each user"},
    {"grouping=", "of Sizes...: bounds of the sizes, 50,250,500,1000; individual: each size"},
    {"PrintJobCount", "of Sizes...: the number of jobs and not the time"},
    {"FlatView, AcctAsParent", "of SizesByAccount: each account; those below the named ones"},
    {"gid=, jobs=, nodes=, partitions=", "of Sizes...: only jobs of these"},
    {"names=, nodes=", "of reservation Utilization: only these"},
};

// "%A, jobid" and the title of the column.
template <class Field>
Terms columns(std::span<const Field> fields) {
  Terms terms;
  for (const Field& field : fields) {
    std::string key = field.letter ? std::string("%") + field.letter : "";
    if (!field.name.empty()) key += (key.empty() ? "" : ", ") + std::string(field.name);
    terms.emplace_back(key, field.title);
  }
  return terms;
}

constexpr const char* kColumnText =
    "-o takes letters, each after a percent sign: %8i is the number of a job in eight letters, "
    "%.8i the same to the right. -O takes names divided by commas, with a width after a colon. "
    "Each is given with the title of its column.";

void add_scontrol(std::vector<ManualSection>& sections) {
  ManualSection commands{"COMMANDS", "", {}};
  for (const scontrol::Keyword& row : scontrol::keywords()) {
    std::string usage(row.name);
    if (!row.arguments.empty()) usage += " " + std::string(row.arguments);
    commands.terms.emplace_back(usage, row.help);
  }
  sections.push_back(std::move(commands));
  sections.push_back({"ENTITIES OF SHOW", join(scontrol::entity_names(), ", ") + "."});
  sections.push_back(
      {"KEYS OF UPDATE",
       "Each as Key=value; a number may be changed by Key+=value and Key-=value.",
       {{"of a job (JobId=)", join(scontrol::job_keys(), ", ")},
        {"of a node (NodeName=)", join(scontrol::node_keys(), ", ")},
        {"of a partition (PartitionName=)", join(scontrol::partition_keys(), ", ")},
        {"of a reservation (ReservationName=)", join(scontrol::reservation_keys(), ", ")}}});
}

void add_sacctmgr(std::vector<ManualSection>& sections) {
  ManualSection commands{"COMMANDS", "", {}};
  for (const sacctmgr::CommandText& row : sacctmgr::command_texts()) {
    std::string usage(row.name);
    if (!row.arguments.empty()) usage += " " + std::string(row.arguments);
    commands.terms.emplace_back(usage, row.help);
  }
  sections.push_back(std::move(commands));
  ManualSection entities{"ENTITIES", "", {}};
  for (std::string_view verb : {"show", "add", "modify", "delete"}) {
    entities.terms.emplace_back(verb, join(sacctmgr::entity_names(verb), ", "));
  }
  sections.push_back(std::move(entities));
  std::vector<std::string> fields;
  for (std::string_view name : sacctmgr::field_names()) fields.emplace_back(name);
  sections.push_back({"FIELDS", join(fields, ", ")});
}

}  // namespace

std::string manual_description(std::string_view command) {
  const Text* text = find_text(command);
  return text ? std::string(text->description) : "";
}

std::vector<ManualSection> manual_sections(std::string_view command) {
  std::vector<ManualSection> sections;
  if (command == "sbatch" || command == "srun") {
    sections.push_back(
        {"NAMES OF FILES",
         "In the names of --output, --error and --input these signs are replaced:", kFileSigns});
  }
  if (command == "sbatch" || command == "salloc" || command == "srun") {
    sections.push_back({"ENVIRONMENT OF THE JOB", "", kJobVariables});
  }
  if (command == "srun") sections.push_back({"ENVIRONMENT OF A TASK", "", kTaskVariables});
  if (command == "sacct") {
    std::vector<std::string> names;
    for (const SacctField& field : sacct_fields()) names.emplace_back(field.name);
    sections.push_back({"FIELDS", join(names, ", ")});
  }
  if (command == "sreport") {
    sections.push_back({"REPORTS", "", sreport::report_names()});
    sections.push_back({"CONDITIONS", "After the name of a report:", kReportConditions});
  }
  if (command == "sstat") {
    std::vector<std::string> names;
    for (const SstatField& field : sstat_fields()) names.emplace_back(field.name);
    sections.push_back({"FIELDS", join(names, ", ")});
  }
  if (command == "sshare") {
    std::vector<std::string> names;
    for (const SshareField& field : sshare_fields()) names.emplace_back(field.name);
    sections.push_back({"FIELDS", join(names, ", ")});
  }
  if (command == "squeue") {
    sections.push_back({"COLUMNS", kColumnText, columns(job_fields())});
    sections.push_back({"COLUMNS OF STEPS", "With --steps:", columns(step_fields())});
  }
  if (command == "sinfo") sections.push_back({"COLUMNS", kColumnText, columns(node_fields())});
  if (command == "scontrol") add_scontrol(sections);
  if (command == "sacctmgr") add_sacctmgr(sections);
  if (const Text* text = find_text(command)) {
    sections.push_back({"EXAMPLES", std::string(text->examples)});
  }
  return sections;
}

}  // namespace grappe
