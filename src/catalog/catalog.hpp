#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "catalog/region_prices.hpp"

namespace bayplan::catalog {

/// How the registered memory of a type is known; the error band is the basis of `unsure`.
enum class MemoryBasis : std::uint8_t {
  kMeasured,  ///< MemTotal of a booted instance: within 1 %.
  kSibling,   ///< Measured on a type of the same memory, processor maker, generation and hypervisor: within 1 %.
  kModel,     ///< Linear model of the hypervisor class: within 2 %.
  kStated,    ///< Stated by the user or by describe output: exact.
  kUnknown,   ///< No figure at all; registered_memory is 0.
};

struct Gpu {
  std::int64_t count = 0;  ///< Devices that tasks can be given; of fractional types the logical one.
  std::int64_t fraction_millionths = 1'000'000;  ///< Share of a board that one device is; below a million on g6f, gr6f.
  std::string manufacturer;                      ///< "NVIDIA", "AMD".
  std::string model;                             ///< EC2 API name: "V100".
  MiB memory = 0;                                ///< Per device; 0 when not known.
  std::string compute_capability;                ///< "7.0"; empty when not NVIDIA or not known.
  std::string architecture;                      ///< "Volta"
  std::optional<double> fp32_tflops;             ///< Rate of a whole board, like those below.
  std::optional<double> tensor_fp16_tflops;
  std::optional<double> memory_bandwidth_gb_per_s;
  std::string interconnect;  ///< "NVLink 2 (...)", "PCIe"; empty when single or not known.
  std::optional<double> interconnect_gb_per_s;
  std::string note;                  ///< Doubt about a rate; may be empty.
  std::vector<std::string> sources;  ///< Sources of the rates: keys of Catalog::sources().

  bool is_fractional() const { return fraction_millionths < 1'000'000; }
};

/// Instance store: disks of one size.
struct LocalStorage {
  std::int64_t disks = 0;    ///< 0 = the type has no instance store.
  std::int64_t disk_gb = 0;  ///< Size of each, in GB of 10^9 bytes.
  std::string kind;          ///< "nvme" (flash), "ssd" (before NVMe), "hdd"; empty without disks.

  std::int64_t total_gb() const { return disks * disk_gb; }
};

/// Regions in which EC2 offers a type; the types of a family share one list.
class Regions {
 public:
  Regions() = default;  ///< Not known.
  explicit Regions(std::vector<std::string> sorted_names);

  const std::vector<std::string>& names() const;  ///< Sorted; empty when not known.
  bool is_known() const { return names_ != nullptr && !names_->empty(); }
  /// Nothing says that the region lacks the type.
  bool may_include(std::string_view region) const;

