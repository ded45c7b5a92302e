// The events of a job that --mail-type names, as bits of JobSpec.mail_type, as Slurm numbers them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grappe {

enum MailEvent : uint32_t {
  kMailBegin = 0x0001,
  kMailEnd = 0x0002,
  kMailFail = 0x0004,
  kMailRequeue = 0x0008,
  kMailTimeLimit = 0x0010,
  kMailTimeLimit90 = 0x0020,
  kMailTimeLimit80 = 0x0040,
  kMailTimeLimit50 = 0x0080,
  kMailStageOut = 0x0100,
  kMailArrayTasks = 0x0200,
  kMailInvalidDepend = 0x0400,
};

// "BEGIN,end": any case, comma separated. NONE is 0; nothing when a name is unknown.
std::optional<uint32_t> parse_mail_type(std::string_view text);
// "BEGIN,END", as scontrol shows it; "NONE" for 0.
std::string mail_type_text(uint32_t events);

}  // namespace grappe
