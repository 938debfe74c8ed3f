import { readFileSync } from "node:fs";
const path = "task.json";
const task = JSON.parse(
  readFileSync(path, "utf8"),
);
const read = JSON.parse(readFileSync("read.json", "utf8"));
task.family = "web";
task.executionRoleArn = process.env.ROLE;
task.networkMode ??= "awsvpc";
Object.keys(read).filter((key) => read.family === key);
await ecs.send(new RegisterTaskDefinitionCommand(task));
