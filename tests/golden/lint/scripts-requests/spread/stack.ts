// Completes the file.
import { CfnTaskDefinition } from "aws-cdk-lib/aws-ecs";
import { readFileSync } from "fs";

const task = JSON.parse(readFileSync("task-definition.json", "utf8"));
new CfnTaskDefinition(this, "Task", { ...task, cpu: "256", memory: "512", executionRoleArn: role.roleArn, family: "web" });
