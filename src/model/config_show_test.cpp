#include "model/config_show.h"

#include <gtest/gtest.h>

#include <map>

#include "model/config_parse.h"

namespace grappe {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

// The keys that `scontrol show config` of Slurm 22.05.8 lists, in its order.
const char* const kSlurmKeys[] = {
    "AccountingStorageBackupHost",
    "AccountingStorageEnforce",
    "AccountingStorageHost",
    "AccountingStorageExternalHost",
    "AccountingStorageParameters",
    "AccountingStoragePort",
    "AccountingStorageTRES",
    "AccountingStorageType",
    "AccountingStorageUser",
    "AccountingStoreFlags",
    "AcctGatherEnergyType",
    "AcctGatherFilesystemType",
    "AcctGatherInterconnectType",
    "AcctGatherNodeFreq",
    "AcctGatherProfileType",
    "AllowSpecResourcesUsage",
    "AuthAltTypes",
    "AuthAltParameters",
    "AuthInfo",
    "AuthType",
    "BatchStartTimeout",
    "BcastExclude",
    "BcastParameters",
    "BOOT_TIME",
    "BurstBufferType",
    "CliFilterPlugins",
    "ClusterName",
    "CommunicationParameters",
    "CompleteWait",
    "CoreSpecPlugin",
    "CpuFreqDef",
    "CpuFreqGovernors",
    "CredType",
    "DebugFlags",
    "DefMemPerCPU",
    "DependencyParameters",
    "DisableRootJobs",
    "EioTimeout",
    "EnforcePartLimits",
    "Epilog",
    "EpilogMsgTime",
    "EpilogSlurmctld",
    "ExtSensorsType",
    "ExtSensorsFreq",
    "FairShareDampeningFactor",
    "FederationParameters",
    "FirstJobId",
    "GetEnvTimeout",
    "GresTypes",
    "GpuFreqDef",
    "GroupUpdateForce",
    "GroupUpdateTime",
    "HASH_VAL",
    "HealthCheckInterval",
    "HealthCheckNodeState",
    "HealthCheckProgram",
    "InactiveLimit",
    "InteractiveStepOptions",
    "JobAcctGatherFrequency",
    "JobAcctGatherType",
    "JobAcctGatherParams",
    "JobCompHost",
    "JobCompLoc",
    "JobCompPort",
    "JobCompType",
    "JobCompUser",
    "JobContainerType",
    "JobCredentialPrivateKey",
    "JobCredentialPublicCertificate",
    "JobDefaults",
    "JobFileAppend",
    "JobRequeue",
    "JobSubmitPlugins",
    "KillOnBadExit",
    "KillWait",
    "LaunchParameters",
    "LaunchType",
    "Licenses",
    "LogTimeFormat",
    "MailDomain",
    "MailProg",
    "MaxArraySize",
    "MaxDBDMsgs",
    "MaxJobCount",
    "MaxJobId",
    "MaxMemPerNode",
    "MaxNodeCount",
    "MaxStepCount",
    "MaxTasksPerNode",
    "MCSPlugin",
    "MCSParameters",
    "MessageTimeout",
    "MinJobAge",
    "MpiDefault",
    "MpiParams",
    "MULTIPLE_SLURMD",
    "NEXT_JOB_ID",
    "NodeFeaturesPlugins",
    "OverTimeLimit",
    "PluginDir",
    "PlugStackConfig",
    "PowerParameters",
    "PowerPlugin",
    "PreemptMode",
    "PreemptType",
    "PreemptExemptTime",
    "PrEpParameters",
    "PrEpPlugins",
    "PriorityParameters",
    "PrioritySiteFactorParameters",
    "PrioritySiteFactorPlugin",
    "PriorityDecayHalfLife",
    "PriorityCalcPeriod",
    "PriorityFavorSmall",
    "PriorityFlags",
    "PriorityMaxAge",
    "PriorityUsageResetPeriod",
    "PriorityType",
    "PriorityWeightAge",
    "PriorityWeightAssoc",
    "PriorityWeightFairShare",
    "PriorityWeightJobSize",
    "PriorityWeightPartition",
    "PriorityWeightQOS",
    "PriorityWeightTRES",
    "PrivateData",
    "ProctrackType",
    "Prolog",
    "PrologEpilogTimeout",
    "PrologSlurmctld",
    "PrologFlags",
    "PropagatePrioProcess",
    "PropagateResourceLimits",
    "PropagateResourceLimitsExcept",
    "RebootProgram",
    "ReconfigFlags",
    "RequeueExit",
    "RequeueExitHold",
    "ResumeFailProgram",
    "ResumeProgram",
    "ResumeRate",
    "ResumeTimeout",
    "ResvEpilog",
    "ResvOverRun",
    "ResvProlog",
    "ReturnToService",
    "RoutePlugin",
    "SchedulerParameters",
    "SchedulerTimeSlice",
    "SchedulerType",
    "ScronParameters",
    "SelectType",
    "SelectTypeParameters",
    "SlurmUser",
    "SlurmctldAddr",
    "SlurmctldDebug",
    "SlurmctldHost[0]",
    "SlurmctldLogFile",
    "SlurmctldPort",
    "SlurmctldSyslogDebug",
    "SlurmctldPrimaryOffProg",
    "SlurmctldPrimaryOnProg",
    "SlurmctldTimeout",
    "SlurmctldParameters",
    "SlurmdDebug",
    "SlurmdLogFile",
    "SlurmdParameters",
    "SlurmdPidFile",
    "SlurmdPort",
    "SlurmdSpoolDir",
    "SlurmdSyslogDebug",
    "SlurmdTimeout",
    "SlurmdUser",
    "SlurmSchedLogFile",
    "SlurmSchedLogLevel",
    "SlurmctldPidFile",
    "SlurmctldPlugstack",
    "SLURM_CONF",
    "SLURM_VERSION",
    "SrunEpilog",
    "SrunPortRange",
    "SrunProlog",
    "StateSaveLocation",
    "SuspendExcNodes",
    "SuspendExcParts",
    "SuspendProgram",
    "SuspendRate",
    "SuspendTime",
    "SuspendTimeout",
    "SwitchParameters",
    "SwitchType",
    "TaskEpilog",
    "TaskPlugin",
    "TaskPluginParam",
    "TaskProlog",
    "TCPTimeout",
    "TmpFS",
    "TopologyParam",
    "TopologyPlugin",
    "TrackWCKey",
    "TreeWidth",
    "UsePam",
    "UnkillableStepProgram",
    "UnkillableStepTimeout",
    "VSizeFactor",
    "WaitTime",
    "X11Parameters",
};

ConfigFacts facts() {
  ConfigFacts facts;
  facts.boot_time = "2026-01-31T12:00:00";
  facts.next_job_id = 7;
  facts.node_count = 4;
  facts.conf_path = "/etc/grappe/slurm.conf";
  facts.slurm_user = "grappe(998)";
  facts.launcher_user = "root(0)";
  facts.state_dir = "/var/lib/grappe";
  facts.host = "box";
  return facts;
}

std::map<std::string, std::string> shown(std::string_view conf) {
  auto parsed = parse_slurm_conf(conf, "", "");
  EXPECT_TRUE(parsed) << parsed.error().message;
  std::map<std::string, std::string> values;
  if (!parsed) return values;
  for (const auto& [key, value] : show_config(parsed->config, facts())) values[key] = value;
  return values;
}

TEST(ConfigShow, ListsEveryKeyOfSlurmInItsOrder) {
  auto parsed = parse_slurm_conf("PriorityType=priority/multifactor\nDefMemPerCPU=512", "", "");
  std::vector<std::string> names;
  for (const auto& line : show_config(parsed->config, facts())) names.push_back(line.first);
  EXPECT_EQ(names, std::vector<std::string>(std::begin(kSlurmKeys), std::end(kSlurmKeys)));
}

TEST(ConfigShow, SaysWhatIsTrueInSlurmsWords) {
  auto values = shown("");
  EXPECT_EQ(values["SelectType"], "select/cons_tres");
  EXPECT_EQ(values["SelectTypeParameters"], "CR_CORE_MEMORY");
  EXPECT_EQ(values["SchedulerType"], "sched/backfill");
  EXPECT_EQ(values["PriorityType"], "priority/basic");
  EXPECT_EQ(values["AccountingStorageType"], "accounting_storage/slurmdbd");
  EXPECT_EQ(values["AccountingStorageTRES"], "cpu,mem,energy,node,billing,fs/disk,vmem,pages");
  EXPECT_EQ(values["TaskPlugin"], "task/cgroup,task/affinity");
  EXPECT_EQ(values["ProctrackType"], "proctrack/cgroup");
  EXPECT_EQ(values["SLURM_VERSION"], "22.05.8");
}

TEST(ConfigShow, HasTheDefaultsAndUnitsOfSlurm) {
  auto values = shown("PriorityType=priority/multifactor");
  const std::map<std::string, std::string> expected = {
      {"BatchStartTimeout", "10 sec"},
      {"BcastExclude", "/lib,/usr/lib,/lib64,/usr/lib64"},
      {"CompleteWait", "0 sec"},
      {"DefMemPerNode", "UNLIMITED"},
      {"DisableRootJobs", "No"},
      {"EnforcePartLimits", "NO"},
      {"Epilog", "(null)"},
      {"FairShareDampeningFactor", "1"},
      {"FirstJobId", "1"},
      {"GetEnvTimeout", "2 sec"},
      {"GroupUpdateForce", "1"},
      {"GroupUpdateTime", "600 sec"},
      {"HealthCheckNodeState", "ANY"},
      {"InactiveLimit", "0 sec"},
      {"InteractiveStepOptions", "--interactive --preserve-env --pty $SHELL"},
      {"JobAcctGatherFrequency", "30"},
      {"JobDefaults", "(null)"},
      {"JobFileAppend", "0"},
      {"JobRequeue", "1"},
      {"KillOnBadExit", "0"},
      {"KillWait", "30 sec"},
      {"Licenses", "(null)"},
      {"MailProg", "/bin/mail"},
      {"MaxArraySize", "1001"},
      {"MaxDBDMsgs", "20016"},
      {"MaxJobCount", "10000"},
      {"MaxJobId", "67043328"},
      {"MaxMemPerNode", "UNLIMITED"},
      {"MaxStepCount", "40000"},
      {"MaxTasksPerNode", "512"},
      {"MessageTimeout", "10 sec"},
      {"MinJobAge", "300 sec"},
      {"MpiDefault", "none"},
      {"OverTimeLimit", "0 min"},
      {"PreemptExemptTime", "00:00:00"},
      {"PreemptMode", "OFF"},
      {"PriorityCalcPeriod", "00:05:00"},
      {"PriorityDecayHalfLife", "7-00:00:00"},
      {"PriorityFlags", ""},
      {"PriorityMaxAge", "7-00:00:00"},
      {"PriorityUsageResetPeriod", "NONE"},
      {"PrivateData", "none"},
      {"PrologEpilogTimeout", "65534"},
      {"PrologFlags", "(null)"},
      {"PropagateResourceLimits", "ALL"},
      {"PropagateResourceLimitsExcept", "(null)"},
      {"ResvOverRun", "0 min"},
      {"ReturnToService", "0"},
      {"SchedulerTimeSlice", "30 sec"},
      {"SlurmctldDebug", "info"},
      {"SuspendTime", "INFINITE"},
      {"TaskPluginParam", "(null type)"},
      {"TmpFS", "/tmp"},
      {"TrackWCKey", "No"},
      {"UnkillableStepTimeout", "60 sec"},
      {"VSizeFactor", "0 percent"},
      {"WaitTime", "0 sec"},
  };
  for (const auto& [key, value] : expected) EXPECT_EQ(values[key], value) << key;
}

struct Case {
  const char* written;
  const char* key;
  const char* shown;
};

// What Slurm shows for each line of slurm.conf.
const Case kCases[] = {
    {"AccountingStorageEnforce=safe,qos,nosteps", "AccountingStorageEnforce",
     "associations,limits,nosteps,qos,safe"},
    {"AccountingStorageEnforce=all", "AccountingStorageEnforce",
     "associations,limits,qos,safe,wckeys"},
    {"AccountingStorageEnforce=wckeys", "TrackWCKey", "Yes"},
    {"AccountingStorageTRES=gres/gpu", "AccountingStorageTRES",
     "cpu,mem,energy,node,billing,fs/disk,vmem,pages,gres/gpu"},
    {"AccountingStoreFlags=job_comment,job_script,job_env", "AccountingStoreFlags",
     "job_comment,job_env,job_script"},
    {"AllowSpecResourcesUsage=yes", "AllowSpecResourcesUsage", "Yes"},
    {"BatchStartTimeout=20", "BatchStartTimeout", "20 sec"},
    {"BcastParameters=DestDir=/tmp,Compression=lz4", "BcastParameters",
     "DestDir=/tmp,Compression=lz4"},
    {"DefCpuPerGPU=4\nDefMemPerGPU=1000", "JobDefaults", "DefCpuPerGPU=4,DefMemPerGPU=1000"},
    {"DefMemPerNode=5000", "DefMemPerNode", "5000"},
    {"DefMemPerCPU=512", "DefMemPerCPU", "512"},
    {"MaxMemPerCPU=4000", "MaxMemPerCPU", "4000"},
    {"DependencyParameters=kill_invalid_depend", "DependencyParameters", "kill_invalid_depend"},
    {"DisableRootJobs=yes", "DisableRootJobs", "Yes"},
    {"EnforcePartLimits=ANY", "EnforcePartLimits", "ANY"},
    {"EnforcePartLimits=yes", "EnforcePartLimits", "ANY"},
    {"Prolog=/etc/p1\nProlog=/etc/p2", "Prolog", "/etc/p2"},
    {"PrologFlags=Contain,X11", "PrologFlags", "Alloc,Contain,X11"},
    {"PrologFlags=Alloc,DeferBatch,NoHold,Serial", "PrologFlags", "Alloc,DeferBatch,NoHold,Serial"},
    {"PrologEpilogTimeout=33", "PrologEpilogTimeout", "33"},
    {"GresTypes=gpu,mps", "GresTypes", "gpu,mps"},
    {"GroupUpdateForce=0", "GroupUpdateForce", "0"},
    {"HealthCheckNodeState=IDLE,CYCLE", "HealthCheckNodeState", "CYCLE,IDLE"},
    {"HealthCheckNodeState=ALLOC,IDLE,MIXED", "HealthCheckNodeState", "IDLE,ALLOC,MIXED"},
    {"JobAcctGatherFrequency=task=10,energy=30", "JobAcctGatherFrequency", "task=10,energy=30"},
    {"JobAcctGatherType=jobacct_gather/linux", "JobAcctGatherType", "jobacct_gather/linux"},
    {"JobRequeue=0", "JobRequeue", "0"},
    {"KillWait=40", "KillWait", "40 sec"},
    {"LaunchParameters=test_exec,use_interactive_step", "LaunchParameters",
     "test_exec,use_interactive_step"},
    {"Licenses=matlab:5,single", "Licenses", "matlab:5,single"},
    {"MinJobAge=0", "MinJobAge", "2 sec"},
    {"MpiDefault=pmi2", "MpiDefault", "pmi2"},
    {"OverTimeLimit=UNLIMITED", "OverTimeLimit", "UNLIMITED"},
    {"OverTimeLimit=5", "OverTimeLimit", "5 min"},
    {"PreemptMode=SUSPEND,GANG", "PreemptMode", "GANG,SUSPEND"},
    {"PreemptExemptTime=00:05:00", "PreemptExemptTime", "00:05:00"},
    {"PriorityDecayHalfLife=0", "PriorityDecayHalfLife", "00:00:00"},
    {"PriorityDecayHalfLife=7-0", "PriorityDecayHalfLife", "7-00:00:00"},
    {"PriorityCalcPeriod=1", "PriorityCalcPeriod", "00:01:00"},
    {"PriorityUsageResetPeriod=MONTHLY", "PriorityUsageResetPeriod", "MONTHLY"},
    {"PriorityFavorSmall=yes", "PriorityFavorSmall", "Yes"},
    {"PriorityFlags=ACCRUE_ALWAYS,MAX_TRES,NO_NORMAL_ALL,CALCULATE_RUNNING,INCR_ONLY,"
     "NO_FAIR_TREE,SMALL_RELATIVE_TO_TIME",
     "PriorityFlags",
     "ACCRUE_ALWAYS,SMALL_RELATIVE_TO_TIME,CALCULATE_RUNNING,NO_FAIR_TREE,INCR_ONLY,MAX_TRES,"
     "NO_NORMAL_ALL"},
    {"PriorityFlags=DEPTH_OBLIVIOUS", "PriorityFlags", "DEPTH_OBLIVIOUS,NO_FAIR_TREE"},
    {"PriorityFlags=MAX_TRES_GRES", "PriorityFlags", "MAX_TRES_GRES"},
    {"PriorityParameters=fair_tree=slurm", "PriorityParameters", "fair_tree=slurm"},
    {"PriorityWeightFairshare=10000", "PriorityWeightFairShare", "10000"},
    {"PriorityWeightTRES=CPU=1000,Mem=2000", "PriorityWeightTRES", "CPU=1000,Mem=2000"},
    {"PrivateData=jobs,usage,users", "PrivateData", "jobs,usage,users"},
    {"PropagateResourceLimits=NONE", "PropagateResourceLimits", "NONE"},
    {"PropagateResourceLimitsExcept=MEMLOCK,CORE", "PropagateResourceLimitsExcept", "MEMLOCK,CORE"},
    {"PropagateResourceLimitsExcept=MEMLOCK,CORE", "PropagateResourceLimits", "(null)"},
    {"RequeueExit=1-3,7", "RequeueExit", "1-3,7"},
    {"ResvOverRun=UNLIMITED", "ResvOverRun", "UNLIMITED"},
    {"SchedulerParameters=bf_continue,bf_window=2880", "SchedulerParameters",
     "bf_continue,bf_window=2880"},
    {"SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE,CR_CORE_DEFAULT_DIST_BLOCK,"
     "CR_Pack_Nodes,CR_LLN",
     "SelectTypeParameters",
     "CR_CORE_MEMORY,CR_ONE_TASK_PER_CORE,CR_CORE_DEFAULT_DIST_BLOCK,CR_LLN,CR_PACK_NODES"},
    {"SlurmctldDebug=6", "SlurmctldDebug", "debug2"},
    {"SlurmctldHost=vm(127.0.0.1)", "SlurmctldHost[0]", "vm(127.0.0.1)"},
    {"SlurmctldHost=vm", "SlurmctldHost[0]", "vm"},
    {"TaskPlugin=affinity,cgroup", "TaskPlugin", "task/affinity,task/cgroup"},
    {"TaskPluginParam=Verbose,autobind=threads,SlurmdOffSpec,cores", "TaskPluginParam",
     "verbose,cores,autobind=threads"},
    {"VSizeFactor=110", "VSizeFactor", "110 percent"},
};

TEST(ConfigShow, ShowsASettingAsSlurmDoes) {
  for (const Case& c : kCases) {
    auto values = shown(std::string("PriorityType=priority/multifactor\n") + c.written);
    ASSERT_TRUE(values.contains(c.key)) << c.key;
    EXPECT_EQ(values[c.key], c.shown) << c.written;
  }
}

TEST(ConfigShow, TellsTheFactsOfTheService) {
  auto values = shown("");
  EXPECT_EQ(values["BOOT_TIME"], "2026-01-31T12:00:00");
  EXPECT_EQ(values["NEXT_JOB_ID"], "7");
  EXPECT_EQ(values["MaxNodeCount"], "4");
  EXPECT_EQ(values["SLURM_CONF"], "/etc/grappe/slurm.conf");
  EXPECT_EQ(values["SlurmUser"], "grappe(998)");
  EXPECT_EQ(values["SlurmdUser"], "root(0)");
  EXPECT_EQ(values["StateSaveLocation"], "/var/lib/grappe");
  EXPECT_EQ(values["SlurmctldHost[0]"], "box");
}

TEST(ConfigShow, LeavesOutMultifactorKeysForBasicPriority) {
  auto values = shown("PriorityType=priority/basic");
  EXPECT_EQ(values["PriorityType"], "priority/basic");
  EXPECT_FALSE(values.contains("PriorityWeightAge"));
  EXPECT_FALSE(values.contains("PriorityFlags"));
}

TEST(ConfigShow, NamesTheControllerOfTheLastLine) {
  ClusterConfig config;
  EXPECT_EQ(show_controller(config, facts(), true), "Slurmctld(primary) at box is UP");
  config.service.controllers = {{"vm", "127.0.0.1"}};
  EXPECT_EQ(show_controller(config, facts(), false), "Slurmctld(primary) at vm is DOWN");
}

TEST(ConfigShow, ListsTheCgroupSectionAsSlurmDoes) {
  auto parsed = parse_slurm_conf("", "",
                                 "ConstrainCores=yes\nAllowedRAMSpace=99.5\nMemorySwappiness=10\n"
                                 "MinRAMSpace=100\nCgroupPlugin=cgroup/v2\nConstrainDevices=no\n");
  ASSERT_TRUE(parsed) << parsed.error().message;
  const Lines expected = {
      {"AllowedKmemSpace", "(null)"},
      {"AllowedRAMSpace", "99.5%"},
      {"AllowedSwapSpace", "0.0%"},
      {"CgroupAutomount", "no"},
      {"CgroupMountpoint", "/sys/fs/cgroup"},
      {"CgroupPlugin", "cgroup/v2"},
      {"ConstrainCores", "yes"},
      {"ConstrainDevices", "no"},
      {"ConstrainKmemSpace", "no"},
      {"ConstrainRAMSpace", "yes"},
      {"ConstrainSwapSpace", "no"},
      {"IgnoreSystemd", "no"},
      {"IgnoreSystemdOnFailure", "no"},
      {"MaxKmemPercent", "100.0%"},
      {"MaxRAMPercent", "100.0%"},
      {"MaxSwapPercent", "100.0%"},
      {"MemorySwappiness", "10"},
      {"MinKmemSpace", "30 MB"},
      {"MinRAMSpace", "100 MB"},
  };
  EXPECT_EQ(show_cgroup_config(parsed->config.cgroup), expected);
}

}  // namespace
}  // namespace grappe
