// Books for unit tests: root with cs (alice, bob) and cs.sub below it, three QoS.
#pragma once

#include <string>

#include "cli/fake_calls.h"
#include "grappe/v1/books.pb.h"

namespace grappe::sacctmgr {

struct SampleBooks {
  v1::BooksResponse books;
  FakeCalls calls;

  SampleBooks() {
    books.set_cluster("mine");
    books.set_my_level(v1::ADMIN_ADMINISTRATOR);
    books.add_clusters()->set_name("mine");
    add_tres(1, "cpu");
    add_tres(2, "mem");
    add_tres(4, "node");
    add_tres(1001, "gres", "gpu");
    add_qos(1, "normal")->mutable_limits()->set_max_wall(10080);
    (*add_qos(2, "short")->mutable_limits()->mutable_max_tres_per_user())["gres/gpu"] = 8;
    add_qos(3, "long");
    for (const char* name : {"cs", "cs.sub", "root"}) {
      v1::Account* account = books.add_accounts();
      account->set_name(name);
      account->set_description(std::string(name) + " account");
      account->set_organization("lab");
      account->mutable_stamp()->set_version(5);
    }
    for (const char* name : {"alice", "bob", "root"}) {
      v1::User* user = books.add_users();
      user->set_name(name);
      user->set_default_account(name == std::string("root") ? "root" : "cs");
      user->mutable_stamp()->set_version(6);
    }
    add_association(1, "root", "", "", 0, 1, 12);
    add_association(3, "cs", "", "root", 1, 2, 9)->set_shares(50);
    add_association(6, "cs.sub", "", "cs", 3, 3, 4);
    add_association(5, "cs", "bob", "cs", 3, 5, 6);
    v1::Association* alice = add_association(4, "cs", "alice", "cs", 3, 7, 8);
    alice->add_qos("normal");
    alice->mutable_limits()->set_max_jobs(4);
    alice->mutable_in_force()->set_max_jobs(4);
    alice->add_qos_in_force("normal");
    alice->set_is_default(true);
    add_association(2, "root", "root", "root", 1, 10, 11);
    answer();
  }

  void answer() {
    calls.answer("Books/List", books);
    calls.answer("Books/Change", v1::ChangeBooksResponse());
  }

  v1::Qos* add_qos(uint32_t id, const std::string& name) {
    v1::Qos* qos = books.add_qos();
    qos->set_id(id);
    qos->set_name(name);
    qos->set_description(name);
    qos->mutable_stamp()->set_version(7);
    return qos;
  }

  void add_tres(uint32_t id, const std::string& type, const std::string& name = "") {
    v1::Tres* tres = books.add_tres();
    tres->set_id(id);
    tres->set_type(type);
    tres->set_name(name);
  }

  v1::Association* add_association(uint32_t id, const std::string& account, const std::string& user,
                                   const std::string& parent, uint32_t parent_id, uint32_t lft,
                                   uint32_t rgt) {
    v1::Association* record = books.add_associations();
    record->set_id(id);
    record->set_cluster("mine");
    record->set_account(account);
    record->set_user(user);
    record->set_parent(parent);
    record->set_parent_id(parent_id);
    record->set_lft(lft);
    record->set_rgt(rgt);
    record->mutable_stamp()->set_version(8);
    return record;
  }
};

}  // namespace grappe::sacctmgr
