variable "stage" {
  type    = string
  default = "prod"
}

variable "tag" {
  type = string
}
