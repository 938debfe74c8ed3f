#include "cli/options/variable_options.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "cli/application.hpp"
#include "importers/hcl_variables.hpp"
#include "text/location.hpp"

namespace bayplan::cli {
namespace {

constexpr std::size_t kLargestEnvFile = 1u << 20;

/// Values go into texts of UTF-8.
bool is_text(std::string_view value) {
  return !first_invalid_utf8(value) && value.find('\0') == std::string_view::npos;
}

char unescaped(char c) {
  return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/// `#` after a blank begins a comment.
std::size_t comment_begin(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) return i;
  }
  return text.size();
}

Result<std::string> quoted_value(std::string_view text, char quote) {
  std::string value;
  std::size_t i = 1;
  for (; i < text.size() && text[i] != quote; ++i) {
    const bool is_escape = quote == '"' && text[i] == '\\' && i + 1 < text.size();
    value += is_escape ? unescaped(text[++i]) : text[i];
  }
  if (i == text.size()) return Error{"missing closing quote"};
  const auto rest = trim(text.substr(i + 1));
  if (!rest.empty() && rest.front() != '#') return Error{"'" + printable(rest) + "' follows the closing quote"};
  return value;
}

Result<std::string> env_value(std::string_view text) {
  if (text.empty()) return std::string();
  if (text.front() != '"' && text.front() != '\'') return std::string(trim(text.substr(0, comment_begin(text))));
  return quoted_value(text, text.front());
}

Result<bool> read_line(std::string_view line, model::Variables& variables) {
  line = trim(line);
  if (line.empty() || line.front() == '#') return true;
  if (line.starts_with("export ")) line = trim(line.substr(7));
  const auto equals = line.find('=');
  const auto name = trim(line.substr(0, equals));
  if (equals == std::string_view::npos) return Error{.message = "missing '='", .help = "Write NAME=VALUE."};
  if (!model::is_variable_name(name)) return Error{"'" + printable(name) + "' is not a variable name"};
  auto value = env_value(trim(line.substr(equals + 1)));
  if (!value) return value.error();
  variables.insert_or_assign(std::string(name), std::move(*value));
  return true;
}

/// "NAME=VALUE" of --var.
Result<model::Variables> parse_variables(const std::vector<std::string>& texts) {
  model::Variables variables;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || !model::is_variable_name(name)) {
      return Error{.message = "--var must be NAME=VALUE, not '" + printable(text) + "'",
                   .help = "For example: --var IMAGE=web:1"};
    }
    std::string value = text.substr(equals + 1);
    if (!is_text(value)) return Error{.message = "--var " + name + ": the value is not UTF-8 text"};
    variables.insert_or_assign(name, std::move(value));
  }
  return variables;
}

}  // namespace

void TerraformVariables::describe(OptionSet& options) {
  options.repeated("--var", texts_, "NAME=VALUE", "Value of a Terraform variable, like 'terraform -var'");
  options.repeated("--var-file", files_, "FILE",
                   "File of values of Terraform variables, like 'terraform -var-file'; --var wins");
}

Result<model::Variables> TerraformVariables::parse() const {
  return parse_variables(texts_);
}

Result<importers::GivenVariables> TerraformVariables::read(const Files& files, const Limits& limits) const {
  auto texts = parse_variables(texts_);
  if (!texts) return texts.error();
  importers::GivenVariables given{.texts = std::move(*texts)};
  for (const auto& path : files_) {
    auto file = importers::read_variable_file(files, path, limits);
    if (!file) return file.error();
    given.files.push_back(std::move(*file));
  }
  return given;
}

Result<model::Variables> parse_env_file(std::string_view text, const std::string& file) {
  if (!is_text(text)) {
    const auto at = std::min(first_invalid_utf8(text).value_or(text.size()), text.find('\0'));
    const auto place = text::LineIndex(text).location(static_cast<std::uint32_t>(at));
    return Error{"not UTF-8 text", file, place.line, place.column, "--env-file takes lines of NAME=VALUE."};
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  model::Variables variables;
  std::uint32_t number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    auto read = read_line(line, variables);
    if (read) continue;
    Error error = read.error();
    error.file = file;
    error.line = number;
    error.column = 1;
    return error;
  }
  return variables;
}

void VariableOptions::describe(OptionSet& options) {
  options.repeated("--var", texts_, "X=VALUE",
                   "Value of the placeholder ${X}, {{ X }}, <X> ... in templated files, or of var.X in Terraform code");
  options.repeated("--env-file", env_files_, "FILE", "File of such values, one NAME=VALUE per line; --var wins");
  options.repeated("--var-file", variable_files_, "FILE",
                   "File of values of Terraform variables, like 'terraform -var-file'; --var wins");
}

Result<model::Variables> VariableOptions::read(const Files& files) {
  model::Variables all;
  for (const auto& file : env_files_) {
    const auto text = files.read(file, kLargestEnvFile);
    if (!text) return text.error();
    auto variables = parse_env_file(*text, file);
    if (!variables) return variables.error();
    auto& names = names_in_files_.emplace_back();
    for (auto& [name, value] : *variables) {
      names.insert(name);
      all.insert_or_assign(name, std::move(value));
    }
  }
  const auto given = parse_variables(texts_);
  if (!given) return given.error();
  for (const auto& [name, value] : *given) all.insert_or_assign(name, value);
  return all;
}

std::vector<std::string> VariableOptions::file_flags() const {
  std::vector<std::string> flags;
  for (const auto& file : env_files_) flags.push_back("--env-file " + file);
  for (const auto& file : variable_files_) flags.push_back("--var-file " + file);
  return flags;
}

Result<std::vector<std::shared_ptr<const importers::HclSource>>> VariableOptions::read_variable_files(
    const Files& files, const Limits& limits) {
  for (const auto& path : variable_files_) {
    auto file = importers::read_variable_file(files, path, limits);
    if (!file) return file.error();
    read_files_.push_back(std::move(*file));
  }
  return read_files_;
}

void VariableOptions::take(const lint::FileReport& report) {
  used_.insert(report.used_variables.begin(), report.used_variables.end());
  for (const auto& error : report.refused_variables)
    refused_.emplace(error.file + ":" + std::to_string(error.line) + error.message, error);
}

int VariableOptions::finish(bool reports_unused, Streams& io) const {
  for (const auto& [place, error] : refused_) fail(io, error);
  const int code = refused_.empty() ? kClean : kUnusable;
  if (!reports_unused) return code;
  std::set<std::string, std::less<>> reported;
  for (const auto& text : texts_) {
    const std::string name = text.substr(0, text.find('='));
    if (used_.contains(name) || !reported.insert(name).second) continue;
    fail(io, {.message = "--var " + name + ": not used by any placeholder or Terraform variable"});
  }
  for (std::size_t i = 0; i < env_files_.size(); ++i) {
    const auto& names = names_in_files_[i];
    const bool is_used =
        std::any_of(names.begin(), names.end(), [&](const auto& name) { return used_.contains(name); });
    if (!is_used)
      fail(io, {.message = "--env-file: no placeholder or Terraform variable uses any of its values",
                .file = env_files_[i]});
  }
  // Terraform warns of each value without a variable.
  for (const auto& source : read_files_) {
    for (const auto& attribute : source->file.body.attributes) {
      if (used_.contains(attribute.name)) continue;
      const auto place = text::LineIndex(*source->text).location(attribute.name_span.begin);
      fail(io, {"--var-file: no checked Terraform module declares variable \"" + printable(attribute.name) + "\"",
                source->name, place.line, place.column, ""});
    }
  }
  return code;
}

}  // namespace bayplan::cli
