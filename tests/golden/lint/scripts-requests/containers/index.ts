// Takes the containers alone.
import * as aws from "@pulumi/aws";

const task = require("./task-definition.json");
new aws.ecs.TaskDefinition("web", {
  family: "web",
  cpu: "256",
  memory: "512",
  networkMode: "awsvpc",
  requiresCompatibilities: ["FARGATE"],
  executionRoleArn: role.arn,
  containerDefinitions: JSON.stringify(task.containerDefinitions),
});
