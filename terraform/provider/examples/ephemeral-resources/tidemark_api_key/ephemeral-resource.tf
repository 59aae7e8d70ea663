data "tidemark_service_accounts" "all" {}

# Made for this run, revoked at its end, in no plan and no state.
ephemeral "tidemark_api_key" "run" {
  service_account_id = data.tidemark_service_accounts.all.service_accounts[0].id
  environment_id     = "staging"
  scopes             = ["metrics:read"]
  lifetime           = "30m"
}
