#pragma once
#include <string_view>

#include "cli/application.hpp"

namespace bayplan::cli {

/// Adds Markdown to the summary page of a GitHub Actions job, the file that GITHUB_STEP_SUMMARY names; nothing happens
/// where it names none. Gives kClean or kUnusable.
int add_to_job_summary(std::string_view markdown, Streams& io);

}  // namespace bayplan::cli
