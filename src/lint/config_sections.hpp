#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/config.hpp"
#include "shape/sources.hpp"

namespace bayplan::lint {

/// The items of a list, or the one text in place of a list.
std::vector<std::string> texts_of(text::Value list);

/// Whether a rule, group or beginning of a code is named so; else that is noted at `place`.
bool check_selector(text::Value place, std::string_view selector, shape::Sources& sources,
                    const Lazy<rules::RuleData>& data);

/// `perFileIgnores` of a config in `folder`.
std::vector<FileIgnore> bind_file_ignores(text::Value list, const std::string& folder, shape::Sources& sources,
                                          const Lazy<rules::RuleData>& data);

/// `cluster` of the config `path`; reads the daemons' definitions. What it does not say stays.
void bind_cluster(text::Value object, const std::string& path, shape::Sources& sources, ClusterSettings& settings);

}  // namespace bayplan::lint
