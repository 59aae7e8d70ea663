locals {
  profiles = {
    short    = { raw = 2, minutes = 7, hours = 31, days = 400 }
    standard = { raw = 7, minutes = 31, hours = 400, days = 1100 }
    long     = { raw = 31, minutes = 400, hours = 1100, days = 3660 }
  }
  days = local.profiles[var.profile]
}

resource "tidemark_retention_policy" "this" {
  for_each       = var.environments
  environment_id = each.key
  raw_days       = local.days.raw
  rollup_1m_days = local.days.minutes
  rollup_1h_days = local.days.hours
  rollup_1d_days = local.days.days
  metrics        = length(var.exceptions) == 0 ? null : [for pattern, days in var.exceptions : merge(days, { pattern = pattern })]
}
