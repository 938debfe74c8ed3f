// Image references: [host[:port]/]path[:tag][@digest] (distribution/reference grammar; ContainerDefinition.image).
#include <algorithm>
#include <optional>
#include <string>

#include "base/ascii.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "rules/container/image_names.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

constexpr std::size_t kMaxLength = 255;

bool is_lower_alphanumeric(char c) {
  return is_lower(c) || is_digit(c);
}

/// Letters, digits and - _ : . / # @ + : what the member takes (ContainerDefinition.image; + for tags of old
/// registries).
bool is_image_character(char c) {
  return is_lower_alphanumeric(c) || is_upper(c) || std::string_view("-_:./#@+").find(c) != std::string_view::npos;
}

struct Reference {
  std::string_view host;  ///< Empty = Docker Hub.
  std::string_view path;
  std::optional<std::string_view> tag;
  std::optional<std::string_view> digest;
};

Reference split_reference(std::string_view image) {
  Reference reference;
  if (const auto at = image.find('@'); at != std::string_view::npos) {
    reference.digest = image.substr(at + 1);
    image = image.substr(0, at);
  }
  const auto slash = image.find('/');
  if (slash != std::string_view::npos) {
    const auto first = image.substr(0, slash);
    if (first.find_first_of(".:") != std::string_view::npos || first == "localhost") {
      reference.host = first;
      image.remove_prefix(slash + 1);
    }
  }
  if (const auto colon = image.rfind(':'); colon != std::string_view::npos) {
    reference.tag = image.substr(colon + 1);
    image = image.substr(0, colon);
  }
  reference.path = image;
  return reference;
}

/// A path component: lower-case words joined by one of . _ __ or dashes.
bool is_path_component(std::string_view part) {
  if (part.empty() || !is_lower_alphanumeric(part.front()) || !is_lower_alphanumeric(part.back())) return false;
  return std::all_of(part.begin(), part.end(),
                     [](char c) { return is_lower_alphanumeric(c) || c == '.' || c == '_' || c == '-'; });
}

bool is_tag(std::string_view tag) {
  if (tag.empty() || tag.size() > 128 || tag.front() == '.' || tag.front() == '-') return false;
  return std::all_of(tag.begin(), tag.end(), [](char c) {
    return is_lower_alphanumeric(c) || is_upper(c) || c == '_' || c == '.' || c == '-';
  });
}

/// What is wrong with the characters of the text, which ECS itself looks at; nothing when all is well.
std::optional<std::string> refused_by_ecs(std::string_view image) {
  if (image.starts_with("arn:")) return "image is an ARN, not an image";
  if (trim(image).size() != image.size()) return "image has leading or trailing spaces";
  for (const char c : image) {
    if (c == ' ') return "image contains a space";
    if (!is_image_character(c)) return "image contains an invalid character";
  }
  if (image.substr(0, image.find('@')).size() > kMaxLength) return "image is longer than 255 characters";
  return std::nullopt;
}

/// What the container runtime will stumble over. Definitions with a scheme were registered and became ACTIVE.
std::optional<std::string> refused_by_runtime(std::string_view image, const Reference& reference) {
  if (image.find("://") != std::string_view::npos) return "image starts with a scheme such as https://";
  if (std::any_of(reference.path.begin(), reference.path.end(), is_upper)) {
    return "repository '" + std::string(reference.path) + "' contains uppercase letters";
  }
  for (const auto part : split(reference.path, '/')) {
    if (!is_path_component(part)) return "'" + std::string(reference.path) + "' is not a valid repository name";
  }
  if (reference.tag && reference.tag->empty()) return "tag after ':' is empty";
  if (reference.tag && !is_tag(*reference.tag)) return "'" + std::string(*reference.tag) + "' is not a valid tag";
  return std::nullopt;
}

bool is_sha256(std::string_view digest) {
  constexpr std::string_view kPrefix = "sha256:";
  if (!digest.starts_with(kPrefix) || digest.size() != kPrefix.size() + 64) return false;
  return digest.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string_view::npos;
}

/// What is wrong with a host that means to be a private ECR registry; nothing when all is well or it is another one.
std::optional<std::string> ecr_fault(const Reference& reference) {
  const auto at = reference.host.find(".dkr.ecr");
  if (at == std::string_view::npos) return std::nullopt;
  if (reference.host.find("localhost") != std::string_view::npos) return std::nullopt;  // of an emulator
  const auto account = reference.host.substr(0, at);
  if (account.size() != 12 || account.find_first_not_of("0123456789") != std::string_view::npos) {
    return "account '" + std::string(account) + "' in the ECR registry must be 12 digits";
  }
  const auto labels = split(reference.host.substr(at + 1), '.');  // dkr, ecr[-fips], region, amazonaws, com[, cn]
  if (labels.size() < 5 || labels[2] == "amazonaws") return "ECR registry has no region";
  return std::nullopt;
}

// amazon-ecs-render-task-definition writes the image into the file before it is registered.
void image_missing(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (container.image.unknown() || ctx.deployment.fills_in_image(container.name.value.value_or(""))) continue;
    if (!container.image.present()) {
      if (is_part_of_container(ctx.root, ctx.kind)) return;
      if (is_spelled_otherwise(container.node, "image")) continue;
      emit.missing(container.node, "image")
          .says("container image is missing")
          .help("add \"image\": \"repository:tag\"");
    } else if (container.image && container.image->empty()) {
      emit.at(container.image).says("image is empty").help("use \"repository:tag\"");
    }
  }
}

void image_reference(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!knows_image(container.image, emit) || container.image->empty()) continue;
    if (ctx.deployment.fills_in_image(container.name.value.value_or(""))) continue;
    if (const auto fault = refused_by_ecs(*container.image)) {
      emit.at(container.image).says("{}", *fault).help("use [registry/]repository[:tag][@sha256:...]");
      continue;
    }
    const auto reference = split_reference(*container.image);
    if (const auto fault = refused_by_runtime(*container.image, reference)) {
      emit.at(container.image)
          .severity(Severity::kWarning)
          .says("{}, so the image cannot be pulled", *fault)
          .help("use a lowercase repository and a tag that starts with a letter, a digit or _");
    }
  }
}

void image_digest(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!knows_image(container.image, emit)) continue;
    const auto reference = split_reference(*container.image);
    if (!reference.digest || is_sha256(*reference.digest)) continue;
    emit.at(container.image)
        .says("invalid image digest \"{}\"", *reference.digest)
        .help("use sha256: followed by 64 lowercase hexadecimal digits");
  }
}

void ecr_image_form(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!knows_image(container.image, emit)) continue;
    const auto image = *container.image;
    const bool is_registry_alone =
        image.find(".dkr.ecr.") != std::string_view::npos && image.find('/') == std::string_view::npos;
    const auto fault = is_registry_alone ? std::optional<std::string>("ECR image has no repository")
                                         : ecr_fault(split_reference(image));
    if (!fault) continue;
    emit.at(container.image).says("{}", *fault).help("use <account>.dkr.ecr.<region>.amazonaws.com/<repository>:<tag>");
  }
}

}  // namespace

std::span<const Rule> container_image_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY203", kTaskDefinition, image_missing},
      {"BAY204", kTaskDefinition, image_reference},
      {"BAY205", kTaskDefinition, image_digest},
      {"BAY206", kTaskDefinition, ecr_image_form},
  };
  return kRules;
}

}  // namespace bayplan::rules
