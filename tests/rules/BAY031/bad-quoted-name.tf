data "aws_iam_policy_document" "task" {
  "statement" = {
    "effect" = "Allow"
  }

  "statement" = {
    "effect" = "Deny"
  }
}

resource "aws_ecs_cluster" "main" {
  name = "main"
}
