#include "rules/container/image_names.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace bayplan::rules {
namespace {

/// CONTAINER_IMAGE, PLACEHOLDER: a deployment fills it in. A real reference has a lower-case letter.
bool is_image_to_fill_in(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_upper) &&
         text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string_view::npos;
}

/// aws_account_id, your-account: an account is a number.
bool is_account_to_fill_in(std::string_view account) {
  return !account.empty() && std::none_of(account.begin(), account.end(), is_digit);
}

/// public.ecr.aws/____/web: a line to write on.
constexpr std::string_view kBlankToFillIn = "___";

}  // namespace

bool knows_image(const model::StringField& image, Emitter& emit) {
  if (!emit.knows(image)) return false;
  const auto registry = image->find(".dkr.ecr");
  const bool has_registry = registry != std::string_view::npos;
  const bool is_filled_in_later = is_image_to_fill_in(image->substr(0, registry)) ||
                                  is_image_to_fill_in(image->substr(0, image->find(':'))) ||
                                  (has_registry && is_account_to_fill_in(image->substr(0, registry))) ||
                                  image->find(kBlankToFillIn) != std::string_view::npos;
  if (is_filled_in_later) emit.skip(image.node);
  return !is_filled_in_later;
}

}  // namespace bayplan::rules
