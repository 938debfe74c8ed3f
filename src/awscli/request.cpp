#include "awscli/request.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "awscli/emit.hpp"
#include "awscli/shorthand.hpp"
#include "base/ascii.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/strings.hpp"
#include "text/encoding.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

namespace bayplan::awscli {

namespace {

using Variable = const char* (*)(const char* name);

/// "web.json" of "file://web.json", with ~ and $NAME filled in as Python's os.path does; nothing when the text names no
/// file.
struct ParameterFile {
  std::string path;
  bool is_binary = false;  ///< fileb://
};

constexpr std::string_view kText = "file://";
constexpr std::string_view kBinary = "fileb://";

const char* value_of(Variable variable, std::string_view name) {
  return variable == nullptr || name.empty() ? nullptr : variable(std::string(name).c_str());
}

/// "~/x"; the home of other users is not looked up.
std::string with_home(std::string_view path, Variable variable) {
  const bool is_home = path == "~" || path.starts_with("~/");
  const char* home = is_home ? value_of(variable, "HOME") : nullptr;
  return home == nullptr ? std::string(path) : home + std::string(path.substr(1));
}

/// $NAME and ${NAME}; what is not set stays as it is.
std::string with_variables(std::string_view path, Variable variable) {
  std::string filled;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '$') {
      filled += path[i];
      continue;
    }
    const bool in_braces = i + 1 < path.size() && path[i + 1] == '{';
    const std::size_t begin = i + (in_braces ? 2 : 1);
    std::size_t end = begin;
    while (end < path.size() &&
           (in_braces ? path[end] != '}' : (is_letter(path[end]) || is_digit(path[end]) || path[end] == '_')))
      ++end;
    const bool is_closed = !in_braces || end < path.size();
    const char* value = is_closed ? value_of(variable, path.substr(begin, end - begin)) : nullptr;
    if (value == nullptr) {
      filled += path[i];
      continue;
    }
    filled += value;
    i = in_braces ? end : end - 1;
  }
  return filled;
}

std::optional<ParameterFile> parameter_file(std::string_view text, Variable variable) {
  const bool is_binary = text.starts_with(kBinary);
  if (!is_binary && !text.starts_with(kText)) return std::nullopt;
  const std::string_view path = text.substr(is_binary ? kBinary.size() : kText.size());
  return ParameterFile{with_variables(with_home(path, variable), variable), is_binary};
}

}  // namespace

using text::Builder;
using text::Format;
using text::Kind;
using text::Style;
using text::Value;

namespace {

/// What an option says: an argument, or the file that it names.
struct Content {
  std::string text;
  std::uint32_t begin = 0;  ///< Offset in the request's text.
  bool is_file = false;
};

struct Option {
  const GivenOption* given;
  std::vector<Content> contents;
};

/// Reads options in turn. The text of the request and its segments grow with each file that an option names.
class RequestReader {
 public:
  RequestReader(const CommandLine& line, const RequestReading& reading)
      : line_(line), reading_(reading), source_(line.source) {
    request_.operation = line.operation;
  }

  ReadRequest read() {
    for (const auto& given : line_.options) resolve(given);
    if (errors_.empty()) {
      index_segments();
      build();
    }
    if (!errors_.empty()) return {std::nullopt, std::move(errors_)};
    return {std::move(request_), {}};
  }

 private:
  void fail(const GivenOption& given, std::string message, std::string help = {}) {
    errors_.push_back({std::move(message), given.name, 0, 0, std::move(help)});
  }

  void fail_at(std::uint32_t at, std::string message, std::string help) {
    Error error = request_.place_of(at);
    error.message = std::move(message);
    error.help = std::move(help);
    errors_.push_back(std::move(error));
  }

  /// Takes up the values of an option, with the contents of files in place of their names.
  void resolve(const GivenOption& given) {
    Option option{&given, {}};
    for (std::size_t i = 0; i < given.values.size(); ++i) {
      const Piece& piece = given.values[i];
      const auto file = given.values.size() == 1 ? parameter_file(piece.text, reading_.variable) : std::nullopt;
      if (file) {
        if (auto content = read_file(given, *file)) option.contents.push_back(std::move(*content));
        continue;
      }
      const std::string number = given.values.size() == 1 ? "" : "#" + std::to_string(i + 1);
      const auto end = piece.begin + static_cast<std::uint32_t>(piece.text.size());
      request_.segments.push_back({given.name + number, {piece.begin, end}, false});
      option.contents.push_back({piece.text, piece.begin, false});
    }
    options_.push_back(std::move(option));
  }

