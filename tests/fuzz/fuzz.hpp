#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../support/document_check.hpp"

/// Ends the run, so that the fuzzer keeps the input.
inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what.c_str());
  std::abort();
}
