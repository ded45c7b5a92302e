// Mail to the owner of a job (--mail-type, --mail-user), through the site's MailProg.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

void mail_at_start(Core& core, const Job& job);
void mail_at_end(Core& core, const Job& job);
// Half, 80 % or 90 % of the time limit has passed; `event` is one of model/mail.h.
void mail_event(Core& core, const Job& job, uint32_t event, const std::string& what);

}  // namespace grappe::embedded
