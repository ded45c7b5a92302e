#include <gtest/gtest.h>
#include <signal.h>
#include <soci/soci.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "store/memory/memory_store.h"
#include "store/store.h"

namespace grappe {
namespace {

// The folder of a PostgreSQL's socket, for whoever wants these tests on it too.
const char* postgres() {
  return getenv("GRAPPE_POSTGRES");
}

std::vector<std::string> backends() {
  std::vector<std::string> out{"sqlite"};
  if (postgres()) out.push_back("postgresql");
  return out;
}

class SqlStoreTest : public testing::TestWithParam<std::string> {
 protected:
  SqlStoreTest() {
    char pattern[] = "/tmp/grappe-store-XXXXXX";
    folder_ = mkdtemp(pattern);
    if (GetParam() != "postgresql") return;
    database_ = "store_" + std::to_string(getpid()) + "_" + folder_.substr(folder_.size() - 6);
    server("CREATE DATABASE \"" + database_ + "\"");
  }
  ~SqlStoreTest() override {
    if (!database_.empty()) server("DROP DATABASE \"" + database_ + "\" WITH (FORCE)");
    std::filesystem::remove_all(folder_);
  }

  static std::string url(const std::string& database) {
    return "postgresql:///" + database + "?user=grappe&host=" + postgres();
  }
  void server(const std::string& text) { soci::session("postgresql", url("postgres")) << text; }

  std::string location() const { return database_.empty() ? folder_ + "/test.db" : url(database_); }
  std::unique_ptr<Store> open() {
    auto store = open_sql_store(location());
    EXPECT_TRUE(store.has_value()) << (store ? "" : store.error().message);
    return store ? std::move(*store) : nullptr;
  }
  // Straight to the database, beside the store.
  void sql(const std::string& text) {
    const bool file = database_.empty();
    soci::session(file ? "sqlite3" : "postgresql", location()) << text;
  }

  std::string folder_, database_;
};

INSTANTIATE_TEST_SUITE_P(On, SqlStoreTest, testing::ValuesIn(backends()),
                         [](const auto& backend) { return backend.param; });

// What only a file can suffer.
class SqliteFile : public testing::Test {
 protected:
  SqliteFile() {
    char pattern[] = "/tmp/grappe-store-XXXXXX";
    folder_ = mkdtemp(pattern);
  }
  ~SqliteFile() override { std::filesystem::remove_all(folder_); }
  std::string file() const { return folder_ + "/test.db"; }

