// Secrets in the definition itself, where everyone reads them who may describe it. No message, help or mark
// here may show the value.
#include <algorithm>
#include <string>

#include "base/name_words.hpp"
#include "base/strings.hpp"
#include "rules/security/plaintext_secrets.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::StringField;

constexpr std::string_view kHelp =
    "store it in Secrets Manager or Parameter Store and put its ARN into secrets as valueFrom";

std::string_view without_quotes(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '"' || text.back() == '\'' || text.back() == ';')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> words_between_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = text.find_first_not_of(" \t\n"); begin != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(" \t\n", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(" \t\n", end);
  }
  return words;
}

/// Goes over a command word by word, across its items, as a shell would.
class CommandReader {
 public:
  explicit CommandReader(Emitter& emit) : emit_(emit) {}

  void read(const StringField& item) {
    if (!item) {
      option_ = {};
      return;
    }
    const auto shown = secret_shown_by(*item);
    if (!shown.empty()) report(item, std::string("this contains ").append(shown));
    const bool is_told = !shown.empty();
    for (const auto word : words_between_blanks(*item)) {
      const auto name = secret_named_by(word);
      if (!name.empty() && !is_told) {
        report(item, "the value of " + std::string(name) + " is");
        return;
      }
    }
  }

 private:
  /// The name whose secret value ends in `word`: `--db-password=x`, `DB_PASSWORD=x`, or the `x` after `--db-password`.
  std::string_view secret_named_by(std::string_view word) {
    const auto asked_for = std::exchange(option_, {});
    if (!asked_for.empty() && !word.starts_with('-') && may_be_secret(asked_for, without_quotes(word)))
      return asked_for;
    word = without_quotes(word);
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    if (!names_a_secret(name)) return {};
    if (equals == std::string_view::npos) {
      if (word.starts_with("--")) option_ = word;
      return {};
    }
    return may_be_secret(name, without_quotes(word.substr(equals + 1))) ? name : std::string_view();
  }

  /// Marks the first character alone: a report keeps a hash of what is marked.
  void report(const StringField& item, const std::string& what) {
    const Span span = item.span();
    emit_.at(Span{span.begin, span.begin + 1}, item.node).says("{} in plain text", what).help("{}", kHelp);
  }

  Emitter& emit_;
  std::string_view option_;  ///< The last word, when the next one is its secret value.
};

/// Whether the name is that of an access key whose other half, which alone is secret, comes from `secrets`:
/// S3_ACCESS_KEY with S3_SECRET_KEY, or with S3_SECRET_ACCESS_KEY.
bool is_public_half(std::string_view name, const model::ContainerDefinition& container) {
  const auto words = words_in_name(name);
  if (words.size() < 2 || words.back() != "key" || words[words.size() - 2] != "access") return false;
  const auto prefix = words.size() - 2;
  return std::any_of(container.secrets.begin(), container.secrets.end(), [&](const auto& secret) {
    if (!secret.name) return false;
    const auto other = words_in_name(*secret.name);
    return other.size() > prefix &&
           std::equal(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(prefix), other.begin()) &&
           other[prefix] == "secret";
  });
}

void plaintext_secret(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& entry : container.environment) {
      if (!entry.name) continue;
      const bool is_named = names_a_secret(*entry.name);
      if (is_named ? !emit.knows(entry.value) : !entry.value.known()) continue;
      const auto shown = secret_shown_by(*entry.value);
      if (!shown.empty()) {
        emit.at(entry.name).says("{} contains {} in plain text", *entry.name, shown).help("{}", kHelp);
      } else if (is_named && may_be_secret(*entry.name, *entry.value) && !is_public_half(*entry.name, container)) {
        emit.at(entry.name).says("the value of {} is in plain text", *entry.name).help("{}", kHelp);
      }
    }
  }
}

void secret_in_command(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto* list : {&container.entry_point, &container.command}) {
      CommandReader reader(emit);
      for (const auto& item : *list) reader.read(item);
    }
  }
}

}  // namespace

std::span<const Rule> plaintext_secret_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY904", kTaskDefinition, plaintext_secret},
      {"BAY913", kTaskDefinition, secret_in_command},
  };
  return kRules;
}

}  // namespace bayplan::rules
