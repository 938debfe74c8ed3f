module "network" {
  source = "./network"

  tags {
    "Name" = "web"
  }
}
