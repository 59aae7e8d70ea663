data "tidemark_service_accounts" "all" {}

data "tidemark_service_account" "first" {
  id = data.tidemark_service_accounts.all.service_accounts[0].id
}