  std::string folder_;
};

std::shared_ptr<Job> job(uint32_t id) {
  auto spec = std::make_shared<v1::JobSpec>();
  spec->set_name("name");
  spec->set_gres("gpu:2");
  spec->set_batch(true);
  auto made = std::make_shared<Job>();
  made->id = id;
  made->uid = 1001;
  made->user = "alice";
  made->partitions = {"batch", "c-iq"};
  made->spec = spec;
  made->submit_time = 1000;
  made->settled.time_limit = 0xffffffff;
  made->settled.mem_per_cpu_mb = 512;
  made->token = "token-" + std::to_string(id);
  return made;
}

TEST_P(SqlStoreTest, GivesAJobBackAsItWasWritten) {
  auto written = job(7);
  written->state = static_cast<uint32_t>(JobState::kRunning);
  written->allocation = {{2, "node3", {0, 1, 5}, 1536, 3, {{"gpu", "a100", {1, 3}}}}};
  written->nodes = "node3";
  written->dependency = *parse_dependencies("afterok:3:4_5");
  written->reason = Reason::kDependency;
  written->hold = Hold::kAdmin;
  Changes changes;
  changes.jobs = {written};
  ASSERT_TRUE(open()->commit(changes));

  auto recovered = open()->load(0);
  ASSERT_TRUE(recovered);
  ASSERT_EQ(recovered->jobs.size(), 1u);
  const Job& read = recovered->jobs[0];
  EXPECT_EQ(read.id, 7u);
  EXPECT_EQ(read.user, "alice");
  EXPECT_EQ(read.partitions, written->partitions);
  EXPECT_EQ(read.spec->SerializeAsString(), written->spec->SerializeAsString());
  EXPECT_EQ(read.settled.time_limit, 0xffffffff);
  EXPECT_EQ(read.token, "token-7");
  EXPECT_EQ(read.dependency, written->dependency);
  EXPECT_EQ(read.hold, Hold::kAdmin);
  ASSERT_EQ(read.allocation.size(), 1u);
  EXPECT_EQ(read.allocation[0].cpus, (std::vector<uint32_t>{0, 1, 5}));
  EXPECT_EQ(read.allocation[0].gres[0].indexes, (std::vector<uint32_t>{1, 3}));
}

TEST_P(SqlStoreTest, KeepsTheWaitingTasksOfAnArray) {
  auto written = job(1);
  written->array_job_id = 1;
  written->waiting =
      std::make_shared<const TaskSet>(parse_array_spec("2-9:3,100000", 4000001)->tasks);
  Changes changes;
  changes.jobs = {written};
  ASSERT_TRUE(open()->commit(changes));
  auto recovered = open()->load(0);
  ASSERT_TRUE(recovered);
  ASSERT_TRUE(recovered->jobs.at(0).waiting);
  EXPECT_EQ(*recovered->jobs[0].waiting, *written->waiting);
}

TEST_P(SqlStoreTest, ALaterVersionOfAJobReplacesTheEarlierOne) {
  auto store = open();
  Changes changes;
  changes.jobs = {job(1)};
  ASSERT_TRUE(store->commit(changes));
  auto later = job(1);
  later->priority = 77;
  changes.jobs = {later};
  ASSERT_TRUE(store->commit(changes));
  auto recovered = store->load(0);
  ASSERT_EQ(recovered->jobs.size(), 1u);
  EXPECT_EQ(recovered->jobs[0].priority, 77u);
}

TEST_P(SqlStoreTest, EveryRunOfARequeuedJobHasItsRow) {
  auto store = open();
  auto first = job(1);
  auto second = job(1);
  second->restarts = 1;
  Changes changes;
  changes.jobs = {first, second};
  ASSERT_TRUE(store->commit(changes));
  EXPECT_EQ(store->load(0)->jobs.size(), 2u);
}

TEST_P(SqlStoreTest, LoadsFinishedJobsOnlyAsFarBackAsAsked) {
  auto store = open();
  auto old = job(1), recent = job(2), running = job(3);
  old->state = recent->state = static_cast<uint32_t>(JobState::kCompleted);
  old->end_time = 100;
  recent->end_time = 900;
  running->state = static_cast<uint32_t>(JobState::kRunning);
  Changes changes;
  changes.jobs = {old, recent, running};
  ASSERT_TRUE(store->commit(changes));
  auto recovered = store->load(500);
  ASSERT_EQ(recovered->jobs.size(), 2u);
  EXPECT_EQ(recovered->jobs[0].id, 2u);
  EXPECT_EQ(recovered->jobs[1].id, 3u);
}

TEST_P(SqlStoreTest, KeepsEqualContentsOnce) {
  auto store = open();
  std::string script("#!/bin/sh\n\0binary\xff", 19);
  std::string key = content_key(script);
  Changes changes;
  changes.contents = {{key, script}, {key, script}};
  ASSERT_TRUE(store->commit(changes));
  EXPECT_EQ(store->content(key).value(), script);
  EXPECT_EQ(store->content(key).value(), script);  // also the second time
  EXPECT_FALSE(store->content("nothing"));
}

TEST_P(SqlStoreTest, StepsKeepTheirEnvironmentOnlyUntilTheyHaveStarted) {
  auto step = std::make_shared<Step>();
  auto spec = std::make_shared<v1::StepSpec>();
  spec->set_environment(std::string("SECRET=1\0", 9));
  spec->add_argv("true");
  step->job_id = 1;
  step->spec = spec;
  step->task_node = {0, 0, 1};
  Changes changes;
  changes.jobs = {job(1)};
  changes.steps = {step};
  ASSERT_TRUE(open()->commit(changes));
  EXPECT_FALSE(open()->load(0)->steps.at(0).spec->environment().empty());
  step->launched = true;
  ASSERT_TRUE(open()->commit(changes));
  auto recovered = open()->load(0);
  ASSERT_EQ(recovered->steps.size(), 1u);
  EXPECT_EQ(recovered->steps[0].spec->argv(0), "true");
  EXPECT_TRUE(recovered->steps[0].spec->environment().empty());
  EXPECT_EQ(recovered->steps[0].task_node, (std::vector<uint32_t>{0, 0, 1}));
}

TEST_P(SqlStoreTest, SettingsAreReplacedAndRemoved) {
  auto store = open();
  Changes changes;
  changes.settings = {{"node", "n1", "a"}, {"node", "n2", "b"}};
  ASSERT_TRUE(store->commit(changes));
  changes.settings = {{"node", "n1", "c"}, {"node", "n2", ""}};
  ASSERT_TRUE(store->commit(changes));
  auto recovered = store->load(0);
  ASSERT_EQ(recovered->settings.size(), 1u);
  EXPECT_EQ(recovered->settings[0].data, "c");
}

TEST_P(SqlStoreTest, RefusesADatabaseOfANewerProgramAndLeavesItAlone) {
  { open(); }
  sql("INSERT INTO schema_version(version) VALUES(9999)");
  auto store = open_sql_store(location());
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("newer version"), std::string::npos);
}

TEST_F(SqliteFile, ACorruptFileIsAnErrorWithTheFilesName) {
  FILE* out = fopen(file().c_str(), "w");
  for (int i = 0; i < 1000; ++i) fputs("this is no database ", out);
  fclose(out);
  auto store = open_sql_store(file());
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find(file()), std::string::npos);
}

