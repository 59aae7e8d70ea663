data "tidemark_service_accounts" "all" {}
