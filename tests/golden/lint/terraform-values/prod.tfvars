memory = 512
cpu    = "1024"
stage  = "test"
region = "eu-west-1"