TEST_F(SqliteFile, ACommitThatFailsLeavesTheEarlierOnesAndCanBeRepeated) {
  auto store = open_sql_store(file()).value();
  Changes changes;
  changes.jobs = {job(1)};
  ASSERT_TRUE(store->commit(changes));
  // Somebody else holds the lock that a writer needs, longer than the store waits.
  sqlite3* other = nullptr;
  sqlite3_open(file().c_str(), &other);
  sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  changes.jobs = {job(2)};
  EXPECT_FALSE(store->commit(changes));
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_EQ(store->load(0)->jobs.size(), 1u);
  EXPECT_TRUE(store->commit(changes));
  EXPECT_EQ(store->load(0)->jobs.size(), 2u);
}

TEST_P(SqlStoreTest, TheLogOfTheBooksIsReadInItsOrder) {
  auto store = open();
  auto entry = [](int64_t time, const char* action) {
    v1::Transaction made;
    made.set_time(time);
    made.set_action(action);
    made.set_actor("root");
    return made;
  };
  ASSERT_TRUE(store->commit({.transactions = {entry(10, "Add Users"), entry(10, "Add QOS")}}));
  ASSERT_TRUE(store->commit({.transactions = {entry(20, "Remove Users")}}));
  auto all = store->transactions(0, 100);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ(all->at(1).action(), "Add QOS");
  EXPECT_EQ(store->transactions(11, 20)->size(), 1u);
}

