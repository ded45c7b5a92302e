#include "cli/squeue/squeue.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "cli/squeue/job_arena.h"
#include "cli/squeue/job_samples.h"

namespace grappe {
namespace {

SqueueOptions options_of(std::vector<std::string> words) {
  words.insert(words.begin(), "squeue");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  SqueueOptions options;
  auto exit = read_squeue_options(static_cast<int>(words.size()), argv.data(), options);
  EXPECT_FALSE(exit.has_value());
  return options;
}

// What print_jobs writes, through a file.
template <class Print>
std::string captured(Print&& print) {
  FILE* file = std::tmpfile();
  {
    Output output(fileno(file));
    print(output);
  }
  std::string text(static_cast<size_t>(lseek(fileno(file), 0, SEEK_END)), '\0');
  EXPECT_EQ(pread(fileno(file), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  std::fclose(file);
  return text;
}

std::string squeue(const v1::ListJobsResponse& jobs, std::vector<std::string> words) {
  samples::use_utc();
  SqueueOptions options = options_of(std::move(words));
  SortContext sort;
  sort.now = jobs.now();
  return captured([&](Output& output) {
    if (options.steps) {
      print_steps(jobs, options, "peer", output);
    } else {
      EXPECT_TRUE(print_jobs(jobs, options, sort, output));
    }
  });
}

v1::ListJobsResponse queue() {
  v1::ListJobsResponse jobs;
  jobs.set_now(samples::kNow);
  *jobs.add_jobs() = samples::running();
  *jobs.add_jobs() = samples::array();
  *jobs.add_jobs() = samples::held();
  v1::JobInfo failed = samples::running();
  failed.set_job_id(33);
  failed.set_name("oldjob");
  failed.set_state(5);
  failed.set_reason("NonZeroExitCode");
  *jobs.add_jobs() = failed;
  *jobs.add_jobs() = samples::dependent();
  return jobs;
}

TEST(Squeue, PrintsTheDefaultTable) {
  EXPECT_EQ(squeue(queue(), {}),
            "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
            "                32     batch     held    alice PD       0:00      1 (JobHeldUser)\n"
            "31_[1,3,5,7,9,20-2     batch      arr      bob PD       0:00      1 (JobHeldUser)\n"
            "                30     batch   bigjob    alice  R       0:16      2 node[1-2]\n"
            "                34 batch,c-i      dep    carol PD       0:00      3 (Dependency)\n");
}

TEST(Squeue, PrintsTheLongTable) {
  EXPECT_EQ(squeue(queue(), {"-l", "-j", "30,32"}),
            "             JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES "
            "NODELIST(REASON)\n"
            "                32     batch     held    alice  PENDING       0:00 1-02:04:00      1 "
            "(JobHeldUser)\n"
            "                30     batch   bigjob    alice  RUNNING       0:16     30:00      2 "
            "node[1-2]\n");
}

TEST(Squeue, PrintsExpectedStartsOfPendingJobs) {
  EXPECT_EQ(
      squeue(queue(), {"--start"}),
      "             JOBID PARTITION     NAME     USER ST          START_TIME  NODES SCHEDNODES  "
      "         NODELIST(REASON)\n"
      "                32     batch     held    alice PD 2026-11-15T20:51:05      1 (null)      "
      "         (JobHeldUser)\n"
      "31_[1,3,5,7,9,20-2     batch      arr      bob PD                 N/A      1 (null)      "
      "         (JobHeldUser)\n"
      "                34 batch,c-i      dep    carol PD                 N/A      3 (null)      "
      "         (Dependency)\n");
}

TEST(Squeue, OrdersEqualJobsNewestFirst) {
  // Two jobs of one user with the same priority: as in every queue where nothing starts.
  v1::ListJobsResponse jobs;
  for (uint32_t id = 32; id < 38; ++id) {
    v1::JobInfo job = samples::dependent();
    job.set_job_id(id);
    job.set_partition("batch");
    job.set_priority(id < 34 ? 3556 : 11556);
    *jobs.add_jobs() = job;
  }
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i"}), "37\n36\n35\n34\n33\n32\n");
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i", "--start"}), "32\n33\n34\n35\n36\n37\n");
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i", "-S", "-i"}), "37\n36\n35\n34\n33\n32\n");
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i", "-S", "i"}), "32\n33\n34\n35\n36\n37\n");
}

TEST(Squeue, RefusesASortKeyWithoutOrder) {
  SqueueOptions options = options_of({"-S", "P,A"});
  captured([&](Output& output) {
    Status done = print_jobs(queue(), options, {}, output);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "Invalid sort specification: A");
  });
}

v1::ListJobsResponse started_array() {
  v1::ListJobsResponse jobs;
  jobs.set_now(samples::kNow);
  v1::JobInfo rest = samples::array();
  rest.set_array_tasks("7,9,20-24%3");
  rest.set_reason("JobArrayTaskLimit");
  *jobs.add_jobs() = rest;
  *jobs.add_jobs() = samples::task(108, 1, "node1");
  *jobs.add_jobs() = samples::task(109, 3, "node2");
  return jobs;
}

TEST(Squeue, ShowsAnArrayInPartsOrWhole) {
  EXPECT_EQ(
      squeue(started_array(), {"-h"}),
      "  31_[7,9,20-24%3]     batch      arr      bob PD       0:00      1 (JobArrayTaskLimit)\n"
      "              31_1     batch      arr      bob  R       0:08      1 node1\n"
      "              31_3     batch      arr      bob  R       0:08      1 node2\n");
  EXPECT_EQ(squeue(started_array(), {"-h", "-r", "-o", "%i %A %K %t"}),
            "31_7 31 7 PD\n31_9 31 9 PD\n31_20 31 20 PD\n31_21 31 21 PD\n31_22 31 22 PD\n"
            "31_23 31 23 PD\n31_24 31 24 PD\n31_1 108 1 R\n31_3 109 3 R\n");
}

TEST(Squeue, JoinsPendingTasksThatHaveTheirOwnRecord) {
  v1::ListJobsResponse jobs = started_array();
  jobs.mutable_jobs(2)->set_state(0);
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i"}), "31_[3,7,9,20-24]\n31_1\n");
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i", "--array-unique", "-S", "i"}),
            "31_1\n31_3\n31_[7,9,20-24%3]\n");
}

TEST(Squeue, SelectsTasksOfAnArray) {
  EXPECT_EQ(squeue(started_array(), {"-h", "-o", "%i|%K", "-j", "31_3"}), "31_3|3\n");
  EXPECT_EQ(squeue(started_array(), {"-h", "-o", "%i|%K", "-j", "31_9"}), "31_9|9\n");
  EXPECT_EQ(squeue(started_array(), {"-h", "-o", "%i|%K", "-j", "31_9,31_20"}), "31_[9,20]|9,20\n");
  EXPECT_EQ(squeue(started_array(), {"-h", "-o", "%i|%K", "-j", "31_99"}), "");
  EXPECT_EQ(squeue(started_array(), {"-h", "-o", "%i", "-j31_[1-3]"}), "31_1\n31_3\n");
}

TEST(Squeue, SplitsAJobByItsPartitions) {
  EXPECT_EQ(squeue(queue(), {"-P", "-h", "-o", "%i %P", "-j", "34"}), "34 batch\n34 c-iq\n");
}

TEST(Squeue, Filters) {
  auto ids = [](std::vector<std::string> words) {
    words.insert(words.end(), {"-h", "-o", "%A", "-S", "i"});
    std::string text = squeue(queue(), words);
    for (char& c : text) c = c == '\n' ? ' ' : c;
    return text;
  };
  EXPECT_EQ(ids({}), "30 31 32 34 ");
  EXPECT_EQ(ids({"-t", "all"}), "30 31 32 33 34 ");
  EXPECT_EQ(ids({"-t", "PD,f"}), "31 32 33 34 ");
  EXPECT_EQ(ids({"-t", ""}), "");
  EXPECT_EQ(ids({"-t", "completing"}), "");
  EXPECT_EQ(ids({"-A", "cs,es"}), "30 32 34 ");
  EXPECT_EQ(ids({"-n", "dep,arr"}), "31 34 ");
  EXPECT_EQ(ids({"-p", "c-iq"}), "34 ");
  EXPECT_EQ(ids({"-q", "bogus"}), "");
  EXPECT_EQ(ids({"-u", "4000000000"}), "");  // no such user: told, and nothing is listed
  EXPECT_EQ(ids({"-j", "30,99"}), "30 ");
  EXPECT_EQ(ids({"-hj", "30.0,32+1"}), "30 32 ");
  EXPECT_EQ(ids({"--jobs"}), "30 31 32 34 ");
  EXPECT_EQ(ids({"-L", "matlab"}), "");
}

TEST(Squeue, FindsJobsByTheirLicenses) {
  v1::ListJobsResponse jobs = queue();
  jobs.mutable_jobs(0)->set_licenses("matlab:2,ansys");
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i", "-L", "ansys"}), "30\n");
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i", "-L", "matlab,x"}), "30\n");
  EXPECT_EQ(squeue(jobs, {"-h", "-o", "%i", "-L", "mat"}), "");
}

TEST(Squeue, AsksForAsLittleAsItShows) {
  v1::ListJobsRequest request = jobs_request(options_of({}));
  EXPECT_EQ(request.view(), v1::ListJobsRequest::BRIEF);
  EXPECT_FALSE(request.all_states());
  EXPECT_EQ(jobs_request(options_of({"-o", "%i %m"})).view(), v1::ListJobsRequest::FULL);
  EXPECT_EQ(jobs_request(options_of({"-S", "m"})).view(), v1::ListJobsRequest::FULL);
  request = jobs_request(options_of({"-j", "31_3,40", "-t", "PD"}));
  ASSERT_EQ(request.job_ids_size(), 2);
  EXPECT_EQ(request.job_ids(0), "31_[3]");
  EXPECT_EQ(request.job_ids(1), "40");
  EXPECT_TRUE(request.all_states());
}

v1::ListJobsResponse steps() {
  v1::ListJobsResponse jobs;
  jobs.set_now(samples::at(19, 51, 7));
  for (std::string id : {"batch", "0"}) {
    v1::StepInfo& step = *jobs.add_steps();
    step.set_job_id(30);
    step.set_step_id(id);
    step.set_uid(1001);
    step.set_user("alice");
    step.set_name(id == "0" ? "sleep" : "batch");
    step.set_partition("batch");
    step.set_state(1);
    step.set_start_time(samples::at(19, 50, 51));
    step.set_nodes("node1");
    step.set_num_tasks(1);
    step.set_num_cpus(6);
    if (id == "0") step.set_gres("gres:gpu:1");
    if (id == "0") step.set_tres_per_step("cpu:1");
  }
  return jobs;
}

TEST(SqueueSteps, PrintsTheDefaultTable) {
  EXPECT_EQ(squeue(steps(), {"-s"}),
            "         STEPID     NAME PARTITION     USER      TIME NODELIST\n"
            "           30.0    sleep     batch    alice      0:16 node1\n"
            "       30.batch    batch     batch    alice      0:16 node1\n");
  EXPECT_EQ(squeue(steps(), {"-s", "-h", "-o", "%all"}),
            "gres:gpu:1|30.0|sleep|UNLIMITED|alice|1|0:16|node1|batch|2026-11-15T19:50:51|1001|\n"
            "(null)|30.batch|batch|UNLIMITED|alice|1|0:16|node1|batch|2026-11-15T19:50:51|1001|\n");
}

TEST(SqueueSteps, ShowsEveryNameAsSlurm) {
  auto shown = [](const std::string& name) {
    std::string text = squeue(steps(), {"-h", "-s", "-s", "30.0", "-O", name + ":0"});
    text.pop_back();
    return text;
  };
  const std::pair<const char*, const char*> cases[] = {
      {"arrayjobid", "0"},
      {"arraytaskid", "N/A"},
      {"cluster", "peer"},
      {"container", "(null)"},
      {"cpufreq", "Unknown-Unknown:Unknown"},
      {"cpus-per-tres", "(null)"},
      {"gres", "gres:gpu:1"},
      {"jobid", "30"},
      {"mem-per-tres", "(null)"},
      {"network", "(null)"},
      {"nodes", "node1"},
      {"numcpus", "6"},
      {"numtasks", "1"},
      {"partition", "batch"},
      {"resvports", "(null)"},
      {"starttime", "2026-11-15T19:50:51"},
      {"stepid", "30.0"},
      {"stepname", "sleep"},
      {"stepstate", "RUNNING"},
      {"timelimit", "UNLIMITED"},
      {"timeused", "0:16"},
      {"tres-bind", "(null)"},
      {"tres-freq", "(null)"},
      {"tres-per-job", "cpu:1"},
      {"tres-per-node", "gres:gpu:1"},
      {"tres-per-socket", "(null)"},
      {"tres-per-step", "cpu:1"},
      {"tres-per-task", "(null)"},
      {"userid", "1001"},
      {"username", "alice"},
  };
  for (auto [name, value] : cases) EXPECT_EQ(shown(name), value) << name;
  EXPECT_EQ(std::size(cases), step_fields().size());
}

TEST(SqueueSteps, SelectsOneStep) {
  EXPECT_EQ(squeue(steps(), {"-h", "-s30.0", "-o", "%i"}), "30.0\n");
  EXPECT_EQ(squeue(steps(), {"-h", "-s", "30.batch", "-o", "%i"}), "30.batch\n");
  EXPECT_EQ(squeue(steps(), {"-h", "-s30.99", "-o", "%i"}), "");
}

TEST(JobWish, ReadsWhatSlurmReads) {
  EXPECT_EQ(parse_job_wish("30+1")->job_id, 30u);
  EXPECT_EQ(parse_job_wish("abc").error().message, "Invalid job id: abc");
  EXPECT_EQ(parse_job_wish("0").error().message, "Invalid job id: 0");
  EXPECT_EQ(parse_step_wish("30").error().message, "Invalid job_step id: 30.??");
  EXPECT_EQ(parse_step_wish("abc").error().message, "Invalid job_step id: abc.??");
}

// A queue of 10,000 must be decoded, ordered and written in a few milliseconds. The bound is wide
// because test machines are shared; the time is printed.
TEST(SqueueSpeed, TenThousandPendingJobs) {
  v1::ListJobsResponse sent;
  sent.set_now(samples::kNow);
  for (uint32_t id = 1; id <= 10000; ++id) {
    v1::JobInfo job = samples::array();
    job.set_job_id(id);
    job.clear_array_job_id();
    job.clear_array_tasks();
    job.clear_work_dir();
    job.set_reason("Priority");
    job.set_priority(1000 + id * 7919 % 5000);
    *sent.add_jobs() = job;
  }
  std::string wire = sent.SerializeAsString();
  SqueueOptions options = options_of({});
  FILE* sink = std::fopen("/dev/null", "w");
  // The time of this process on the processor: others share the machine.
  auto ms = [] { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  double begin = ms();
  google::protobuf::Arena arena(job_arena_options());
  auto& jobs = *google::protobuf::Arena::CreateMessage<v1::ListJobsResponse>(&arena);
  ASSERT_TRUE(jobs.ParseFromString(wire));
  double decoded = ms();
  {
    Output output(fileno(sink));
    ASSERT_TRUE(print_jobs(jobs, options, {}, output));
  }
  double printed = ms();
  std::fclose(sink);
  std::printf("10000 jobs, %zu bytes: decoded in %.1f ms, ordered and written in %.1f ms\n",
              wire.size(), decoded - begin, printed - decoded);
  EXPECT_LT(printed - begin, 200);
}

}  // namespace
}  // namespace grappe
