#pragma once
#include <functional>
#include <memory>
#include <mutex>

namespace bayplan {

/// A value made on first use, once, whichever thread asks first.
template <class T>
class Lazy {
 public:
  explicit Lazy(std::function<T()> make) : make_(std::move(make)) {}

  const T& get() const {
    std::call_once(once_, [this] { value_ = std::make_unique<const T>(make_()); });
    return *value_;
  }

 private:
  std::function<T()> make_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const T> value_;
};

}  // namespace bayplan
