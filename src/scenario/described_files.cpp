#include "scenario/described_files.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/core.h>

#include "base/path_sandbox.hpp"
#include "base/root_folder.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "embedded/snapshot_manifest_schema.hpp"
#include "importers/cloudformation_template.hpp"
#include "text/encoding.hpp"
#include "text/json_elements.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::JsonElement;
using text::Value;

namespace {

enum class Kind : std::uint8_t {
  kInstance,
  kTask,
  kService,
  kProvider,
  kCluster,
  kType,
  kSubnet,
  kEc2Instance,
  kGroup,
  kDefinition,
  kFailure,
  kNames,     ///< Output of list-...
  kManifest,  ///< It lists the calls of bayplan collect.
  kOther,
};

struct KeyOfKind {
  std::string_view key;
  Kind kind;
};

/// Members of an answer, and their values.
constexpr KeyOfKind kMembers[] = {
    {"containerInstances", Kind::kInstance},
    {"containerInstance", Kind::kInstance},
    {"tasks", Kind::kTask},
    {"task", Kind::kTask},
    {"services", Kind::kService},
    {"service", Kind::kService},
    {"capacityProviders", Kind::kProvider},
    {"capacityProvider", Kind::kProvider},
    {"clusters", Kind::kCluster},
    {"cluster", Kind::kCluster},
    {"InstanceTypes", Kind::kType},
    {"Subnets", Kind::kSubnet},
    {"Instances", Kind::kEc2Instance},
    {"AutoScalingGroups", Kind::kGroup},
    {"taskDefinition", Kind::kDefinition},
    {"taskDefinitions", Kind::kDefinition},
    {"failures", Kind::kFailure},
};

/// Members that only one kind of element has (`--query 'tasks[]'`, `jq '.tasks[]'`). A task names its instance and its
/// cluster too, so its own ARN comes first.
constexpr KeyOfKind kOwnMembers[] = {
    {"taskArn", Kind::kTask},
    {"serviceArn", Kind::kService},
    {"containerInstanceArn", Kind::kInstance},
    {"capacityProviderArn", Kind::kProvider},
    {"containerDefinitions", Kind::kDefinition},
    {"clusterArn", Kind::kCluster},
    {"InstanceId", Kind::kEc2Instance},  // it has a type and a subnet, too
    {"AutoScalingGroupName", Kind::kGroup},
    {"InstanceType", Kind::kType},
    {"SubnetId", Kind::kSubnet},
    {"snapshotOf", Kind::kManifest},
    {"containerInstanceArns", Kind::kNames},
    {"taskArns", Kind::kNames},
    {"serviceArns", Kind::kNames},
    {"clusterArns", Kind::kNames},
    {"taskDefinitionArns", Kind::kNames},
};

/// "data": how recorders of AWS calls store an answer and its status.
text::ElementsWanted wanted_elements() {
  text::ElementsWanted wanted;
  for (const auto& member : kMembers) wanted.members.push_back(member.key);
  wanted.wrappers = {"data"};
  return wanted;
}

Kind kind_of(const JsonElement& element, Value root) {
  for (const auto& member : kMembers) {
    if (member.key == element.member) return member.kind;
  }
  for (const auto& member : kOwnMembers) {
    if (root.find(member.key)) return member.kind;
  }
  return Kind::kOther;
}

std::string name_of(const JsonElement& element) {
  if (element.member.empty()) return {};
  return element.is_listed ? fmt::format("{}[{}]", element.member, element.position) : std::string(element.member);
}

/// Lines of a text, asked for in ascending order.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  std::uint32_t line_of(std::uint32_t offset) {
    line_ += static_cast<std::uint32_t>(std::count(text_.begin() + at_, text_.begin() + offset, '\n'));
    at_ = offset;
    return line_;
  }

 private:
  std::string_view text_;
  std::uint32_t at_ = 0;
  std::uint32_t line_ = 1;
};

/// Where each ARN was described first.
class Known {
 public:
  /// Index of the element with this name, or `next` for a new one.
  std::size_t index_of(const std::string& name, std::size_t next) {
    return index_.try_emplace(name, next).first->second;
  }

 private:
  std::map<std::string, std::size_t, std::less<>> index_;
};

class Reader {
 public:
  Reader(Loading& loading, DescribedFiles& found) : loading_(loading), found_(found) {}

