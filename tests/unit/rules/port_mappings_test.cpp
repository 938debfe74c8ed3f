#include "rules/network/port_mappings.hpp"

#include <random>
#include <set>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;
using rules::PortClaim;
using rules::PortOverlap;
using rules::Protocol;

PortClaim claim(std::int64_t first, std::int64_t last, Protocol protocol = Protocol::kTcp) {
  PortClaim result;
  result.ports = {first, last};
  result.protocol = protocol;
  return result;
}

bool meet(const PortClaim& a, const PortClaim& b) {
  return a.protocol == b.protocol && a.ports.first <= b.ports.last && b.ports.first <= a.ports.last;
}

/// Claims with a part in an overlap, found by looking at every pair.
std::set<std::size_t> meeting_claims(const std::vector<PortClaim>& claims) {
  std::set<std::size_t> result;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (meet(claims[i], claims[j])) result.insert({i, j});
    }
  }
  return result;
}

std::set<std::size_t> claims_in(const std::vector<PortOverlap>& overlaps) {
  std::set<std::size_t> result;
  for (const auto& overlap : overlaps) {
    result.insert(overlap.later);
    result.insert(overlap.earlier.begin(), overlap.earlier.end());
  }
  return result;
}

}  // namespace

TEST_CASE("port mappings - a range is two ports and a hyphen") {
  const auto range = rules::parse_port_range("80-90");
  REQUIRE(range);
  CHECK(range->first == 80);
  CHECK(range->last == 90);
  CHECK(rules::parse_port_range("90-80"));
  CHECK(rules::parse_port_range("1-65535"));
  for (const auto* text : {"", "-", "80", "80-", "-90", "80:90", "80 -90", "80-90 ", "0-9", "9-65536", "80-90-100",
                           "+80-90", "8e1-90", "000080-90", "99999999999999999999-1"}) {
    INFO(text);
    CHECK_FALSE(rules::parse_port_range(text));
  }
}

TEST_CASE("port mappings - overlaps name the later claim and all it meets first") {
  using rules::find_overlaps;
  CHECK(find_overlaps({}).empty());
  CHECK(find_overlaps({claim(80, 80)}).empty());
  CHECK(find_overlaps({claim(80, 85), claim(86, 90)}).empty());
  CHECK(find_overlaps({claim(53, 53), claim(53, 53, Protocol::kUdp)}).empty());

  const auto touching = find_overlaps({claim(80, 86), claim(86, 90)});
  REQUIRE(touching.size() == 1);
  CHECK(touching[0].later == 1);
  CHECK(touching[0].earlier == std::vector<std::size_t>{0});
  CHECK(touching[0].ports.first == 86);
  CHECK(touching[0].ports.last == 86);

  const auto swallowing = find_overlaps({claim(90, 90), claim(80, 80), claim(70, 100)});
  REQUIRE(swallowing.size() == 1);
  CHECK(swallowing[0].later == 2);
  CHECK(swallowing[0].earlier == std::vector<std::size_t>{1, 0});
  CHECK(swallowing[0].ports.first == 80);

  const auto thrice = find_overlaps({claim(80, 80), claim(80, 80), claim(80, 80)});
  REQUIRE(thrice.size() == 2);
  CHECK(thrice[0].later == 1);
  CHECK(thrice[1].later == 2);
  CHECK(thrice[1].earlier == std::vector<std::size_t>{0});
}

TEST_CASE("port mappings - no claim that meets another is left out") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<PortClaim> claims;
    const auto count = random() % 8;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto first = static_cast<std::int64_t>(1 + random() % 30);
      const auto length = static_cast<std::int64_t>(random() % 8);
      claims.push_back(claim(first, first + length, random() % 4 == 0 ? Protocol::kUdp : Protocol::kTcp));
    }
    const auto overlaps = rules::find_overlaps(claims);
    CHECK(claims_in(overlaps) == meeting_claims(claims));
    for (const auto& overlap : overlaps) {
      for (const auto earlier : overlap.earlier) {
        CHECK(earlier < overlap.later);
        CHECK(meet(claims[earlier], claims[overlap.later]));
      }
    }
  }
}

TEST_CASE("port mappings - a zero in awsvpc mode becomes the container port") {
  const lint::Tools tools;
  const std::string text = R"({"family": "web", "networkMode": "awsvpc", "containerDefinitions": [
    {"name": "app", "image": "nginx:1.27", "memory": 256, "portMappings": [{"containerPort": 8080, "hostPort": 0}]}]})";
  const auto report = lint::lint_document(text, "task.json", {}, tools);
  REQUIRE(report.findings.size() == 1);
  REQUIRE(report.findings[0].fix);
  CHECK(report.findings[0].fix->safe);
  REQUIRE(report.findings[0].fix->edits.size() == 1);
  CHECK(report.findings[0].fix->edits[0].text == "8080");
  CHECK(text.substr(report.findings[0].fix->edits[0].span.begin, 1) == "0");
}

TEST_CASE("port mappings - placeholders count the rules that needed them") {
  const lint::Tools tools;
  const auto skipped = [&](const std::string& mode, const std::string& mapping) {
    const std::string text = R"({"family": "web", "networkMode": ")" + mode + R"(", "containerDefinitions": [
      {"name": "app", "image": "nginx:1.27", "memory": 256, "portMappings": [)" +
                             mapping + "]}]}";
    std::set<std::string_view> codes;
    for (const auto& one : lint::lint_document(text, "task.json", {}, tools).skipped) {
      if (one.code >= "BAY301" && one.code <= "BAY332") codes.insert(one.code);
    }
    return codes;
  };
  using Codes = std::set<std::string_view>;
  CHECK(skipped("awsvpc", R"({"containerPort": 80})") == Codes{});
  CHECK(skipped("${MODE}", "") == Codes{});
  CHECK(skipped("${MODE}", R"({"containerPort": 80, "hostPort": 80})") == Codes{"BAY301", "BAY302", "BAY303"});
  CHECK(skipped("awsvpc", R"({"containerPort": 80, "hostPort": "${PORT}"})") == Codes{"BAY301"});
  CHECK(skipped("bridge", R"({"containerPort": 80, "hostPort": "${PORT}"})") ==
        Codes{"BAY305", "BAY306", "BAY309", "BAY310", "BAY312"});
}
