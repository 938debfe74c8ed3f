#pragma once

/// Task definitions that lie beside what is tried.
namespace definitions {

constexpr const char* kWeb = R"({"family": "web", "containerDefinitions": [
  {"name": "nginx", "image": "nginx:1.27", "cpu": 512, "memory": 1024, "portMappings": [{"containerPort": 80}]}]})";
constexpr const char* kTrain = R"({"family": "train", "containerDefinitions": [
  {"name": "trainer", "image": "trainer:1", "cpu": 4096, "memory": 30000,
   "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";

}  // namespace definitions