TEST_P(SqlStoreTest, ForecastsAreReplacedReadBackwardsAndForgottenWithAge) {
  auto store = open();
  auto row = [](uint32_t job, int64_t made) {
    return ForecastRow{job,       0,           made,      "alice",     "batch",
                       made + 60, made + 3600, made + 50, made + 3000, ForecastRow::kWaits};
  };
  auto read = [&](int64_t start, int64_t end, size_t most) {
    std::vector<ForecastRow> out;
    Status done = store->each_forecast(start, end, most,
                                       [&](const ForecastRow& found) { out.push_back(found); });
    EXPECT_TRUE(done);
    return out;
  };
  const ForecastRow first = row(1, 1000), second = row(2, 2000);
  ASSERT_TRUE(store->commit({.forecasts = {first, second}}));
  ForecastRow started = first;
  started.start = 1100;
  ASSERT_TRUE(store->commit({.forecasts = {started}}));
  EXPECT_EQ(read(0, 5000, 10), (std::vector<ForecastRow>{second, started}));
  EXPECT_EQ(read(0, 5000, 1), (std::vector<ForecastRow>{second}));
  EXPECT_EQ(read(0, 2000, 10), (std::vector<ForecastRow>{started}));
  const ForecastRow late = row(3, 1500 + kForecastsKept);
  ASSERT_TRUE(store->commit({.forecasts = {late}}));
  EXPECT_EQ(read(0, INT64_MAX, SIZE_MAX), (std::vector<ForecastRow>{late, second}));
}

TEST_P(SqlStoreTest, GivesTheJobsThatEndedLast) {
  auto store = open();
  std::vector<JobPtr> jobs;
  for (uint32_t id = 1; id <= 5; ++id) {
    auto one = job(id);
    one->state = static_cast<uint32_t>(id == 3 ? JobState::kRunning : JobState::kCompleted);
    one->end_time = id == 3 ? 0 : 2000 - id * 100;
    jobs.push_back(one);
  }
  ASSERT_TRUE(store->commit({.jobs = jobs}));
  std::vector<uint32_t> ids;
  ASSERT_TRUE(store->each_recent_job(2, [&](const Job& found) { ids.push_back(found.id); }));
  EXPECT_EQ(ids, (std::vector<uint32_t>{1, 2}));
}

TEST_P(SqlStoreTest, AJobRemembersWhoseBooksItIsOn) {
  auto written = job(1);
  written->account = "cs";
  written->qos = "normal";
  written->wckey = "*";
  written->assoc_id = 42;
  auto store = open();
  ASSERT_TRUE(store->commit({.jobs = {written}}));
  const Job read = store->load(0)->jobs.at(0);
  EXPECT_EQ(read.assoc_id, 42u);
  EXPECT_EQ(read.account + read.qos + read.wckey, "csnormal*");
}

std::vector<uint32_t> ids(Store& store, const HistoryQuery& query);

TEST_P(SqlStoreTest, OldJobsLeaveForAFileAndComeBackTheSame) {
  auto store = open();
  auto old = job(1), recent = job(2), running = job(3);
  old->state = recent->state = static_cast<uint32_t>(JobState::kCompleted);
  old->end_time = 100;
  old->reason_detail = "tab\there, line\nend, back\\slash";
  recent->end_time = 900;
  auto step = std::make_shared<Step>();
  step->job_id = 1;
  step->step_id = 4;
  step->end_time = 100;
  step->name = "batch";
  ASSERT_TRUE(store->commit({.jobs = {old, recent, running}, .steps = {step}}));

  const std::string file = folder_ + "/archive";
  EXPECT_EQ(store->archive({.jobs_before = 500, .jobs_file = file + "0"})->jobs, 0u)
      << "nobody has counted them";
  ASSERT_TRUE(store->roll_up(3600));
  auto done = store->archive({.jobs_before = 500, .jobs_file = file});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->jobs, 1u);
  EXPECT_EQ(done->steps, 1u);
  EXPECT_EQ(ids(*store, {}), (std::vector<uint32_t>{2, 3}));

  auto back = store->load_archive(file);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->jobs, 1u);
  auto found = store->history({.job_ids = {1}, .steps = true});
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->at(0).job.reason_detail, old->reason_detail);
  EXPECT_EQ(found->at(0).job.spec->SerializeAsString(), old->spec->SerializeAsString());
  ASSERT_EQ(found->at(0).steps.size(), 1u);
  EXPECT_EQ(found->at(0).steps[0].name, "batch");

  EXPECT_FALSE(store->load_archive(file)) << "twice";
  EXPECT_EQ(ids(*store, {}), (std::vector<uint32_t>{1, 2, 3}));
}

