// Where Slurm 22.05's cons_tres (CR_Core_Memory) puts jobs, case by case.
#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// Four nodes of 8 CPUs, 32000 MB and 4 GPUs.
class FourNodes : public ::testing::Test {
 protected:
  FourNodes() { c.nodes(4, node(8).gpus(4)); }

  Cluster c;
};

struct Case {
  const char* options;
  JobSpec spec;
  const char* tasks;
  const char* cpus;
};

TEST_F(FourNodes, TasksGoWhereSlurmPutsThem) {
  std::vector<Case> cases = {
      {"-n1", tasks(1), "n1:1", "n1:0"},
      {"-n9", tasks(9), "n1:8 n2:1", "n1:0-7 n2:0"},
      {"-n32", tasks(32), "n1:8 n2:8 n3:8 n4:8", "n1:0-7 n2:0-7 n3:0-7 n4:0-7"},
      {"-N2", job().nodes(2), "n1:1 n2:1", "n1:0 n2:0"},
      {"-N2 -n3", tasks(3).nodes(2), "n1:2 n2:1", "n1:0-1 n2:0"},
      {"-N3 -n4", tasks(4).nodes(3), "n1:2 n2:1 n3:1", "n1:0-1 n2:0 n3:0"},
      {"-N2 -n12", tasks(12).nodes(2), "n1:8 n2:4", "n1:0-7 n2:0-3"},
      {"-N3 -n20", tasks(20).nodes(3), "n1:8 n2:8 n3:4", "n1:0-7 n2:0-7 n3:0-3"},
      {"-N4 -n20", tasks(20).nodes(4), "n1:8 n2:8 n3:3 n4:1", "n1:0-7 n2:0-7 n3:0-2 n4:0"},
      {"-N4 -n10", tasks(10).nodes(4), "n1:7 n2:1 n3:1 n4:1", "n1:0-6 n2:0 n3:0 n4:0"},
      {"-N2 --ntasks-per-node=3", job().nodes(2).per_node(3), "n1:3 n2:3", "n1:0-2 n2:0-2"},
      {"-c3 -n4", tasks(4).cpus(3), "n1:2 n2:2", "n1:0-5 n2:0-5"},
      {"-c5 -n2", tasks(2).cpus(5), "n1:1 n2:1", "n1:0-4 n2:0-4"},
      {"-N2 -c3", job().nodes(2).cpus(3), "n1:1 n2:1", "n1:0-2 n2:0-2"},
      {"-N4 -c3 -n6", tasks(6).nodes(4).cpus(3), "n1:2 n2:2 n3:1 n4:1",
       "n1:0-5 n2:0-5 n3:0-2 n4:0-2"},
  };
  for (const Case& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    Plan p = c.plan();
    EXPECT_EQ(where(p, 1), k.tasks) << k.options;
    EXPECT_EQ(cpus_of(p, 1), k.cpus) << k.options;
  }
}

TEST_F(FourNodes, ARangeOfNodesIsUsedUpToItsEnd) {
  std::vector<Case> cases = {
      {"-N2-4 -n10", tasks(10).nodes(2, 4), "n1:6 n2:2 n3:1 n4:1", ""},
      {"-N1-4 -n10", tasks(10).nodes(1, 4), "n1:6 n2:2 n3:1 n4:1", ""},
      {"-N3-4 -n10", tasks(10).nodes(3, 4), "n1:7 n2:1 n3:1 n4:1", ""},
      {"-N1-3 -n9", tasks(9).nodes(1, 3), "n1:7 n2:1 n3:1", ""},
      {"-N2-3 -n9", tasks(9).nodes(2, 3), "n1:7 n2:1 n3:1", ""},
      {"-N2-4 -n12", tasks(12).nodes(2, 4), "n1:6 n2:4 n3:1 n4:1", ""},
      {"-N2-4 -n16", tasks(16).nodes(2, 4), "n1:7 n2:7 n3:1 n4:1", ""},
      {"-N2-4 -n17", tasks(17).nodes(2, 4), "n1:8 n2:7 n3:1 n4:1", ""},
      {"-N2-4 -n20", tasks(20).nodes(2, 4), "n1:8 n2:7 n3:4 n4:1", ""},
      {"-N3-4 -n20", tasks(20).nodes(3, 4), "n1:8 n2:7 n3:4 n4:1", ""},
      {"-N1-4 -n24", tasks(24).nodes(1, 4), "n1:8 n2:8 n3:7 n4:1", ""},
      {"-N3-4 -n13", tasks(13).nodes(3, 4), "n1:7 n2:4 n3:1 n4:1", ""},
      {"-N2-4 -n5", tasks(5).nodes(2, 4), "n1:2 n2:1 n3:1 n4:1", ""},
      {"-N2-4 -n3", tasks(3).nodes(2, 4), "n1:1 n2:1 n3:1", ""},
      {"-N1-4 -n1", tasks(1).nodes(1, 4), "n1:1", ""},
      {"-N1-4", job().nodes(1, 4), "n1:1 n2:1 n3:1 n4:1", ""},
      {"-N2-4 -c2 -n5", tasks(5).nodes(2, 4).cpus(2), "n1:2 n2:1 n3:1 n4:1", ""},
  };
  for (const Case& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    EXPECT_EQ(where(c.plan(), 1), k.tasks) << k.options;
  }
}

