terraform import tidemark_api_key.collector 'sa-73hizfdk66z2vupf/WLTYIWU5Y4SFUBYC'