  std::optional<Content> read_file(const GivenOption& given, const ParameterFile& file) {
    if (file.is_binary && given.member != nullptr) {
      fail(given, "fileb:// is not supported: no parameter of this call is binary",
           fmt::format("file://{}", file.path));
      return std::nullopt;
    }
    if (file.path.empty()) {
      fail(given, "file:// names no file", "write file://PATH");
      return std::nullopt;
    }
    auto bytes = reading_.files.read(file.path, reading_.limits.definition_bytes);
    if (!bytes) {
      errors_.push_back(std::move(bytes.error()));
      return std::nullopt;
    }
    std::string text = text::decode(std::move(*bytes)).text;
    source_ += '\n';
    const auto begin = static_cast<std::uint32_t>(source_.size());
    source_ += text;
    request_.segments.push_back({file.path, {begin, static_cast<std::uint32_t>(source_.size())}, true});
    return Content{std::move(text), begin, true};
  }

  /// The text is whole now; the document will share it.
  void index_segments() {
    text_ = std::make_shared<const std::string>(std::move(source_));
    auto& segments = request_.segments;
    std::sort(segments.begin(), segments.end(),
              [](const Segment& a, const Segment& b) { return a.span.begin < b.span.begin; });
    for (auto& segment : segments)
      segment.lines = text::LineIndex(std::string_view(*text_).substr(segment.span.begin, segment.span.length()));
  }

  void build() {
    const Option* base = nullptr;
    for (const auto& option : options_) {
      if (option.given->member == nullptr) base = &option;
    }
    const bool is_yaml = base != nullptr && base->given->use == OptionUse::kInputYaml;
    const Value root = base == nullptr ? Value() : base_root(*base, is_yaml);
    if (!errors_.empty()) return;
    Builder builder(text_, is_yaml ? Format::kYaml : Format::kJson);
    builder_ = &builder;
    const std::uint32_t shift = base == nullptr ? 0 : base->contents.front().begin;
    const Span opening = root ? root.opening() : Span{};
    builder.open(Kind::kObject, {opening.begin + shift, opening.end + shift});
    for (const auto& option : options_) {
      if (option.given->member != nullptr) emit_option(option);
    }
    if (root) {
      for (const Value member : effective_children(root)) emit_member(member, shift);
    }
    builder.close(root ? root.span().end + shift : static_cast<std::uint32_t>(line_.source.size()));
    for (auto& [document, moved_by] : documents_) copy_faults(*document, moved_by);
    if (errors_.empty()) request_.document = std::move(builder).finish();
  }

  /// What --cli-input-json or --cli-input-yaml holds.
  Value base_root(const Option& base, bool is_yaml) {
    const Content& content = base.contents.front();
    const auto& document = read_text(content, is_yaml ? Format::kYaml : Format::kJson);
    const Value root = document.root();
    if (!root && !document.faults().empty()) {
      const auto& fault = document.faults().front();
      fail_at(content.begin + fault.span.begin, fault.message, help_for(content, fault.help));
    } else if (!root || !root.is_object()) {
      fail_at(content.begin, fmt::format("{} must be an object with the parameters of the request", base.given->name),
              "");
    }
    return root;
  }

  /// The name of a file where its content belongs is what people write first.
  std::string help_for(const Content& content, std::string help) const {
    const bool names_file = !content.is_file && !content.text.empty() && reading_.files.exists(content.text);
    return names_file ? fmt::format("to pass its content, write file://{}", content.text) : std::move(help);
  }

  const text::Document& read_text(const Content& content, Format format) {
    auto document = text::read_document(content.text, {.format = format, .limits = reading_.limits});
    return *documents_.emplace_back(std::move(document), content.begin).first;
  }

  void copy_faults(const text::Document& document, std::uint32_t shift) {
    for (text::Fault fault : document.faults()) {
      fault.span = {fault.span.begin + shift, fault.span.end + shift};
      for (auto& related : fault.related) related.span = {related.span.begin + shift, related.span.end + shift};
      fault.fix.reset();
      builder_->fault(std::move(fault));
    }
  }

  /// A member of --cli-input-..., unless an option says it too.
  void emit_member(Value member, std::uint32_t shift) {
    for (const auto& option : options_) {
      if (option.given->member != nullptr && option.given->member->name == member.key()) return;
    }
    const Span key = member.key_span();
    builder_->key(builder_->keep(std::string(member.key())), {key.begin + shift, key.end + shift});
    emit_copy(*builder_, member, shift);
  }

  void emit_option(const Option& option) {
    const GivenOption& given = *option.given;
    const std::string& written = given.option.text;
    const auto end = given.option.begin + static_cast<std::uint32_t>(std::min(written.find('='), written.size()));
    const Span name{given.option.begin, end};
    builder_->key(given.member->name, name);
    const shape::Rule& rule = *given.member->rule;
    if (rule.types.has(Kind::kBoolean)) {
      const bool is_set = given.use == OptionUse::kMember;
      builder_->scalar(Kind::kBoolean, Style::kPlain, is_set ? "true" : "false", name);
    } else if (rule.types.has(Kind::kArray)) {
      emit_list(option, rule, name);
    } else {
      emit_value(given, option.contents.front(), rule);
    }
  }

