#include "rules/image_names.hpp"

#include <algorithm>

namespace bayplan::rules {
namespace {

/// CONTAINER_IMAGE, PLACEHOLDER: a deployment fills it in. A real reference has a lower-case letter.
bool is_fill_in(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string_view::npos;
}

}  // namespace

bool knows_image(const model::StringField& image, Emitter& emit) {
  if (!emit.knows(image)) return false;
  const auto registry = image->find(".dkr.ecr");
  const bool is_filled_in_later =
      is_fill_in(image->substr(0, registry)) || is_fill_in(image->substr(0, image->find(':')));
  if (is_filled_in_later) emit.skip(image.node);
  return !is_filled_in_later;
}

}  // namespace bayplan::rules
