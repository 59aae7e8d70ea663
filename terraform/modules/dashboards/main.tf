locals {
  definitions = { for name, text in var.definitions : name => jsondecode(text) }
}

resource "tidemark_dashboard" "this" {
  for_each      = local.definitions
  title         = "${var.prefix}${each.value.title}"
  description   = try(each.value.description, null)
  resource_type = try(each.value.resource_type, null)
  variables = try(length(each.value.variables), 0) == 0 ? null : [for variable in each.value.variables : {
    name    = variable.name
    label   = variable.label
    default = try(variable.default, null)
    multi   = try(variable.multi, null)
  }]
  panels = [for panel in each.value.panels : {
    type   = panel.type
    title  = try(panel.title, null)
    metric = try(panel.metric, null)
    agg    = try(panel.agg, null)
    by     = try(panel.by, null)
    where  = try(panel.where, null)
    width  = try(panel.width, null)
    text   = try(panel.text, null)
  }]
}
