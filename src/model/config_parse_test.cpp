#include "model/config_parse.h"

#include <gtest/gtest.h>

#include "model/config_cgroup_keys.h"
#include "model/config_gres_lines.h"
#include "model/config_keys.h"
#include "model/config_node_lines.h"
#include "model/config_partition_lines.h"

namespace grappe {
namespace {

ClusterConfig config_of(std::string_view text, std::string_view gres = "") {
  auto parsed = parse_slurm_conf(text, gres, "");
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? parsed->config : ClusterConfig();
}

std::vector<std::string> warnings_of(std::string_view text) {
  auto parsed = parse_slurm_conf(text, "", "");
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? parsed->warnings : std::vector<std::string>();
}

std::string error_of(std::string_view text, std::string_view gres = "",
                     std::string_view cgroup = "") {
  auto parsed = parse_slurm_conf(text, gres, cgroup);
  return parsed ? "no error" : parsed.error().message;
}

using Strings = std::vector<std::string>;

TEST(ConfigParse, TakesNothingForDefaults) {
  auto parsed = parse_slurm_conf("", "", "");
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->warnings.empty());
  EXPECT_TRUE(parsed->config.nodes.empty());
  EXPECT_EQ(parsed->config.limits.max_job_count, 10000u);
  EXPECT_TRUE(parsed->config.cgroup.constrain_devices);
}

TEST(ConfigParse, ReadsKeysWhateverTheCase) {
  auto config = config_of("clustername=lab\nKILLWAIT=5");
  EXPECT_EQ(config.service.cluster_name, "lab");
  EXPECT_EQ(config.jobs.kill_wait_s, 5u);
}

TEST(ConfigParse, WarnsOfUnknownKeysWithTheirLine) {
  EXPECT_EQ(warnings_of("ClusterName=lab\nMaxArraySise=5\nFoo=1"),
            (Strings{"slurm.conf:2: unknown key MaxArraySise: did you mean MaxArraySize?",
                     "slurm.conf:3: unknown key Foo"}));
  EXPECT_EQ(warnings_of("NodeName=n1 CPU=4"),
            (Strings{"slurm.conf:1: unknown key CPU: did you mean CPUs?"}));
}

TEST(ConfigParse, SaysOfEachKeyWithoutEffectWhy) {
  EXPECT_EQ(
      warnings_of("AuthAltTypes=x\nTreeWidth=3\nAuthAltTypes=y\nPartitionName=p SuspendTime=3\n"
                  "CompleteWait=32"),
      (Strings{"slurm.conf:1: AuthAltTypes has no effect: the kernel says who calls",
               "slurm.conf:2: TreeWidth has no effect: all nodes are this machine",
               "slurm.conf:4: SuspendTime has no effect: nodes are not switched off and on",
               "slurm.conf:5: CompleteWait has no effect: the next job starts when the "
               "resources of the last are free"}));
}

TEST(ConfigParse, GivesAReasonForEveryKeyWithoutEffect) {
  for (const ConfigKey& key : config_keys()) {
    EXPECT_EQ(key.role == KeyRole::kNoEffect && key.why.empty(), false) << key.name;
  }
  for (const auto& key : partition_line_keys())
    EXPECT_TRUE(key.set || !key.why.empty()) << key.name;
  for (const auto& key : node_line_keys()) EXPECT_TRUE(key.set || !key.why.empty()) << key.name;
  for (const auto& key : gres_line_keys()) EXPECT_TRUE(key.set || !key.why.empty()) << key.name;
  for (const auto& key : cgroup_keys()) EXPECT_TRUE(key.set || !key.why.empty()) << key.name;
}

TEST(ConfigParse, WarnsOfWaysToShareThatAreNotObeyed) {
  EXPECT_TRUE(warnings_of("SelectTypeParameters=CR_Core_Memory").empty());
  EXPECT_TRUE(warnings_of("SelectTypeParameters=CR_CPU_Memory").empty());
  EXPECT_EQ(warnings_of("SelectTypeParameters=CR_Core"),
            (Strings{"slurm.conf:1: SelectTypeParameters=CR_Core: CPUs and memory are given out as "
                     "with CR_Core_Memory"}));
}

TEST(ConfigParse, WarnsWhenAFixedValueIsWrittenDifferently) {
  EXPECT_TRUE(warnings_of("SelectType=select/cons_tres\nProctrackType=cgroup").empty());
  EXPECT_EQ(warnings_of("SelectType=select/linear"),
            (Strings{"slurm.conf:1: SelectType=select/linear has no effect: here it is always "
                     "select/cons_tres"}));
}

TEST(ConfigParse, UsesTheLatestOfRepeatedKeys) {
  auto parsed = parse_slurm_conf("KillWait=1\nKillWait=2", "", "");
  EXPECT_EQ(parsed->config.jobs.kill_wait_s, 2u);
  EXPECT_EQ(parsed->warnings,
            (Strings{"slurm.conf:2: KillWait specified more than once, latest value used"}));
}

TEST(ConfigParse, RefusesWhatASiteReliesOnAndCannotHave) {
  EXPECT_TRUE(error_of("JobSubmitPlugins=lua")
                  .starts_with("slurm.conf:1: JobSubmitPlugins is not supported: "));
  EXPECT_EQ(error_of("FrontendName=f1 FrontendAddr=x"),
            "slurm.conf:1: FrontendName is not supported: there are no front end nodes on one "
            "machine");
  EXPECT_EQ(error_of("NodeName=n1 State=CLOUD"),
            "slurm.conf:1: State=CLOUD: a node is a part of this machine, there is no cloud");
}

TEST(ConfigParse, NamesTheLineOfAMalformedValue) {
  EXPECT_EQ(error_of("\n\nKillWait=soon"),
            "slurm.conf:3: KillWait value \"soon\" is not a valid number");
  EXPECT_EQ(error_of("PartitionName=p State=AWAY"),
            "slurm.conf:1: \"AWAY\" is not a valid option for \"State\"");
  EXPECT_EQ(error_of("", "Name=gpu Count=many"),
            "gres.conf:1: Count value \"many\" is not a valid number");
  EXPECT_EQ(error_of("", "", "ConstrainCores=maybe"),
            "cgroup.conf:1: \"maybe\" is not a valid option for \"ConstrainCores\"");
}

TEST(ConfigParse, ReadsTheRulesOfPlacement) {
  auto config = config_of(
      "SchedulerParameters=gpu_hold_back=50,gpu_pack,gpu_ignore_links,"
      "bf_job_part_count_reserve=3,bf_order=limit,bf_by_pool");
  const SchedulerParameters& p = config.scheduling.parameters;
  EXPECT_EQ(p.gpu_hold_back, 50u);
  EXPECT_TRUE(p.gpu_pack);
  EXPECT_TRUE(p.gpu_ignore_links);
  EXPECT_EQ(p.bf_job_part_count_reserve, 3u);
  EXPECT_TRUE(p.bf_by_pool);
  EXPECT_EQ(p.bf_order, "limit");
  EXPECT_EQ(error_of("SchedulerParameters=bf_job_part_count_reserve=3,bf_order=fast"),
            "slurm.conf:1: SchedulerParameters: bf_order is priority, small or limit");
  EXPECT_EQ(error_of("SchedulerParameters=bf_order=limit"),
            "slurm.conf:1: SchedulerParameters: bf_order is for jobs whose planned start is not "
            "kept: bf_job_part_count_reserve says for how many it is");
  EXPECT_EQ(error_of("SchedulerParameters=gpu_hold_back=101"),
            "slurm.conf:1: SchedulerParameters: gpu_hold_back is a per cent, 0 to 100");
}

TEST(ConfigParse, ReadsSchedulerOptionsAndWarnsOfOdd) {
  auto parsed = parse_slurm_conf(
      "SchedulerParameters=defer,bf_window=2880,bf_continue,max_rpc_cnt=150,bf_windw=1", "", "");
  ASSERT_TRUE(parsed);
  const SchedulerParameters& p = parsed->config.scheduling.parameters;
  EXPECT_EQ(p.bf_window_min, 2880u);
  EXPECT_EQ(p.bf_max_job_test, 500u);
  EXPECT_EQ(parsed->warnings,
            (Strings{"slurm.conf:1: SchedulerParameters: defer has no effect here",
                     "slurm.conf:1: SchedulerParameters: bf_continue has no effect here",
                     "slurm.conf:1: SchedulerParameters: max_rpc_cnt has no effect here",
                     "slurm.conf:1: SchedulerParameters: unknown option bf_windw: did you mean "
                     "bf_window?"}));
  EXPECT_EQ(error_of("SchedulerParameters=bf_window=x"),
            "slurm.conf:1: SchedulerParameters: bf_window value \"x\" is not a valid number");
}

TEST(ConfigParse, ReadsOfAuthInfoHowLongARequeuedJobWaits) {
  EXPECT_EQ(config_of("").jobs.cred_expire_s, 1u) << "nobody waits for two minutes here";
  auto parsed = parse_slurm_conf("AuthInfo=socket=/run/munge,cred_expire=30", "", "");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->config.jobs.cred_expire_s, 30u);
  EXPECT_EQ(parsed->warnings, (Strings{"slurm.conf:1: AuthInfo: socket has no effect here"}));
}

