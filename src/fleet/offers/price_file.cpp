#include "fleet/offers/price_file.hpp"

#include <memory>

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

bool is_harmless(text::FaultKind kind) {
  return kind == text::FaultKind::kComment || kind == text::FaultKind::kTrailingComma ||
         kind == text::FaultKind::kEncoding;
}

class PriceFileReader {
 public:
  PriceFileReader(const std::string& path, const std::string& region, const Limits& limits)
      : path_(path), region_(region), limits_(limits) {}

  PriceFile read(std::string bytes) {
    if (is_json(bytes)) {
      read_json(std::move(bytes));
    } else {
      const auto decoded = text::decode(std::move(bytes));
      PriceRows rows(file_, path_, region_, decoded.text);
      read_price_table(decoded.text, rows);
    }
    if (file_.errors.empty() && file_.prices.empty()) file_.errors.push_back(holds_none());
    return std::move(file_);
  }

 private:
  void read_json(std::string bytes) {
    const auto document = text::read_document(
        std::move(bytes), {.format = text::Format::kJson, .limits = limits_, .keep = keep_of_price_list(region_)});
    PriceRows rows(file_, path_, region_, document->source());
    for (const auto& fault : document->faults()) {
      if (!is_harmless(fault.kind)) rows.fail(fault.span.begin, fault.message, fault.help);
    }
    if (rows.has_errors()) return;
    const auto root = document->root();
    if (read_spot_history(root, rows)) {
      file_.kind = PriceFileKind::kSpotHistory;
    } else if (read_price_list(root, limits_, rows)) {
      file_.kind = PriceFileKind::kPriceList;
    } else {
      rows.fail(root.span().begin, "the file holds no prices",
                "it is an AWS price list (index.json of AmazonEC2, or what `aws pricing get-products` gives), "
                "SpotPriceHistory, or a CSV of instanceType,hourlyPrice");
    }
  }

  Error holds_none() const {
    const std::string_view what = file_.kind == PriceFileKind::kTable ? "" : "of Linux instances ";
    Error error{.message = fmt::format("the file has no price {}in {}", what, region_), .file = path_};
    const auto& others = file_.other_regions;
    if (!others.empty()) error.help = "it has some in " + one_of({others.begin(), others.end()}, "and");
    return error;
  }

  const std::string& path_;
  const std::string& region_;
  const Limits& limits_;
  PriceFile file_;
};

}  // namespace

PriceFile read_price_file(const std::string& path, const std::string& region, const Files& files,
                          const Limits& limits) {
  auto bytes = files.read(path, limits.snapshot_bytes);
  if (bytes) return PriceFileReader(path, region, limits).read(std::move(*bytes));
  PriceFile file;
  file.errors.push_back(bytes.error());
  if (file.errors.back().file.empty()) file.errors.back().file = path;
  return file;
}

}  // namespace bayplan::fleet
