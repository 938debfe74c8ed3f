#include "fleet/offers/vcpu_quota.hpp"

#include "catch.hpp"

namespace bayplan::fleet {
namespace {

std::string find_quota(const std::string& name) {
  catalog::InstanceType type;
  type.name = name;
  return vcpu_quota_name(type);
}

TEST_CASE("every type of the catalog counts to a known vCPU quota") {
  const auto catalog = catalog::Catalog::load();
  for (const auto& type : catalog.types()) {
    INFO(type.name);
    if (type.is_retired() || type.family().starts_with("mac")) continue;  // no quota, or one of Dedicated Hosts
    CHECK(vcpu_quota_named(vcpu_quota_name(type)) == vcpu_quota_name(type));
  }
}

TEST_CASE("a family's letters choose its vCPU quota") {
  CHECK(find_quota("m5.large") == "Standard");
  CHECK(find_quota("im4gn.large") == "Standard");
  CHECK(find_quota("z1d.large") == "Standard");
  CHECK(find_quota("g6f.large") == "G and VT");
  CHECK(find_quota("gr6.4xlarge") == "G and VT");
  CHECK(find_quota("vt1.3xlarge") == "G and VT");
  CHECK(find_quota("p6-b200.48xlarge") == "P");
  CHECK(find_quota("dl2q.24xlarge") == "DL");
  CHECK(find_quota("trn1n.32xlarge") == "Trn");
  CHECK(find_quota("inf2.xlarge") == "Inf");
  CHECK(find_quota("f2.6xlarge") == "F");
  CHECK(find_quota("x2gd.large") == "X");
  CHECK(find_quota("u-6tb1.metal") == "High Memory");
  CHECK(find_quota("u7i-12tb.224xlarge") == "High Memory");
  CHECK(find_quota("hpc7a.96xlarge") == "HPC");
}

TEST_CASE("types that are not of EC2 or have quotas of another kind count to no vCPU quota") {
  CHECK(find_quota("rack-a").empty());
  CHECK(find_quota("mac2.metal").empty());
  CHECK(find_quota("p").empty());
  CHECK(find_quota("").empty());
}

TEST_CASE("a vCPU quota goes by its short name or the one of Service Quotas") {
  CHECK(vcpu_quota_named("g and vt") == "G and VT");
  CHECK(vcpu_quota_named("Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances") == "Standard");
  CHECK(vcpu_quota_named("Running On-Demand P instances") == "P");
  CHECK(vcpu_quota_named("G") == "G and VT");
  CHECK(vcpu_quota_named("vt") == "G and VT");
  CHECK_FALSE(vcpu_quota_named("and"));
  CHECK_FALSE(vcpu_quota_named("GPU"));
  CHECK_FALSE(vcpu_quota_named(""));
}

}  // namespace
}  // namespace bayplan::fleet
