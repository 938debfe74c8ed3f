#include "fleet/offers/price_file.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "fleet/offers/price_documents.hpp"
#include "fleet/offers/price_rows.hpp"
#include "text/encoding.hpp"
#include "text/read.hpp"

namespace bayplan::fleet {

namespace {

/// Byte order marks and the NULs of UTF-16 are passed over.
bool is_json(std::string_view text) {
  using namespace std::string_view_literals;
  const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF\xFF\xFE\0"sv);
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

void read_json(std::string bytes, const std::string& path, const std::string& region, const Limits& limits,
               PriceFile& file) {
  const auto document = text::read_document(
      std::move(bytes), {.format = text::Format::kJson, .limits = limits, .keep = keep_of_price_list(region)});
  PriceRows rows(file, path, region, document->source());
  for (const auto& fault : document->faults()) {
    const bool is_harmless = fault.kind == text::FaultKind::kComment || fault.kind == text::FaultKind::kTrailingComma ||
                             fault.kind == text::FaultKind::kEncoding;
    if (!is_harmless) rows.fail(fault.span.begin, fault.message, fault.help);
  }
  if (rows.has_errors()) return;
  const auto root = document->root();
  if (read_spot_history(root, rows)) {
    file.kind = PriceFileKind::kSpotHistory;
  } else if (read_price_list(root, limits, rows)) {
    file.kind = PriceFileKind::kPriceList;
  } else {
    rows.fail(
        root.span().begin, "the file contains no prices",
        "it is an AWS price list (index.json of AmazonEC2 or AmazonECS, or what `aws pricing get-products` gives), "
        "SpotPriceHistory, or a CSV of instanceType,hourlyPrice");
  }
}

Error holds_none(const std::string& path, const std::string& region, const PriceFile& file) {
  std::string_view what;
  if (file.kind == PriceFileKind::kPriceList) what = "of Linux instances, Fargate or Managed Instances ";
  if (file.kind == PriceFileKind::kSpotHistory) what = "of Linux instances ";
  Error error{.message = fmt::format("the file has no price {}in {}", what, region), .file = path};
  const auto& others = file.other_regions;
  if (!others.empty()) error.help = "it has some in " + one_of({others.begin(), others.end()}, "and");
  return error;
}

PriceFile read_prices(std::string bytes, const std::string& path, const std::string& region, const Limits& limits) {
  PriceFile file;
  if (is_json(bytes)) {
    read_json(std::move(bytes), path, region, limits, file);
  } else {
    const auto decoded = text::decode(std::move(bytes));
    PriceRows rows(file, path, region, decoded.text);
    read_price_table(decoded.text, rows);
  }
  if (file.errors.empty() && file.prices.empty() && !file.has_other_prices())
    file.errors.push_back(holds_none(path, region, file));
  return file;
}

}  // namespace

bool PriceFile::has_other_prices() const {
  return !managed_fees.empty() || std::any_of(fargate.begin(), fargate.end(), [](const auto& rate) { return rate; });
}

PriceFile read_price_file(const std::string& path, const std::string& region, const Files& files,
                          const Limits& limits) {
  auto bytes = files.read(path, limits.snapshot_bytes);
  if (bytes) return read_prices(std::move(*bytes), path, region, limits);
  PriceFile file;
  file.errors.push_back(bytes.error());
  if (file.errors.back().file.empty()) file.errors.back().file = path;
  return file;
}

}  // namespace bayplan::fleet
