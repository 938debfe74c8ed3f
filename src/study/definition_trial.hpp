#pragma once
#include "study/call_trial.hpp"

namespace bayplan::study {

/// RegisterTaskDefinition: nothing is placed.
class DefinitionTrial : public CallTrial {
 public:
  using CallTrial::CallTrial;

 private:
  void try_call() override;
  void find_compatibilities();
  void find_revision();
  void note_options_without_effect();
};

}  // namespace bayplan::study
