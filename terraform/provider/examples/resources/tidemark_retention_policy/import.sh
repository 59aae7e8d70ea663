terraform import tidemark_retention_policy.production 'production'
