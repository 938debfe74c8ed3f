#include "rules/aws_ids.hpp"

#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

constexpr std::size_t kFewestIdDigits = 8;
constexpr std::size_t kMostIdDigits = 40;

/// A placeholder for an ID: all capitals, a run of x, or the word "your".
bool is_id_to_fill_in(std::string_view text, std::string_view prefix) {
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  const bool is_crossed_out = !text.empty() && text.find_first_not_of("xX") == std::string_view::npos;
  const bool is_word = text.find_first_of("GHIJKLMNOPQRSTUVWXYZ_") != std::string_view::npos &&
                       text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string_view::npos;
  return is_crossed_out || is_word || text.starts_with("your-") || text.find("-your-") != std::string_view::npos;
}

}  // namespace

bool is_arn(std::string_view text, std::string_view service) {
  const auto parts = split(text, ':');
  return parts.size() >= 6 && parts[0] == "arn" && parts[1].starts_with("aws") &&
         (service.empty() ? !parts[2].empty() : parts[2] == service);
}

bool is_id(std::string_view text, const AwsId& form) {
  if (is_arn(text, form.service)) return true;
  if (!text.starts_with(form.prefix)) return false;
  const auto digits = text.substr(form.prefix.size());
  return digits.size() >= kFewestIdDigits && digits.size() <= kMostIdDigits &&
         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool knows_id(const model::StringField& field, const AwsId& form, Emitter& emit) {
  if (!emit.knows(field)) return false;
  const bool is_filled_in_later = is_id_to_fill_in(*field, form.prefix);
  if (is_filled_in_later) emit.skip(field.node);
  return !is_filled_in_later;
}

}  // namespace bayplan::rules
