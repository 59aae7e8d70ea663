# By its id, or by its name when no other rule of the environment has it.
terraform import tidemark_alert_rule.errors 'staging/Checkout fails'
