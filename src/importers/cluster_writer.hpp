#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "importers/instance_groups.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// One entry of containerInstances, as it is to be written.
struct WrittenInstances {
  const InstanceGroup* group = nullptr;
  const Fact* instance_type = nullptr;
  text::Value counted_at;  ///< Where the count comes from.
  std::int64_t count = 1;
  std::vector<std::string> zones;
  std::string provider;
  std::map<std::string, std::string> attributes;
  std::int64_t reserved_memory = 0;
  std::optional<std::vector<std::int64_t>> tcp_ports;
  std::optional<std::vector<std::int64_t>> udp_ports;
  bool registers_no_gpu = false;
};

/// The document of a cluster file, each part with the place in `file` that it was made from.
std::shared_ptr<const text::Document> write_cluster(const text::Document& file, std::string_view cluster_name,
                                                    const std::vector<WrittenInstances>& entries);

}  // namespace bayplan::importers
