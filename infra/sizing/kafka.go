package main

import "math"

// target is the share of the sustained throughput that a cluster is planned for.
const target = 0.8

// Broker is what one machine sustains, in MB/s. A machine that bursts is planned for what stays when its credits are gone.
type Broker struct {
	Storage        float64 // throughput of the volumes
	StorageNetwork float64 // between the machine and its volumes
	Network        float64 // between the machine and everybody else
}

// Limit is a resource and the rate of producers at which it is used up.
type Limit struct {
	Resource string
	Rate     float64 // MB/s of producers, of the whole cluster
}

// limits are the three ceilings of a cluster: every byte is written by each replica, and leaves the leader once for each consumer
// group and each other replica.
func (b Broker) limits(brokers, replication, groups int) []Limit {
	n, r := float64(brokers), float64(replication)
	network := Limit{"network", math.Inf(1)}
	if leaving := float64(groups) + r - 1; leaving > 0 {
		network.Rate = b.Network * n / leaving
	}
	return []Limit{{"storage", b.Storage * n / r}, {"storage network", b.StorageNetwork * n / r}, network}
}

// binding is the limit that is reached first.
func (b Broker) binding(brokers, replication, groups int) Limit {
	first := Limit{"", math.Inf(1)}
	for _, one := range b.limits(brokers, replication, groups) {
		if one.Rate < first.Rate {
			first = one
		}
	}
	return first
}

// planned is the rate of producers to plan for: the target's share of what binds.
func (b Broker) planned(brokers, replication, groups int) float64 {
	return target * b.binding(brokers, replication, groups).Rate
}

// brokersFor is the least number of brokers that a rate can be planned for; no fewer than hold all replicas.
func (b Broker) brokersFor(rate float64, replication, groups int) int {
	return max(replication, int(math.Ceil(rate/b.planned(1, replication, groups)-1e-9)))
}
