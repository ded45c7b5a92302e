// grapped: the brain. Started by grappe-launcher, as an unprivileged user.
#include "daemon/daemon.h"

int main(int argc, char** argv) {
  return grappe::daemon_main(argc, argv);
}
