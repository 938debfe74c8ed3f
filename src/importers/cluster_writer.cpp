#include "importers/cluster_writer.hpp"

namespace bayplan::importers {
namespace {

using text::Kind;
using text::Value;

class ClusterWriter {
 public:
  explicit ClusterWriter(const text::Document& file) : builder_(file.shared_source(), file.format()) {}

  std::shared_ptr<const text::Document> write(Span whole, std::string_view cluster_name,
                                              const std::vector<WrittenInstances>& entries) && {
    builder_.open(Kind::kObject, whole);
    if (!cluster_name.empty()) string("clusterName", cluster_name, whole);
    open("containerInstances", Kind::kArray, whole);
    for (const auto& one : entries) entry(one);
    builder_.close(whole.end);
    builder_.close(whole.end);
    return std::move(builder_).finish();
  }

 private:
  void entry(const WrittenInstances& entry) {
    const Span place = place_of(entry.group->node);
    builder_.open(Kind::kObject, place);
    string("instanceType", entry.instance_type->text, entry.instance_type->at.span());
    integer("count", entry.count, entry.counted_at ? entry.counted_at.span() : place);
    open("availabilityZones", Kind::kArray, place);
    for (const auto& zone : entry.zones) scalar(Kind::kString, zone, place);
    builder_.close(place.end);
    if (!entry.provider.empty()) string("capacityProviderName", entry.provider, place);
    open("attributes", Kind::kObject, place);
    for (const auto& [name, value] : entry.attributes) string(name, value, place);
    builder_.close(place.end);
    if (entry.reserved_memory > 0) integer("reservedMemory", entry.reserved_memory, place);
    if (entry.tcp_ports) ports("reservedPorts", *entry.tcp_ports, place);
    if (entry.udp_ports) ports("reservedUdpPorts", *entry.udp_ports, place);
    if (entry.registers_no_gpu) {
      open("registeredResources", Kind::kObject, place);
      integer("GPU", 0, place);
      builder_.close(place.end);
    }
    builder_.close(place.end);
  }

  /// A resource is found by its name rather than by the first line of what it says.
  static Span place_of(Value resource) {
    return resource.key_span().length() > 0 ? resource.key_span() : resource.span();
  }

  void ports(std::string_view key, const std::vector<std::int64_t>& ports, Span place) {
    open(key, Kind::kArray, place);
    for (const auto port : ports) scalar(Kind::kInteger, std::to_string(port), place);
    builder_.close(place.end);
  }

  void open(std::string_view key, Kind kind, Span place) {
    builder_.key(builder_.keep(std::string(key)), place);
    builder_.open(kind, place);
  }

  void string(std::string_view key, std::string_view text, Span place) {
    builder_.key(builder_.keep(std::string(key)), place);
    scalar(Kind::kString, text, place);
  }

  void integer(std::string_view key, std::int64_t number, Span place) {
    builder_.key(builder_.keep(std::string(key)), place);
    scalar(Kind::kInteger, std::to_string(number), place);
  }

  void scalar(Kind kind, std::string_view text, Span place) {
    builder_.scalar(kind, text::Style::kDoubleQuoted, builder_.keep(std::string(text)), place);
  }

  text::Builder builder_;
};

}  // namespace

std::shared_ptr<const text::Document> write_cluster(const text::Document& file, std::string_view cluster_name,
                                                    const std::vector<WrittenInstances>& entries) {
  return ClusterWriter(file).write(file.root().span(), cluster_name, entries);
}

}  // namespace bayplan::importers
