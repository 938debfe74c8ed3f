// Completes the file.
import { readFileSync } from "fs";

const task = JSON.parse(readFileSync("task-definition.json"));
await client.send(
  new RegisterTaskDefinitionCommand({
    family,
    containerDefinitions: task.containerDefinitions,
    cpu: options.cpu,
    memory: task.memory || "512",
    networkMode: task.networkMode,
    requiresCompatibilities: task.requiresCompatibilities,
    executionRoleArn: options.role,
  }),
);
