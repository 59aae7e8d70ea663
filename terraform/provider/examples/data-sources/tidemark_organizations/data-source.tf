data "tidemark_organizations" "all" {}
