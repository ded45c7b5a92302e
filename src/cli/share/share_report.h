// `grappe share`: one's place in words, and the tree as a small picture.
#pragma once

#include <string>
#include <string_view>

#include "grappe/v1/share.pb.h"

namespace grappe {

// What a LevelFS, or with the classic rule a fair share, means: "over its share".
std::string_view share_words(const v1::ShareInfo& share, v1::SharesResponse::Rule rule);

// Of this user; `everybody`: with all others in the tree.
std::string share_text(const v1::SharesResponse& answer, const std::string& user, bool everybody);
std::string share_json(const v1::SharesResponse& answer, const std::string& user);

}  // namespace grappe
