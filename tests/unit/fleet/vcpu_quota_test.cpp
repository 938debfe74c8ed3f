#include "fleet/offers/vcpu_quota.hpp"

#include "catch.hpp"

namespace bayplan::fleet {
namespace {

std::string quota_of(const std::string& name) {
  catalog::InstanceType type;
  type.name = name;
  return vcpu_quota_of(type);
}

TEST_CASE("every type of the catalog counts to a known vCPU quota") {
  const auto catalog = catalog::Catalog::load();
  for (const auto& type : catalog.types()) {
    INFO(type.name);
    CHECK(vcpu_quota_named(vcpu_quota_of(type)) == vcpu_quota_of(type));
  }
}

TEST_CASE("a family's letters choose its vCPU quota") {
  CHECK(quota_of("m5.large") == "Standard");
  CHECK(quota_of("im4gn.large") == "Standard");
  CHECK(quota_of("z1d.large") == "Standard");
  CHECK(quota_of("g6f.large") == "G and VT");
  CHECK(quota_of("gr6.4xlarge") == "G and VT");
  CHECK(quota_of("vt1.3xlarge") == "G and VT");
  CHECK(quota_of("p6-b200.48xlarge") == "P");
  CHECK(quota_of("dl2q.24xlarge") == "DL");
  CHECK(quota_of("trn1n.32xlarge") == "Trn");
  CHECK(quota_of("inf2.xlarge") == "Inf");
  CHECK(quota_of("f2.6xlarge") == "F");
  CHECK(quota_of("x2gd.large") == "X");
  CHECK(quota_of("u-6tb1.metal") == "High Memory");
  CHECK(quota_of("u7i-12tb.224xlarge") == "High Memory");
  CHECK(quota_of("hpc7a.96xlarge") == "HPC");
}

TEST_CASE("types that are not of EC2 or have quotas of another kind count to no vCPU quota") {
  CHECK(quota_of("rack-a").empty());
  CHECK(quota_of("mac2.metal").empty());
  CHECK(quota_of("p").empty());
  CHECK(quota_of("").empty());
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
