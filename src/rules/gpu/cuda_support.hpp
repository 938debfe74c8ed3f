#pragma once
#include <optional>
#include <string>
#include <vector>

#include "capacity/gpu_needs.hpp"
#include "rules/gpu/gpu_images.hpp"

namespace bayplan::rules {

/// Which CUDA toolkits build for a GPU.
struct CudaSupport {
  capacity::Tenths compute_capability = 0;
  std::string architecture;         ///< "Volta"
  CudaVersion first;                ///< First toolkit that knows it.
  std::optional<CudaVersion> last;  ///< Last one; without a minor version every release of that line.

  bool is_dropped_by(const CudaVersion& image) const;
  bool is_unknown_to(const CudaVersion& image) const;
};

/// Rows of data/cuda-support.json, oldest first. Reads the embedded data: ask only when an image names its CUDA.
std::vector<CudaSupport> load_cuda_support();

}  // namespace bayplan::rules
