terraform import tidemark_organization_settings.this 'org-demo'
