#include "study/diff_secrets.hpp"

#include <algorithm>
#include <array>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "model/placeholder.hpp"
#include "rules/plaintext_secrets.hpp"

namespace bayplan::study {

using text::Kind;
using text::Value;

namespace {

std::string_view without_dashes(std::string_view word) {
  const auto begin = word.find_first_not_of('-');
  return begin == std::string_view::npos ? std::string_view() : word.substr(begin);
}

/// PGPASSWORD too: to show a secret is worse than to hide what is none.
bool names_secret(std::string_view name) {
  constexpr std::array<std::string_view, 5> kEnds{"password", "passwd", "secret", "token", "apikey"};
  const std::string low = lower(name);
  return rules::names_a_secret(name) ||
         std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return low.ends_with(end); });
}

/// `--password=x`, `PGPASSWORD=x`.
bool sets_secret(std::string_view word) {
  const auto equals = word.find('=');
  return equals != std::string_view::npos && equals + 1 < word.size() &&
         names_secret(without_dashes(word.substr(0, equals)));
}

bool asks_for_secret(std::string_view word) {
  return word.starts_with("-") && word.find('=') == std::string_view::npos && names_secret(without_dashes(word));
}

/// A command line, or one argument of it.
bool holds_secret(std::string_view text) {
  if (!rules::secret_shown_by(text).empty()) return true;
  bool follows = false;
  for (const auto word : split(text, ' ')) {
    if (sets_secret(word) || (follows && !word.empty())) return true;
    follows = asks_for_secret(word);
  }
  return false;
}

/// What stands there is a secret, not the place where it is kept.
bool is_kept_elsewhere(std::string_view text) {
  return text.starts_with("arn:") || model::Placeholders().find(text) == text;
}

bool is_secret(std::string_view name, std::string_view text) {
  if (text.empty() || name == "valueFrom") return false;
  if (names_secret(name)) return !is_kept_elsewhere(text);
  return holds_secret(text);
}

bool is_quoted(Kind kind) {
  return kind == Kind::kString || kind == Kind::kPlaceholder;
}

class Writer {
 public:
  Shown write(Value value, std::string_view name) {
    if (value.is_object() || value.is_array()) {
      add(value, name);
    } else {
      out_.text = is_secret(name, value.text()) ? hide() : value.text();
    }
    return std::move(out_);
  }

 private:
  std::string_view hide() {
    out_.is_hidden = true;
    return kHidden;
  }

  void add(Value value, std::string_view name) {
    if (value.is_object()) return add_object(value);
    if (value.is_array()) return add_list(value, name);
    const std::string_view text = is_secret(name, value.text()) ? hide() : value.text();
    out_.text += is_quoted(value.kind()) || text == kHidden ? json_quoted(text) : std::string(text);
  }

  void add_object(Value object) {
    const Value name = object.find("name");
    out_.text += '{';
    for (const Value member : object.children()) {
      if (out_.text.back() != '{') out_.text += ", ";
      out_.text += json_quoted(member.key()) + ": ";
      add(member, member.key() == "value" && name ? name.text() : member.key());
    }
    out_.text += '}';
  }

  void add_list(Value list, std::string_view name) {
    out_.text += '[';
    bool follows = false;
    for (const Value element : list.children()) {
      if (out_.text.back() != '[') out_.text += ", ";
      if (follows) {
        out_.text += json_quoted(hide());
      } else {
        add(element, name);
      }
      follows = element.is_string() && asks_for_secret(element.text());
    }
    out_.text += ']';
  }

  Shown out_;
};

}  // namespace

Shown shown(Value value, std::string_view name) {
  return Writer().write(value, name);
}

}  // namespace bayplan::study