TEST(ConfigParse, ForgetsOptionsOfAnEarlierLine) {
  auto config = config_of("SchedulerParameters=bf_window=5\nSchedulerParameters=enable_user_top");
  EXPECT_EQ(config.scheduling.parameters.bf_window_min, SchedulerParameters().bf_window_min);
  EXPECT_TRUE(config.scheduling.parameters.enable_user_top);
}

TEST(ConfigParse, ReadsNodeLines) {
  auto config = config_of(
      "NodeName=n[1-2] NodeHostname=vm NodeAddr=127.0.0.1 Port=[5-6] CPUs=8 RealMemory=32000 "
      "Features=a,b Weight=5 Gres=gpu:a100:2 State=DRAIN Reason=\"my reason\" CoreSpecCount=1 "
      "MemSpecLimit=1000 TmpDisk=500");
  ASSERT_EQ(config.nodes.size(), 1u);
  const NodeConfig& node = config.nodes[0];
  EXPECT_EQ(node.names, "n[1-2]");
  EXPECT_EQ(node.hostname, "vm");
  EXPECT_EQ(node.cpus, 8u);
  EXPECT_EQ(node.real_memory_mb, 32000u);
  EXPECT_EQ(node.features, (Strings{"a", "b"}));
  EXPECT_EQ(node.weight, 5u);
  EXPECT_EQ(node.gres, "gpu:a100:2");
  EXPECT_EQ(node.state, ConfiguredNodeState::kDrain);
  EXPECT_EQ(node.reason, "my reason");
  EXPECT_EQ(node.mem_spec_limit_mb, 1000u);
  EXPECT_FALSE(node.sockets.has_value());
}

