// Records in the words of the log of changes.
#pragma once

#include <google/protobuf/message.h>

#include <string>

#include "grappe/v1/books.pb.h"

namespace grappe {

// "C = mine       A = cs         U = alice    ".
std::string key_text(const v1::Association& association);

// What a change says, in one line: all of a new record, or what is different. What is gone stands
// there without a value.
//
//   description='Earth sciences', organization='science'
//   shares=3, grp_tres='cpu=8,gres/gpu=2', max_jobs=
std::string change_text(const google::protobuf::Message* before,
                        const google::protobuf::Message& after);

}  // namespace grappe
