#include "rules/image_names.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace bayplan::rules {
namespace {

/// CONTAINER_IMAGE, PLACEHOLDER: a deployment fills it in. A real reference has a lower-case letter.
bool is_image_to_fill_in(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_upper) &&
         text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string_view::npos;
}

}  // namespace

bool knows_image(const model::StringField& image, Emitter& emit) {
  if (!emit.knows(image)) return false;
  const auto registry = image->find(".dkr.ecr");
  const bool is_filled_in_later =
      is_image_to_fill_in(image->substr(0, registry)) || is_image_to_fill_in(image->substr(0, image->find(':')));
  if (is_filled_in_later) emit.skip(image.node);
  return !is_filled_in_later;
}

}  // namespace bayplan::rules
