#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/described.hpp"
#include "scenario/loading.hpp"
#include "text/document.hpp"

/// Files of describe output, sorted by what they describe; nobody but the loading includes this.
namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

template <class T>
struct Found {
  T what;
  Origin origin;
};

/// All that the files of one folder say, each ARN once.
struct DescribedFiles {
  std::vector<Found<model::DescribedInstance>> instances;
  std::vector<Found<model::DescribedTask>> tasks;
  std::vector<Found<model::DescribedService>> services;
  std::vector<Found<model::DescribedCapacityProvider>> providers;
  std::vector<Found<model::DescribedCluster>> clusters;
  std::vector<Found<model::DescribedInstanceType>> types;
  std::vector<Found<model::DescribedSubnet>> subnets;
  std::vector<Found<model::DescribedEc2Instance>> ec2_instances;
  std::vector<Found<model::DescribedAutoScalingGroup>> groups;
  std::vector<Found<model::DescribedFailure>> failures;
  std::vector<std::shared_ptr<const text::Document>> definitions;  ///< As described; known to the sources.
  std::vector<std::string> definition_files;                       ///< Not registered yet: a file each.
  std::vector<std::string> empty_files;
  std::vector<std::string> other_files;              ///< JSON that nothing of this is in.
  std::vector<ClusterFinding> notes;                 ///< They tell what could not be used of a file.
  std::vector<Found<std::string>> listed_instances;  ///< ARNs, by list-container-instances.
  std::vector<Found<std::string>> listed_tasks;
  std::vector<Found<std::string>> listed_services;
  std::vector<std::shared_ptr<const text::Document>> manifests;  ///< `collect` writes one at most.
  std::int64_t superseded = 0;  ///< Elements that another page describes in a newer version.
};

/// Whether a text is the output of `aws ecs describe-...` or `aws ec2 describe-instance-types`, and no cluster file.
bool is_describe_output(std::string_view text);

/// Reads the files (.json, .jsonl, .ndjson) of a folder and of the folders in it, or one file. What is wrong is noted
/// with its place, and the rest is read all the same.
DescribedFiles read_described_files(Loading& loading, const std::string& path, text::Value from);

}  // namespace bayplan::scenario