  void read(const std::string& path, Value from) {
    const Limits& limits = loading_.sources.limits();
    auto bytes = loading_.sources.files().read(path, limits.snapshot_bytes);
    loading_.sources.note_file(path);
    if (!bytes) return fail_to_read(path, bytes.error(), from);
    const auto decoded = text::decode(std::move(*bytes));
    const std::string& text = decoded.text;
    path_ = path;
    text_ = text;
    lines_.reset();
    note_damage(decoded);
    LineCounter counter(text);
    counter_ = &counter;
    is_used_ = false;
    const auto walk = text::for_each_element(text, wanted_elements(), limits, [this](const JsonElement& element) {
      take(element);
      return true;
    });
    if (walk.broken) return tell(*walk.broken);
    if (walk.passed_over > 0) {
      note("elements-not-read", fmt::format("{} of its lists {}, the first in line {}",
                                            count_of(static_cast<std::int64_t>(walk.passed_over), "element"),
                                            walk.passed_over == 1 ? "is not an object" : "are not objects",
                                            line_of(walk.first_passed_over)));
    }
    if (is_used_ || walk.holds_wanted) return;
    const bool is_empty = text.find_first_not_of(" \t\r\n") == std::string::npos;
    if (path.ends_with(kFittedAssumptions)) return;
    (is_empty ? found_.empty_files : found_.other_files).push_back(path);
  }

  void fail_to_read(const std::string& path, Error error, Value from) {
    if (from) return loading_.sources.fail(from, path + ": " + error.message, error.help);
    loading_.sources.fail(std::move(error));
  }

 private:
  void note(std::string id, std::string text) { found_.notes.push_back({std::move(id), path_, std::move(text)}); }

  std::uint32_t line_of(std::size_t offset) {
    if (!lines_) lines_.emplace(text_);
    return lines_->location(static_cast<std::uint32_t>(offset)).line;
  }

  /// Bytes that are no text count as U+FFFD, also in names and zones.
  void note_damage(const text::Decoded& decoded) {
    if (decoded.faults.empty()) return;
    const auto at = decoded.text.find("\xEF\xBF\xBD");
    if (at != std::string::npos)
      note("text-damaged", fmt::format("contains bytes that are not UTF-8, the first in line {}", line_of(at)));
  }

  void fail(std::uint32_t offset, const std::string& element, std::string message, std::string help = {}) {
    if (!lines_) lines_.emplace(text_);
    const auto place = lines_->location(offset);
    if (!element.empty()) message = fmt::format("{}: {}", element, message);
    loading_.sources.fail(Error{std::move(message), path_, place.line, place.column, std::move(help)});
  }

  void tell(const text::BrokenJson& broken) {
    std::string help = broken.fault.help;
    std::string element;
    if (broken.inside) {
      element = name_of(*broken.inside);
      help = fmt::format("{} begins in line {}; is the output whole?", element.empty() ? "what is broken" : element,
                         line_of(broken.inside->span.begin));
    } else if (const auto said = message_of_aws_cli(); !said.empty()) {
      return fail(broken.fault.span.begin, {}, "the AWS CLI failed: " + printable(said), "run the command again");
    } else if (const auto words = first_words(); !words.empty()) {
      return fail(broken.fault.span.begin, {}, fmt::format("this is not JSON; it begins with: {}", printable(words)),
                  "if this is a message of the AWS CLI, fix the cause and run the command again");
    }
    fail(broken.fault.span.begin, element, broken.fault.message, std::move(help));
  }

  /// "An error occurred (ClusterNotFoundException) when calling ...", where somebody kept it with the output.
  std::string_view message_of_aws_cli() const {
    const auto begin = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
    const auto text = text_.substr(begin);
    return text.starts_with("An error occurred (") ? trim(text.substr(0, text.find('\n'))) : std::string_view();
  }

  /// "Unable to locate credentials ...": the first line of what begins with a letter.
  std::string_view first_words() const {
    constexpr std::size_t kMaxShown = 100;
    const auto text = trim(text_);
    const bool is_prose = !text.empty() && ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z'));
    return is_prose ? text.substr(0, std::min(text.find('\n'), kMaxShown)) : std::string_view();
  }