TEST(ConfigParse, AppliesDefaultLinesToLaterLines) {
  auto config = config_of(
      "NodeName=early\n"
      "NodeName=DEFAULT CPUs=4 Features=x\n"
      "NodeName=DEFAULT RealMemory=100\n"
      "NodeName=late CPUs=2\n"
      "PartitionName=DEFAULT MaxTime=30 DefMemPerCPU=10\n"
      "PartitionName=p Nodes=late MaxTime=60\n"
      "PartitionName=q Nodes=late\n");
  ASSERT_EQ(config.nodes.size(), 2u);
  EXPECT_FALSE(config.nodes[0].cpus.has_value());
  EXPECT_EQ(config.nodes[1].cpus, 2u);
  EXPECT_EQ(config.nodes[1].real_memory_mb, 100u);
  EXPECT_EQ(config.nodes[1].features, (Strings{"x"}));
  ASSERT_EQ(config.partitions.size(), 2u);
  EXPECT_EQ(config.partitions[0].max_time_min, 60u);
  EXPECT_EQ(config.partitions[1].max_time_min, 30u);
  EXPECT_EQ(config.partitions[1].memory.default_per_cpu_mb, 10u);
}

TEST(ConfigParse, ReadsPartitionLines) {
  auto config = config_of(
      "PartitionName=p Nodes=n[1-2],fast Default=YES DefaultTime=10 MaxTime=1-0 "
      "OverSubscribe=FORCE:2 GraceTime=30 PreemptMode=REQUEUE TRESBillingWeights=\"CPU=1.0\" "
      "DefMemPerCPU=100 DefCpuPerGPU=2 MaxMemPerNode=2000 MaxCPUsPerNode=4 AllowAccounts=A,b "
      "AllowGroups=Staff AllowQos=ALL DenyQos=x PriorityTier=10 PriorityJobFactor=20 MinNodes=1 "
      "MaxNodes=2 LLN=YES ReqResv=YES RootOnly=YES Hidden=YES ExclusiveUser=YES "
      "DisableRootJobs=NO OverTimeLimit=5 QOS=q Alternate=r AllocNodes=n1,n2 "
      "SelectTypeParameters=CR_Socket CpuBind=core State=DRAIN");
  ASSERT_EQ(config.partitions.size(), 1u);
  const PartitionConfig& p = config.partitions[0];
  EXPECT_TRUE(p.is_default && p.least_loaded_nodes && p.req_resv && p.root_only && p.hidden &&
              p.exclusive_user);
  EXPECT_EQ(p.default_time_min, 10u);
  EXPECT_EQ(p.max_time_min, 24u * 60);
  EXPECT_EQ(p.over_subscribe, OverSubscribe::kForce);
  EXPECT_EQ(p.max_share, 2u);
  EXPECT_EQ(p.preempt_mode->action, PreemptAction::kRequeue);
  EXPECT_EQ(p.tres_billing_weights.size(), 1u);
  EXPECT_EQ(p.memory.default_per_cpu_mb, 100u);
  EXPECT_EQ(p.memory.default_cpus_per_gpu, 2u);
  EXPECT_EQ(p.memory.max_per_node_mb, 2000u);
  EXPECT_EQ(p.max_cpus_per_node, 4u);
  EXPECT_EQ(p.allow_accounts, (Strings{"a", "b"}));
  EXPECT_EQ(p.allow_groups, (Strings{"Staff"}));
  EXPECT_TRUE(p.allow_qos.empty());
  EXPECT_EQ(p.deny_qos, (Strings{"x"}));
  EXPECT_EQ(p.disable_root_jobs, false);
  EXPECT_EQ(p.over_time_limit_min, 5u);
  EXPECT_EQ(p.alloc_nodes, "n1,n2");
  EXPECT_EQ(p.select->unit, ConsumableUnit::kSocket);
  EXPECT_FALSE(p.select->memory);
  EXPECT_EQ(p.cpu_bind, CpuBindDefault::kCore);
  EXPECT_EQ(p.state, PartitionState::kDrain);
}

