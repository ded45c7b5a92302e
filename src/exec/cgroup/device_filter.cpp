#include "exec/cgroup/device_filter.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/unique_fd.h"

namespace grappe::exec {
namespace {

constexpr uint32_t kMemoryDevices = 1;  // null, zero, random, ...
constexpr uint32_t kTerminals = 5;      // tty, console, ptmx
constexpr uint32_t kFirstPseudoTerminal = 136, kLastPseudoTerminal = 143;

bool everyone_needs(const Device& device) {
  if (device.is_block) return false;
  return device.major == kMemoryDevices || device.major == kTerminals ||
         (device.major >= kFirstPseudoTerminal && device.major <= kLastPseudoTerminal);
}

std::set<Device> devices_at(const std::vector<std::string>& paths) {
  std::set<Device> devices;
  for (const std::string& path : paths) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) continue;
    if (!S_ISCHR(info.st_mode) && !S_ISBLK(info.st_mode)) continue;
    devices.insert(
        {static_cast<bool>(S_ISBLK(info.st_mode)), major(info.st_rdev), minor(info.st_rdev)});
  }
  return devices;
}

bpf_insn instruction(int code, int dst, int src, int offset, int value) {
  bpf_insn one{};
  one.code = static_cast<uint8_t>(code);
  one.dst_reg = static_cast<uint8_t>(dst & 0xf);
  one.src_reg = static_cast<uint8_t>(src & 0xf);
  one.off = static_cast<int16_t>(offset);
  one.imm = value;
  return one;
}

bpf_insn load_field(int dst, size_t offset) {
  return instruction(BPF_LDX | BPF_MEM | BPF_W, dst, BPF_REG_1, static_cast<int>(offset), 0);
}
bpf_insn set_result(int value) {
  return instruction(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, value);
}
bpf_insn skip_if_not(int reg, uint32_t value, int instructions) {
  return instruction(BPF_JMP | BPF_JNE | BPF_K, reg, 0, instructions, static_cast<int>(value));
}
bpf_insn leave() {
  return instruction(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

// r2 type, r3 major, r4 minor; for each device: all three equal → 0; at the end → 1.
std::vector<bpf_insn> program_for(const std::set<Device>& devices) {
  std::vector<bpf_insn> program{
      load_field(BPF_REG_2, offsetof(bpf_cgroup_dev_ctx, access_type)),
      instruction(BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_2, 0, 0, 0xffff),
      load_field(BPF_REG_3, offsetof(bpf_cgroup_dev_ctx, major)),
      load_field(BPF_REG_4, offsetof(bpf_cgroup_dev_ctx, minor)),
  };
  for (const Device& device : devices) {
    program.push_back(
        skip_if_not(BPF_REG_2, device.is_block ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR, 4));
    program.push_back(skip_if_not(BPF_REG_3, device.major, 3));
    program.push_back(skip_if_not(BPF_REG_4, device.minor, 2));
    program.push_back(set_result(0));
    program.push_back(leave());
  }
  program.push_back(set_result(1));
  program.push_back(leave());
  return program;
}

Result<UniqueFd> load(const std::set<Device>& devices) {
  const auto program = program_for(devices);
  static const char kLicense[] = "Apache-2.0";
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
  attributes.insns = reinterpret_cast<uint64_t>(program.data());
  attributes.insn_cnt = static_cast<uint32_t>(program.size());
  attributes.license = reinterpret_cast<uint64_t>(kLicense);
  UniqueFd fd(static_cast<int>(syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes)));
  if (!fd) return fail_errno("load the device filter", errno);
  return fd;
}

}  // namespace

std::set<Device> devices_to_refuse(const std::vector<std::string>& all,
                                   const std::vector<std::string>& allowed) {
  std::set<Device> devices = devices_at(all);
  for (const Device& device : devices_at(allowed)) devices.erase(device);
  std::erase_if(devices, everyone_needs);
  return devices;
}

Status refuse_devices(const std::string& cgroup_dir, const std::set<Device>& devices) {
  auto program = load(devices);
  if (!program) return tl::unexpected(program.error());
  const UniqueFd dir(open(cgroup_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!dir) return fail_errno("open " + cgroup_dir, errno);
  bpf_attr attributes{};
  attributes.target_fd = static_cast<uint32_t>(dir.get());
  attributes.attach_bpf_fd = static_cast<uint32_t>(program->get());
  attributes.attach_type = BPF_CGROUP_DEVICE;
  attributes.attach_flags = BPF_F_ALLOW_MULTI;
  if (syscall(SYS_bpf, BPF_PROG_ATTACH, &attributes, sizeof attributes) != 0) {
    return fail_errno("attach the device filter to " + cgroup_dir, errno);
  }
  return {};
}

bool can_refuse_devices() {
  return load({}).has_value();
}

}  // namespace grappe::exec
