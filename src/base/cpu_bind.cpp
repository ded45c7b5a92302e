#include "base/cpu_bind.h"

#include <algorithm>

#include "base/text.h"

namespace grappe {
namespace {

constexpr size_t kMostEntries = 4096;
constexpr uint32_t kMostCpus = 1024;  // of a cpu_set_t

struct Word {
  std::string_view name;
  void (*apply)(CpuBind& bind);
};

constexpr Word kWords[] = {
    {"q", [](CpuBind& b) { b.verbose = false; }},
    {"quiet", [](CpuBind& b) { b.verbose = false; }},
    {"v", [](CpuBind& b) { b.verbose = true; }},
    {"verbose", [](CpuBind& b) { b.verbose = true; }},
    {"one_thread", [](CpuBind& b) { b.one_thread = true; }},
    {"no", [](CpuBind& b) { b.kind = CpuBind::Kind::kNone; }},
    {"none", [](CpuBind& b) { b.kind = CpuBind::Kind::kNone; }},
    {"rank", [](CpuBind& b) { b.kind = CpuBind::Kind::kRank; }},
    {"socket", [](CpuBind& b) { b.unit = CpuBind::Unit::kSockets; }},
    {"sockets", [](CpuBind& b) { b.unit = CpuBind::Unit::kSockets; }},
    {"core", [](CpuBind& b) { b.unit = CpuBind::Unit::kCores; }},
    {"cores", [](CpuBind& b) { b.unit = CpuBind::Unit::kCores; }},
    {"thread", [](CpuBind& b) { b.unit = CpuBind::Unit::kThreads; }},
    {"threads", [](CpuBind& b) { b.unit = CpuBind::Unit::kThreads; }},
};

constexpr std::string_view kOfMemoryDomains[] = {"ldom", "ldoms", "rank_ldom", "map_ldom",
                                                 "mask_ldom"};

tl::unexpected<Error> not_a_number(std::string_view text, char offender) {
  return fail(1, "Failed to validate number: " + std::string(text) +
                     ", the offending character is " + offender);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string_view without_0x(std::string_view text) {
  return istarts_with(text, "0x") ? text.substr(2) : text;
}

Result<std::vector<uint32_t>> read_entry(std::string_view text, bool mask) {
  if (!mask) {
    for (char c : text) {
      if (c < '0' || c > '9') return not_a_number(text, c);
    }
    auto cpu = parse_uint(text, kMostCpus - 1);
    if (!cpu) return fail(1, "Failed to validate number: " + std::string(text));
    return std::vector{static_cast<uint32_t>(*cpu)};
  }
  const std::string_view digits = without_0x(text);
  std::vector<uint32_t> cpus;
  if (digits.empty() || digits.size() > kMostCpus / 4) {
    return fail(1, "Failed to validate number: " + std::string(text));
  }
  for (size_t i = 0; i < digits.size(); ++i) {
    const int value = hex_digit(digits[digits.size() - 1 - i]);
    if (value < 0) return not_a_number(text, digits[digits.size() - 1 - i]);
    for (uint32_t bit = 0; bit < 4; ++bit) {
      if (value & (1 << bit)) cpus.push_back(static_cast<uint32_t>(i) * 4 + bit);
    }
  }
  return cpus;
}

// "0,1*3": an entry for each task in turn; `*n` repeats one.
Status read_list(std::string_view text, bool mask, CpuBind& bind) {
  for (std::string_view item : split(text, ',')) {
    const size_t star = item.find('*');
    size_t times = 1;
    if (star != std::string_view::npos) {
      auto n = parse_uint(item.substr(star + 1), kMostEntries);
      if (!n || *n == 0) return not_a_number(item, '*');
      times = *n;
      item = item.substr(0, star);
    }
    auto entry = read_entry(item, mask);
    if (!entry) return tl::unexpected(entry.error());
    if (bind.lists.size() + times > kMostEntries) return fail(1, "the list of CPUs is too long");
    for (size_t i = 0; i < times; ++i) {
      bind.lists.push_back(*entry);
      bind.list.append(bind.list.empty() ? "" : ",").append(mask ? without_0x(item) : item);
    }
  }
  return {};
}

tl::unexpected<Error> of_memory_domains(std::string_view word) {
  return fail(1, "--cpu-bind=" + std::string(word) +
                     " is not supported: the service does not know the machine's memory domains");
}

}  // namespace

std::string_view CpuBind::type() const {
  switch (kind) {
    case Kind::kNone:
      return "none";
    case Kind::kRank:
      return "rank";
    case Kind::kMap:
      return "map_cpu:";
    case Kind::kMask:
      return "mask_cpu:";
    default:
      return unit == Unit::kSockets   ? "sockets"
             : unit == Unit::kCores   ? "cores"
             : unit == Unit::kThreads ? "threads"
                                      : "";
  }
}

Result<CpuBind> parse_cpu_bind(std::string_view text) {
  CpuBind bind;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of(",:"), rest.size());
    const std::string_view word = rest.substr(0, end);
    for (std::string_view name : kOfMemoryDomains) {
      if (iequals(word, name)) return of_memory_domains(word);
    }
    const bool mask = iequals(word, "mask_cpu");
    if (mask || iequals(word, "map_cpu")) {
      const std::string_view list = rest.substr(std::min(end + 1, rest.size()));
      if (list.empty()) {
        return fail(1, "missing list for \"--cpu-bind=" + std::string(word) + ":<list>\"");
      }
      bind.kind = mask ? CpuBind::Kind::kMask : CpuBind::Kind::kMap;
      if (Status read = read_list(list, mask, bind); !read) return tl::unexpected(read.error());
      return bind;
    }
    const auto* known = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&](const Word& w) { return iequals(w.name, word); });
    if (known == std::end(kWords) || (end < rest.size() && rest[end] == ':')) {
      return fail(1, "unrecognized --cpu-bind argument \"" + std::string(word) + "\"");
    }
    known->apply(bind);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return bind;
}

std::string cpu_mask(const std::vector<uint32_t>& cpus, size_t digits) {
  const uint32_t highest = cpus.empty() ? 0 : *std::max_element(cpus.begin(), cpus.end());
  std::vector<unsigned> values(std::max<size_t>(digits, highest / 4 + 1));
  for (uint32_t cpu : cpus) values[cpu / 4] |= 1u << (cpu % 4);
  std::string text;
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    text += "0123456789ABCDEF"[*value];
  }
  return text;
}

}  // namespace grappe
