#include "model/slurm_error.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace grappe {
namespace {

struct Row {
  int code;
  std::string_view text;
};

// In the order of the numbers: looked up by binary search.
constexpr std::array kErrors{
    Row{kErrUnexpectedMessage, "Unexpected message received"},
    Row{kErrCommConnection, "Communication connection failure"},
    Row{kErrContactConnect, "Unable to contact slurm controller (connect failure)"},
    Row{kErrContactReceive, "Unable to contact slurm controller (receive failure)"},
    Row{kErrInvalidPartition, "Invalid partition name specified"},
    Row{kErrNoPartition, "No partition specified or system default partition"},
    Row{kErrAccessDenied, "Access/permission denied"},
    Row{kErrPartitionGroup, "User's group not permitted to use this partition"},
    Row{kErrNodesNotInPartition, "Requested nodes not in this partition"},
    Row{kErrTooManyCpus, "More processors requested than permitted"},
    Row{kErrInvalidNodeCount, "Node count specification invalid"},
    Row{kErrJobRecordFull, "Unable to create job record, try again"},
    Row{kErrMissingSize, "Job size specification needs to be provided"},
    Row{kErrScriptMissing, "Job script not specified"},
    Row{kErrUserId, "Invalid user id"},
    Row{kErrDuplicateJobId, "Duplicate job id"},
    Row{kErrPathTooLong, "Pathname of a file, directory or other parameter too long"},
    Row{kErrNotTopPriority, "Immediate execution impossible, insufficient priority"},
    Row{kErrNodeConfig, "Requested node configuration is not available"},
    Row{kErrPartConfig, "Requested partition configuration not available now"},
    Row{kErrNodesBusy, "Requested nodes are busy"},
    Row{kErrInvalidJobId, "Invalid job id specified"},
    Row{kErrInvalidNodeName, "Invalid node name specified"},
    Row{kErrWritingFile, "I/O error writing script/environment to file"},
    Row{kErrTryLater, "Job can not be altered now, try again later"},
    Row{kErrAlreadyDone, "Job/step already completing or completed"},
    Row{kErrBadDistribution, "Task distribution specification invalid"},
    Row{kErrJobPending, "Job is pending execution"},
    Row{kErrBadTaskCount, "Task count specification invalid"},
    Row{kErrInvalidNodeState, "Invalid node state specified"},
    Row{kErrInvalidFeature, "Invalid feature specification"},
    Row{kErrActiveFeatures, "Active features not subset of available features"},
    Row{kErrFragmented, "Immediate execution impossible, resources too fragmented for allocation"},
    Row{kErrNotSupported, "Requested operation not supported on this system"},
    Row{kErrDisabled, "Requested operation is presently disabled"},
    Row{kErrDependency, "Job dependency problem"},
    Row{kErrBatchOnly, "Only batch jobs are accepted or processed"},
    Row{kErrTooManyTasks, "Requested more tasks than available processors"},
    Row{kErrJobHeld, "Job is in held state, pending scheduler release"},
    Row{kErrTaskMemory, "Memory required by task is not available"},
    Row{kErrInvalidAccount, "Invalid account or account/partition combination specified"},
    Row{kErrInvalidLicense, "Invalid license specification"},
    Row{kErrAccountingPolicy,
        "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"},
    Row{kErrInvalidTimeLimit, "Requested time limit is invalid (missing or exceeds some limit)"},
    Row{kErrReservationAccess, "Access denied to requested reservation"},
    Row{kErrReservationInvalid, "Requested reservation is invalid"},
    Row{kErrInvalidTime, "Invalid time specified"},
    Row{kErrReservationBusy, "Requested reservation is in use"},
    Row{kErrReservationNotUsable, "Requested reservation not usable now"},
    Row{kErrInvalidWckey, "Invalid wckey specification"},
    Row{kErrReservationOverlap, "Requested reservation overlaps with another reservation"},
    Row{kErrInvalidQos, "Invalid qos specification"},
    Row{kErrNodeNotAvail, "Required node not available (down, drained or reserved)"},
    Row{kErrInvalidCpuCount, "CPU count specification invalid"},
    Row{kErrPartitionNotAvail, "Required partition not available (inactive or drain)"},
    Row{kErrCircularDependency, "Circular job dependency"},
    Row{kErrInvalidGres, "Invalid generic resource (gres) specification"},
    Row{kErrNotPending, "Job is no longer pending execution"},
    Row{kErrPartitionInUse, "Partition is in use"},
    Row{kErrStepLimit, "Step limit reached for this job"},
    Row{kErrCanNotStartImmediately, "Job can not start immediately"},
    Row{kErrReservationEmpty, "Reservation request lacks users, groups or accounts"},
    Row{kErrInvalidArray, "Invalid job array specification"},
    Row{kErrReservationNameDup, "Duplicate reservation name"},
    Row{kErrJobStarted, "Job has already started"},
    Row{kErrJobFinished, "Job has already finished"},
    Row{kErrJobNotRunning, "Job is not running"},
    Row{kErrJobNotPendingNorRunning, "Job is not pending nor running"},
    Row{kErrJobNotSuspended, "Job is not suspended"},
    Row{kErrJobNotFinished, "Job is not finished"},
    Row{kErrInternal, "Slurm internal error, contact system administrator"},
    Row{kErrPriorityNotPersistent,
        "Changes to job priority are not persistent, change nice instead"},
    Row{kErrInvalidMcsLabel, "Invalid mcs_label specified"},
    Row{kErrPartitionDown, "Partition in DOWN state"},
    Row{kErrDuplicateGres, "Duplicate generic resource (gres) specification"},
    Row{kErrReservationStarted, "Reservation already started"},
    Row{kErrSubmissionsDisabled, "System submissions disabled"},
    Row{kErrReservationCoresUpdate, "Core-based reservation can not be updated"},
    Row{kErrDuplicateStepId, "Duplicate job step id"},
    Row{kErrReservationCoreCount, "Core count for reservation node list is not consistent!"},
    Row{kErrX11, "X11 forwarding not available"},
    Row{kErrGroupId, "Invalid group id"},
    Row{kErrInvalidTres, "Invalid Trackable RESource (TRES) specification"},
    Row{kErrInvalidJobDefaults, "Invalid JobDefaults specification"},
    Row{kErrReservationMaint, "Job can not start due to maintenance reservation."},
    Row{kErrInvalidTypelessGres,
        "Invalid GRES specification (with and without type identification)"},
    Row{kErrInvalidNice, "Invalid --nice value"},
    Row{kErrInvalidTimeMin, "Invalid time-min specification (exceeds job's time or other limits)"},
    Row{kErrEnvMissing, "Environment is missing in job"},
    Row{kErrReservationNoSkip, "Reservation given is not skipable, try deleting instead"},
    Row{kErrReservationUsersAndGroups,
        "Reservations can't have users and groups specified, only one or the other"},
    Row{kErrBadThreadsPerCore, "Cannot request more threads per core than the job allocation"},
    Row{kErrInvalidPrefer, "Invalid preferred feature specification"},
    Row{kErrInsufficientGres, "Insufficient GRES available in allocation"},
    Row{kErrGeneric, "Generic error"},
    Row{kErrKillTaskFailed, "Kill task failed"},
    Row{kErrInvalidAcctFreq, "Invalid accounting frequency requested"},
    Row{kErrUserNotFound, "User not found on host"},
    Row{kErrPrologFailed, "Job prolog failed"},
    Row{kErrEpilogFailed, "Job epilog failed"},
    Row{kErrStepNotRunning, "Job step not running"},
    Row{kErrStepSuspended, "Job step is suspended"},
    Row{kErrStepNotSuspended, "Job step is not currently suspended"},
    Row{kErrContainerNotConfigured, "Container runtime not configured or invalid"},
    Row{kErrCpuBind, "Unable to satisfy cpu bind request"},
    Row{kErrSocketTimeout, "Socket timed out on send/recv operation"},
    Row{kErrJobsActive, "Job(s) active, cancel job(s) before remove"},
    Row{kErrBadName, "Unacceptable name given. (No '.' in name allowed)"},
    Row{kErrNoRemoveDefaultAccount, "You can not remove the default account of a user"},
    Row{kErrMissingTimeLimit, "Time limit specification required, but not provided"},
};

}  // namespace

std::string slurm_error_text(int code) {
  if (code < 1000) return std::strerror(code);
  auto row = std::lower_bound(kErrors.begin(), kErrors.end(), code,
                              [](const Row& r, int c) { return r.code < c; });
  if (row != kErrors.end() && row->code == code) return std::string(row->text);
  return "Unknown error " + std::to_string(code);
}

tl::unexpected<Error> slurm_fail(int code) {
  return fail(code, slurm_error_text(code));
}

tl::unexpected<Error> slurm_fail(int code, std::string note) {
  return tl::unexpected<Error>(Error{code, slurm_error_text(code), {std::move(note)}});
}

}  // namespace grappe
