terraform {
  required_version = ">= 1.11"
  required_providers {
    tidemark = {
      source = "tidemark/tidemark"
    }
  }
}
