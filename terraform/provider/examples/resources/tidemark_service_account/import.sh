terraform import tidemark_service_account.collector 'sa-73hizfdk66z2vupf'
