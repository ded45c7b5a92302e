// End to end: real MPI programs, started as srun starts them. Skipped where there is no MPI.
#include <fcntl.h>
#include <fmt/core.h>

#include <cstdlib>

#include "exec/os/files.h"
#include "exec/testing/service_fixture.h"

namespace grappe::exec {
namespace {

constexpr char kProgram[] = R"(
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (argc > 1) {
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  printf("rank %d of %d sum %d\n", rank, size, sum);
  MPI_Finalize();
  return 0;
}
)";

class MpiTest : public testing::ServiceTest {
 protected:
  // The program's path; empty if `compiler` is missing or can't build it.
  std::string build(const char* compiler) {
    const std::string source = service().home() + "/mpi.c", program = service().home() + "/mpi";
    EXPECT_TRUE(replace_file(AT_FDCWD, source, kProgram, 0644));
    const std::string command = fmt::format("{} -o {} {} 2>/dev/null", compiler, program, source);
    return std::system(command.c_str()) == 0 ? program : "";
  }

  StepLaunch mpi_step(const std::string& program, MpiKind kind) {
    auto launch = service().step(1, 3, {program});
    launch.mpi = kind;
    // Open MPI looks for Slurm before it looks for PMIx.
    for (const std::string& entry :
         {"HOME=" + service().home(), std::string("SLURM_NODELIST=node1"),
          std::string("SLURM_JOBID=1"), std::string("SLURM_STEP_ID=0")}) {
      launch.environment += entry;
      launch.environment.push_back('\0');
    }
    return launch;
  }

  void expect_sums(const StepLaunch& launch) {
    executor().start(launch);
    testing::StepClient client(executor().socket_path(launch.key), true);
    ASSERT_TRUE(client.wait(FrameType::kDone)) << client.output(FrameType::kStderr);
    for (uint32_t rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(client.output(FrameType::kStdout, rank), fmt::format("rank {} of 3 sum 3\n", rank))
          << client.output(FrameType::kStderr);
    }
    const auto ended = service().wait_end(launch.key);
    EXPECT_EQ(ended.failure, "");
    finish(launch.key);
  }

  void expect_abort(StepLaunch launch) {
    launch.programs[0].push_back("abort");
    // Open MPI leaves its shared memory behind when it is ended like this.
    launch.environment += std::string("OMPI_MCA_btl=^vader\0", 20);
    executor().start(launch);
    testing::StepClient client(executor().socket_path(launch.key), true);
    const auto ended = service().wait_end(launch.key);
    EXPECT_NE(ended.exits.at(0).status, 0);
    finish(launch.key);
  }
};

TEST_F(MpiTest, MpichProgramsMeetThroughPmi) {
  const std::string program = build("mpicc.mpich");
  if (program.empty()) GTEST_SKIP() << "mpicc.mpich can't build programs here (libmpich-dev)";
  auto launch = mpi_step(program, MpiKind::kPmi2);
  expect_sums(launch);
  launch.environment += "MPIR_CVAR_PMI_VERSION=2";
  launch.environment.push_back('\0');
  expect_sums(launch);
  expect_abort(launch);
}

TEST_F(MpiTest, OpenMpiProgramsMeetThroughPmix) {
  const std::string program = build("mpicc.openmpi");
  if (program.empty()) GTEST_SKIP() << "mpicc.openmpi can't build programs here (libopenmpi-dev)";
  const auto launch = mpi_step(program, MpiKind::kPmix);
  expect_sums(launch);
  expect_abort(launch);
}

}  // namespace
}  // namespace grappe::exec
