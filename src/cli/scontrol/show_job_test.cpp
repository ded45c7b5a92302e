#include "cli/scontrol/show_job.h"

#include <gtest/gtest.h>

#include "cli/format/exit_code.h"
#include "cli/scontrol/show_job_detail.h"
#include "model/job_state.h"
#include "model/mail.h"

namespace grappe::scontrol {
namespace {

constexpr int64_t kSubmit = 1794767660;  // 2026-11-15T18:34:20

class ShowJob : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
    unsetenv("SLURM_BITSTR_LEN");
  }
  Style style{.one_line = false, .details = false, .now = kSubmit + 1, .time_format = ""};
};

// sbatch --gres=gpu:1 gpu.sh, a second after its start.
v1::JobInfo gpu_job() {
  v1::JobInfo job;
  job.set_job_id(2);
  job.set_name("gpu.sh");
  job.set_state(static_cast<uint32_t>(JobState::kRunning));
  job.set_reason("None");
  job.set_uid(1001);
  job.set_gid(1001);
  job.set_user("alice");
  job.set_group("alice");
  job.set_account("cs");
  job.set_partition("batch");
  job.set_qos("normal");
  job.set_priority(1514);
  job.set_submit_time(kSubmit);
  job.set_eligible_time(kSubmit);
  job.set_accrue_time(kSubmit);
  job.set_start_time(kSubmit);
  job.set_end_time(kSubmit + 3600);
  job.set_last_sched_eval(kSubmit);
  job.set_scheduler("Main");
  job.set_time_limit(60);
  job.set_requeue(true);
  job.set_batch(true);
  job.set_nodes("node1");
  job.set_batch_host("node1");
  job.set_num_nodes(1);
  job.set_num_cpus(1);
  job.set_num_tasks(1);
  job.set_cpus_per_task(1);
  job.set_tres_alloc("cpu=1,mem=512M,node=1,billing=1,gres/gpu=1");
  job.set_mem_per_cpu_mb(512);
  job.set_min_cpus_per_node(1);
  job.set_oversubscribe("OK");
  job.set_command("/home/alice/gpu.sh");
  job.set_work_dir("/home/alice");
  job.set_std_err("/home/alice/gpu-2.out");
  job.set_std_in("/dev/null");
  job.set_std_out("/home/alice/gpu-2.out");
  job.set_alloc_host("localhost");
  job.set_alloc_sid(2781);
  job.set_tres_per_node("gres:gpu:1");
  v1::NodeShare& share = *job.add_shares();
  share.set_node("node1");
  share.add_cpu_ids(0);
  share.set_mem_mb(512);
  v1::GresShare& gpu = *share.add_gres();
  gpu.set_name("gpu");
  gpu.add_index(0);
  gpu.set_count(1);
  return job;
}

TEST(ShownFile, HasOnlyTheSignsThatSlurmWritesOut) {
  v1::JobInfo job = gpu_job();
  job.set_work_dir("/home/alice");
  EXPECT_EQ(shown_file(job, "%A-%j-%u-%x-%a", ""), "/home/alice/2-2-alice-gpu.sh-4294967294");
  EXPECT_EQ(shown_file(job, "/%5j-%b-%J-%N-%%j-%", ""), "/%5j-%b-%J-%N-%2-%");
  EXPECT_EQ(shown_file(job, "a\\%j", ""), "/home/alice/a\\2");
  EXPECT_EQ(shown_file(job, "", "/dev/null"), "/dev/null");
  job.set_array_job_id(1);
  job.set_array_task_id(7);
  EXPECT_EQ(shown_file(job, "%A_%a", ""), "/home/alice/1_7");
}

TEST_F(ShowJob, WritesARunningGpuJobWithDetailsAsSlurmDoes) {
  style.details = true;
  EXPECT_EQ(format_job(gpu_job(), style), R"(JobId=2 JobName=gpu.sh
   UserId=alice(1001) GroupId=alice(1001) MCS_label=N/A
   Priority=1514 Nice=0 Account=cs QOS=normal
   JobState=RUNNING Reason=None Dependency=(null)
   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0
   DerivedExitCode=0:0
   RunTime=00:00:01 TimeLimit=01:00:00 TimeMin=N/A
   SubmitTime=2026-11-15T18:34:20 EligibleTime=2026-11-15T18:34:20
   AccrueTime=2026-11-15T18:34:20
   StartTime=2026-11-15T18:34:20 EndTime=2026-11-15T19:34:20 Deadline=N/A
   SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-15T18:34:20 Scheduler=Main
   Partition=batch AllocNode:Sid=localhost:2781
   ReqNodeList=(null) ExcNodeList=(null)
   NodeList=node1
   BatchHost=node1
   NumNodes=1 NumCPUs=1 NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
   TRES=cpu=1,mem=512M,node=1,billing=1,gres/gpu=1
   Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*
   JOB_GRES=gpu:1
     Nodes=node1 CPU_IDs=0 Mem=512 GRES=gpu:1(IDX:0)
   MinCPUsNode=1 MinMemoryCPU=512M MinTmpDiskNode=0
   Features=(null) DelayBoot=00:00:00
   OverSubscribe=OK Contiguous=0 Licenses=(null) Network=(null)
   Command=/home/alice/gpu.sh
   WorkDir=/home/alice
   StdErr=/home/alice/gpu-2.out
   StdIn=/dev/null
   StdOut=/home/alice/gpu-2.out
   Power=
   TresPerNode=gres:gpu:1
   

)");
}

