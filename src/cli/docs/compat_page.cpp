#include <string>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/options/job_options.h"

namespace grappe {
namespace {

// Where we answer otherwise than Slurm 22.05, on purpose.
struct Difference {
  std::string_view where;
  std::string_view slurm;
  std::string_view here;
};
constexpr Difference kDifferences[] = {
    {"unknown option", "says that it is unknown", "adds \"did you mean --cpus-per-task?\""},
    {"`--mail-type=BEGIN,x`", "leaves the unknown word out", "refused"},
    {"`--priority=x`, `--switches=1@x`", "read as 0", "refused"},
    {"`--prefer` of features that too few nodes have", "refused", "what is required counts"},
    {"`-N 0`, `-N 1-`", "accepted or misread", "not a valid node count"},
    {"`--gpu-bind=single:0`, `map_gpu:`", "accepted", "refused"},
    {"`--signal=99`", "accepted", "refused: there is no such signal"},
    {"`-A ''`, `-p ''`", "an account or partition without a name is looked for", "as if not given"},
    {"`-B 1:2:3:4`", "the fourth number is left out", "refused"},
    {"`#BSUB -W 1:30`", "1 minute 30 seconds", "1 hour 30 minutes, as LSF means it"},
    {"control characters in a job's name or comment", "written to the terminal as they are",
     "shown as `?` by squeue, sinfo and scontrol"},
    {"a requeued job", "waits two minutes (AuthInfo=cred_expire) and starts again",
     "starts again after two seconds, unless cred_expire says otherwise"},
    {"`sacct -o AllocGRES,ReqGRES`", "an error: the fields were removed", "the GPUs: `gpu:2`"},
    {"`sacct -B`", "needs AccountingStoreFlags=job_script", "the script is always kept"},
    {"`sacct -o MaxRSS` of a short step", "empty: it was not sampled", "the peak of its processes"},
    {"`sacctmgr` asks, and its input has ended", "asks without end", "no"},
    {"`sacctmgr modify ... set maxtres=cpu=x`", "sets something", "refused"},
    {"`sacctmgr modify account a set parent=b`, b below a", "turns the two around", "refused"},
    {"`sacctmgr modify user name= set ...`", "changes associations of accounts", "changes none"},
    {"`sacctmgr dump` to a file that can't be written", "exit code 0", "exit code 1"},
    {"`sacctmgr load` of a line that is none", "left out", "refused"},
    {"`sreport -t days`, `start=soon`, `users=nosuch`, `grouping=x`",
     "said, and reported as if not given", "refused"},
    {"`sreport cluster utilization format=allocated%20`", "the width is left out", "taken"},
    {"`sreport ... end=now`", "the hour that is not over is left out", "it counts until now"},
    {"`sacctmgr modify ... set rawusage=0 fairshare=3`", "only the use is set back", "refused"},
    {"`sacctmgr show reservation nodes=node1`", "asks for the cluster", "there is one"},
    {"UnusedWall of `sacctmgr show reservation`", "0 until the hour is summed up", "until now"},
    {"`nodes=node[` of sreport and sacctmgr", "as if not given", "refused"},
    {"`sreport -T gres/gpu` of jobs in a reservation", "not counted for the cluster",
     "counted: the reservation has CPUs only"},
    {"`sstat -j JOB` of a job without steps", "an empty table",
     "says that `JOB.batch` is its script"},
    {"`sstat -o AveCPUFreq`", "the frequency of the processors", "0: it is not measured"},
    {"`sstat -o TRESUsageInMaxTask,MaxDiskWrite`", "the task of cpu as a time, 1 byte as `1.00M`",
     "numbers, as in sacct"},
    {"`TRESUsageIn*` of steps with GPUs", "gres/gpumem and gres/gpuutil of each process",
     "of the GPUs that the step has"},
    {"service not running", "retries for a long time", "one line that says how to start it"},
};

std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string name_cell(std::string_view name, char letter, std::string_view env) {
  if (name.empty() && !letter) return "(" + std::string(env) + ")";
  std::string out = "`";
  if (letter) out += std::string("-") + letter;
  if (letter && !name.empty()) out += ", ";
  if (!name.empty()) out += "--" + std::string(name);
  return out + "`";
}

std::string status_cell(std::string_view refused) {
  return refused.empty() ? "ok" : "refused: " + cell(refused);
}

std::string first_env(const JobOption& row) {
  for (std::string_view names : {row.env_sbatch, row.env_salloc, row.env_srun}) {
    if (!names.empty()) return std::string(names);
  }
  return "";
}

void add_job_options(std::string& out) {
  out += "## sbatch, salloc, srun\n\n";
  out += "| option | sbatch | salloc | srun | environment | status |\n|---|---|---|---|---|---|\n";
  for (const JobOption* row : job_options(kAllThree)) {
    auto mark = [&](Commands c) { return row->commands & c ? "yes" : ""; };
    std::string env;
    for (std::string_view names : {row->env_sbatch, row->env_salloc, row->env_srun}) {
      for (std::string_view name : split_words(names, " ")) {
        if (env.find("`" + std::string(name) + "`") != std::string::npos) continue;
        env += (env.empty() ? "`" : " `") + std::string(name) + "`";
      }
    }
    out += "| " + name_cell(row->name, row->letter, first_env(*row)) + " | " + mark(kSbatch) +
           " | " + mark(kSalloc) + " | " + mark(kSrun) + " | " + env + " | " +
           status_cell(row->refused) + " |\n";
  }
}

void add_table(const OptionTable& table, std::string& out) {
  out += "\n## " + std::string(table.command.name) + "\n\n";
  out += "| option | environment | status |\n|---|---|---|\n";
  for (const BareOption& row : table.rows) {
    std::string env = row.env.empty() ? "" : "`" + std::string(row.env) + "`";
    out += "| " + name_cell(row.name, row.letter, row.env) + " | " + env + " | " +
           status_cell(row.refused) + " |\n";
  }
}

}  // namespace

std::string compat_page() {
  std::string out =
      "# Compatibility with Slurm 22.05\n\n"
      "Made from the tables that the commands themselves read, by `grappe docs compat`.\n"
      "An option that is *refused* ends the command with the sentence given here; none is\n"
      "accepted and then ignored.\n\n";
  add_job_options(out);
  for (const OptionTable& table : option_tables()) add_table(table, out);
  out += "\n## Where we differ on purpose\n\n| case | Slurm | here |\n|---|---|---|\n";
  for (const Difference& d : kDifferences) {
    out += "| " + cell(d.where) + " | " + cell(d.slurm) + " | " + cell(d.here) + " |\n";
  }
  return out;
}

}  // namespace grappe
