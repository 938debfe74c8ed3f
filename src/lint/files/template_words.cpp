#include "lint/files/template_words.hpp"

#include <algorithm>

#include "importers/cloudformation_keys.hpp"

namespace bayplan::lint {
namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_word(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// Goes through a text word by word.
class Respelling {
 public:
  Respelling(std::string_view text, const Schemas& schemas, std::string_view structure)
      : text_(text), schemas_(schemas), structure_(structure) {}

  std::string run() && {
    while (at_ < text_.size()) {
      if (is_word(text_[at_])) {
        word();
      } else {
        result_ += text_[at_++];
      }
    }
    return std::move(result_);
  }

 private:
  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const auto word = text_.substr(begin, at_ - begin);
    const bool is_key = is_whole(begin) && is_surely_key(begin, word) && is_member(word);
    result_ += is_key ? importers::in_cloudformation(word, structure_) : std::string(word);
    end_of_key_ = is_key ? at_ : 0;
  }

  bool is_member(std::string_view word) const {
    return std::any_of(schemas_.begin(), schemas_.end(),
                       [&](const auto* schema) { return schema->count_uses(word) > 0; });
  }

  char before(std::size_t begin) const { return begin == 0 ? ' ' : text_[begin - 1]; }
  char after() const { return at_ < text_.size() ? text_[at_] : ' '; }

  /// Not a part of something longer: awslogs-group, ${memory}, /ecs/name.
  bool is_whole(std::size_t begin) const {
    constexpr std::string_view kJoints = "-_/$@#:\\";
    const char previous = before(begin);
    if (kJoints.find(previous) != std::string_view::npos ||
        kJoints.substr(0, 3).find(after()) != std::string_view::npos)
      return false;
    const bool is_placeholder = begin > 1 && previous == '{' && text_[begin - 2] == '$';
    if (is_placeholder) return false;
    return previous != '.' || follows_key(begin);
  }

  /// "linuxParameters.capabilities", "containerDefinitions[].memory"
  bool follows_key(std::size_t begin) const {
    if (end_of_key_ == 0 || before(begin) != '.') return false;
    const auto between = text_.substr(end_of_key_, begin - end_of_key_);
    return between == "." || (between.starts_with('[') && between.ends_with("]."));
  }

  bool is_surely_key(std::size_t begin, std::string_view word) const {
    if (follows_key(begin) || is_subject(begin)) return true;
    if (before(begin) == '"' && after() == '"') return text_.substr(at_ + 1).starts_with(": ") || is_to_be_added(begin);
    return std::any_of(word.begin() + 1, word.end(), is_upper);
  }

  /// "command is null": a message begins with the key that it is about.
  bool is_subject(std::size_t begin) const {
    const auto rest = text_.substr(at_);
    return begin == 0 && (rest.starts_with(" is ") || rest.starts_with(" must ") || rest.starts_with(" has "));
  }

  /// add "memory" or "memoryReservation" here
  bool is_to_be_added(std::size_t begin) const {
    const auto so_far = text_.substr(0, begin - 1);
    return text_.starts_with("add ") &&
           (so_far.ends_with("add ") || so_far.ends_with(" or ") || so_far.ends_with(", "));
  }

  std::string_view text_;
  const Schemas& schemas_;
  std::string_view structure_;
  std::string result_;
  std::size_t at_ = 0;
  std::size_t end_of_key_ = 0;
};

}  // namespace

std::string in_template_words(std::string_view text, const Schemas& schemas, std::string_view structure) {
  return Respelling(text, schemas, structure).run();
}

void spell_as_template(Finding& finding, const Schemas& schemas) {
  const bool is_efs = finding.pointer.find("/efsVolumeConfiguration") != std::string::npos;
  const std::string_view structure = is_efs ? "EFS volume" : "";
  finding.message = in_template_words(finding.message, schemas, structure);
  finding.help = in_template_words(finding.help, schemas, structure);
  for (auto& related : finding.related) related.message = in_template_words(related.message, schemas, structure);
}

}  // namespace bayplan::lint