 private:
  std::shared_ptr<const std::vector<std::string>> names_;
};

/// Inferentia and Trainium chips: /dev/neuron0 and so on.
struct NeuronDevices {
  std::int64_t devices = 0;
  std::int64_t cores_per_device = 0;
  bool assigned = false;  ///< ECS gives them to tasks that ask for type NeuronDevice; not those of Inf1.
  std::string source;     ///< Key of Catalog::sources(); empty without devices.
};

enum class Generation : std::uint8_t { kCurrent, kPrevious, kRetired, kUnknown };

std::string_view name_of(Generation generation);  ///< "current", "previous", "retired", "unknown".

struct InstanceType {
  std::string name;  ///< "p3.16xlarge"
  std::int64_t vcpus = 0;
  CpuUnits cpu = 0;           ///< Registered: vCPU x 1024.
  MiB memory = 0;             ///< Advertised.
  MiB registered_memory = 0;  ///< What the agent registers with ECS_RESERVED_MEMORY 0.
  MemoryBasis memory_basis = MemoryBasis::kUnknown;
  std::string memory_basis_text;           ///< "measured MemTotal", "measured c5a.2xlarge", "model xen/x86_64".
  std::vector<std::string> architectures;  ///< "x86_64", "arm64"; empty for own types: any.
  std::string accelerator_kind;            ///< "gpu", "neuron", "fpga", "media" ...; empty without.
  std::optional<Gpu> gpu;                  ///< Set only where accelerator_kind is "gpu".
  NeuronDevices neuron;                    ///< Some only where accelerator_kind is "neuron".
  std::int64_t max_enis = 0;               ///< 0 when not known.
  std::int64_t eni_task_limit = 0;         ///< awsvpc tasks without trunking.
  std::optional<std::int64_t>
      eni_task_limit_trunking;  ///< Limit with awsvpcTrunking; nothing where ECS does not support it.
  std::string trunking_source;  ///< Key of Catalog::sources(); empty when nothing says.
  /// EBS volumes that EC2 attaches, the root volume included; nothing when not known. The primary network interface,
  /// instance store volumes and accelerators are already taken off where they share the limit.
  std::optional<std::int64_t> ebs_attachments;
  bool has_shared_ebs_limit = false;   ///< Other network interfaces than the primary one count toward the limit, too.
  std::string ebs_source;              ///< Key of Catalog::sources(); empty when the limit is not known.
  std::optional<double> network_gbps;  ///< Peak, summed over network cards.
  std::optional<LocalStorage> local_storage;  ///< Nothing when not known.
  std::string hypervisor;                     ///< "nitro", "xen", "metal"; empty when not known.
  Generation generation = Generation::kUnknown;
  std::string note;  ///< Doubt about a figure that a reader should know; may be empty.
  RegionPrices prices;
  Regions regions;          ///< Offered in, on the catalog's date.
  std::string record_date;  ///< Date of the EC2 record, ISO 8601 day.
  std::string source;       ///< Key of Catalog::sources(): where vCPUs, memory and architecture are from.
  bool is_own = false;      ///< The user describes the type in `instanceTypes`.

  std::string_view family() const { return std::string_view(name).substr(0, name.find('.')); }
  bool has_nvidia_gpu() const { return gpu && gpu->count > 0 && gpu->manufacturer == "NVIDIA"; }
  bool is_retired() const { return generation == Generation::kRetired; }
  /// Registered memory may be off by this much: measured 1 %, model 2 %, types under 2 GiB 5 % and at least 56 MiB,
  /// stated 0.
  MiB memory_error() const;
  /// Returns the on-demand price, or that which the user states; nothing when none is known.
  std::optional<Price> price_in(std::string_view region) const;
};

/// Orders types by family, then from the smallest size to metal.
bool size_less(const InstanceType& a, const InstanceType& b);

/// Where a figure comes from.
struct Source {
  std::string key;   ///< "measured-memory"
  std::string text;  ///< Document and commit.
  std::string date;  ///< Date of the data, ISO 8601 day; may be empty.
};

/// Every EC2 type that bayplan knows, and the user's own types.
class Catalog {
 public:
  /// Reads the embedded data (a few ms): call it only where a command needs types.
  static Catalog load();

  const std::vector<InstanceType>& types() const {
    return types_;
  }  ///< Returns the types sorted by family and size, own types last.
  const InstanceType* find(std::string_view name) const;
  /// What to say about a name or glob that finds nothing or no GPU: the nearest name, the family meant ("g4" ->
  /// "g4dn"), why a Neuron type has no GPU. Empty when there is nothing to say.
  std::string hint_for(std::string_view name) const;
  /// Whether EC2 may have a type of this name, or types that match this glob, that is newer than the data: it is
  /// formed like one, and its generation is no older than the one before the newest of its letters.
  bool may_be_newer(std::string_view name) const;
  /// Types whose name matches one of the shell globs, in the order of types(); all when `globs` is empty.
  std::vector<const InstanceType*> matching(const std::vector<std::string>& globs) const;
  /// Adds or replaces a type of the user's. Pointers into types() do not survive it.
  void add(InstanceType type);

  const std::vector<Source>& sources() const { return sources_; }
  const std::string& data_date() const { return data_date_; }  ///< Date of the EC2 data, ISO 8601 day.
  const std::vector<std::string>& priced_regions() const { return priced_regions_; }  ///< With prices, sorted.

 private:
  std::vector<InstanceType> types_;
  std::map<std::string, std::size_t, std::less<>> positions_;  ///< Position of a name in types_.
  std::vector<Source> sources_;
  std::string data_date_;
  std::vector<std::string> priced_regions_;
};

}  // namespace bayplan::catalog
