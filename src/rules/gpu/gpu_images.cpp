#include "rules/gpu/gpu_images.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

bool holds_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// "python" and "library/python", from Docker Hub or its mirror in the public ECR gallery.
bool is_official(const ImageParts& image, std::initializer_list<std::string_view> names) {
  const std::string_view name = image.name();
  if (std::find(names.begin(), names.end(), name) == names.end()) return false;
  std::string_view before = std::string_view(image.repository).substr(0, image.repository.size() - name.size());
  for (const std::string_view registry : {"docker.io/", "public.ecr.aws/docker/", "public.ecr.aws/"}) {
    if (before.starts_with(registry)) before.remove_prefix(registry.size());
  }
  return before.empty() || before == "library/" || (name == "amazonlinux" && before == "amazonlinux/") ||
         (name == "nginx" && before == "nginx/");
}

std::string_view digits_at(std::string_view text, std::size_t at) {
  const auto end = std::min(text.find_first_not_of("0123456789", at), text.size());
  return text.substr(at, end - at);
}

/// "12.4" or "12" at `at`.
std::optional<CudaVersion> version_at(std::string_view tag, std::size_t at) {
  const auto major = to_integer(digits_at(tag, at));
  if (!major || *major > 99) return std::nullopt;
  CudaVersion version{*major, std::nullopt};
  const std::size_t point = at + digits_at(tag, at).size();
  if (point < tag.size() && tag[point] == '.') version.minor = to_integer(digits_at(tag, point + 1));
  return version;
}

/// "cu118": the last digit is the minor version.
std::optional<CudaVersion> compact_version_at(std::string_view tag, std::size_t at) {
  const std::string_view digits = digits_at(tag, at);
  if (digits.size() < 2 || digits.size() > 3) return std::nullopt;
  return CudaVersion{*to_integer(digits.substr(0, digits.size() - 1)), *to_integer(digits.substr(digits.size() - 1))};
}

}  // namespace

std::string_view ImageParts::name() const {
  const auto slash = repository.rfind('/');
  return std::string_view(repository).substr(slash == std::string::npos ? 0 : slash + 1);
}

ImageParts image_parts(std::string_view image) {
  const std::string text = lower(image.substr(0, image.find('@')));
  const auto slash = text.rfind('/');
  const auto colon = text.find(':', slash == std::string::npos ? 0 : slash);
  if (colon == std::string::npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

bool shows_gpu_stack(std::string_view image) {
  const std::string text = lower(image);
  return holds_any(text, {"cuda", "nvidia", "pytorch", "torch", "nvcr.io", "triton", "vllm", "rapids", "deepstream",
                          "jax", "trt", "gpu", "ollama"});
}

bool is_plain_base(std::string_view image) {
  return !shows_gpu_stack(image) && is_official(image_parts(image), {"nginx", "alpine", "busybox", "amazonlinux"});
}

bool is_general_base(std::string_view image) {
  return !shows_gpu_stack(image) &&
         is_official(image_parts(image), {"python", "ubuntu", "debian", "fedora", "rockylinux", "almalinux"});
}

bool is_training_image(std::string_view image) {
  const std::string text = lower(image);
  return holds_any(text, {"pytorch", "tensorflow", "vllm"}) && !holds_any(text, {"serving", "inference", "server"});
}

bool is_gpu_monitor(std::string_view image) {
  return holds_any(lower(image), {"dcgm", "exporter", "nvtop", "gpustat"});
}

std::string CudaVersion::text() const {
  return minor ? std::to_string(major) + "." + std::to_string(*minor) : std::to_string(major);
}

std::optional<CudaVersion> parse_cuda_version(std::string_view image) {
  const auto parts = image_parts(image);
  const std::string_view tag = parts.tag;
  if (parts.name() == "cuda") return version_at(tag, 0);
  for (auto at = tag.find("cu"); at != std::string_view::npos; at = tag.find("cu", at + 1)) {
    if (at > 0 && is_lower(tag[at - 1])) continue;
    const bool is_word = tag.substr(at).starts_with("cuda");
    const std::size_t begin = at + (is_word ? 4 : 2);
    const auto version = is_word ? version_at(tag, begin) : compact_version_at(tag, begin);
    if (version) return version;
  }
  return std::nullopt;
}

}  // namespace bayplan::rules
