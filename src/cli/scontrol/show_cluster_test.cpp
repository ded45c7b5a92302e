#include "cli/scontrol/show_cluster.h"

#include <gtest/gtest.h>

#include "base/duration.h"
#include "model/node_state.h"

namespace grappe::scontrol {
namespace {

class ShowCluster : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  Style style{.one_line = false, .details = false, .now = 1794767748, .time_format = ""};
};

v1::NodeInfo idle_node() {
  v1::NodeInfo node;
  node.set_name("node1");
  node.set_arch("x86_64");
  node.set_cores_per_socket(8);
  node.set_cpus(8);
  node.set_cpu_load_hundredths(569);
  node.set_gres("gpu:4");
  node.set_address("127.0.0.1");
  node.set_hostname("vm");
  node.set_port(26811);
  node.set_version("22.05.8");
  node.set_os("Linux 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1");
  node.set_memory_mb(32000);
  node.set_free_memory_mb(9009);
  node.set_sockets(1);
  node.set_boards(1);
  node.set_state(static_cast<uint32_t>(NodeBase::kIdle));
  node.set_threads_per_core(1);
  node.set_weight(1);
  node.add_partitions("batch");
  node.set_boot_time(1794764467);
  node.set_start_time(1794767648);
  node.set_last_busy(1794767648);
  node.set_cfg_tres("cpu=8,mem=32000M,billing=8,gres/gpu=4");
  return node;
}

TEST_F(ShowCluster, WritesAnIdleNodeAsSlurmDoes) {
  EXPECT_EQ(format_node(idle_node(), style), R"(NodeName=node1 Arch=x86_64 CoresPerSocket=8 
   CPUAlloc=0 CPUEfctv=8 CPUTot=8 CPULoad=5.69
   AvailableFeatures=(null)
   ActiveFeatures=(null)
   Gres=gpu:4
   NodeAddr=127.0.0.1 NodeHostName=vm Port=26811 Version=22.05.8
   OS=Linux 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 
   RealMemory=32000 AllocMem=0 FreeMem=9009 Sockets=1 Boards=1
   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=batch 
   BootTime=2026-11-15T17:41:07 SlurmdStartTime=2026-11-15T18:34:08
   LastBusyTime=2026-11-15T18:34:08
   CfgTRES=cpu=8,mem=32000M,billing=8,gres/gpu=4
   AllocTRES=
   CapWatts=n/a
   CurrentWatts=0 AveWatts=0
   ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s

)");
}

TEST_F(ShowCluster, SaysWhyANodeIsDrained) {
  v1::NodeInfo node = idle_node();
  node.set_state(static_cast<uint32_t>(NodeBase::kIdle) | kNodeDrain);
  node.set_reason("fan broken");
  node.set_reason_user("root");
  node.set_reason_time(1794767748);
  node.set_comment("cc");
  node.set_extra("ee");
  std::string text = format_node(node, style);
  EXPECT_NE(text.find("   State=IDLE+DRAIN ThreadsPerCore=1"), std::string::npos);
  EXPECT_EQ(text.substr(text.find("   Reason=")), R"(   Reason=fan broken [root@2026-11-15T18:35:48]
   Comment=cc
   Extra=ee

)");
}

TEST_F(ShowCluster, AddsUsedDevicesWithDetails) {
  v1::NodeInfo node = idle_node();
  node.set_gres_used("gpu:1");
  style.details = true;
  std::string text = format_node(node, style);
  EXPECT_NE(text.find("   Gres=gpu:4\n   GresDrain=N/A\n   GresUsed=gpu:1\n   NodeAddr="),
            std::string::npos);
}

v1::PartitionInfo batch_partition() {
  v1::PartitionInfo p;
  p.set_name("batch");
  p.set_is_default(true);
  p.set_default_time(60);
  p.set_max_time(7 * 24 * 60);
  p.set_max_nodes(kInfinite);
  p.set_max_cpus_per_node(kInfinite);
  p.set_nodes("node[1-4]");
  p.set_priority_job_factor(1);
  p.set_priority_tier(1);
  p.set_total_cpus(32);
  p.set_total_nodes(4);
  p.set_tres("cpu=32,mem=125G,node=4,billing=32,gres/gpu=16");
  return p;
}

TEST_F(ShowCluster, WritesAPartitionAsSlurmDoes) {
  EXPECT_EQ(format_partition(batch_partition(), style), R"(PartitionName=batch
   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL
   AllocNodes=ALL Default=YES QoS=N/A
   DefaultTime=01:00:00 DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO
   MaxNodes=UNLIMITED MaxTime=7-00:00:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED
   Nodes=node[1-4]
   PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO
   OverTimeLimit=NONE PreemptMode=OFF
   State=UP TotalCPUs=32 TotalNodes=4 SelectTypeParameters=NONE
   JobDefaults=(null)
   DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED
   TRES=cpu=32,mem=125G,node=4,billing=32,gres/gpu=16

)");
}

TEST_F(ShowCluster, WritesWhatIsSetOfAPartition) {
  v1::PartitionInfo p = batch_partition();
  p.set_is_default(false);
  p.set_deny_accounts("x");
  p.set_alternate("batch");
  p.set_default_time(kNoValue);
  p.set_hidden(true);
  p.set_job_defaults("DefCpuPerGPU=2");
  p.set_def_mem_per_cpu(100);
  p.set_max_mem_per_node(5);
  p.set_billing_weights("cpu=2");
  std::string text = format_partition(p, style);
  for (const char* part :
       {"   AllowGroups=ALL DenyAccounts=x AllowQos=ALL\n",
        "   AllocNodes=ALL Alternate=batch Default=NO QoS=N/A\n", "   DefaultTime=NONE ",
        " Hidden=YES\n", "   JobDefaults=DefCpuPerGPU=2\n   DefMemPerCPU=100 MaxMemPerNode=5\n",
        "\n   TRESBillingWeights=cpu=2\n\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(ShowCluster, WritesAReservationAsSlurmDoes) {
  v1::ReservationInfo r;
  r.set_name("alice_1");
  r.set_start_time(1794776045);
  r.set_end_time(1794776045 + 600);
  r.set_nodes("node4");
  r.set_node_count(1);
  r.set_core_count(8);
  r.add_flags("SPEC_NODES");
  r.set_tres("cpu=8");
  r.set_users("alice");
  r.set_state("INACTIVE");
  EXPECT_EQ(
      format_reservation(r, style),
      R"(ReservationName=alice_1 StartTime=2026-11-15T20:54:05 EndTime=2026-11-15T21:04:05 Duration=00:10:00
   Nodes=node4 NodeCnt=1 CoreCnt=8 Features=(null) PartitionName=(null) Flags=SPEC_NODES
   TRES=cpu=8
   Users=alice Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a
   MaxStartDelay=(null)

)");
}

TEST_F(ShowCluster, WritesStepsAsSlurmDoes) {
  v1::StepInfo step;
  step.set_job_id(30);
  step.set_step_id("0");
  step.set_uid(1001);
  step.set_start_time(1794772251);
  step.set_time_limit(kInfinite);
  step.set_state(1);
  step.set_partition("batch");
  step.set_nodes("node1");
  step.set_num_nodes(1);
  step.set_num_cpus(6);
  step.set_num_tasks(1);
  step.set_name("sleep");
  step.set_tres("cpu=6,gres/gpu=1,mem=2G,node=1");
  step.set_distribution("Cyclic");
  step.set_host("vm");
  step.set_srun_pid(11506);
  step.set_tres_per_step("cpu:1");
  step.set_gres("gres:gpu:1");
  EXPECT_EQ(format_step(step, style),
            R"(StepId=30.0 UserId=1001 StartTime=2026-11-15T19:50:51 TimeLimit=UNLIMITED
   State=RUNNING Partition=batch NodeList=node1
   Nodes=1 CPUs=6 Tasks=1 Name=sleep Network=(null)
   TRES=cpu=6,gres/gpu=1,mem=2G,node=1
   ResvPorts=(null)
   CPUFreqReq=Default Dist=Cyclic
   SrunHost:Pid=vm:11506
   TresPerStep=cpu:1
   TresPerNode=gres:gpu:1

)");
  style.one_line = true;
  v1::StepInfo batch;
  batch.set_job_id(30);
  batch.set_step_id("batch");
  batch.set_uid(1001);
  batch.set_start_time(1794772251);
  batch.set_state(1);
  batch.set_partition("batch");
  batch.set_nodes("node1");
  batch.set_num_nodes(1);
  batch.set_num_tasks(1);
  batch.set_name("batch");
  EXPECT_EQ(format_step(batch, style),
            "StepId=30.batch UserId=1001 StartTime=2026-11-15T19:50:51 TimeLimit=UNLIMITED "
            "State=RUNNING Partition=batch NodeList=node1 Nodes=1 CPUs=0 Tasks=1 Name=batch "
            "Network=(null) TRES=(null) ResvPorts=(null) CPUFreqReq=Default "
            "SrunHost:Pid=(null):0\n");
}

TEST_F(ShowCluster, AlignsTheConfiguration) {
  v1::ConfigResponse config;
  config.set_now(1794772448);
  v1::Setting& one = *config.add_settings();
  one.set_key("AccountingStorageBackupHost");
  one.set_value("(null)");
  v1::Setting& two = *config.add_settings();
  two.set_key("WaitTime");
  two.set_value("0 sec");
  config.set_controller("Slurmctld(primary) at vm is UP");
  EXPECT_EQ(format_config(config, style), R"(Configuration data as of 2026-11-15T19:54:08
AccountingStorageBackupHost = (null)
WaitTime                = 0 sec

Slurmctld(primary) at vm is UP
)");
}

}  // namespace
}  // namespace grappe::scontrol
