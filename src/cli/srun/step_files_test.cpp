#include "cli/srun/step_files.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>

namespace grappe {
namespace {

FilesPlan plan(const std::string& out, const std::string& err = "", const std::string& in = "",
               bool labelled = false) {
  JobOptions options(kSrun);
  options.spec.set_std_out(out);
  options.spec.set_std_err(err);
  options.spec.set_std_in(in);
  options.step.set_labelled(labelled);
  return plan_files(options, 2);
}

TEST(StepFiles, KnowsTheWordAllNoFileAndATask) {
  EXPECT_TRUE(plan("/dev/null").out.none);
  EXPECT_EQ(plan("1").out.only_task, 1u);
  EXPECT_EQ(plan("5").out.file, "5");
  EXPECT_TRUE(plan("all").out.file.empty());
  EXPECT_EQ(plan("", "", "/dev/null").in.remote, "/dev/null");
}

TEST(StepFiles, ErrorsFollowTheOutputUnlessTheyHaveAPlace) {
  EXPECT_TRUE(plan("f").err_is_out);
  EXPECT_TRUE(plan("/dev/null").err.none);
  EXPECT_FALSE(plan("f", "g").err_is_out);
  EXPECT_FALSE(plan("").err_is_out);
  EXPECT_FALSE(plan("all").err_is_out);
}

TEST(StepFiles, LeavesFilesOfSingleTasksToTheServiceUnlessTheyNeedLabels) {
  EXPECT_EQ(plan("f.%2t").out.remote, "f.%2t");
  EXPECT_EQ(plan("f.%N").out.remote, "f.%N");
  EXPECT_EQ(plan("f.%j").out.remote, "");
  EXPECT_EQ(plan("f.%t", "", "", true).out.file, "f.%t");
  EXPECT_EQ(plan("f\\%t").out.file, "f\\%t");
  v1::StepSpec step;
  plan("f.%t").fill(step);
  EXPECT_EQ(step.std_out(), "f.%t");
  EXPECT_EQ(step.std_err(), "f.%t");
}

TEST(StepFiles, ExpandsTheSignsOfANames) {
  StepFace face;
  face.job_id = 762;
  face.step = "3";
  face.nodes = {"node1", "node2"};
  face.task_node = {0, 1};
  PatternNames names{face, "alice", "nm", "", ""};
  EXPECT_EQ(expand_file_name("f.%5j.%s.%J", names, 0), "f.00762.3.762.3");
  EXPECT_EQ(expand_file_name("%N.%n.%2t.%u.%x.%%.%q", names, 1), "node2.1.01.alice.nm.%.%q");
  EXPECT_EQ(expand_file_name("f\\%t", names, 1), "f%t");
  EXPECT_EQ(expand_file_name("%A_%a", names, 0), "762_4294967294");
}

TEST(StepFiles, OpensOneFileForAllTasksAndBothStreams) {
  char folder[] = "/tmp/grappe-files-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  const std::string path = std::string(folder) + "/f.762";
  StepFace face;
  face.job_id = 762;
  face.nodes = {"node1"};
  face.task_node = {0, 0};
  {
    StepOutput output(2, false, false);
    ASSERT_TRUE(
        open_outputs(plan(std::string(folder) + "/f.%j"), {face, "", "", "", ""}, false, output));
    output.data(StepOutput::kOut, 0, "a\n");
    output.data(StepOutput::kErr, 1, "b\n");
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "a\nb\n");
  StepOutput output(2, false, false);
  Status missing = open_outputs(plan("/nonexist/x"), {face, "", "", "", ""}, false, output);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "Could not open stdout file: No such file or directory");
  unlink(path.c_str());
  rmdir(folder);
}

}  // namespace
}  // namespace grappe
