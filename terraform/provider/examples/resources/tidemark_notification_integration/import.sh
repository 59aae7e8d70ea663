# By its id, or by its name when no other integration of the environment has it.
terraform import tidemark_notification_integration.on_call 'staging/On call'