  static Span span_of(const Content& content) {
    return {content.begin, content.begin + static_cast<std::uint32_t>(content.text.size())};
  }

  void emit_list(const Option& option, const shape::Rule& rule, Span name) {
    const auto& contents = option.contents;
    const bool is_json = contents.size() == 1 && trim(contents.front().text).starts_with('[');
    if (is_json) return emit_json(contents.front());
    if (contents.size() == 1 && contents.front().is_file) {
      builder_->scalar(Kind::kNull, Style::kPlain, "null", span_of(contents.front()));
      return fail(*option.given, fmt::format("the file {} does not contain a JSON list",
                                             request_.segment_at(contents.front().begin)->name));
    }
    const std::uint32_t begin = contents.empty() ? name.begin : contents.front().begin;
    builder_->open(Kind::kArray, {begin, begin});
    for (const auto& content : contents) emit_value(*option.given, content, *rule.elements);
    builder_->close(contents.empty() ? name.end : span_of(contents.back()).end);
  }

  void emit_value(const GivenOption& given, const Content& content, const shape::Rule& rule) {
    const Refuse refuse = [this](std::uint32_t at, std::string message, std::string help) {
      fail_at(at, std::move(message), std::move(help));
    };
    const bool is_object = rule.types.has(Kind::kObject) || !rule.any_of.empty() || !rule.members.empty();
    if (rule.types.has(Kind::kInteger)) {
      emit_integer(*builder_, content.text, span_of(content), refuse);
    } else if (!is_object) {
      builder_->scalar(Kind::kString, Style::kPlain, builder_->keep(content.text), span_of(content));
    } else if (trim(content.text).starts_with('{') || trim(content.text).starts_with('[')) {
      emit_json(content);
    } else {
      emit_shorthand_of(given, content, rule, refuse);
    }
  }

  void emit_json(const Content& content) {
    const auto& document = read_text(content, Format::kJson);
    if (document.root()) return emit_copy(*builder_, document.root(), content.begin);
    builder_->scalar(Kind::kNull, Style::kPlain, "null", span_of(content));
  }

  void emit_shorthand_of(const GivenOption& given, const Content& content, const shape::Rule& rule,
                         const Refuse& refuse) {
    auto parsed = parse_shorthand(content.text);
    if (parsed.fault) {
      builder_->scalar(Kind::kNull, Style::kPlain, "null", span_of(content));
      const auto& fault = *parsed.fault;
      return refuse(
          content.begin + fault.at, fault.message,
          help_for(content, fault.help.empty() ? fmt::format("JSON will do too: {} '{{\"...\": ...}}'", given.name)
                                               : fault.help));
    }
    fill_files(*parsed.value, content.begin);
    emit_shorthand(*builder_, *parsed.value, &rule, content.begin, refuse);
  }

  /// key@=file://PATH: the text is what the file holds.
  void fill_files(ShorthandValue& value, std::uint32_t shift) {
    for (auto& child : value.children) fill_files(child, shift);
    const auto file = value.may_name_file ? parameter_file(value.text, reading_.variable) : std::nullopt;
    if (!file) return;
    auto bytes = reading_.files.read(file->path, reading_.limits.definition_bytes);
    if (!bytes) return fail_at(value.span.begin + shift, bytes.error().message, bytes.error().help);
    value.text = text::decode(std::move(*bytes)).text;
  }

  const CommandLine& line_;
  const RequestReading& reading_;
  std::string source_;  ///< Grows by the files that are read; then it is `text_`.
  std::shared_ptr<const std::string> text_;
  Request request_;
  std::vector<Option> options_;
  std::vector<std::pair<std::unique_ptr<const text::Document>, std::uint32_t>> documents_;
  Builder* builder_ = nullptr;
  std::vector<Error> errors_;
};

}  // namespace

const Segment* Request::segment_at(std::uint32_t offset) const {
  for (const auto& segment : segments) {
    if (offset >= segment.span.begin && offset <= segment.span.end) return &segment;
  }
  return nullptr;
}

Error Request::place_of(std::uint32_t offset) const {
  const Segment* segment = segment_at(offset);
  if (segment == nullptr) return {"", "command line", 0, 0, ""};
  const auto place = segment->lines.location(offset - segment->span.begin);
  return {"", segment->name, place.line, place.column, ""};
}

ReadRequest read_request(const CommandLine& line, const RequestReading& reading) {
  return RequestReader(line, reading).read();
}

}  // namespace bayplan::awscli
