#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bayplan::rules {

/// The parts of an image reference that show what is inside.
struct ImageParts {
  std::string repository;  ///< "nvidia/cuda", lower case, registry included when there is one.
  std::string tag;         ///< Empty without.

  std::string_view name() const;  ///< Last part of the repository: "cuda".
};

ImageParts image_parts(std::string_view image);

/// Whether some word of the image names a GPU stack: cuda, nvidia, pytorch, triton ...
bool shows_gpu_stack(std::string_view image);
/// An official image with nothing for GPUs in it: nginx, alpine, busybox, amazonlinux.
bool is_plain_base(std::string_view image);
/// An official image on which people install CUDA programs themselves: python, ubuntu, debian.
bool is_general_base(std::string_view image);
/// Frameworks that load data through /dev/shm: pytorch, tensorflow, vllm; not their servers.
bool is_training_image(std::string_view image);
/// Exporters of GPU metrics, which look at every GPU on purpose.
bool is_gpu_monitor(std::string_view image);

struct CudaVersion {
  std::int64_t major = 0;
  std::optional<std::int64_t> minor;

  std::string text() const;
};

/// The CUDA version that a tag names: `nvidia/cuda:12.4.1-base`, `2.4.0-cuda12.4-cudnn9`, `py310-cu118`.
std::optional<CudaVersion> parse_cuda_version(std::string_view image);

}  // namespace bayplan::rules
