#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "base/memory_size.hpp"
#include "catalog/filter.hpp"
#include "catalog/region.hpp"
#include "catalog/types_named.hpp"
#include "cli/commands/commands.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/memory_option.hpp"
#include "report/catalog/catalog_report.hpp"

namespace bayplan::cli {

/// bayplan catalog [GLOB...]
class CatalogCommand : public Command {
 public:
  std::string_view name() const override { return "catalog"; }
  std::string_view summary() const override {
    return "List EC2 instance types: sizes, GPUs, network interfaces, prices";
  }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<catalog::TypeFilter> filter(const catalog::Catalog& catalog) const;
  void sort(std::vector<const catalog::InstanceType*>& types) const;

  std::vector<std::string> globs_;
  std::optional<std::string> region_;
  std::string min_memory_;
  std::string min_gpu_memory_;
  std::string min_local_storage_;
  std::string compute_capability_;
  std::string architecture_;
  std::string sort_ = "name";
  std::int64_t min_gpus_ = 0;
  std::int64_t min_vcpus_ = 0;
  bool gpu_only_ = false;
  bool wide_ = false;
};
namespace {

constexpr const char* kDefaultRegion = "us-east-1";

constexpr std::array<Format<report::CatalogReport>, 5> kCatalogFormats{
    {{"text", report::catalog_document, report::Medium::kText},
     {"json", report::write_catalog_json},
     {"html", report::catalog_document, report::Medium::kPage},
     {"markdown", report::catalog_document, report::Medium::kComment},
     {"csv", report::write_catalog_csv}}};

}  // namespace

std::vector<std::string_view> CatalogCommand::formats() const {
  return list_names(kCatalogFormats);
}

void CatalogCommand::describe(OptionSet& options) {
  options.positional("GLOB", globs_, "Instance types: 'g4dn.*', p3.8xlarge; default: all", false);
  options.flag("--gpu-only", gpu_only_, "Only types with NVIDIA GPUs, the only ones that ECS counts");
  options.option("--region", region_, "REGION",
                 "Prices of this region (default us-east-1), and only types offered there");
  options.option("--min-gpus", min_gpus_, "N", "At least N GPUs");
  options.option("--min-gpu-memory", min_gpu_memory_, "SIZE",
                 "At least this much memory per GPU: 24GB, as vendors count, or 16GiB");
  options.option("--min-vcpu", min_vcpus_, "N", "At least N vCPUs");
  options.option("--min-memory", min_memory_, "SIZE", "At least this much memory: 64GiB");
  options.option("--min-local-storage", min_local_storage_, "SIZE",
                 "At least this much local storage (instance store), all disks together: 900GB");
  options.choice("--arch", architecture_, {"x86_64", "arm64"}, "Only this CPU architecture");
  options.option("--compute-capability", compute_capability_, "X.Y", "At least this CUDA compute capability");
  options.choice("--sort", sort_, {"name", "price", "gpu-price"},
                 "Order: name (default), price, or price per GPU-hour");
  options.flag("--wide", wide_, "Also show GPU performance, links, USD per GPU-hour, architecture and network");
  options.examples(
      "  bayplan catalog 'g4dn.*' 'p3.*'\n"
      "  bayplan catalog --gpu-only --min-gpu-memory 24GB --sort gpu-price --wide\n"
      "  bayplan catalog 'm7g.*' --region eu-west-1 --format json");
}

Result<catalog::TypeFilter> CatalogCommand::filter(const catalog::Catalog& catalog) const {
  catalog::TypeFilter filter{
      .gpu_only = gpu_only_, .min_gpus = min_gpus_, .min_vcpus = min_vcpus_, .architecture = architecture_};
  if (region_) {
    const auto region = catalog::known_region(catalog, *region_);
    if (!region) return region.error();
    filter.region = *region;
  }
  const auto memory = memory_option("--min-memory", min_memory_, parse_memory_size, "GiB");
  if (!memory) return memory.error();
  filter.min_memory = *memory;
  const auto gpu_memory = memory_option("--min-gpu-memory", min_gpu_memory_, parse_gpu_memory_size, "GB");
  if (!gpu_memory) return gpu_memory.error();
  filter.min_gpu_memory = *gpu_memory;
  const auto local_storage = memory_option("--min-local-storage", min_local_storage_, parse_gpu_memory_size, "GB");
  if (!local_storage) return local_storage.error();
  filter.min_local_storage = *local_storage;
  if (!compute_capability_.empty()) {
    filter.min_compute_capability = catalog::compute_capability_rank(compute_capability_);
    if (!filter.min_compute_capability) {
      return Error{.message = "--compute-capability must be a version such as 7.5, not '" + compute_capability_ + "'",
                   .help = "For example: --compute-capability 7.5"};
    }
  }
  return filter;
}

void CatalogCommand::sort(std::vector<const catalog::InstanceType*>& types) const {
  if (sort_ == "name") return;
  const std::string region = region_.value_or(kDefaultRegion);
  const auto key = [&](const catalog::InstanceType& type) {
    if (sort_ == "gpu-price") return report::price_per_gpu(type, region).value_or(INT64_MAX);
    const auto price = type.price_in(region);
    return price ? price->hourly : INT64_MAX;
  };
  std::stable_sort(types.begin(), types.end(), [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
}

int CatalogCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  Stats stats(global.stats, io);
  stats.phase("catalog");
  const auto catalog = catalog::Catalog::load();
  auto named = some_types_named(catalog, globs_);
  if (!named) return fail(io, named.error());
  auto& types = named->types;
  const auto wanted = filter(catalog);
  if (!wanted) return fail(io, wanted.error());
  std::erase_if(types, [&](const auto* type) { return !wanted->accepts(*type); });
  sort(types);

  std::vector<std::string> hints;
  for (const auto& glob : globs_) {
    auto hint = catalog.hint_for(glob);
    if (!hint.empty()) hints.push_back(std::move(hint));
  }

  stats.phase("report");
  const std::string region = region_.value_or(kDefaultRegion);
  for (const auto& glob : named->unknown) hints.push_back(unknown_type_words(catalog, glob));
  const report::CatalogReport report{catalog, types, region, wide_, hints};
  const int written = write_report(*outputs, kCatalogFormats, report, global, io);
  stats.print();
  if (written != kClean) return written;
  if (types.empty()) {
    io.err << "bayplan: no instance type matches\n";
    for (const auto& hint : hints) io.err << "  " << hint << '\n';
    return kFindings;
  }
  return kClean;
}

std::unique_ptr<Command> catalog_command() {
  return std::make_unique<CatalogCommand>();
}

}  // namespace bayplan::cli
