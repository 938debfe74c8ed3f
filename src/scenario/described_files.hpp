#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/described.hpp"
#include "scenario/loading.hpp"
#include "text/document.hpp"

/// Files of describe output, sorted by what they describe; only the loading includes this.
namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// Name of the file that `bayplan replay --fit-assumptions` writes into the folder of a snapshot.
inline constexpr std::string_view kFittedAssumptions = "assumptions.json";

template <class T>
struct WithOrigin {
  T what;
  Origin origin;
};

/// All that the files of one folder say, each ARN once.
struct DescribedFiles {
  std::vector<WithOrigin<model::DescribedInstance>> instances;
  std::vector<WithOrigin<model::DescribedTask>> tasks;
  std::vector<WithOrigin<model::DescribedService>> services;
  std::vector<WithOrigin<model::DescribedCapacityProvider>> providers;
  std::vector<WithOrigin<model::DescribedCluster>> clusters;
  std::vector<WithOrigin<model::DescribedInstanceType>> types;
  std::vector<WithOrigin<model::DescribedSubnet>> subnets;
  std::vector<WithOrigin<model::DescribedEc2Instance>> ec2_instances;
  std::vector<WithOrigin<model::DescribedAutoScalingGroup>> groups;
  std::vector<WithOrigin<model::DescribedFailure>> failures;
  std::vector<std::shared_ptr<const text::Document>>
      definitions;                            ///< The described definitions, which the sources know.
  std::vector<std::string> definition_files;  ///< Not registered yet: a file each.
  std::vector<std::string> empty_files;
  std::vector<std::string> other_files;                   ///< JSON that nothing of this is in.
  std::vector<ClusterFinding> notes;                      ///< What could not be used of a file.
  std::vector<WithOrigin<std::string>> listed_instances;  ///< ARNs, by list-container-instances.
  std::vector<WithOrigin<std::string>> listed_tasks;
  std::vector<WithOrigin<std::string>> listed_services;
  std::vector<std::shared_ptr<const text::Document>>
      provider_documents;  ///< The described capacity providers, which the sources know.
  std::vector<std::shared_ptr<const text::Document>> manifests;  ///< `collect` writes one at most.
  std::int64_t superseded = 0;  ///< Elements that another page describes in a newer version.
};

/// Whether a text is the output of `aws ecs describe-...` or `aws ec2 describe-instance-types`, and no cluster file.
bool is_describe_output(std::string_view text);

/// Reads the files (.json, .jsonl, .ndjson) of a folder and of the folders in it, or one file. What is wrong is noted
/// with its place, and the rest is read all the same.
DescribedFiles read_described_files(Loading& loading, const std::string& path, text::Value from);

}  // namespace bayplan::scenario
