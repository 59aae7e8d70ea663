locals {
  environments = { for stage in keys(var.stages) : stage => "${var.team}-${stage}" }
}

module "tenant" {
  source = "../tenant"
  environments = { for stage, id in local.environments : id => {
    display_name        = "${var.team} ${stage}"
    deletion_protection = var.deletion_protection
  } }
  people = { for mail in var.people : mail => {
    environments = { for id in values(local.environments) : id => "developer" }
  } }
  machines = { "${var.team}-collector" = {
    keys = { for id in values(local.environments) : id => ["metrics:write"] }
  } }
}

module "retention" {
  source       = "../retention"
  for_each     = var.stages
  environments = [for id in module.tenant.environments : id if id == local.environments[each.key]]
  profile      = each.value
}

resource "tidemark_budgets" "this" {
  for_each      = local.environments
  holder        = "environment/${[for id in module.tenant.environments : id if id == each.value][0]}"
  active_series = var.active_series
}

module "alerting" {
  source       = "../alerting"
  for_each     = local.environments
  environment  = [for id in module.tenant.environments : id if id == each.value][0]
  packs        = var.packs
  labels       = { team = var.team }
  routes       = var.routes
  routing_keys = var.routing_keys
}

module "dashboards" {
  source      = "../dashboards"
  definitions = merge({ start = local.start }, var.dashboards)
  prefix      = "${var.team}: "
}

locals {
  # What there is to see before the first point, and where to go on.
  start = jsonencode({
    version = 1
    title   = "Start"
    panels = [{
      type = "text"
      text = join("\n", concat(["Environments of ${var.team}:"], [for stage, id in local.environments : "- ${stage}: ${id}"],
      ["Send OTLP metrics with the keys of the output collector_keys; a dashboard of a metric is made from its page."]))
    }]
  })
}