TEST_P(SqlStoreTest, AScriptGoesWithTheLastJobThatHasIt) {
  auto store = open();
  auto old = job(1), shares = job(2), running = job(3);
  old->state = shares->state = static_cast<uint32_t>(JobState::kCompleted);
  old->end_time = 100;
  shares->end_time = 900;
  old->script_key = "only";
  old->environment_key = shares->environment_key = "shared";
  shares->script_key = running->script_key = "kept";
  running->environment_key = "running";
  Changes changes;
  changes.jobs = {old, shares, running};
  for (const char* key : {"only", "shared", "kept", "running"})
    changes.contents.push_back({key, key});
  ASSERT_TRUE(store->commit(changes));
  ASSERT_TRUE(store->roll_up(3600));
  auto done = store->archive({.jobs_before = 500, .now = 1000});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->contents, 1u);
  EXPECT_FALSE(store->content("only"));
  for (const char* key : {"shared", "kept", "running"}) EXPECT_TRUE(store->content(key)) << key;
}

TEST_P(SqlStoreTest, AFileThatIsNoArchiveIsRefusedWhole) {
  auto store = open();
  const std::string file = folder_ + "/archive";
  FILE* out = fopen(file.c_str(), "w");
  fputs("grappe archive 1\n#job\tid\trestarts\n1\t0\n2\n", out);
  fclose(out);
  EXPECT_FALSE(store->load_archive(file));
  EXPECT_FALSE(store->load_archive(folder_ + "/nosuch"));
  EXPECT_FALSE(store->load_archive("/dev/zero"));
  EXPECT_TRUE(ids(*store, {}).empty());
}

TEST_P(SqlStoreTest, ACopyIsADatabaseOfItsOwn) {
  auto store = open();
  ASSERT_TRUE(store->commit({.jobs = {job(7)}}));
  const std::string file = folder_ + "/copy.db";
  Status done = store->backup(file);
  if (GetParam() == "postgresql") {
    EXPECT_NE(done.error().message.find("pg_dump"), std::string::npos);
    return;
  }
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(open_sql_store(file).value()->load(0)->jobs.at(0).id, 7u);
  EXPECT_FALSE(store->backup(file)) << "a copy is never overwritten";
}

std::vector<uint32_t> ids(Store& store, const HistoryQuery& query) {
  std::vector<uint32_t> out;
  auto found = store.history(query);
  EXPECT_TRUE(found) << (found ? "" : found.error().message);
  for (const JobHistory& job : *found) out.push_back(job.job.id);
  return out;
}

