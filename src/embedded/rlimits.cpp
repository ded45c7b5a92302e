#include "embedded/rlimits.h"

#include <algorithm>

#include "model/rlimit_names.h"

namespace grappe::embedded {
namespace {

bool names(const std::vector<std::string>& words, uint32_t resource) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word == "ALL" ||
           std::any_of(std::begin(kRlimitNames), std::end(kRlimitNames), [&](const RlimitName& n) {
             return n.resource == resource && n.name == word;
           });
  });
}

template <class Spec>
std::vector<exec::RlimitSetting> chosen(const Spec& spec, const JobsConfig& config) {
  std::vector<exec::RlimitSetting> out;
  for (const v1::Rlimit& limit : spec.rlimits()) {
    if (spec.rlimits_by_site() && (!names(config.propagate_limits, limit.resource()) ||
                                   names(config.propagate_limits_except, limit.resource()))) {
      continue;
    }
    out.push_back({limit.resource(), limit.soft(), limit.hard()});
  }
  return out;
}

}  // namespace

std::vector<exec::RlimitSetting> rlimits_of(const v1::JobSpec& spec, const JobsConfig& config) {
  return chosen(spec, config);
}

std::vector<exec::RlimitSetting> rlimits_of(const v1::StepSpec& spec, const JobsConfig& config) {
  return chosen(spec, config);
}

}  // namespace grappe::embedded
