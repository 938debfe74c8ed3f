# bayplan_embed(target NAME file): the file's bytes as `std::string_view embedded::NAME()`, declared in embedded/NAME.hpp.
# .incbin takes any bytes and no compile time. `NAME_sha256()` gives their digest.
function(bayplan_embed target name file)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  file(SHA256 ${path} digest)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(CONFIGURE OUTPUT ${folder}/embedded/${name}.hpp CONTENT
"#pragma once
#include <string_view>

extern \"C\" const char bayplan_embedded_${name}_begin[];
extern \"C\" const char bayplan_embedded_${name}_end[];

namespace bayplan::embedded {
/// The bytes of ${file}.
inline std::string_view ${name}() {
  return {bayplan_embedded_${name}_begin,
          static_cast<std::size_t>(bayplan_embedded_${name}_end - bayplan_embedded_${name}_begin)};
}
/// Of these bytes, in hexadecimal digits.
inline std::string_view ${name}_sha256() { return \"${digest}\"; }
}  // namespace bayplan::embedded
" @ONLY)
  # What ELF, Mach-O and COFF call a section of constants, and what C puts before a name.
  set(section ".rodata")
  set(symbol bayplan_embedded_${name})
  set(epilogue ".section .note.GNU-stack,\"\",%progbits")
  if(APPLE)
    set(section "__TEXT,__const")
    set(symbol _${symbol})
    set(epilogue "")
  elseif(WIN32)
    set(section ".rdata,\"dr\"")
    set(epilogue "")
  endif()
  file(CONFIGURE OUTPUT ${folder}/${name}.S CONTENT
"  .section ${section}
  .global ${symbol}_begin
  .global ${symbol}_end
  .balign 16
${symbol}_begin:
  .incbin \"${path}\"
${symbol}_end:
  .byte 0
  ${epilogue}
" @ONLY)
  if(EMSCRIPTEN)  # whose assembler uses different words for sections and sizes
    file(CONFIGURE OUTPUT ${folder}/${name}.S CONTENT
"  .section .rodata.bayplan_embedded_${name},\"\",@
  .globl bayplan_embedded_${name}_begin
  .p2align 4
bayplan_embedded_${name}_begin:
  .incbin \"${path}\"
bayplan_embedded_${name}_end:
  .int8 0
  .size bayplan_embedded_${name}_begin, bayplan_embedded_${name}_end-bayplan_embedded_${name}_begin
  .globl bayplan_embedded_${name}_end
  .type bayplan_embedded_${name}_end,@object
  .type bayplan_embedded_${name}_begin,@object
  .size bayplan_embedded_${name}_end, 1
" @ONLY)
  endif()
  set_source_files_properties(${folder}/${name}.S PROPERTIES OBJECT_DEPENDS ${path})
  target_sources(${target} PRIVATE ${folder}/${name}.S)
  target_include_directories(${target} PUBLIC ${folder})
endfunction()
