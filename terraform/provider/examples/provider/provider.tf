terraform {
  required_providers {
    tidemark = {
      source = "tidemark/tidemark"
    }
  }
}

# The address and the key come from TIDEMARK_URL, TIDEMARK_API_KEY and TIDEMARK_API_SECRET.
provider "tidemark" {}
