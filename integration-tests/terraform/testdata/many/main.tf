terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "count_of_resources" { default = 498 }

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = "Many"
}

resource "tidemark_resource" "this" {
  count          = var.count_of_resources
  environment_id = tidemark_environment.this.id
  type           = "service"
  name           = "service-${count.index}"
}