TEST_F(FourNodes, OneNodeThatFitsMostTightlyIsPreferred) {
  c.running(0, 2, kNow + 60);
  c.running(1, 5, kNow + 60);
  std::vector<Case> cases = {
      {"-n1", tasks(1), "n2:1", "n2:5"},
      {"-n3", tasks(3), "n2:3", "n2:5-7"},
      {"-n4", tasks(4), "n1:4", "n1:2-5"},
      {"-n7", tasks(7), "n3:7", "n3:0-6"},
      {"-n14", tasks(14), "n1:6 n2:3 n3:5", "n1:2-7 n2:5-7 n3:0-4"},
      {"-N2 -n9", tasks(9).nodes(2), "n1:6 n2:3", "n1:2-7 n2:5-7"},
  };
  for (const Case& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    EXPECT_EQ(where(c.plan(), 1), k.tasks) << k.options;
    EXPECT_EQ(cpus_of(c.plan(), 1), k.cpus) << k.options;
  }
}

TEST_F(FourNodes, NeighboursAreTakenTogether) {
  c.running(0, 7, kNow + 60);
  c.running(1, 8, kNow + 60);
  std::vector<Case> cases = {{"-N2", job().nodes(2), "n3:1 n4:1", ""},
                             {"-n2", tasks(2), "n3:2", ""},
                             {"-n1", tasks(1), "n1:1", ""}};
  for (const Case& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    EXPECT_EQ(where(c.plan(), 1), k.tasks) << k.options;
  }
}

TEST_F(FourNodes, TheLargestRunOfNeighboursComesFirstWhenNoneIsEnough) {
  c.running(1, 8, kNow + 60);
  c.job(1, tasks(17));
  EXPECT_EQ(where(c.plan(), 1), "n1:1 n3:8 n4:8");
  c.snapshot.pending.clear();
  c.job(1, tasks(9));
  EXPECT_EQ(where(c.plan(), 1), "n3:8 n4:1");
}

struct GpuCase {
  const char* options;
  JobSpec spec;
  const char* tasks;
  const char* devices;
  uint64_t memory;
};

TEST_F(FourNodes, GpusAreGatheredOnFewNodes) {
  std::vector<GpuCase> cases = {
      {"--gpus=6", job().gpus(6), "n1:1 n2:1", "n1:0-3 n2:0-1", 0},
      {"-N2 --gpus=6", job().nodes(2).gpus(6), "n1:1 n2:1", "n1:0-3 n2:0-1", 0},
      {"--gpus=3 -N3", job().nodes(3).gpus(3), "n1:1 n2:1 n3:1", "n1:0 n2:0 n3:0", 0},
      {"--gpus=5 -N3", job().nodes(3).gpus(5), "n1:1 n2:1 n3:1", "n1:0-2 n2:0 n3:0", 0},
      {"--gpus=16", job().gpus(16), "n1:1 n2:1 n3:1 n4:1", "n1:0-3 n2:0-3 n3:0-3 n4:0-3", 0},
      {"--gpus-per-task=1 -n6", tasks(6).gpus_per_task(1), "n1:4 n2:2", "n1:0-3 n2:0-1", 0},
      {"--gpus-per-task=2 -n3", tasks(3).gpus_per_task(2), "n1:2 n2:1", "n1:0-3 n2:0-1", 0},
      {"--gpus-per-node=2 -N2 -n3", tasks(3).nodes(2).gpus_per_node(2), "n1:2 n2:1",
       "n1:0-1 n2:0-1", 0},
      {"--gpus=2 --mem-per-gpu=3000", job().gpus(2).mem_per_gpu(3000), "n1:1", "n1:0-1", 6000},
      {"--gpus=6 --mem-per-gpu=3000", job().gpus(6).mem_per_gpu(3000), "n1:1 n2:1", "n1:0-3 n2:0-1",
       18000},
      {"--gpus=4 -n8", tasks(8).gpus(4), "n1:8", "n1:0-3", 0},
  };
  for (const GpuCase& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    Plan p = c.plan();
    EXPECT_EQ(where(p, 1), k.tasks) << k.options;
    EXPECT_EQ(devices_of(p, 1), k.devices) << k.options;
    EXPECT_EQ(memory_of(p, 1), k.memory) << k.options;
  }
}

