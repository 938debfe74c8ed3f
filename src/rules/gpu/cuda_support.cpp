#include "rules/gpu/cuda_support.hpp"

#include "base/strings.hpp"
#include "embedded/cuda_support_json.hpp"
#include "text/read.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

std::optional<CudaVersion> version_in(Value row, std::string_view key) {
  const Value member = row.find(key);
  if (!member) return std::nullopt;
  const auto parts = split(member.text(), '.');
  CudaVersion version{to_integer(parts.front()).value_or(0), std::nullopt};
  if (parts.size() > 1) version.minor = to_integer(parts[1]);
  return version;
}

/// Sure only: a version without a minor may be any of its line.
bool is_surely_before(const CudaVersion& a, const CudaVersion& b) {
  if (a.major != b.major) return a.major < b.major;
  return a.minor && b.minor && *a.minor < *b.minor;
}

}  // namespace

bool CudaSupport::is_dropped_by(const CudaVersion& image) const {
  return last && is_surely_before(*last, image);
}

bool CudaSupport::is_unknown_to(const CudaVersion& image) const {
  return is_surely_before(image, first);
}

std::vector<CudaSupport> load_cuda_support() {
  const auto document = text::read_document(std::string(embedded::cuda_support_json()));
  std::vector<CudaSupport> rows;
  for (const Value row : document->root().find("computeCapabilities").children()) {
    rows.push_back({.compute_capability = capacity::parse_tenths(row.find("computeCapability").text()).value_or(0),
                    .architecture = std::string(row.find("architecture").text()),
                    .first = version_in(row, "firstCuda").value_or(CudaVersion{}),
                    .last = version_in(row, "lastCuda")});
  }
  return rows;
}

}  // namespace bayplan::rules