  void take(const JsonElement& element) {
    const auto document = text::parse_element(text_, element.span, loading_.sources.limits());
    if (!document->faults().empty()) {
      const auto& fault = document->faults().front();
      is_used_ = true;
      return fail(element.span.begin + fault.span.begin, name_of(element), fault.message, fault.help);
    }
    const Kind kind = kind_of(element, document->root());
    is_used_ |= kind != Kind::kOther;
    switch (kind) {
      case Kind::kInstance:
        return add(element, *document, found_.instances);
      case Kind::kTask:
        return add(element, *document, found_.tasks);
      case Kind::kService:
        return add(element, *document, found_.services);
      case Kind::kProvider:
        loading_.sources.add(document, path_, counter_->line_of(element.span.begin));
        found_.provider_documents.push_back(document);
        return add(element, *document, found_.providers);
      case Kind::kCluster:
        return add(element, *document, found_.clusters);
      case Kind::kType:
        return add(element, *document, found_.types);
      case Kind::kSubnet:
        return add(element, *document, found_.subnets);
      case Kind::kEc2Instance:
        return add(element, *document, found_.ec2_instances);
      case Kind::kGroup:
        return add(element, *document, found_.groups);
      case Kind::kFailure:
        return add(element, *document, found_.failures);
      case Kind::kDefinition:
        return add_definition(element, document);
      case Kind::kNames:
        return add_names(element, document->root());
      case Kind::kManifest:
        return add_manifest(element, document);
      case Kind::kOther:
        return;
    }
  }

  void add_names(const JsonElement& element, Value root) {
    const Origin origin{path_, counter_->line_of(element.span.begin), 1};
    const auto add = [&](std::string_view key, std::vector<WithOrigin<std::string>>& list) {
      const Value names = root.find(key);
      if (!names || !names.is_array()) return;
      for (const Value name : names.children()) list.push_back({std::string(name.text()), origin});
    };
    add("containerInstanceArns", found_.listed_instances);
    add("taskArns", found_.listed_tasks);
    add("serviceArns", found_.listed_services);
  }

  void add_manifest(const JsonElement& element, const std::shared_ptr<const text::Document>& document) {
    auto& sources = loading_.sources;
    sources.add(document, path_, counter_->line_of(element.span.begin));
    if (!sources.check_shape(embedded::snapshot_manifest_schema(), document->root())) return;
    if (found_.manifests.empty()) return found_.manifests.push_back(document);
    sources.fail(document->root(), "duplicate manifest",
                 fmt::format("the first is {}; use a separate folder for each snapshot",
                             sources.file_of(found_.manifests.front()->root())));
  }

  template <class T>
  void add(const JsonElement& element, const text::Document& document, std::vector<WithOrigin<T>>& list) {
    WithOrigin<T> found;
    found.origin = {path_, counter_->line_of(element.span.begin), 1};
    if (const auto fault = model::bind(document.root(), found.what)) {
      return fail(element.span.begin + fault->at.opening().begin, name_of(element), fault->message, fault->help);
    }
    const std::size_t index = known_.index_of(key_of(found.what), list.size());
    if (index == list.size()) {
      list.push_back(std::move(found));
    } else if (!(list[index].what == found.what)) {
      resolve(element, list[index], std::move(found));
    }
  }

  static std::string key_of(const model::DescribedInstanceType& type) { return "type " + type.name; }
  static std::string key_of(const model::DescribedCapacityProvider& provider) { return "provider " + provider.name; }
  static std::string key_of(const model::DescribedSubnet& subnet) { return "subnet " + subnet.id; }
  static std::string key_of(const model::DescribedEc2Instance& instance) { return "ec2 " + instance.id; }
  static std::string key_of(const model::DescribedAutoScalingGroup& group) { return "group " + group.name; }
  static std::string key_of(const model::DescribedFailure& failure) {
    return "failure " + failure.arn + failure.reason;
  }
  template <class T>
  static std::string key_of(const T& what) {
    return what.arn;
  }

  static const std::string& make_label(const model::DescribedInstanceType& type) { return type.name; }
  static const std::string& make_label(const model::DescribedSubnet& subnet) { return subnet.id; }
  static const std::string& make_label(const model::DescribedEc2Instance& instance) { return instance.id; }
  static const std::string& make_label(const model::DescribedAutoScalingGroup& group) { return group.name; }

