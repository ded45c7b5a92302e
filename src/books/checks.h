// What must hold of a record before it goes into the books, and how records are named in texts.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <string>

#include "base/result.h"
#include "books/books.h"

namespace grappe {

Status check_name(const std::string& name);
// Its account, parent, user, QoS and resources are there, and no account is below itself.
Status check_association(const Books& books, const v1::Association& association);
Status check_qos(const Books& books, const v1::Qos& qos);

// With this key, or for one of its partitions.
bool has_association(const Books& books, const AssociationKey& key);
const v1::Association* any_association(const Books& books, const std::string& cluster,
                                       const std::string& user);
bool names_qos(const v1::Association& association, const std::string& qos);

void erase_name(google::protobuf::RepeatedPtrField<std::string>& names, const std::string& name);

}  // namespace grappe
