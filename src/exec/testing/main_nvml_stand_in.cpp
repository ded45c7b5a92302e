// Stands where libnvidia-ml.so.1 would be: two GPUs, 40 and 80 percent busy, with 1 and 2 GB taken.
#include <cstdint>

namespace {

unsigned number_of(void* device) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(device) - 1);
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return 0;
}
int nvmlShutdown() {
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<std::uintptr_t>(index) + 1);
  return 0;
}
int nvmlDeviceGetMinorNumber(void* device, unsigned* minor) {
  *minor = number_of(device);
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
  rates[0] = 40 * (number_of(device) + 1);
  rates[1] = 10;
  return 0;
}
int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* memory) {
  memory[0] = 16ull << 30;
  memory[2] = (number_of(device) + 1ull) << 30;
  memory[1] = memory[0] - memory[2];
  return 0;
}

}  // extern "C"
