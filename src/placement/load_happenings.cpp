// events -> Timetable::happenings.
#include "placement/load_timetable.hpp"

namespace bayplan::placement {

void add_happenings(Loading&, const model::Scenario&) {}

}  // namespace bayplan::placement
