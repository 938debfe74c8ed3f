#include "study/diff/diff_fields.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "model/placeholder.hpp"
#include "rules/security/plaintext_secrets.hpp"
#include "study/diff/diff_canonical.hpp"
#include "text/document.hpp"

namespace bayplan::study {

namespace {

inline constexpr std::string_view kHidden = "(hidden)";

/// A value as reports may show it: scalars as written, the rest as JSON on one line, and what looks like a secret as
/// `kHidden`.
struct Shown {
  std::string text;
  bool is_hidden = false;  ///< Some of it is.
};

using text::Kind;
using text::Value;

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

bool asks_for_secret(std::string_view word) {
  return word.starts_with("-") && word.find('=') == std::string_view::npos && names_secret(without_dashes(word));
}

/// A command line, or one argument of it.
bool holds_secret(std::string_view text) {
  if (!rules::secret_shown_by(text).empty()) return true;
  bool follows = false;
  for (const auto word : split(text, ' ')) {
    const auto equals = word.find('=');  // --password=x, PGPASSWORD=x
    const bool sets_secret = equals != std::string_view::npos && equals + 1 < word.size() &&
                             names_secret(without_dashes(word.substr(0, equals)));
    if (sets_secret || (follows && !word.empty())) return true;
    follows = asks_for_secret(word);
  }
  return false;
}

bool is_secret(std::string_view name, std::string_view text) {
  if (text.empty() || name == "valueFrom") return false;
  // An ARN or a placeholder names the place where a secret is kept.
  if (names_secret(name)) return !text.starts_with("arn:") && model::Placeholders().find(text) != text;
  return holds_secret(text);
}

void add_value(Shown& shown, Value value, std::string_view name);

std::string_view hide(Shown& shown) {
  shown.is_hidden = true;
  return kHidden;
}

void add_object(Shown& shown, Value object) {
  const Value name = object.find("name");
  shown.text += '{';
  for (const Value member : object.children()) {
    if (shown.text.back() != '{') shown.text += ", ";
    shown.text += json_quoted(member.key()) + ": ";
    add_value(shown, member, member.key() == "value" && name ? name.text() : member.key());
  }
  shown.text += '}';
}

void add_list(Shown& shown, Value list, std::string_view name) {
  shown.text += '[';
  bool follows = false;
  for (const Value element : list.children()) {
    if (shown.text.back() != '[') shown.text += ", ";
    if (follows) {
      shown.text += json_quoted(hide(shown));
    } else {
      add_value(shown, element, name);
    }
    follows = element.is_string() && asks_for_secret(element.text());
  }
  shown.text += ']';
}

void add_value(Shown& shown, Value value, std::string_view name) {
  if (value.is_object()) return add_object(shown, value);
  if (value.is_array()) return add_list(shown, value, name);
  const std::string_view text = is_secret(name, value.text()) ? hide(shown) : value.text();
  const bool is_quoted = value.kind() == Kind::kString || value.kind() == Kind::kPlaceholder;
  shown.text += is_quoted || text == kHidden ? json_quoted(text) : std::string(text);
}

/// `name` is what the value is known by: its key, or the name of the variable that it is the value of.
Shown shown(Value value, std::string_view name) {
  Shown shown;
  if (value.is_object() || value.is_array()) {
    add_value(shown, value, name);
  } else {
    shown.text = is_secret(name, value.text()) ? hide(shown) : value.text();
  }
  return shown;
}

}  // namespace

using text::Value;

namespace {

constexpr std::string_view kContainers = "containerDefinitions";

std::string joined(const std::string& path, std::string_view member) {
  return path.empty() ? std::string(member) : path + "." + std::string(member);
}

/// Elements of both lists that have one name.
struct Namesakes {
  std::vector<Value> before;
  std::vector<Value> after;
};

/// Walks both definitions together. Its state is the list of changes, to which every level of the walk adds.
class Comparison {
 public:
  Comparison(const ComparedDefinition& before, const ComparedDefinition& after, const model::Placeholders& placeholders)
      : before_(before), after_(after), placeholders_(placeholders) {}

  std::vector<FieldChange> run() {
    const bool has_bare_list = before_.root.is_array() || after_.root.is_array();
    if (has_bare_list) {
      compare_member(std::string(kContainers), {}, containers_of(before_.root), containers_of(after_.root));
    } else {
      compare_objects({}, {}, before_.root, after_.root);
      if (before_.has_tags && after_.has_tags) compare_member("tags", {}, before_.tags, after_.tags);
    }
    return std::move(changes_);
  }

 private:
  static Value containers_of(Value root) { return root.is_array() ? root : root.find(kContainers); }

  void compare_objects(const std::string& path, std::string_view owner, Value before, Value after) {
    for (const Value member : members_of(after)) {
      if (!is_compared_apart(owner, member))
        compare_member(joined(path, member.key()), owner, before.find(member.key()), member);
    }
    for (const Value member : members_of(before)) {
      if (!after.find(member.key()) && !is_compared_apart(owner, member))
        compare_member(joined(path, member.key()), owner, member, {});
    }
  }

  static bool is_compared_apart(std::string_view owner, Value member) {
    return owner.empty() && (member.key() == "tags" || is_read_only(member.key()));
  }

