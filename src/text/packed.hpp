#pragma once
#include <optional>
#include <string_view>

#include "text/document.hpp"

namespace bayplan::text {

/// The fault of bytes that are no text but an archive, by the signature that they begin with: ZIP (PKWARE APPNOTE
/// 4.3.7), which is what Terraform saves a plan as, and gzip (RFC 1952, 2.3.1). Its kind is that of the
/// syntax of `format`, its span the beginning.
std::optional<Fault> packed_fault(std::string_view bytes, Format format);

}  // namespace bayplan::text
