// Package clients holds tests only: clients that other projects publish read from a running stack what was sent to it.
//
// ApiClientsIT sends the points, waits until they can be read, and runs these tests with the environment that they need.
package clients
