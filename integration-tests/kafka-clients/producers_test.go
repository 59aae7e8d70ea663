package kafkaclients

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
)

// Where to produce and what, from the test that runs these.
type listener struct{ address, key, secret, topic string }

func running(t *testing.T) (listener, []byte) {
	t.Helper()
	here := listener{os.Getenv("KAFKA_LISTENER"), os.Getenv("KAFKA_KEY"), os.Getenv("KAFKA_SECRET"), os.Getenv("KAFKA_TOPIC")}
	if here.address == "" {
		t.Fatal("KAFKA_LISTENER is not set: make test-clients runs these tests")
	}
	batch, err := os.ReadFile(os.Getenv("KAFKA_BATCH"))
	if err != nil {
		t.Fatal(err)
	}
	return here, batch
}

// Five records under a client's own defaults: idempotent, and snappy where it may choose.
func TestFranzGoProducesByDefault(t *testing.T) {
	franz(t)
}

func TestFranzGoProducesWithEveryCompression(t *testing.T) {
	for name, codec := range map[string]kgo.CompressionCodec{
		"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(),
		"lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
	} {
		t.Run(name, func(t *testing.T) { franz(t, kgo.ProducerBatchCompression(codec)) })
	}
}

func franz(t *testing.T, more ...kgo.Opt) {
	here, batch := running(t)
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(here.address),
		kgo.SASL(plain.Auth{User: here.key, Pass: here.secret}.AsMechanism()),
		kgo.RecordDeliveryTimeout(20 * time.Second),
	}, more...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for range 5 {
		record := &kgo.Record{Topic: here.topic, Value: batch}
		if err := client.ProduceSync(context.Background(), record).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSaramaProducesWithEveryCompression(t *testing.T) {
	for name, codec := range map[string]sarama.CompressionCodec{
		"none": sarama.CompressionNone, "gzip": sarama.CompressionGZIP, "snappy": sarama.CompressionSnappy,
		"lz4": sarama.CompressionLZ4, "zstd": sarama.CompressionZSTD,
	} {
		t.Run(name, func(t *testing.T) {
			here, batch := running(t)
			settings := sarama.NewConfig()
			settings.Producer.Return.Successes = true
			settings.Producer.RequiredAcks = sarama.WaitForAll
			settings.Producer.Compression = codec
			settings.Net.SASL.Enable = true
			settings.Net.SASL.Mechanism = sarama.SASLTypePlaintext
			settings.Net.SASL.User = here.key
			settings.Net.SASL.Password = here.secret
			producer, err := sarama.NewSyncProducer([]string{here.address}, settings)
			if err != nil {
				t.Fatal(err)
			}
			defer producer.Close()
			for range 5 {
				if _, _, err := producer.SendMessage(&sarama.ProducerMessage{Topic: here.topic, Value: sarama.ByteEncoder(batch)}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
