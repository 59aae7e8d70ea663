data "tidemark_members" "all" {}
