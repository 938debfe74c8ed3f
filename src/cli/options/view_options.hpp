#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/io/outputs.hpp"
#include "cli/options/options.hpp"
#include "report/place/cluster_view.hpp"

namespace bayplan::cli {

/// --wide, --sort and --where: which instances the text report shows, in which order, how.
class ViewOptions {
 public:
  void describe(OptionSet& options);

  /// A wrong key or expression is an error that says where; so are options that no output of `outputs` would heed.
  Result<report::ClusterView> view(const std::vector<Output>& outputs) const;

 private:
  bool wide_ = false;
  std::vector<std::string> sortings_;
  std::optional<std::string> where_;
};

/// "gpu", "gpu:desc", "name:asc"
Result<report::Sorting> parse_sorting(std::string_view text);

}  // namespace bayplan::cli
