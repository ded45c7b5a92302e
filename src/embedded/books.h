// The books as the engine keeps them: asked for, changed, and there from the first start on.
#pragma once

#include "books/roles.h"
#include "embedded/core.h"
#include "grappe/v1/books.pb.h"

namespace grappe::embedded {

// What this caller may see of the books.
v1::BooksResponse list_books(const Core& core, const Caller& caller,
                             const v1::BooksRequest& request);

void on_change_books(Core& core, const Caller& caller, const v1::ChangeBooksRequest& request,
                     Reply<v1::ChangeBooksResponse> reply);

// Any thread. Only operators see what others have done.
Result<v1::TransactionsResponse> transactions_of(Store& store, const Caller& caller,
                                                 const v1::TransactionsRequest& request);

void restore_book(Core& core, const SavedSetting& setting);
// After all are restored: what a cluster begins with, if it is not there.
void open_books(Core& core);

// AccountingConfig::place_for_all: fair share is among those who have a place.
void give_place(Core& core, const Caller& caller);

// A job uses its association and QoS: they are never forgotten from now on.
void note_use(Core& core, const Job& job);

Role role_of(const Caller& caller);

}  // namespace grappe::embedded
