terraform import tidemark_quotas.production 'environment/production'
