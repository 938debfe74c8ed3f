#include "text/packed.hpp"

#include <string>

namespace bayplan::text {
namespace {

/// Of a ZIP archive: the name of its first file stands behind 30 bytes of header (APPNOTE 4.3.7).
bool is_terraform_plan(std::string_view bytes) {
  constexpr std::size_t kHeader = 30;
  return bytes.size() > kHeader && bytes.substr(kHeader).starts_with("tfplan");
}

}  // namespace

std::optional<Fault> packed_fault(std::string_view bytes, Format format) {
  const auto no_text = [&](std::string message, std::string help) {
    const FaultKind kind = format == Format::kYaml ? FaultKind::kYamlSyntax : FaultKind::kJsonSyntax;
    return Fault{kind, {0, 0}, std::move(message), std::move(help), {}, {}};
  };
  if (bytes.starts_with("\x1F\x8B\x08")) return no_text("this is packed by gzip", "unpack it with gzip -d");
  if (!bytes.starts_with("PK\x03\x04")) return std::nullopt;
  if (!is_terraform_plan(bytes)) return no_text("this is a ZIP archive", "unpack it");
  return no_text("this is a plan in Terraform's own form, which only Terraform reads",
                 "write it as JSON: terraform show -json PLAN > plan.json");
}

}  // namespace bayplan::text
