#include "support/in_sources.hpp"

std::string in_sources(std::string_view path) {
  return BAYPLAN_SOURCE_DIR "/" + std::string(path);
}
