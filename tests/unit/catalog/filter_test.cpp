#include "catalog/filter.hpp"

#include "catch.hpp"

using bayplan::catalog::Catalog;
using bayplan::catalog::compute_capability_rank;
using bayplan::catalog::TypeFilter;

TEST_CASE("filter - what a planner asks of a type") {
  const Catalog catalog = Catalog::load();
  const auto accepts = [&](const TypeFilter& filter, const char* name) { return filter.accepts(*catalog.find(name)); };
  CHECK(accepts({}, "m5.large"));
  CHECK(accepts({.gpu_only = true}, "g4dn.xlarge"));
  CHECK_FALSE(accepts({.gpu_only = true}, "g4ad.xlarge"));
  CHECK_FALSE(accepts({.gpu_only = true}, "inf1.xlarge"));
  CHECK(accepts({.min_gpus = 4}, "p3.8xlarge"));
  CHECK_FALSE(accepts({.min_gpus = 5}, "p3.8xlarge"));
  CHECK(accepts({.min_gpu_memory = 16384}, "g4dn.xlarge"));
  CHECK_FALSE(accepts({.min_gpu_memory = 16385}, "g4dn.xlarge"));
  CHECK_FALSE(accepts({.min_vcpus = 3}, "m5.large"));
  CHECK(accepts({.min_memory = 8192}, "m5.large"));
  CHECK_FALSE(accepts({.architecture = "arm64"}, "m5.large"));
  CHECK(accepts({.architecture = "arm64"}, "m6g.large"));
  CHECK(accepts({.min_compute_capability = 705}, "g5.xlarge"));
  CHECK_FALSE(accepts({.min_compute_capability = 705}, "p3.2xlarge"));
  CHECK(accepts({.min_local_storage = 71525}, "m5d.large"));  // 75 GB of 10^9 bytes
  CHECK_FALSE(accepts({.min_local_storage = 71526}, "m5d.large"));
  CHECK(accepts({.min_local_storage = 3433227}, "m5d.24xlarge"));  // four disks of 900 GB
  CHECK_FALSE(accepts({.min_local_storage = 1}, "m5.large"));
  CHECK(accepts({.region = "us-east-1"}, "g5.xlarge"));
  CHECK_FALSE(accepts({.region = "us-west-1"}, "g5.xlarge"));
  CHECK(accepts({.region = "us-west-1"}, "m5.large"));  // not known where it is offered
}

TEST_CASE("filter - compute capabilities compare as versions") {
  CHECK(compute_capability_rank("7.5") == 705);
  CHECK(compute_capability_rank("12.0") == 1200);
  CHECK(compute_capability_rank("9") == 900);
  CHECK(*compute_capability_rank("10.0") > *compute_capability_rank("9.0"));
  CHECK_FALSE(compute_capability_rank("sm_75").has_value());
  CHECK_FALSE(compute_capability_rank("7.5.1").has_value());
  CHECK_FALSE(compute_capability_rank("").has_value());
}
