// Package kafkaclients has producers of Go that write to the Kafka listener of a running platform-api.
package kafkaclients