  /// Pages that were taken at different times: the newer one counts, where they say which that is.
  template <class T>
  void resolve(const JsonElement& element, WithOrigin<T>& first, WithOrigin<T> second) {
    if constexpr (requires { second.what.version; }) {
      const auto before = first.what.version;
      const auto after = second.what.version;
      if (before && after && *before != *after) {
        ++found_.superseded;
        if (*after > *before) first = std::move(second);
        return;
      }
    }
    if constexpr (requires { second.what.arn; }) {
      fail(element.span.begin, name_of(element), fmt::format("{} has two different descriptions", second.what.arn),
           fmt::format("first in {}, line {}; keep the newer answer", first.origin.file, first.origin.line));
    } else {
      fail(element.span.begin, name_of(element),
           fmt::format("{} has two different descriptions", make_label(second.what)),
           fmt::format("first in {}, line {}; keep one of them", first.origin.file, first.origin.line));
    }
  }

  void add_definition(const JsonElement& element, const std::shared_ptr<const text::Document>& document) {
    const bool is_described = document->root().find("taskDefinitionArn") && document->root().find("revision");
    if (is_described) {
      loading_.sources.add(document, path_, counter_->line_of(element.span.begin));
      found_.definitions.push_back(document);
    } else if (element.span.begin == text_.find_first_not_of(" \t\r\n") && element.member.empty()) {
      found_.definition_files.push_back(path_);
    } else {
      fail(element.span.begin, name_of(element), "a task definition that is not registered must be in a separate file",
           "registered ones have a taskDefinitionArn and a revision");
    }
  }

  Loading& loading_;
  DescribedFiles& found_;
  Known known_;
  std::string path_;
  std::string_view text_;
  LineCounter* counter_ = nullptr;  ///< Counts the lines of the current text.
  std::optional<text::LineIndex> lines_;
  bool is_used_ = false;
};

bool is_described_file(std::string_view name) {
  return name.ends_with(".json") || name.ends_with(".jsonl") || name.ends_with(".ndjson");
}

/// Paths of what a folder and those inside it hold; `unread`: folders that cannot be listed, links that lead out of the
/// sandbox. A part of a cluster would pass for the whole.
void collect_files(const Files& files, const PathSandbox& sandbox, const std::string& folder,
                   std::vector<std::string>& found, std::vector<Error>& unread) {
  const auto names = files.list(folder);
  if (!names) return unread.push_back(names.error());
  for (const auto& name : *names) {
    if (name.starts_with('.')) continue;
    const std::string path = folder.ends_with('/') ? folder + name : folder + "/" + name;
    if (files.is_folder(path)) {
      collect_files(files, sandbox, path, found, unread);
    } else if (is_described_file(name) && sandbox.contains(path)) {
      found.push_back(path);
    } else if (is_described_file(name)) {
      unread.push_back({.message = "is a link to a file outside the folder, its project and the working directory",
                        .file = path,
                        .help = "replace it with a copy"});
    }
  }
}

}  // namespace

bool is_describe_output(std::string_view text) {
  // Keys that no cluster file has.
  constexpr std::string_view kKeys[] = {
      "\"containerInstanceArn\"",
      "\"taskArn\"",
      "\"serviceArn\"",
      "\"capacityProviderArn\"",
      "\"clusterArn\"",
      "\"InstanceTypes\"",
      "\"Subnets\"",
      "\"AutoScalingGroups\"",
      "\"failures\"",
      "\"taskDefinitionArn\"",
      "\"containerInstanceArns\"",
      "\"taskArns\"",
      "\"stringSetValue\"",
  };
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
  // Any resource of a template may have such a key: "Subnets" of a load balancer.
  const bool may_be_template = text.find("\"Resources\"") != std::string_view::npos;
  if (may_be_template && importers::is_cloudformation(text::read_document(std::string(text), {})->root())) return false;
  return std::any_of(std::begin(kKeys), std::end(kKeys),
                     [text](std::string_view key) { return text.find(key) != std::string_view::npos; });
}

DescribedFiles read_described_files(Loading& loading, const std::string& path, Value from) {
  DescribedFiles found;
  Reader reader(loading, found);
  std::vector<std::string> paths;
  const Files& files = loading.sources.files();
  if (from && !loading.sources.may_name(from, path)) return found;
  if (is_root_folder(files, path)) {
    reader.fail_to_read(path, root_not_searched(path), from);
  } else if (files.is_folder(path)) {
    std::vector<Error> unread;
    collect_files(files, PathSandbox(files, path), path, paths, unread);
    for (const auto& error : unread) reader.fail_to_read(error.file, error, from);
  } else {
    paths.push_back(path);
  }
  for (const auto& each : paths) reader.read(each, from);
  return found;
}

}  // namespace bayplan::scenario
