terraform import tidemark_metric.requests 'production/http.server.requests'