TEST(ConfigParse, KnowsEveryFormOfOverSubscribe) {
  auto share = [](const char* value) {
    auto config = config_of(std::string("PartitionName=p OverSubscribe=") + value);
    return config.partitions.at(0).max_share;
  };
  EXPECT_EQ(share("NO"), 1u);
  EXPECT_EQ(share("EXCLUSIVE"), 1u);
  EXPECT_EQ(share("YES"), 4u);
  EXPECT_EQ(share("FORCE:1"), 1u);
  EXPECT_NE(error_of("PartitionName=p OverSubscribe=NO:3"), "no error");
  EXPECT_NE(error_of("PartitionName=p OverSubscribe=YES:0"), "no error");
}

TEST(ConfigParse, KeepsOneDefaultPartition) {
  auto config = config_of("PartitionName=a Default=YES\nPartitionName=b Default=YES");
  EXPECT_FALSE(config.partitions[0].is_default);
  EXPECT_TRUE(config.partitions[1].is_default);
}

TEST(ConfigParse, RepairsPartitionsAsSlurmDoes) {
  auto parsed = parse_slurm_conf(
      "PartitionName=a DefaultTime=60 MaxTime=30\nPartitionName=a MaxTime=1", "", "");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->config.partitions.size(), 1u);
  EXPECT_EQ(parsed->config.partitions[0].default_time_min, 30u);
  EXPECT_EQ(parsed->warnings,
            (Strings{"slurm.conf:1: DefaultTime of partition a exceeds MaxTime: 00:30:00 used",
                     "slurm.conf:2: duplicate entry for partition a, ignoring"}));
}