  /// `owner` is that of the object that holds both.
  void compare_member(const std::string& path, std::string_view owner, Value before, Value after) {
    const bool had = !says_nothing(before, owner, before_.facts);
    const bool has = !says_nothing(after, owner, after_.facts);
    if (!had && !has) return;
    const Value one = has ? after : before;
    // A bare list of container definitions has no key.
    const std::string_view member = one.key().empty() ? kContainers : one.key();
    const auto* meaning = meaning_of_list(member);
    const bool may_pair = (!had || before.is_array()) && (!has || after.is_array());
    if (meaning != nullptr && may_pair)
      return compare_lists(path, *meaning, had ? before : Value(), has ? after : Value());
    if (had && has) {
      if (canonical(before, owner, before_.facts) == canonical(after, owner, after_.facts)) return;
      if (before.is_object() && after.is_object()) return compare_objects(path, member, before, after);
    }
    // A default that is written shows what the other side turns away from.
    add(path, had || is_scalar(before) ? before : Value(), has || is_scalar(after) ? after : Value(), member);
  }

  static bool is_scalar(Value value) {
    return value && !value.is_null() && !value.is_object() && !value.is_array() && !value.text().empty();
  }

  void compare_lists(const std::string& path, const ListMeaning& meaning, Value before, Value after) {
    std::vector<std::string> names;
    std::map<std::string, Namesakes> elements;
    const auto collect = [&](Value list, auto side) {
      if (!list) return;
      for (const Value element : list.children()) {
        auto name = name_of_element(meaning, element);
        const auto [place, is_new] = elements.try_emplace(name);
        (place->second.*side).push_back(element);
        if (is_new) names.push_back(std::move(name));
      }
    };
    collect(after, &Namesakes::after);
    collect(before, &Namesakes::before);
    for (const auto& name : names) compare_namesakes(path, meaning, name, std::move(elements[name]));
  }

  void compare_namesakes(const std::string& path, const ListMeaning& meaning, const std::string& name,
                         Namesakes elements) {
    auto& [before, after] = elements;
    const bool is_alone = before.size() <= 1 && after.size() <= 1;
    if (!is_alone && !meaning.has_one_of_a_name()) drop_equal(meaning, elements);
    const std::size_t count = std::max(before.size(), after.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Value old_one = i < before.size() ? before[i] : Value();
      const Value new_one = i < after.size() ? after[i] : Value();
      std::string label = name.empty() ? std::to_string((new_one ? new_one : old_one).position_in_parent()) : name;
      if (!is_alone && i > 0) label += "#" + std::to_string(i + 1);
      compare_elements(fmt::format("{}[{}]", path, label), meaning, old_one, new_one);
    }
  }

  void drop_equal(const ListMeaning& meaning, Namesakes& elements) const {
    std::erase_if(elements.before, [&](Value one) {
      const auto text = canonical(one, meaning.member, before_.facts);
      const auto same = std::find_if(elements.after.begin(), elements.after.end(), [&](Value other) {
        return canonical(other, meaning.member, after_.facts) == text;
      });
      if (same == elements.after.end()) return false;
      elements.after.erase(same);
      return true;
    });
  }

  void compare_elements(const std::string& path, const ListMeaning& meaning, Value before, Value after) {
    const bool are_both = before && after;
    if (are_both && canonical(before, meaning.member, before_.facts) == canonical(after, meaning.member, after_.facts))
      return;
    const bool is_said_at_once = (!before || is_pair(meaning, before)) && (!after || is_pair(meaning, after));
    if (!is_said_at_once && are_both && before.is_object() && after.is_object())
      return compare_objects(path, meaning.member, before, after);
    const Value one = after ? after : before;
    const Value name = one.is_object() ? one.find("name") : Value();
    const std::string_view known_by = name && meaning.value != "valueFrom" ? name.text() : meaning.value;
    if (!is_said_at_once) return add(path, before, after, known_by);
    add(path, before ? before.find(meaning.value) : Value(), after ? after.find(meaning.value) : Value(), known_by,
        before, after);
  }

  /// An element that is a name and a value, no more.
  static bool is_pair(const ListMeaning& meaning, Value element) {
    if (meaning.value.empty() || !element.is_object()) return false;
    const auto members = members_of(element);
    return std::all_of(members.begin(), members.end(), [&](Value member) {
      return member.key() == meaning.keys.front() || (member.key() == meaning.value && !member.is_object());
    });
  }

  /// `before_holder` and `after_holder` represent values that are not written though their element is.
  void add(std::string path, Value before, Value after, std::string_view name, Value before_holder = {},
           Value after_holder = {}) {
    FieldChange change{.path = std::move(path)};
    change.before = side(before, before_holder, name, change.is_hidden);
    change.after = side(after, after_holder, name, change.is_hidden);
    changes_.push_back(std::move(change));
  }

  std::optional<FieldSide> side(Value value, Value holder, std::string_view name, bool& is_hidden) const {
    if (!value && !holder) return std::nullopt;
    if (!value) return FieldSide{holder, {}, false};
    auto text = shown(value, name);
    is_hidden = is_hidden || text.is_hidden;
    return FieldSide{value, std::move(text.text), holds_placeholder(value)};
  }

  bool holds_placeholder(Value value) const {
    if (placeholders_.holds(value)) return true;
    const auto children = value.children();
    return std::any_of(children.begin(), children.end(), [&](Value child) { return holds_placeholder(child); });
  }

  const ComparedDefinition& before_;
  const ComparedDefinition& after_;
  const model::Placeholders& placeholders_;
  std::vector<FieldChange> changes_;
};

}  // namespace

std::vector<FieldChange> compare_definitions(const ComparedDefinition& before, const ComparedDefinition& after,
                                             const model::Placeholders& placeholders) {
  return Comparison(before, after, placeholders).run();
}

}  // namespace bayplan::study