TEST_P(SqlStoreTest, FindsTheHistoryOfJobsUsersAndTimes) {
  auto store = open();
  auto over = job(1), running = job(2), task = job(3), others = job(4);
  over->state = static_cast<uint32_t>(JobState::kCompleted);
  over->end_time = 2000;
  running->state = static_cast<uint32_t>(JobState::kRunning);
  task->array_job_id = 2;
  task->array_task_id = 7;
  others->uid = 1002;
  others->submit_time = 5000;
  ASSERT_TRUE(store->commit({.jobs = {over, running, task, others}}));

  EXPECT_EQ(ids(*store, {}), (std::vector<uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(ids(*store, {.job_ids = {2}}), (std::vector<uint32_t>{2, 3}));
  EXPECT_EQ(ids(*store, {.tasks = {{2, 7}, {2, 9}, {4, 7}}}), (std::vector<uint32_t>{3}));
  EXPECT_EQ(ids(*store, {.job_ids = {1}, .tasks = {{2, 7}}}), (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(ids(*store, {.tasks = {{2, 7}}, .uids = {1002}}), (std::vector<uint32_t>{}));
  EXPECT_EQ(ids(*store, {.uids = {1002}}), (std::vector<uint32_t>{4}));
  EXPECT_EQ(ids(*store, {.start_time = 2001}), (std::vector<uint32_t>{2, 3, 4}));
  EXPECT_EQ(ids(*store, {.end_time = 4999}), (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(ids(*store, {.job_ids = {4}, .uids = {1001}}), (std::vector<uint32_t>{}));
  EXPECT_EQ(ids(*store, {.most = 4}).size(), 4u);
  EXPECT_EQ(store->history({.most = 3}).error().message,
            "more than 3 jobs: ask for a shorter time (--starttime, --endtime) or fewer users");
}

TEST_P(SqlStoreTest, TheHistoryHasEveryRunWithItsOwnSteps) {
  auto store = open();
  auto first = job(1), second = job(1);
  second->restarts = 1;
  auto step = [](uint32_t restart, uint32_t id) {
    auto made = std::make_shared<Step>();
    made->job_id = 1;
    made->restart = restart;
    made->step_id = id;
    return made;
  };
  ASSERT_TRUE(
      store->commit({.jobs = {first, second}, .steps = {step(1, 0), step(0, 0), step(0, 1)}}));
  auto found = store->history({.steps = true});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ(found->at(0).steps.size(), 2u);
  EXPECT_EQ(found->at(1).steps.size(), 1u);
  EXPECT_TRUE(store->history({})->at(0).steps.empty());
}

TEST_P(SqlStoreTest, KeepsWhatAStepUsedAndReadsItsSamplesOnlyWhenAsked) {
  auto store = open();
  auto step = std::make_shared<Step>();
  step->job_id = 1;
  v1::StepUse use;
  use.mutable_rss()->set_max(100 << 20);
  step->use = std::make_shared<const v1::StepUse>(use);
  step->series = std::make_shared<const std::string>("\x01\0\x02", 3);
  ASSERT_TRUE(store->commit({.jobs = {job(1)}, .steps = {step}}));

  auto plain = store->history({.steps = true});
  ASSERT_TRUE(plain);
  const Step& found = plain->at(0).steps.at(0);
  ASSERT_TRUE(found.use);
  EXPECT_EQ(found.use->rss().max(), 100u << 20);
  EXPECT_FALSE(found.series);
  auto whole = store->history({.samples = true});
  ASSERT_TRUE(whole->at(0).steps.at(0).series);
  EXPECT_EQ(*whole->at(0).steps.at(0).series, *step->series);
  EXPECT_EQ(*store->load(0)->steps.at(0).series, *step->series);
}

constexpr int64_t kStart = 1769904000 - 7200, kHour = 3600;  // the end of January 2026

// Jobs, a reservation and the cluster itself, over two days.
Changes two_days() {
  Changes changes;
  NodeEvent cluster;
  cluster.start = kStart;
  cluster.tres = {{"cpu", 16}};
  changes.events = {cluster};
  changes.windows = {{1, "class", kStart + 100, kStart + 90000, 0, "n1", {{"cpu", 4}}, {7, 8}}};
  for (uint32_t id = 1; id < 20; ++id) {
    auto done = job(id);
    done->state = static_cast<uint32_t>(id % 5 ? JobState::kCompleted : JobState::kRunning);
    done->assoc_id = 7 + id % 3;
    done->wckey = id % 2 ? "paper" : "";
    done->submit_time = done->eligible_time = kStart + id * 1000;
    done->start_time = kStart + id * 2000;
    done->end_time = id % 5 ? done->start_time + id * 3333 : 0;
    done->allocation = {{0, "n1", {0, 1}, 100, 1, {}}};
    changes.jobs.push_back(done);
    changes.first_shares.push_back({id, 0, done->start_time, {{"cpu", 2}}});
    changes.shares.push_back({id, 0, done->start_time + 500, {}});
  }
  return changes;
}

TEST_P(SqlStoreTest, SumsUpHoursDaysAndMonthsAsFromTheJobs) {
  const Changes changes = two_days();
  MemoryStore plain;
  auto store = open();
  ASSERT_TRUE(store->commit(changes));
  ASSERT_TRUE(plain.commit(changes));
  auto check = [&](int64_t hours) {
    EXPECT_EQ(*store->usage(kStart, kStart + hours * kHour),
              *plain.usage(kStart, kStart + hours * kHour));
  };
  for (int64_t hours : {1, 3, 30, 60}) {
    const int64_t until = kStart + hours * kHour;
    for (int64_t mark = 0; mark < until;) mark = *store->roll_up(until);
    check(hours);
    check(70);
  }
  Changes late;
  auto ended = std::make_shared<Job>(*changes.jobs[4]);
  ended->state = static_cast<uint32_t>(JobState::kCompleted);
  ended->end_time = ended->start_time + 10;
  late.jobs = {ended};
  late.reroll_from = ended->end_time;
  ASSERT_TRUE(store->commit(late));
  ASSERT_TRUE(plain.commit(late));
  check(60);
  for (int64_t mark = 0; mark < kStart + 60 * kHour;) mark = *store->roll_up(kStart + 60 * kHour);
  check(60);
}

// No file of this process may grow beyond so many bytes, as on a disk that is full.
class NoRoomBeyond {
 public:
  explicit NoRoomBeyond(uint64_t bytes) : signal_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~NoRoomBeyond() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  sighandler_t signal_;
};

TEST_F(SqliteFile, SumsStayExactWhenTheDiskFillsUpWhileTheyAreMade) {
  MemoryStore plain;
  auto store = open_sql_store(file()).value();
  ASSERT_TRUE(store->commit(two_days()));
  ASSERT_TRUE(plain.commit(two_days()));
  const int64_t until = kStart + 60 * kHour;
  const uint64_t log_size = std::filesystem::file_size(file() + "-wal");
  int refused = 0, done = 0;
  for (int64_t mark = 0; mark < until;) {
    {
      // A page or two more each time: it breaks off in all kinds of places.
      NoRoomBeyond full(log_size + static_cast<uint64_t>(refused) * 6000);
      auto reached = store->roll_up(until);
      if (reached) mark = *reached;
      ++(reached ? done : refused);
    }
    ASSERT_LT(refused, 1000);
    EXPECT_EQ(*store->usage(kStart, until), *plain.usage(kStart, until));
  }
  EXPECT_GT(refused, 2);
  EXPECT_GT(done, 0);
}

TEST_F(SqliteFile, AnArchiveThatDoesNotFitLeavesNothingBehindAndTakesNothingAway) {
  auto store = open_sql_store(file()).value();
  Changes changes = two_days();
  for (JobPtr& each : changes.jobs) {
    auto ended = std::make_shared<Job>(*each);
    ended->state = static_cast<uint32_t>(JobState::kCompleted);
    ended->end_time = ended->start_time + 10;
    each = ended;
  }
  ASSERT_TRUE(store->commit(changes));
  const int64_t until = kStart + 60 * kHour;
  for (int64_t mark = 0; mark < until;) mark = *store->roll_up(until);
  const std::string target = folder_ + "/archive";
  {
    NoRoomBeyond full(1000);
    EXPECT_FALSE(store->archive({.jobs_before = until, .jobs_file = target}));
  }
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_FALSE(std::filesystem::exists(target + ".unfinished"));
  EXPECT_EQ(ids(*store, {}).size(), changes.jobs.size());
  EXPECT_EQ(store->archive({.jobs_before = until, .jobs_file = target})->jobs, changes.jobs.size());
}

}  // namespace
}  // namespace grappe