TEST(ConfigParse, ReplacesMemoryPerNodeByMemoryPerCpu) {
  auto config = config_of("DefMemPerNode=100\nDefMemPerCPU=10\nMaxMemPerCPU=0");
  EXPECT_EQ(config.scheduling.memory.default_per_cpu_mb, 10u);
  EXPECT_FALSE(config.scheduling.memory.default_per_node_mb.has_value());
  EXPECT_FALSE(config.scheduling.memory.max_per_cpu_mb.has_value());
}

TEST(ConfigParse, ReadsNodeSetsAndDownNodes) {
  auto config = config_of("NodeSet=fast Feature=a Nodes=n1\nDownNodes=n3 State=FAIL Reason=power");
  ASSERT_EQ(config.node_sets.size(), 1u);
  EXPECT_EQ(config.node_sets[0].feature, "a");
  ASSERT_EQ(config.down_nodes.size(), 1u);
  EXPECT_EQ(config.down_nodes[0].state, ConfiguredNodeState::kFail);
  EXPECT_EQ(config.down_nodes[0].reason, "power");
}

TEST(ConfigParse, ReadsGresConf) {
  auto config = config_of("",
                          "AutoDetect=nvml\n"
                          "NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-7 "
                          "Links=-1,2 Flags=nvidia_gpu_env\n"
                          "Name=bandwidth Count=4K Flags=CountOnly\n");
  ASSERT_EQ(config.gres.size(), 3u);
  EXPECT_EQ(config.gres[0].auto_detect, "nvml");
  EXPECT_EQ(config.gres[1].node_names, "n[1-2]");
  EXPECT_EQ(config.gres[1].files,
            (Strings{"/dev/nvidia0", "/dev/nvidia1", "/dev/nvidia2", "/dev/nvidia3"}));
  EXPECT_EQ(config.gres[1].links, (std::vector<int>{-1, 2}));
  EXPECT_EQ(config.gres[2].count, 4096u);
  EXPECT_EQ(config.gres[2].flags, (Strings{"countonly"}));
  EXPECT_EQ(error_of("", "Count=3"), "gres.conf:1: Name= is missing");
}

NodeTopology topology(std::string_view line, std::string* warning = nullptr) {
  std::string text;
  auto config = config_of(line);
  NodeTopology result = complete_topology(config.nodes.at(0), text);
  if (warning != nullptr) *warning = text;
  return result;
}

TEST(ConfigTopology, DerivesWhatIsNotGiven) {
  EXPECT_EQ(topology("NodeName=n"), (NodeTopology{1, 1, 1, 1, 1}));
  EXPECT_EQ(topology("NodeName=n CPUs=8"), (NodeTopology{1, 8, 1, 1, 8}));
  EXPECT_EQ(topology("NodeName=n CPUs=8 CoresPerSocket=2 ThreadsPerCore=2"),
            (NodeTopology{1, 2, 2, 2, 8}));
  EXPECT_EQ(topology("NodeName=n Sockets=2 CoresPerSocket=4"), (NodeTopology{1, 2, 4, 1, 8}));
  EXPECT_EQ(topology("NodeName=n Boards=2 SocketsPerBoard=1 CoresPerSocket=4"),
            (NodeTopology{2, 2, 4, 1, 8}));
  EXPECT_EQ(topology("NodeName=n Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 CPUs=4"),
            (NodeTopology{1, 1, 4, 2, 4}));
}

TEST(ConfigTopology, ResetsCpusThatFitNothing) {
  std::string warning;
  EXPECT_EQ(topology("NodeName=n CPUs=5 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2", &warning),
            (NodeTopology{1, 1, 4, 2, 8}));
  EXPECT_EQ(warning,
            "NodeNames=n CPUs=5 match no Sockets, Sockets*CoresPerSocket or "
            "Sockets*CoresPerSocket*ThreadsPerCore. Resetting CPUs.");
}

TEST(ConfigTopology, BoundsTheNumberOfCpus) {
  std::string warning;
  EXPECT_EQ(topology("NodeName=n Boards=60000 Sockets=60000 CoresPerSocket=60000 "
                     "ThreadsPerCore=60000",
                     &warning),
            (NodeTopology{1, 1, 1, 1, 1}));
  EXPECT_EQ(warning, "NodeName=n has more than 65533 CPUs: treated as 1 CPU");
}

}  // namespace
}  // namespace grappe
