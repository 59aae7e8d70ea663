locals {
  keys = merge([
    for machine, each in var.machines : {
      for environment, scopes in each.keys : "${machine}/${environment}" => {
        machine     = machine
        environment = environment
        scopes      = scopes
        rotation    = each.rotation
      }
    }
  ]...)
}

resource "tidemark_environment" "this" {
  for_each            = var.environments
  id                  = each.key
  display_name        = each.value.display_name
  deletion_protection = each.value.deletion_protection
}

resource "tidemark_invitation" "this" {
  for_each = var.people
  mail     = each.key
  grants = concat(
    each.value.role == null ? [] : [{ role = each.value.role, environment_id = null }],
    [for environment, role in each.value.environments : {
      role           = role
      environment_id = try(tidemark_environment.this[environment].id, environment)
    }],
  )
}

resource "tidemark_service_account" "this" {
  for_each     = var.machines
  display_name = each.key
  role         = each.value.role
}

resource "tidemark_api_key" "this" {
  for_each           = local.keys
  service_account_id = tidemark_service_account.this[each.value.machine].id
  environment_id     = try(tidemark_environment.this[each.value.environment].id, each.value.environment)
  scopes             = each.value.scopes
  rotation           = each.value.rotation
}
