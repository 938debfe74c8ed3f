#include "study/dry_run/service_update.hpp"

#include "catch.hpp"

using namespace bayplan;
using study::deployment_room;

namespace {

void check_room(const study::DeploymentRoom& room, std::int64_t may_start, std::int64_t may_stop) {
  CHECK(room.may_start == may_start);
  CHECK(room.may_stop == may_stop);
}

}  // namespace

TEST_CASE("a deployment starts up to maximumPercent and stops down to minimumHealthyPercent") {
  check_room(deployment_room(4, 4, 100, 200), 4, 0);
  check_room(deployment_room(4, 4, 50, 100), 0, 2);
  check_room(deployment_room(4, 4, 100, 100), 0, 0);
  check_room(deployment_room(3, 3, 100, 150), 1, 0);  // floor(4.5)
  check_room(deployment_room(3, 3, 50, 100), 0, 1);   // ceil(1.5) stay
  check_room(deployment_room(4, 0, 100, 200), 4, 0);  // never more than are wanted
  check_room(deployment_room(2, 6, 100, 200), 0, 4);
  check_room(deployment_room(0, 3, 100, 200), 0, 3);
}

TEST_CASE("a service update that may neither start nor stop a task is stuck") {
  study::ServiceUpdate update{.desired = 2, .running = 2, .is_new_deployment = true};
  update.room = deployment_room(2, 2, 100, 100);
  CHECK(update.is_stuck());
  update.room = deployment_room(2, 2, 50, 100);
  CHECK_FALSE(update.is_stuck());
  CHECK(update.starts() == 0);
  CHECK(update.stops() == 1);
}

TEST_CASE("a changed count starts what is missing and stops what is too much") {
  study::ServiceUpdate update{.desired = 5, .running = 2};
  CHECK(update.starts() == 3);
  CHECK(update.stops() == 0);
  update.desired = 1;
  CHECK(update.starts() == 0);
  CHECK(update.stops() == 1);
}
