"""Five records with each Python producer and compression to the Kafka listener; prints one line each, fails on the first error."""
import os
import pathlib

import confluent_kafka
import kafka

ADDRESS, KEY, SECRET, TOPIC = (os.environ["KAFKA_" + name] for name in ("LISTENER", "KEY", "SECRET", "TOPIC"))
BATCH = pathlib.Path(os.environ["KAFKA_BATCH"]).read_bytes()


def with_librdkafka(**settings):
    failures = []
    producer = confluent_kafka.Producer({
        "bootstrap.servers": ADDRESS, "security.protocol": "SASL_PLAINTEXT", "sasl.mechanisms": "PLAIN",
        "sasl.username": KEY, "sasl.password": SECRET, "message.timeout.ms": 20000, **settings})
    for _ in range(5):
        producer.produce(TOPIC, BATCH, on_delivery=lambda error, message: failures.append(error) if error else None)
    left = producer.flush(30)
    if left or failures:
        raise SystemExit(f"librdkafka {settings}: {left} left, {failures}")
    print("librdkafka", settings or "by default")


def with_kafka_python(**settings):
    producer = kafka.KafkaProducer(
        bootstrap_servers=ADDRESS, security_protocol="SASL_PLAINTEXT", sasl_mechanism="PLAIN", sasl_plain_username=KEY,
        sasl_plain_password=SECRET, **settings)
    for sending in [producer.send(TOPIC, BATCH) for _ in range(5)]:
        sending.get(timeout=30)
    producer.close()
    print("kafka-python", settings or "by default")


with_librdkafka()
with_librdkafka(**{"enable.idempotence": True})
for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
    with_librdkafka(**{"compression.type": codec})
with_kafka_python()
with_kafka_python(compression_type="gzip")
