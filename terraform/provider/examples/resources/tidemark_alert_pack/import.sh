terraform import tidemark_alert_pack.kafka staging/kafka
