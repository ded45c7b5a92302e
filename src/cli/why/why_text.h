// What `grappe why` says: the answer of the service in sentences, in English or French.
#pragma once

#include <string>
#include <string_view>

#include "grappe/v1/why.pb.h"

namespace grappe {

enum class Language { kEnglish, kFrench };

// "fr", "fr_CA.UTF-8" are French, everything else English.
Language language_of(std::string_view locale);

// `chosen`, or that of the locale if it is empty.
Language language_for(std::string_view chosen);

// "now", "in about 35 min".
std::string from_now(int64_t seconds, Language language);

std::string why_text(const v1::WhyResponse& why, Language language);

}  // namespace grappe
