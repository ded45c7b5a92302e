#include "cli/options/job_environment.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace grappe {
namespace {

Environment sample() {
  Environment e;
  e.set("FOO", "bar");
  e.set("PATH", "/bin");
  e.set("SLURM_FOO", "1");
  e.set("SBATCH_FOO", "2");
  return e;
}

using Lines = std::vector<std::string>;

struct Case {
  const char* spec;
  Lines lines;
  bool login;
};

// Each was asked of Slurm 22.05.
TEST(JobEnvironment, ExportsWhatWasAskedFor) {
  const Case cases[] = {
      {"ALL", {"FOO=bar", "PATH=/bin", "SLURM_FOO=1", "SBATCH_FOO=2"}, false},
      {"NONE", {"SLURM_FOO=1"}, true},
      {"FOO", {"SLURM_FOO=1", "FOO=bar"}, true},
      {"FOO=baz,NEW=1", {"SLURM_FOO=1", "FOO=baz", "NEW=1"}, true},
      {"ALL,NEW=1,FOO=baz", {"FOO=baz", "PATH=/bin", "SLURM_FOO=1", "SBATCH_FOO=2", "NEW=1"}, true},
      {"NEW='a,b',Z=3", {"SLURM_FOO=1", "NEW='a,b'", "Z=3"}, true},
      {"NEW=a\\,b", {"SLURM_FOO=1", "NEW=a\\"}, true},
      {"MISSING", {"SLURM_FOO=1"}, true},
  };
  for (const Case& c : cases) {
    bool login = !c.login;
    EXPECT_EQ(exported_environment(sample(), c.spec, login).lines(), c.lines) << c.spec;
    EXPECT_EQ(login, c.login) << c.spec;
  }
}

TEST(JobEnvironment, PacksLinesWithNulBytes) {
  Environment e;
  e.set("A", "1");
  e.set("B", "two words");
  e.set("A", "3");
  EXPECT_EQ(e.packed(), std::string("A=3\0B=two words\0", 16));
}

TEST(JobEnvironment, ReadsAFileOfNulSeparatedLines) {
  char path[] = "/tmp/grappe-env-XXXXXX";
  int fd = mkstemp(path);
  ASSERT_EQ(write(fd, "A=1\0B=two words\0=x\0junk\0", 24), 24);
  close(fd);
  auto e = environment_from_file(path);
  std::remove(path);
  ASSERT_TRUE(e);
  EXPECT_EQ(e->lines(), (Lines{"A=1", "B=two words"}));
  EXPECT_EQ(environment_from_file("/nosuch").error().message,
            "Could not open user environment file /nosuch");
}

TEST(JobEnvironment, TellsTheJobWhatWasRequested) {
  JobOptions o(kSbatch);
  o.spec.set_ntasks(2);
  o.spec.set_distribution("plane=2");
  o.spec.set_open_mode("append");
  o.spec.set_gpus("a100:2");
  o.mem_bind = "verbose,local";
  Environment e;
  add_requested(o, e);
  EXPECT_EQ(e.get("SLURM_NTASKS"), "2");
  EXPECT_EQ(e.get("SLURM_NPROCS"), "2");
  EXPECT_EQ(e.get("SLURM_DISTRIBUTION"), "plane");
  EXPECT_EQ(e.get("SLURM_DIST_PLANESIZE"), "2");
  EXPECT_EQ(e.get("SLURM_OPEN_MODE"), "a");
  EXPECT_EQ(e.get("SLURM_GPUS"), "a100:2");
  EXPECT_EQ(e.get("SLURM_MEM_BIND_VERBOSE"), "verbose");
  EXPECT_FALSE(e.get("SLURM_CPUS_PER_TASK"));
}

TEST(JobEnvironment, SaysHowMemoryIsBoundInSlurmsWords) {
  JobOptions batch(kSbatch), step(kSrun);
  batch.mem_bind = step.mem_bind = "q,local";
  Environment of_batch, of_step, of_nobody;
  add_requested(batch, of_batch);
  add_requested(step, of_step);
  EXPECT_EQ(of_batch.get("SLURM_MEM_BIND"), "local");
  EXPECT_FALSE(of_batch.get("SLURM_MEM_BIND_TYPE"));
  EXPECT_EQ(of_step.get("SLURM_MEM_BIND"), "quiet,local");
  EXPECT_EQ(of_step.get("SLURM_MEM_BIND_TYPE"), "local");
  batch.mem_bind = "quiet";
  add_requested(batch, of_nobody);
  EXPECT_FALSE(of_nobody.get("SLURM_MEM_BIND"));
}

TEST(JobEnvironment, PropagatesTheLimitsThatAreNamed) {
  v1::JobSpec all, none, one;
  EXPECT_TRUE(add_rlimits(std::nullopt, all));
  EXPECT_EQ(all.rlimits_size(), 10);
  EXPECT_TRUE(add_rlimits("NONE", none));
  EXPECT_EQ(none.rlimits_size(), 0);
  EXPECT_TRUE(add_rlimits("STACK", one));
  EXPECT_EQ(one.rlimits_size(), 1);
  Status bad = add_rlimits("x", one);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().notes[0], "Bad rlimit name: x");
  EXPECT_EQ(bad.error().message, "--propagate=x is not valid.");
}

}  // namespace
}  // namespace grappe
