#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/json_writer.hpp"
#include "base/ordered_parallel_for.hpp"
#include "base/threads.hpp"

namespace bayplan {

/// Writes `count` items of the list that is open in `json`: `write(json, index)` for each index. The items of a long
/// list are written by several threads at once and handed on in order, so the text is the same, and `write` must change
/// nothing but its writer.
template <class Write>
void write_items(JsonWriter& json, std::size_t count, const Write& write, unsigned threads = count_processors()) {
  constexpr std::size_t kBlock = 512;  // A hundred kilobytes of a report: it stays in the cache of its processor.
  if (threads < 2 || count <= kBlock) {
    for (std::size_t i = 0; i < count; ++i) write(json, i);
    return;
  }
  const auto first = json.item_writer();  // `json` itself takes finished blocks while others are begun
  const auto write_block = [&](std::size_t block) {
    auto items = first.item_writer();
    for (std::size_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) write(items, i);
    return std::move(items).take_items();
  };
  OrderedParallelFor<std::string>((count + kBlock - 1) / kBlock, write_block, [&](const std::string& text) {
    json.items(text);
  }).run(threads);
}

}  // namespace bayplan
