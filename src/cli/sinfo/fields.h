// Everything sinfo can show: the letters of -o and the names of -O in one table.
#pragma once

#include <span>

#include "cli/format/field.h"
#include "cli/sinfo/group.h"

namespace grappe {

using NodeField = Field<NodeGroup, GroupContext>;
using NodeTable = Table<NodeGroup, GroupContext>;

std::span<const NodeField> node_fields();

// What "%all" stands for.
inline constexpr std::string_view kNodeAllFormat =
    "%a|%b|%c|%d|%e|%f|%g|%h|%l|%m|%n|%o|%p|%r|%s|%t|%u|%v|%w|%z|%A |%B |%C |%D |%E |%F |%G |%H |"
    "%I |%L |%M |%N |%O |%P |%R |%S |%T |%U |%V |%X |%Y |%Z ";

}  // namespace grappe
