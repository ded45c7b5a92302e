#include "cli/squeue/job_arena.h"

#include <sys/mman.h>

#include <cstdlib>

namespace grappe {
namespace {

constexpr size_t kHugePage = 2 * 1024 * 1024;

void* allocate(size_t size) {
  if (size < kHugePage) return std::malloc(size);
  void* block = std::aligned_alloc(kHugePage, (size + kHugePage - 1) / kHugePage * kHugePage);
  // Without huge pages it is still memory: a failure of the advice does not matter.
  if (block) (void)madvise(block, size, MADV_HUGEPAGE);
  return block;
}

void release(void* block, size_t) {
  std::free(block);
}

}  // namespace

google::protobuf::ArenaOptions job_arena_options() {
  google::protobuf::ArenaOptions options;
  options.start_block_size = 64 * 1024;
  options.max_block_size = 2 * kHugePage;
  options.block_alloc = allocate;
  options.block_dealloc = release;
  return options;
}

}  // namespace grappe
