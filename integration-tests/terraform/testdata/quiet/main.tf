terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "comment" { default = "Restarts" }

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = "Quiet"
}

resource "tidemark_silence" "once" {
  environment_id = tidemark_environment.this.id
  comment        = var.comment
  matchers       = [{ label = "labels.team", operator = "regex", value = "orders|payments" }]
  ends_at        = timeadd(plantimestamp(), "24h")

  lifecycle {
    ignore_changes = [ends_at]
  }
}

resource "tidemark_silence" "weekly" {
  environment_id = tidemark_environment.this.id
  comment        = var.comment
  matchers       = [{ label = "severity", operator = "ne", value = "critical" }]
  starts_at      = "2030-01-06T02:00:00+01:00"
  ends_at        = "2030-01-06T04:00:00+01:00"
  repeat         = { every = "week", time_zone = "Europe/Berlin", until = "2031-01-01T00:00:00+01:00" }
}

resource "tidemark_alert_pack" "this" {
  environment_id = tidemark_environment.this.id
  pack           = "jvm"
}

data "tidemark_silences" "all" {
  environment_id = tidemark_environment.this.id
  depends_on     = [tidemark_silence.once, tidemark_silence.weekly]
}

data "tidemark_alert_packs" "all" { environment_id = tidemark_environment.this.id }

data "tidemark_silence" "weekly" {
  environment_id = tidemark_environment.this.id
  id             = tidemark_silence.weekly.id
}

data "tidemark_alert_pack" "this" {
  environment_id = tidemark_environment.this.id
  id             = tidemark_alert_pack.this.pack
}

output "told" {
  value = join(" ", [
    data.tidemark_silence.weekly.state,
    data.tidemark_alert_pack.this.enabled_version == data.tidemark_alert_pack.this.version,
    length(data.tidemark_silences.all.silences),
    length(tidemark_alert_pack.this.rule_ids) > 0,
    length(data.tidemark_alert_packs.all.packs),
  ])
}
