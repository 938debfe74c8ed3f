#include "cli/commands/show_config.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>

#include "base/json_writer.hpp"
#include "base/strings.hpp"

namespace bayplan::cli {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kDefault = "default";

/// Texts that YAML reads without quotes; all others are quoted.
bool is_plain(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kInside = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
  constexpr std::string_view kWords[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  if (text.empty() || kLetters.find(text.front()) == std::string_view::npos) return false;
  const bool is_word = std::any_of(std::begin(kWords), std::end(kWords),
                                   [&](std::string_view word) { return equal_ignoring_case(word, text); });
  return !is_word && text.find_first_not_of(kInside) == std::string_view::npos;
}

std::string scalar(std::string_view text) {
  return is_plain(text) ? std::string(text) : json_quoted(text);
}

std::string flow_list(const Texts& texts) {
  Texts scalars;
  for (const auto& text : texts) scalars.push_back(scalar(text));
  return "[" + join(scalars, ", ") + "]";
}

std::string text_of(const Error& place) {
  return place.file + ":" + std::to_string(place.line);
}

class Printer {
 public:
  Printer(const lint::Config& config, std::ostream& out) : config_(config), out_(out) {}

  /// Where the config says it; "default" when it does not.
  std::string origin(const std::string& key) const {
    const auto found = config_.places.find(key);
    return found == config_.places.end() ? std::string(kDefault) : text_of(found->second);
  }

  void line(const std::string& text, const std::string& from) { out_ << text << "  # " << from << '\n'; }

  /// Items of the command line before those of the config, as they are added.
  void list(const std::string& key, const Texts& of_flags, const std::string& flag, const Texts& of_config) {
    if (of_flags.empty() && of_config.empty()) return line(key + ": []", origin(key));
    out_ << key << ":\n";
    for (const auto& item : of_flags) line("  - " + scalar(item), flag);
    for (const auto& item : of_config) line("  - " + scalar(item), origin(key));
  }

  void patterns(const std::string& key, const std::optional<lint::FilePatterns>& patterns) {
    list(key, {}, {}, patterns ? patterns->texts : Texts{});
  }

 private:
  const lint::Config& config_;
  std::ostream& out_;
};

void show_cluster(const lint::ClusterSettings& cluster, Printer& print) {
  print.line("cluster:", print.origin("cluster"));
  print.line("  reservedMemory: " + std::to_string(cluster.reserved_memory.value_or(0)),
             print.origin("cluster.reservedMemory"));
  print.line("  daemons: " + flow_list(cluster.daemon_files), print.origin("cluster.daemons"));
  print.line(cluster.trunking.value_or(false) ? "  trunking: true" : "  trunking: false",
             print.origin("cluster.trunking"));
}

void show_needs(const capacity::NeedsByName& needs, Printer& print) {
  if (needs.empty()) return print.line("needs: {}", print.origin("needs"));
  print.line("needs:", print.origin("needs"));
  for (const auto& [name, need] : needs) {
    Texts parts;
    if (need.gpu_memory) parts.push_back("gpuMemory: " + std::to_string(*need.gpu_memory));
    if (need.min_compute_capability) {
      parts.push_back("minComputeCapability: \"" + capacity::text_of_tenths(*need.min_compute_capability) + "\"");
    }
    if (need.interconnect) {
      parts.push_back(*need.interconnect == capacity::Interconnect::kNvlink ? "interconnect: nvlink"
                                                                            : "interconnect: pcie");
    }
    print.line("  " + scalar(name) + ": {" + join(parts, ", ") + "}", print.origin("needs." + name));
  }
}

/// The later of two entries for one selector counts, and a key may appear only once.
void show_severities(const lint::Config& config, const SettingFlags& flags, Printer& print) {
  struct Line {
    lint::SeverityOverride severity;
    std::string from;
  };
  std::vector<Line> lines;
  const auto add = [&](const lint::SeverityOverride& severity, const std::string& from) {
    std::erase_if(lines, [&](const Line& line) { return line.severity.selector == severity.selector; });
    lines.push_back({severity, from});
  };
  for (const auto& one : config.severities) add(one, print.origin("severity." + one.selector));
  for (const auto& one : flags.severities) add(one, "--severity");
  if (lines.empty()) return print.line("severity: {}", print.origin("severity"));
  print.line("severity:", config.severities.empty() ? "--severity" : print.origin("severity"));
  for (const auto& line : lines) {
    print.line("  " + scalar(line.severity.selector) + ": " + std::string(name_of(line.severity.severity)), line.from);
  }
}

/// A map of names to texts, of which flags (NAME=TEXT) replace single ones.
void show_texts(const std::string& key, const std::map<std::string, std::string, std::less<>>& texts,
                const Texts& given, const std::string& flag, Printer& print) {
  std::map<std::string, std::pair<std::string, std::string>> lines;  // by name: text and origin
  for (const auto& [name, text] : texts) lines[name] = {text, print.origin(key + "." + name)};
  for (const auto& one : given)
    lines[one.substr(0, one.find('='))] = {one.substr(std::min(one.find('='), one.size() - 1) + 1), flag};
  if (lines.empty()) return print.line(key + ": {}", print.origin(key));
  print.line(key + ":", texts.empty() ? flag : print.origin(key));
  for (const auto& [name, line] : lines) print.line("  " + scalar(name) + ": " + json_quoted(line.first), line.second);
}

void show_file_ignores(const std::vector<lint::FileIgnore>& entries, Printer& print) {
  if (entries.empty()) return print.line("perFileIgnores: []", print.origin("perFileIgnores"));
  print.line("perFileIgnores:", print.origin("perFileIgnores"));
  for (const auto& entry : entries) {
    Texts rules;
    for (const auto& rule : entry.ignore.rules) rules.push_back(rule.selector);
    Texts parts;
    if (entry.files) parts.push_back("files: " + flow_list(entry.files->texts));
    parts.push_back("rules: " + flow_list(rules));
    if (!entry.path.empty()) parts.push_back("path: " + json_quoted(entry.path));
    if (entry.ignore.until) parts.push_back("until: " + entry.ignore.until->text);
    if (!entry.ignore.reason.empty()) parts.push_back("reason: " + json_quoted(entry.ignore.reason));
    print.line("  - {" + join(parts, ", ") + "}", text_of(entry.ignore.rules.front().place));
  }
}

}  // namespace

void show_config(const lint::Config& config, const SettingFlags& flags, std::ostream& out) {
  Printer print(config, out);
  const auto texts = [](const std::optional<Texts>& list) { return list.value_or(Texts{}); };
  out << "# Settings of bayplan lint in effect here. Paths are relative to the config that has them.\n";
  print.patterns("include", config.include);
  print.patterns("exclude", config.exclude);
  if (!flags.launch_type.empty()) {
    print.line("launchType: " + flags.launch_type, "--launch-type");
  } else if (config.launch_type) {
    print.line("launchType: " + std::string(lint::name_of(*config.launch_type)), print.origin("launchType"));
  } else {
    print.line("# launchType: as each definition says, else EC2", std::string(kDefault));
  }
  print.line("deployWith: " + std::string(lint::name_of(config.deploy_with.value_or(rules::DeployClient::kAny))),
             print.origin("deployWith"));
  print.list("types", flags.types, "--types", flags.types.empty() ? texts(config.types) : Texts{});
  show_cluster(config.cluster, print);
  show_needs(config.needs, print);
  const auto& selection = flags.selection;
  if (selection.select.empty() && texts(config.select).empty()) {
    print.line("# select: the rules that are on by default", print.origin("select"));
  } else {
    print.list("select", selection.select, "--select", selection.select.empty() ? texts(config.select) : Texts{});
  }
  print.list("extendSelect", selection.extend_select, "--extend-select", texts(config.extend_select));
  print.list("ignore", selection.ignore, "--ignore", texts(config.ignore));
  show_severities(config, flags, print);
  show_file_ignores(config.file_ignores, print);
  print.list("placeholders", {}, {}, config.placeholder_texts);
  const auto failing = config.fail_on ? std::string(name_of(*config.fail_on)) : "error";
  print.line("failOn: " + (flags.fail_on.empty() ? failing : flags.fail_on),
             flags.fail_on.empty() ? print.origin("failOn") : "--fail-on");
  if (!flags.baseline.empty()) {
    print.line("baseline: " + scalar(flags.baseline), "--baseline");
  } else if (config.baseline) {
    print.line("baseline: " + scalar(config.baseline_text), print.origin("baseline"));
  } else {
    print.line("# baseline: none", std::string(kDefault));
  }
  const auto flag = [&](const std::string& key, const std::optional<bool>& said, bool is_given, const char* name) {
    print.line(key + ": " + (is_given || said.value_or(false) ? "true" : "false"), is_given ? name : print.origin(key));
  };
  flag("strict", config.strict, flags.strict, "--strict");
  flag("strictUnknown", config.strict_unknown, flags.strict_unknown, "--strict-unknown");
  flag("unsafeFixes", config.unsafe_fixes, flags.unsafe_fixes, "--unsafe-fixes");
  const std::string kind = !flags.kind.empty() ? flags.kind : config.daemon.value_or(false) ? "daemon" : "task";
  print.line("kind: " + kind, flags.kind.empty() ? print.origin("kind") : "--kind");
  show_texts("parameters", config.parameters, flags.parameters, "--param", print);
  show_texts("variables", config.variables, flags.variables, "--var", print);
  if (config.house_rules.empty()) {
    print.line("rules: []", print.origin("rules"));
  } else {
    out << "rules:\n";
    for (const auto& rule : config.house_rules) print.line("  - " + rule->written, rule->origin);
  }
  if (!flags.others.empty())
    out << "# on the command line, without a key in a config: " << join(flags.others, " ") << '\n';
}

}  // namespace bayplan::cli
