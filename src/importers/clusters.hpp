#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "importers/infrastructure.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// Why a file is not a cluster.
struct ClusterFault {
  text::Value at;  ///< Place in the file; absent when the whole file is meant.
  std::string message;
  std::string help;
};

/// An image that instances of a type are launched from.
struct LaunchImage {
  std::string group;
  std::string instance_type;
  std::string image;
};

/// A cluster as a template or plan describes it.
struct ImportedCluster {
  /// The cluster in the form of a cluster file, in parts: one for each file that declares instances, which shares its
  /// source, so places point there. None with faults.
  std::vector<std::shared_ptr<const text::Document>> documents;
  std::vector<DeclaredProvider> providers;  ///< Providers of the cluster.
  std::vector<DeclaredShare> default_strategy;
  std::vector<LaunchImage> images;
  std::vector<Assumption> assumptions;
  std::vector<ClusterFault> faults;
};

/// Which of the clusters is meant, and what has to be said of it. `file`: the file, or the first one of a module.
/// `wanted`: a name that the user gave; empty when the file should know only one.
ImportedCluster cluster_of(const Infrastructure& infrastructure, const text::Document& file, std::string_view wanted,
                           std::string_view path);

}  // namespace bayplan::importers