TEST_F(FourNodes, CpusPerGpuAreGivenWithTheGpus) {
  JobSpec two = job().gpus(2), six = job().gpus(6);
  two.shape.cpus_per_gpu = 3;
  six.shape.cpus_per_gpu = 2;
  c.job(1, two);
  EXPECT_EQ(cpus_of(c.plan(), 1), "n1:0-5");
  c.snapshot.pending.clear();
  c.job(1, six);
  EXPECT_EQ(cpus_of(c.plan(), 1), "n1:0-7 n2:0-3");
}

TEST_F(FourNodes, GpuJobsPassNodesWithTooFewLeft) {
  c.running(0, 1, kNow + 60, 0, 3);
  c.job(1, job().gpus(2));
  EXPECT_EQ(devices_of(c.plan(), 1), "n2:0-1");
  c.snapshot.pending.clear();
  c.job(1, job().gpus(6));
  EXPECT_EQ(devices_of(c.plan(), 1), "n2:0-3 n3:0-1");
}

TEST_F(FourNodes, ExclusiveTakesEveryCpuAndGpuButMemoryByTheCpu) {
  c.job(1, tasks(1).exclusive().mem_per_cpu(512));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 1), "n1:1");
  EXPECT_EQ(cpus_of(p, 1), "n1:0-7");
  EXPECT_EQ(devices_of(p, 1), "n1:0-3");
  EXPECT_EQ(memory_of(p, 1), 4096u);
}

TEST_F(FourNodes, MemoryByTheCpuLimitsTheTasksOfANode) {
  c.job(1, tasks(8).mem_per_cpu(5000));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 1), "n1:6 n2:2");
  EXPECT_EQ(memory_of(p, 1), 40000u);
}

TEST_F(FourNodes, MemoryZeroIsTheWholeNodes) {
  JobSpec all = tasks(1);
  all.shape.all_memory = true;
  c.job(1, all);
  EXPECT_EQ(memory_of(c.plan(), 1), 32000u);
}

TEST_F(FourNodes, TasksPerNodeMakeRoomForThemAllOnEveryNode) {
  c.job(1, tasks(10).per_node(4));
  EXPECT_EQ(cpus_of(c.plan(), 1), "n1:0-3 n2:0-3 n3:0-3");
}

// Three nodes of 4 CPUs; features 0 = x, 1 = y, 2 = fast.
class Weighted : public ::testing::Test {
 protected:
  Weighted() {
    c.nodes(1, node(4).weight(30).features({0}));
    c.nodes(1, node(4).weight(10).features({1}));
    c.nodes(1, node(4).weight(20).features({0, 2}));
  }

  Cluster c;
};

TEST_F(Weighted, LightNodesComeFirst) {
  std::vector<Case> cases = {
      {"-n1", tasks(1), "n2:1", ""},
      {"-n5", tasks(5), "n2:4 n3:1", ""},
      {"-N2", job().nodes(2), "n2:1 n3:1", ""},
      {"-n12", tasks(12), "n1:4 n2:4 n3:4", ""},
      {"-w w1 -n5", tasks(5).on({0}), "n1:4 n2:1", ""},
      {"-w w1,w2 -n2", tasks(2).on({0, 1}).nodes(2, kAnyNumber), "n1:1 n2:1", ""},
      {"-w w1,w2 -N2-3 -n4", tasks(4).on({0, 1}).nodes(2, 3), "n1:2 n2:1 n3:1", ""},
      {"-w w1 -N1-3", job().on({0}).nodes(1, 3), "n1:1 n2:1 n3:1", ""},
      {"-x w2 -n1", tasks(1).except({1}), "n3:1", ""},
  };
  for (const Case& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    EXPECT_EQ(where(c.plan(), 1), k.tasks) << k.options;
  }
}