v1::JobInfo held_job() {
  v1::JobInfo job = gpu_job();
  job.set_job_id(1);
  job.set_name("wrap");
  job.set_state(static_cast<uint32_t>(JobState::kPending));
  job.set_reason("JobHeldUser");
  job.set_priority(0);
  for (auto clear : {&v1::JobInfo::clear_eligible_time, &v1::JobInfo::clear_accrue_time,
                     &v1::JobInfo::clear_start_time, &v1::JobInfo::clear_end_time}) {
    (job.*clear)();
  }
  job.clear_nodes();
  job.clear_batch_host();
  job.clear_tres_alloc();
  job.set_tres_req("cpu=1,mem=512M,node=1,billing=1");
  job.clear_command();
  job.clear_shares();
  job.clear_tres_per_node();
  job.set_std_err("/home/alice/slurm-1.out");
  job.set_std_out("/home/alice/slurm-1.out");
  return job;
}

TEST_F(ShowJob, WritesAHeldJobInOneLineWithTheBlankThatSlurmLeaves) {
  style.one_line = true;
  EXPECT_EQ(
      format_job(held_job(), style),
      "JobId=1 JobName=wrap UserId=alice(1001) GroupId=alice(1001) MCS_label=N/A Priority=0 Nice=0 "
      "Account=cs QOS=normal JobState=PENDING Reason=JobHeldUser Dependency=(null) Requeue=1 "
      "Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0 RunTime=00:00:00 TimeLimit=01:00:00 "
      "TimeMin=N/A SubmitTime=2026-11-15T18:34:20 EligibleTime=Unknown AccrueTime=Unknown "
      "StartTime=Unknown EndTime=Unknown Deadline=N/A SuspendTime=None SecsPreSuspend=0 "
      "LastSchedEval=2026-11-15T18:34:20 Scheduler=Main Partition=batch "
      "AllocNode:Sid=localhost:2781 ReqNodeList=(null) ExcNodeList=(null) NodeList= NumNodes=1 "
      "NumCPUs=1 NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:* TRES=cpu=1,mem=512M,node=1,billing=1 "
      "Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=* MinCPUsNode=1 MinMemoryCPU=512M "
      "MinTmpDiskNode=0 Features=(null) DelayBoot=00:00:00 OverSubscribe=OK Contiguous=0 "
      "Licenses=(null) Network=(null) Command=(null) WorkDir=/home/alice "
      "StdErr=/home/alice/slurm-1.out StdIn=/dev/null StdOut=/home/alice/slurm-1.out Power= \n");
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST_F(ShowJob, ShowsThePlannedNodesAndTheRangeOfNodesOfAWaitingJob) {
  v1::JobInfo job = held_job();
  job.set_scheduled_nodes("node[1-4]");
  job.set_num_nodes(2);
  job.set_max_nodes(3);
  job.set_reason_detail("ReqNodeNotAvail, UnavailableNodes:node2");
  job.set_dependency("afterok:13(unfulfilled)");
  std::string text = format_job(job, style);
  EXPECT_TRUE(has_line(text, "   NodeList= SchedNodeList=node[1-4]")) << text;
  EXPECT_TRUE(
      has_line(text, "   NumNodes=2-3 NumCPUs=1 NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*"));
  EXPECT_TRUE(has_line(text,
                       "   JobState=PENDING Reason=ReqNodeNotAvail,_UnavailableNodes:node2 "
                       "Dependency=afterok:13(unfulfilled)"));
  job.set_state(static_cast<uint32_t>(JobState::kCancelled));
  EXPECT_TRUE(has_line(format_job(job, style),
                       "   NumNodes=2 NumCPUs=1 NumTasks=N/A CPUs/Task=1 ReqB:S:C:T=0:0:*:*"));
  job.mutable_spec()->set_ntasks(1);
  EXPECT_TRUE(has_line(format_job(job, style),
                       "   NumNodes=2 NumCPUs=1 NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*"));
}

TEST_F(ShowJob, NamesTheTasksOfAnArray) {
  v1::JobInfo job = held_job();
  job.set_job_id(63);
  job.set_array_job_id(63);
  job.set_array_tasks("1-4%2");
  job.set_array_max_running(2);
  auto first_line = [&] {
    return format_job(job, style).substr(0, format_job(job, style).find('\n'));
  };
  EXPECT_EQ(first_line(),
            "JobId=63 ArrayJobId=63 ArrayTaskId=1-4%2 ArrayTaskThrottle=2 JobName=wrap");
  job.set_array_tasks("1-7:2");
  job.clear_array_max_running();
  EXPECT_EQ(first_line(), "JobId=63 ArrayJobId=63 ArrayTaskId=1,3,5,7 JobName=wrap");
  job.set_array_tasks("1-99:7,200-300:3,500-700");
  EXPECT_EQ(first_line(),
            "JobId=63 ArrayJobId=63 "
            "ArrayTaskId=1,8,15,22,29,36,43,50,57,64,71,78,85,92,99,200,203,206,209,2... "
            "JobName=wrap");
  job.set_job_id(65);
  job.set_array_task_id(1);
  EXPECT_EQ(first_line(), "JobId=65 ArrayJobId=63 ArrayTaskId=1 JobName=wrap");
}

TEST_F(ShowJob, WritesEveryWishBelowPowerInSlurmsOrder) {
  v1::JobInfo job = held_job();
  job.set_admin_comment("adm");
  job.set_comment("a b");
  job.set_tres_per_job("gres:gpu:1");
  job.set_tres_per_node("gres:gpu:1");
  job.set_tres_per_task("gres:gpu:1");
  job.set_resv_name("rx");
  v1::JobSpec& spec = *job.mutable_spec();
  spec.set_switches(1);
  spec.set_switches_wait_s(300);
  spec.set_cluster_constraint("foo");
  spec.set_burst_buffer("foo");
  spec.set_cpu_freq("high");
  spec.set_power("level");
  spec.set_gres_flags("enforce-binding");
  spec.set_kill_on_invalid_dep(true);
  spec.set_spread_job(true);
  spec.set_cpus_per_gpu(2);
  spec.set_mem_per_gpu_mb(1024);
  spec.set_gpu_bind("closest");
  spec.set_gpu_freq("high");
  spec.set_mail_type(kMailEnd);
  spec.set_container("/x");
  std::string text = format_job(job, style);
  EXPECT_EQ(text.substr(text.find("   Features=")), R"(   Features=(null) DelayBoot=00:00:00
   Reservation=rx
   ClusterFeatures=foo
   OverSubscribe=OK Contiguous=0 Licenses=(null) Network=(null)
   Command=(null)
   WorkDir=/home/alice
   AdminComment=adm 
   Comment=a b 
   StdErr=/home/alice/slurm-1.out
   StdIn=/dev/null
   StdOut=/home/alice/slurm-1.out
   Switches=1@00:05:00
   BurstBuffer=foo
   CPU_max_freq=High 
   Power=LEVEL
   GresEnforceBind=YesKillOInInvalidDependent=YesSpreadJob=Yes
   CpusPerTres=gres:gpu:2
   MemPerTres=gres:gpu:1024
   TresBind=gpu:closest
   TresFreq=gpu:high
   TresPerJob=gres:gpu:1
   TresPerNode=gres:gpu:1
   TresPerTask=gres:gpu:1
   MailUser=alice MailType=END
   Container=/x
   

)");
}

TEST_F(ShowJob, SpellsCpuFrequenciesAsSlurmDoes) {
  v1::JobInfo job = held_job();
  for (auto [typed, line] : std::initializer_list<std::pair<const char*, const char*>>{
           {"low-high:performance", "   CPU_min_freq=Low CPU_max_freq=High Governor=Performance"},
           {"100-200", "   CPU_min_freq=100 CPU_max_freq=200 "},
           {"performance", "   Governor=Performance"}}) {
    job.mutable_spec()->set_cpu_freq(typed);
    EXPECT_TRUE(has_line(format_job(job, style), line)) << typed;
  }
}

TEST_F(ShowJob, KeepsCpusAndForgetsDevicesOfAFinishedJob) {
  v1::JobInfo job = gpu_job();
  job.set_state(static_cast<uint32_t>(JobState::kCompleted));
  job.set_end_time(kSubmit + 21);
  *job.add_shares() = job.shares(0);
  job.mutable_shares(1)->set_node("node2");
  style.details = true;
  std::string text = format_job(job, style);
  EXPECT_TRUE(has_line(text, "   JOB_GRES=gpu:2")) << text;
  EXPECT_TRUE(has_line(text, "     Nodes=node[1-2] CPU_IDs=0 Mem=512 GRES=")) << text;
  EXPECT_TRUE(has_line(text, "   RunTime=00:00:21 TimeLimit=01:00:00 TimeMin=N/A"));
}

TEST_F(ShowJob, CountsTheTimeBeforeASuspension) {
  v1::JobInfo job = gpu_job();
  job.set_state(static_cast<uint32_t>(JobState::kSuspended));
  job.set_suspend_time(kSubmit + 5);
  job.set_pre_suspend_s(5);
  style.now = kSubmit + 100;
  EXPECT_TRUE(
      has_line(format_job(job, style), "   RunTime=00:00:05 TimeLimit=01:00:00 TimeMin=N/A"));
}

TEST(ExitCode, IsTheCodeAndTheSignal) {
  EXPECT_EQ(exit_code_text(3 << 8), "3:0");
  EXPECT_EQ(exit_code_text(9), "0:9");
}

}  // namespace
}  // namespace grappe::scontrol
