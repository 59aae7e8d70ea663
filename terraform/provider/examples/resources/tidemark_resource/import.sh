terraform import tidemark_resource.orders 'production/kafka/lkc-orders'
