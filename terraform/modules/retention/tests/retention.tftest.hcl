# Applied for real.

run "setup" {
  module {
    source = "./tests/setup"
  }
}

run "keeps_by_profile_with_exceptions" {
  variables {
    environments = [run.setup.id]
    profile      = "long"
    exceptions   = { "debug.*" = { rollup_1m_days = 1 } }
  }

  assert {
    condition     = one(values(tidemark_retention_policy.this)).rollup_1m_days == 400
    error_message = "The long profile keeps minutes for 400 days."
  }
  assert {
    condition     = one(one(values(tidemark_retention_policy.this)).metrics).rollup_1m_days == 1
    error_message = "The exception is part of the policy."
  }
}

run "changes_the_profile_in_place" {
  variables {
    environments = [run.setup.id]
    profile      = "short"
  }

  assert {
    condition     = output.days.minutes == 7 && one(values(tidemark_retention_policy.this)).metrics == null
    error_message = "The short profile keeps minutes for a week, without exceptions."
  }
}

run "refuses_another_profile" {
  command = plan
  variables {
    environments = []
    profile      = "forever"
  }
  expect_failures = [var.profile]
}

run "refuses_an_environment_of_another_form" {
  command = plan
  variables {
    environments = ["Production_1"]
  }
  expect_failures = [var.environments]
}

run "refuses_less_than_a_day" {
  command = plan
  variables {
    environments = []
    exceptions   = { "debug.*" = { raw_days = 0 } }
  }
  expect_failures = [var.exceptions]
}
