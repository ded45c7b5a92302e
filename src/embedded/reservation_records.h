// Reservations as others see them, and as the store keeps them.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// `viewer`: only those that he may use (PrivateData=reservations).
v1::ReservationsResponse list_reservations(Core& core, const v1::ReservationsRequest& request,
                                           const Caller* viewer = nullptr);

uint32_t reserved_cpus(const Cluster& cluster, const ClusterReservation& reservation);

// The newest version goes to the store with this batch.
void save_reservation(Core& core, const ClusterReservation& reservation);
// Out of the cluster and out of the store.
void erase_reservation(Core& core, const std::string& name);

// At the start of the service.
void restore_reservation(Core& core, const SavedSetting& setting);

}  // namespace grappe::embedded
