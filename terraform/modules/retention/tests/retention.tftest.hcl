run "plans_a_profile_with_exceptions" {
  command = plan
  variables {
    environments = ["retention-test"]
    profile      = "long"
    exceptions   = { "debug.*" = { rollup_1m_days = 1 } }
  }

  assert {
    condition     = tidemark_retention_policy.this["retention-test"].rollup_1m_days == 400
    error_message = "The long profile keeps minutes for 400 days."
  }
  assert {
    condition     = one(tidemark_retention_policy.this["retention-test"].metrics).rollup_1m_days == 1
    error_message = "The exception is part of the policy."
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
