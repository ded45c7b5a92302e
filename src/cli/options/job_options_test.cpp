#include "cli/options/job_options.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/duration.h"
#include "cli/options/job_command_line.h"

namespace grappe {
namespace {

struct Outcome {
  JobOptions options{kSbatch};
  std::optional<int> exit;
  std::string err;
  std::string out;
};

// What `command words...` makes of an empty environment and, for sbatch, these script words.
Outcome run(Commands command, std::vector<std::string> words,
            std::vector<std::string> script_words = {}) {
  words.insert(words.begin(), std::string(command_name(command)));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Outcome o;
  o.options.command = command;
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  JobCommandLine line(command);
  o.exit = line.read(static_cast<int>(words.size()), argv.data()).exit_code;
  if (!o.exit) o.exit = line.apply_script(script_words, o.options);
  if (!o.exit) o.exit = line.settle(o.options);
  o.err = testing::internal::GetCapturedStderr();
  o.out = testing::internal::GetCapturedStdout();
  return o;
}

struct Refusal {
  std::vector<std::string> words;
  int exit;
  const char* err;
};

// Recorded from Slurm 22.05.
TEST(JobOptions, RefusesWrongValuesInSlurmsWordsAndWithItsExitCodes) {
  const Refusal cases[] = {
      {{"--ntasks=0"}, 1, "sbatch: error: Invalid numeric value \"0\" for --ntasks.\n"},
      {{"--ntasks=x"}, 1, "sbatch: error: Invalid numeric value \"x\" for --ntasks.\n"},
      {{"-N", "x"}, 255, "sbatch: error: \"x\" is not a valid node count\n"},
      {{"-N", "2-1"},
       255,
       "sbatch: error: Maximum node count 1 is less than minimum node count 2\n"},
      {{"-N", "1-2,4"}, 255, "sbatch: error: \"2,4\" is not a valid node count\n"},
      {{"-c", "-1"}, 1, "sbatch: error: Invalid numeric value \"-1\" for --cpus-per-task.\n"},
      {{"--mem=1X"}, 255, "sbatch: error: Invalid --mem specification\n"},
      {{"--mem=1G", "--mem-per-cpu=1G"},
       1,
       "sbatch: fatal: --mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.\n"},
      {{"-t", "1x"}, 255, "sbatch: error: Invalid --time specification\n"},
      {{"--time-min=x"}, 255, "sbatch: error: Invalid --time-min specification\n"},
      {{"--begin=x"},
       255,
       "Invalid time specification (pos=0): x\nsbatch: error: Invalid --begin specification\n"},
      {{"--deadline=now+1hour", "--begin=now+2hour"},
       1,
       "sbatch: error: Incompatible begin and deadline time specification\n"},
      {{"--distribution=x"}, 255, "sbatch: error: Invalid --distribution specification\n"},
      {{"--distribution=plane"},
       255,
       "sbatch: error: Invalid plane size or size not specified\n"
       "sbatch: error: Invalid --distribution specification\n"},
      {{"--exclusive=x"}, 255, "sbatch: error: Invalid --exclusive specification\n"},
      {{"-B", "x"}, 1, "sbatch: error: Invalid numeric value \"x\" for first arg of -B.\n"},
      {{"--get-user-env=x"}, 255, "sbatch: error: Invalid --get-user-env specification\n"},
      {{"--gpu-bind=x"}, 255, "sbatch: error: Invalid --gpu-bind argument: gpu:x\n"},
      {{"--gpu-bind=map_gpu:0,x"},
       255,
       "sbatch: error: Failed to validate x, offending character is x\n"
       "sbatch: error: Invalid --gpu-bind argument: gpu:map_gpu:0,x\n"},
      {{"--gres-flags=x"}, 255, "sbatch: error: Invalid --gres-flags specification\n"},
      {{"--hint=x"}, 1, "sbatch: error: unrecognized --hint argument \"x\", see --hint=help\n"},
      {{"--kill-on-invalid-dep=x"},
       255,
       "sbatch: error: Invalid --kill-on-invalid-dep specification\n"},
      {{"--mail-type=x"}, 255, "sbatch: error: Invalid --mail-type specification\n"},
      {{"--mem-bind=rank"},
       255,
       "sbatch: error: --mem-bind=rank is not supported: memory is local to the task's CPUs "
       "(local) "
       "or not bound (none)\n"},
      {{"--mem-bind=x"}, 255, "sbatch: error: unrecognized --mem-bind argument \"x\"\n"},
      {{"--nice=99999999999"},
       255,
       "sbatch: error: Invalid --nice value, out of range (+/- 2147483645)\n"},
      {{"--no-kill=x"}, 255, "sbatch: error: Invalid --no-kill specification\n"},
      {{"--nodefile=/nosuch"},
       255,
       "sbatch: error: slurm_allocate_resources error opening file /nosuch, No such file or "
       "directory\nsbatch: error: Invalid --nodefile node file\n"},
      {{"--ntasks-per-gpu=2", "--gpus-per-task=1"},
       1,
       "sbatch: fatal: --gpus-per-task is mutually exclusive with --ntasks-per-gpu and "
       "SLURM_NTASKS_PER_GPU\n"},
      {{"--open-mode=x"}, 255, "sbatch: error: Invalid --open-mode specification\n"},
      {{"--priority=-1"}, 255, "sbatch: error: Priority must be >= 0\n"},
      {{"--profile=x"}, 255, "sbatch: error: invalid --profile=x option\n"},
      {{"--signal=x"}, 255, "sbatch: error: Invalid --signal specification\n"},
      {{"--signal=USR1@70000"}, 255, "sbatch: error: Invalid --signal specification\n"},
      {{"--switches=x"}, 1, "sbatch: error: Invalid numeric value \"x\" for --switches.\n"},
      {{"--thread-spec=1", "--core-spec=1"},
       1,
       "sbatch: fatal: -S/--core-spec and --thred-spec options are mutually exclusive\n"},
      {{"--wait-all-nodes=2"}, 255, "sbatch: error: Invalid --wait-all-nodes specification\n"},
      {{"--acctg-freq=task=x"}, 255, "sbatch: error: Invalid --acctg-freq specification: task=x\n"},
      {{"--verbose", "--quiet"},
       1,
       "sbatch: error: don't specify both --verbose (-v) and --quiet (-Q)\n"},
      {{"--cpus-per-task=2", "--cpus-per-gpu=2"},
       1,
       "sbatch: error: --cpus-per-gpu is mutually exclusive with --cpus-per-task\n"
       "sbatch: error: Invalid generic resource (gres) specification\n"},
      {{"--bb=x"}, 255, "sbatch: error: --bb is not supported: there is no burst buffer\n"},
      {{"--nod"},
       255,
       "sbatch: option '--nod' is ambiguous; possibilities: '--nodefile' '--nodelist' '--nodes'\n"
       "Try \"sbatch --help\" for more information\n"},
  };
  for (const Refusal& c : cases) {
    Outcome o = run(kSbatch, c.words);
    EXPECT_EQ(o.exit, c.exit) << c.words[0];
    EXPECT_EQ(o.err, c.err) << c.words[0];
  }
}

TEST(JobOptions, LetsTheCommandLineWinOverTheEnvironmentAndThatOverTheScript) {
  std::vector<std::string> script{"-J", "script", "-p", "script", "-A", "script"};
  setenv("SBATCH_PARTITION", "env", 1);
  setenv("SBATCH_ACCOUNT", "env", 1);
  Outcome o = run(kSbatch, {"-A", "line"}, script);
  unsetenv("SBATCH_PARTITION");
  unsetenv("SBATCH_ACCOUNT");
  EXPECT_EQ(o.options.spec.name(), "script");
  EXPECT_EQ(o.options.spec.partition(), "env");
  EXPECT_EQ(o.options.spec.account(), "line");
  EXPECT_EQ(o.options.source("account"), Source::kCommandLine);
}

TEST(JobOptions, LetsTypedMemoryReplaceThatOfTheEnvironment) {
  setenv("SBATCH_MEM_PER_NODE", "1G", 1);
  Outcome o = run(kSbatch, {"--mem-per-cpu=2G"});
  unsetenv("SBATCH_MEM_PER_NODE");
  EXPECT_FALSE(o.exit);
  EXPECT_FALSE(o.options.spec.has_mem_per_node_mb());
  EXPECT_EQ(o.options.spec.mem_per_cpu_mb(), 2048u);
}

TEST(JobOptions, ReadsFlagsOfTheEnvironmentAsYesOrNo) {
  for (const char* text : {"", "yes", "1", "17"}) {
    setenv("SBATCH_OVERCOMMIT", text, 1);
    EXPECT_TRUE(run(kSbatch, {}).options.spec.overcommit()) << text;
  }
  for (const char* text : {"0", "no", "x"}) {
    setenv("SBATCH_OVERCOMMIT", text, 1);
    EXPECT_FALSE(run(kSbatch, {}).options.spec.overcommit()) << text;
  }
  unsetenv("SBATCH_OVERCOMMIT");
}

TEST(JobOptions, KeepsTimeLimitsInMinutes) {
  EXPECT_EQ(run(kSbatch, {"-t", "90"}).options.spec.time_limit(), 90u);
  EXPECT_EQ(run(kSbatch, {"-t", "0:1:1"}).options.spec.time_limit(), 2u);
  EXPECT_EQ(run(kSbatch, {"-t", "0"}).options.spec.time_limit(), kInfinite);
  EXPECT_EQ(run(kSbatch, {"-t", "infinite"}).options.spec.time_limit(), kInfinite);
}

TEST(JobOptions, SettlesTasksFromNodes) {
  EXPECT_EQ(run(kSbatch, {"--ntasks-per-node=2"}).options.spec.ntasks(), 2u);
  EXPECT_EQ(run(kSbatch, {"-N2", "--ntasks-per-node=3"}).options.spec.ntasks(), 6u);
  EXPECT_FALSE(run(kSbatch, {"-N2"}).options.spec.has_ntasks());
  EXPECT_FALSE(run(kSbatch, {"-w", "node[1-2]"}).options.spec.has_ntasks());
  EXPECT_EQ(run(kSbatch, {"-B", "1:1:1"}).options.spec.ntasks(), 1u);
  EXPECT_EQ(run(kSbatch, {"-N1", "--threads-per-core=1"}).options.spec.ntasks(), 1u);
  EXPECT_FALSE(run(kSbatch, {"--sockets-per-node=1"}).options.spec.has_ntasks());
}

TEST(JobOptions, TakesFewerNodesThanAskedForFewerTasks) {
  Outcome o = run(kSbatch, {"-n", "2", "--nodelist=node[1-4]"});
  EXPECT_EQ(o.err, "sbatch: Warning: can't run 2 processes on 4 nodes, setting nnodes to 2\n");
  EXPECT_EQ(o.options.spec.min_nodes(), 2u);
  EXPECT_EQ(o.options.spec.required_nodes(), "node[1-2]");
}

TEST(JobOptions, ReadsTheWarningSignal) {
  Outcome o = run(kSbatch, {"--signal=B:USR1@10"});
  EXPECT_EQ(o.options.spec.warn_signal(), 10);
  EXPECT_EQ(o.options.spec.warn_seconds(), 10u);
  EXPECT_TRUE(o.options.spec.warn_batch_shell());
  EXPECT_EQ(run(kSbatch, {"--signal=sigterm"}).options.spec.warn_seconds(), 60u);
}

TEST(JobOptions, HintsStandForOtherOptionsAndGiveWayToThem) {
  EXPECT_EQ(run(kSbatch, {"--hint=nomultithread"}).options.spec.threads_per_core(), 1u);
  EXPECT_EQ(run(kSbatch, {"--hint=memory_bound"}).options.spec.cores_per_socket(), 1u);
  EXPECT_FALSE(run(kSbatch, {"--hint=multithread"}).options.spec.has_threads_per_core());
  Outcome o = run(kSbatch, {"--hint=nomultithread", "--ntasks-per-core=2"});
  EXPECT_FALSE(o.options.spec.has_threads_per_core());
  EXPECT_EQ(o.options.hint, "");
}

TEST(JobOptions, GivesEachCommandItsOwnOptions) {
  EXPECT_EQ(run(kSalloc, {"--array=1"}).exit, 255);
  EXPECT_EQ(run(kSrun, {"--wait=5"}).options.step.wait_s(), 5u);
  EXPECT_TRUE(run(kSbatch, {"--wait"}).options.wait);
  EXPECT_EQ(run(kSalloc, {"-K"}).options.kill_command, 15);
  EXPECT_TRUE(run(kSrun, {"-K"}).options.step.kill_on_bad_exit());
  EXPECT_EQ(run(kSalloc, {"-I"}).options.spec.immediate_s(), 1u);
  EXPECT_EQ(run(kSrun, {"--label", "--pty", "--overlap"}).exit, std::nullopt);
}

TEST(JobOptions, MakeTheStepOfSrun) {
  Outcome o = run(kSrun, {"-n3", "-l", "--exact", "--cpu-bind=cores", "-J", "s", "--mem=1G",
                          "--gres=gpu:1", "-o", "out"});
  ASSERT_FALSE(o.exit) << o.err;
  v1::StepSpec step = step_spec(o.options);
  EXPECT_EQ(step.ntasks(), 3u);
  EXPECT_TRUE(step.labelled());
  EXPECT_TRUE(step.exact());
  EXPECT_EQ(step.cpu_bind(), "cores");
  EXPECT_EQ(step.name(), "s");
  EXPECT_EQ(step.mem_per_node_mb(), 1024u);
  EXPECT_EQ(step.gres(), "gpu:1");
  EXPECT_EQ(step.std_out(), "out");
}

TEST(JobOptions, StepsInAJobTakeTheirOwnNameAndGres) {
  setenv("SLURM_JOB_ID", "12", 1);
  setenv("SLURM_JOB_NAME", "batchname", 1);
  setenv("SLURM_GRES", "gpu:4", 1);
  setenv("SLURM_STEP_GRES", "gpu:1", 1);
  Outcome o = run(kSrun, {});
  for (const char* name : {"SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_GRES", "SLURM_STEP_GRES"}) {
    unsetenv(name);
  }
  EXPECT_EQ(o.options.jobid, 12u);
  EXPECT_EQ(step_spec(o.options).name(), "");
  EXPECT_EQ(step_spec(o.options).gres(), "gpu:1");
}

TEST(JobOptions, EveryRowIsSetOrRefusedAndHasOneMeaningPerCommand) {
  for (Commands command : {kSbatch, kSalloc, kSrun}) {
    std::set<std::string> names;
    std::set<char> letters;
    for (const JobOption* row : job_options(command)) {
      std::string name = row->name;
      bool answered = name == "help" || name == "usage" || name == "version";
      EXPECT_TRUE(row->set || row->refused[0] || answered) << name;
      EXPECT_TRUE(name.empty() || names.insert(name).second) << name;
      EXPECT_TRUE(!row->letter || letters.insert(row->letter).second) << row->letter;
    }
  }
}

TEST(JobOptions, IgnoresWhatOnlyTheCommandLineMaySay) {
  Outcome o = run(kSbatch, {}, {"--help", "-V", "--wrap=ls", "-n2"});
  EXPECT_FALSE(o.exit);
  EXPECT_FALSE(o.options.wrap);
  EXPECT_EQ(o.options.spec.ntasks(), 2u);
}

TEST(JobOptions, NamesWordsOfAScriptThatAreNoOption) {
  Outcome o = run(kSbatch, {}, {"-J", "x", "foo"});
  EXPECT_EQ(o.exit, 255);
  EXPECT_EQ(o.err, "sbatch: error: Invalid directive found in batch script: foo\n");
}

}  // namespace
}  // namespace grappe
