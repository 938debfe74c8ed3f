#include "cli/options/view_options.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

#include "base/edit_distance.hpp"
#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::cli {
namespace {

std::vector<std::string_view> sort_key_names() {
  std::vector<std::string_view> names;
  for (const auto& row : report::sort_keys()) names.push_back(row.name);
  return names;
}

Error sorting_error(std::string_view text, const std::string& what, std::string help) {
  return {.message = "--sort " + std::string(text) + ": " + what, .help = std::move(help)};
}

Result<std::shared_ptr<const query::Expression>> parse_where(const std::string& text) {
  auto parsed = query::parse(text);
  if (parsed) return std::make_shared<const query::Expression>(std::move(*parsed.expression));
  const auto& fault = *parsed.fault;
  const auto character = code_points(std::string_view(text).substr(0, fault.span.begin)) + 1;
  return Error{.message = "--where " + quoted_around(text, fault.span.begin) + ", character " +
                          std::to_string(character) + ": " + fault.message,
               .help = fault.help};
}

}  // namespace

void ViewOptions::describe(OptionSet& options) {
  options.flag("--wide", wide_,
               "Text: one detailed row per instance with GPUs by task, ENIs and price; by type where many");
  options.repeated("--sort", sortings_, "KEY[:asc|desc]",
                   "Text: sort instances by name, type, zone (ascending), gpu, cpu, memory, eni (in use), free-gpu, "
                   "free-cpu, free-memory, free-eni, tasks, price (descending); repeat for ties",
                   true);
  options.option("--where", where_, "QUERY",
                 "Text: only matching instances, as in memberOf: 'attribute:ecs.instance-type =~ p3.*'");
}

Result<report::Sorting> parse_sorting(std::string_view text) {
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  const auto names = sort_key_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    const auto near = nearest(name, names);
    return sorting_error(text, "unknown key '" + std::string(name) + "'",
                         near ? "Did you mean " + std::string(*near) + "?" : "Keys: " + one_of(names, "and"));
  }
  const auto& row = report::sort_keys()[static_cast<std::size_t>(found - names.begin())];
  if (colon == std::string_view::npos) return report::Sorting{row.key, row.is_amount};
  const auto direction = text.substr(colon + 1);
  if (direction != "asc" && direction != "desc")
    return sorting_error(text, "unknown direction '" + std::string(direction) + "'",
                         "Write " + std::string(name) + ":asc or " + std::string(name) + ":desc.");
  return report::Sorting{row.key, direction == "desc"};
}

Result<report::ClusterView> ViewOptions::view(const std::vector<Output>& outputs) const {
  report::ClusterView view;
  view.wide = wide_;
  for (const auto& text : sortings_) {
    const auto sorting = parse_sorting(text);
    if (!sorting) return sorting.error();
    view.sortings.push_back(*sorting);
  }
  if (where_) {
    auto where = parse_where(*where_);
    if (!where) return where.error();
    view.where = std::move(*where);
  }
  if (!has_format(outputs, {"text"}) && (view.wide || view.chooses())) {
    return Error{.message = "--wide, --sort and --where have no effect without a text report",
                 .help = "Add --output text, or text=FILE."};
  }
  return view;
}

}  // namespace bayplan::cli
