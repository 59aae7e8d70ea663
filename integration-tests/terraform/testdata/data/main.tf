terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = "Data"
}

resource "tidemark_metric" "this" {
  environment_id = tidemark_environment.this.id
  name           = "requests"
  unit           = "1"
}

resource "tidemark_resource" "this" {
  environment_id = tidemark_environment.this.id
  type           = "kafka"
  name           = "lkc/orders"
}

resource "tidemark_service_account" "this" {
  display_name = "Data"
  role         = "developer"
}

data "tidemark_organization" "this" {}

data "tidemark_environment" "this" { id = tidemark_environment.this.id }

data "tidemark_environments" "all" { depends_on = [tidemark_environment.this] }

data "tidemark_metric" "this" {
  environment_id = tidemark_metric.this.environment_id
  name           = tidemark_metric.this.name
}

data "tidemark_metrics" "all" { environment_id = tidemark_metric.this.environment_id }

data "tidemark_resource" "this" {
  environment_id = tidemark_resource.this.environment_id
  type           = "kafka"
  name           = tidemark_resource.this.name
}

data "tidemark_resources" "all" { environment_id = tidemark_resource.this.environment_id }

data "tidemark_service_account" "this" { id = tidemark_service_account.this.id }

data "tidemark_service_accounts" "all" { depends_on = [tidemark_service_account.this] }

# Not of the account of the ephemeral key: while that key lives, a list of its account's keys has its id.
data "tidemark_api_keys" "all" { service_account_id = tidemark_api_key.this.service_account_id }

data "tidemark_budgets" "this" { holder = "environment/${tidemark_environment.this.id}" }

data "tidemark_quotas" "organization" { holder = "organization" }

data "tidemark_retention_policy" "this" { environment_id = tidemark_retention_policy.this.environment_id }

data "tidemark_members" "all" {}

data "tidemark_invitations" "all" {}

data "tidemark_organizations" "all" {}

data "tidemark_retention_policies" "all" { depends_on = [tidemark_retention_policy.this] }

data "tidemark_budgets_by_holder" "all" { depends_on = [tidemark_environment.this] }

data "tidemark_quotas_by_holder" "all" { depends_on = [tidemark_environment.this] }

data "tidemark_role_bindings" "all" {}

data "tidemark_role_binding" "first" {
  person_id      = data.tidemark_role_bindings.all.role_bindings[0].person_id
  role           = data.tidemark_role_bindings.all.role_bindings[0].role
  environment_id = data.tidemark_role_bindings.all.role_bindings[0].environment_id
}

data "tidemark_spending_budgets" "all" {}

resource "tidemark_retention_policy" "this" {
  environment_id = tidemark_environment.this.id
  raw_days       = 9
}

resource "tidemark_invitation" "this" {
  mail   = "${var.environment}@example.org"
  grants = [{ role = "developer" }]
}

data "tidemark_invitation" "this" { id = tidemark_invitation.this.id }

resource "tidemark_service_account" "keyed" {
  display_name = "Keyed"
  role         = "developer"
}

resource "tidemark_api_key" "this" {
  service_account_id = tidemark_service_account.keyed.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:read"]
}

data "tidemark_api_key" "this" {
  service_account_id = tidemark_service_account.keyed.id
  id                 = tidemark_api_key.this.id
}

# A key for this run alone; nothing of it is in the plan or the state.
ephemeral "tidemark_api_key" "run" {
  service_account_id = tidemark_service_account.this.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:read"]
}

# OpenTofu makes only the ephemeral objects that something uses.
resource "tidemark_notification_integration" "run" {
  environment_id = tidemark_environment.this.id
  name           = "Of the run"
  kind           = "pagerduty"
  url            = "https://events.example.org/v2/enqueue"
  routing_key    = ephemeral.tidemark_api_key.run.bearer_token
  enabled        = false
  send_test      = false
}

output "told" {
  value = join(" ", [
    data.tidemark_environment.this.state,
    contains(data.tidemark_environments.all.environments[*].id, var.environment),
    data.tidemark_metric.this.unit,
    length(data.tidemark_metrics.all.metrics),
    data.tidemark_resource.this.state,
    length(data.tidemark_resources.all.resources),
    data.tidemark_service_account.this.role,
    contains(data.tidemark_service_accounts.all.service_accounts[*].id, tidemark_service_account.this.id),
    data.tidemark_budgets.this.when_series_exceeded,
    data.tidemark_quotas.organization.requests_per_second > 0,
    length(data.tidemark_members.all.members) > 0,
    contains(data.tidemark_organization.this.permissions, "environments:write"),
    provider::tidemark::parse_resource("${var.environment}/kafka/lkc/orders").name,
    contains(data.tidemark_organizations.all.organizations[*].id, data.tidemark_organization.this.id),
    one([for each in data.tidemark_retention_policies.all.retention_policies : each.raw_days if each.environment_id == var.environment]),
    one([for each in data.tidemark_budgets_by_holder.all.holders : each.when_series_exceeded if each.holder == "environment/${var.environment}"]),
    data.tidemark_quotas_by_holder.all.holders[0].holder,
    data.tidemark_role_binding.first.mail != null,
    length(data.tidemark_spending_budgets.all.spending_budgets) < 2,
    data.tidemark_invitation.this.state,
    data.tidemark_api_key.this.state,
  ])
}