TEST_F(Weighted, ConstraintsNarrowTheChoice) {
  FeatureSet x{bits({0})}, y{bits({1})}, x_fast{bits({0, 2})};
  auto with = [](JobSpec spec, std::vector<FeatureSet> sets, bool same = false) {
    spec.shape.features = std::move(sets);
    spec.shape.same_features = same;
    return spec;
  };
  FeatureSet one_x = x, one_y = y;
  one_x.count = one_y.count = 1;
  std::vector<Case> cases = {
      {"-N2 -n2 -C x", with(tasks(2).nodes(2), {x}), "n1:1 n3:1", ""},
      {"-C x|y", with(tasks(1), {x, y}), "n2:1", ""},
      {"-N2 -C [x|y]", with(job().nodes(2), {x, y}, true), "n1:1 n3:1", ""},
      {"-N2 -C [x*1&y*1]", with(job().nodes(2), {one_x, one_y}), "n2:1 n3:1", ""},
      {"-C x&fast", with(tasks(1), {x_fast}), "n3:1", ""},
  };
  for (const Case& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    EXPECT_EQ(where(c.plan(), 1), k.tasks) << k.options;
  }
}

TEST_F(Weighted, WhatIsPreferredTakesThePlaceOfWhatIsRequired) {
  FeatureSet x{bits({0})}, y{bits({1})}, fast{bits({2})};
  auto with = [](JobSpec spec, std::vector<FeatureSet> preferred,
                 std::vector<FeatureSet> required = {}) {
    spec.shape.preferred = std::move(preferred);
    spec.shape.features = std::move(required);
    return spec;
  };
  std::vector<Case> cases = {
      {"--prefer=x", with(tasks(1), {x}), "n3:1", ""},
      {"-C x --prefer=y", with(tasks(1), {y}, {x}), "n2:1", ""},
      // Not to be had: what is required counts, or nothing.
      {"-N2 --prefer=fast", with(job().nodes(2), {fast}), "n2:1 n3:1", ""},
      {"-N2 -C x --prefer=y", with(job().nodes(2), {y}, {x}), "n1:1 n3:1", ""},
  };
  for (const Case& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    EXPECT_EQ(where(c.plan(), 1), k.tasks) << k.options;
  }
}

// Three nodes of 2 sockets, 4 cores each, 2 threads, 4 GPUs.
class Threaded : public ::testing::Test {
 protected:
  Threaded() { c.nodes(3, node(16).geometry(2, 4, 2).gpus(4)); }

  Cluster c;
};

TEST_F(Threaded, WholeCoresAreGivenDealtOverTheSockets) {
  std::vector<Case> cases = {
      {"-n1", tasks(1), "n1:1", "n1:0-1"},
      {"-n2", tasks(2), "n1:2", "n1:0-1"},
      {"-n3", tasks(3), "n1:3", "n1:0-1,8-9"},
      {"-n9", tasks(9), "n1:9", "n1:0-5,8-11"},
      {"-c3 -n1", tasks(1).cpus(3), "n1:1", "n1:0-3"},
      {"-c2 -n9", tasks(9).cpus(2), "n1:8 n2:1", "n1:0-15 n2:0-1"},
      {"-N2 -n3", tasks(3).nodes(2), "n1:2 n2:1", "n1:0-1 n2:0-1"},
      {"-n2 --mem-per-cpu", tasks(2), "n1:2", "n1:0-1"},
  };
  for (const Case& k : cases) {
    c.snapshot.pending.clear();
    c.job(1, k.spec);
    EXPECT_EQ(where(c.plan(), 1), k.tasks) << k.options;
    EXPECT_EQ(cpus_of(c.plan(), 1), k.cpus) << k.options;
  }
}

TEST_F(Threaded, MemoryCountsTheThreadsThatAreUsed) {
  c.job(1, tasks(5).mem_per_cpu(1000));
  EXPECT_EQ(memory_of(c.plan(), 1), 6000u);
  c.snapshot.pending.clear();
  JobSpec one_thread = tasks(3).mem_per_cpu(512);
  one_thread.shape.threads_per_core = 1;
  c.job(1, one_thread);
  EXPECT_EQ(memory_of(c.plan(), 1), 1536u);
  EXPECT_EQ(cpus_of(c.plan(), 1), "n1:0-3,8-9");
}

TEST_F(Threaded, OneTaskPerCoreTakesACoreForEach) {
  JobSpec spec = tasks(3).mem_per_cpu(512);
  spec.shape.ntasks_per_core = 1;
  c.job(1, spec);
  EXPECT_EQ(cpus_of(c.plan(), 1), "n1:0-3,8-9");
  EXPECT_EQ(memory_of(c.plan(), 1), 3072u);
}

TEST_F(Threaded, MincpusRoundsUpToCores) {
  JobSpec spec = tasks(1);
  spec.shape.min_cpus_per_node = 5;
  c.job(1, spec);
  EXPECT_EQ(cpus_of(c.plan(), 1), "n1:0-3,8-9");
}

}  // namespace
}  // namespace grappe::sched::testing
