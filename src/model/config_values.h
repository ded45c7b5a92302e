// Values of slurm.conf: reading them with Slurm's rules and writing them as scontrol does.
//
// Every reader answers what was wrong with the value in Slurm's words; the place in the file is
// added by model/config_parse.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "model/config.h"

namespace grappe {

// yes, up, true, 1 / no, down, false, 0, whatever the case.
Result<bool> read_bool(std::string_view key, std::string_view value);

// A number in [low, high]: decimal, 0x hexadecimal, with k or m for 1024 and 1024². UNLIMITED,
// INFINITE and -1 are kInfinite where `unlimited` allows it.
Result<std::uint64_t> read_number(std::string_view key, std::string_view value, std::uint64_t low,
                                  std::uint64_t high, bool unlimited = false);

// Time in Slurm's notation, where a bare number is minutes; kInfinite stays.
Result<std::uint32_t> read_time_s(std::string_view key, std::string_view value);
Result<std::uint32_t> read_time_min(std::string_view key, std::string_view value);

// "a,b,,c" without blanks and empty words.
std::vector<std::string> read_list(std::string_view value);

// "1-3,7" -> {1, 2, 3, 7}, each in [0, 255].
Result<std::vector<int>> read_exit_codes(std::string_view key, std::string_view value);
// In order, with ranges folded.
std::string show_exit_codes(const std::vector<int>& codes);

// "CPU=1.0,Mem=0.25G,GRES/gpu=2.0". With a K, M, G, T or P the weight is per that unit of memory.
Result<std::vector<TresWeight>> read_tres_weights(std::string_view key, std::string_view value);

// "matlab:5,ansys*3,single".
Result<std::vector<LicenseConfig>> read_licenses(std::string_view key, std::string_view value);

Result<SelectParameters> read_select(std::string_view key, std::string_view value);
std::string show_select(const SelectParameters& select);  // "CR_CORE_MEMORY,CR_LLN"

Result<PreemptMode> read_preempt_mode(std::string_view key, std::string_view value);
std::string show_preempt_mode(PreemptMode mode);  // "GANG,SUSPEND"

Result<CpuBindDefault> read_cpu_bind(std::string_view key, std::string_view value);
std::string_view show_cpu_bind(CpuBindDefault bind);  // "cores", "ldoms"; empty when unset

// One word of a list of flags, and the member that it sets.
template <class T>
struct FlagWord {
  std::string_view word;
  bool T::*flag;
};

// Failure of every reader here: `"maybe" is not a valid option for "Hidden"`.
tl::unexpected<Error> invalid_option(std::string_view key, std::string_view value);

// Sets the flag of every word of a comma separated list; a word that no row has is a failure.
template <class T>
Status read_flags(std::string_view key, std::string_view value, std::span<const FlagWord<T>> words,
                  T& flags) {
  for (const std::string& item : read_list(value)) {
    auto row = std::find_if(words.begin(), words.end(),
                            [&](const FlagWord<T>& w) { return iequals(w.word, item); });
    if (row == words.end()) return invalid_option(key, item);
    flags.*(row->flag) = true;
  }
  return {};
}

// The words whose flag is set, in the order of the table.
template <class T>
std::string show_flags(const T& flags, std::span<const FlagWord<T>> words) {
  std::string shown;
  for (const FlagWord<T>& w : words) {
    if (!(flags.*(w.flag))) continue;
    if (!shown.empty()) shown += ',';
    shown += w.word;
  }
  return shown;
}

// Spelling of empty text in Slurm's listings.
std::string null_or(std::string_view text);  // "(null)"

}  // namespace grappe
