// scontrol create, update, delete and skip of reservations.
//
// Keys are those of scontrol (reservation_request.h); rules of who may use one are in
// reservation_use.h, what happens at its start and end in reservation_clock.h.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

Result<v1::ChangeReservationResponse> change_reservation(
    Core& core, const Caller& caller, const v1::ChangeReservationRequest& request);

}  // namespace grappe::embedded
