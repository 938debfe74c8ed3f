#pragma once
#include "lint/lint.hpp"

namespace bayplan::lint {

/// Notes the template language of the file, Jsonnet and JSON5 included. Of a template that cannot be read before it is
/// rendered only the text stays: no root and no faults, so that one rule alone speaks of it and nothing is rewritten.
void note_template(ReadFile& file, Search search);

/// The same for Terraform code: what Terraform rejects may be what another program fills in.
void note_code_template(ReadFile& file);

/// Whether the name is that of a template (.tpl, .tmpl, .tftpl, .j2, .template), which something renders.
bool is_template_name(std::string_view name);

}  // namespace bayplan::lint
