package main

import (
	"fmt"
	"math"
	"math/big"
)

const (
	mega          = 1e6
	giga          = 1e9
	gibibyte      = 1 << 30
	secondsPerDay = 86400
)

// Part is one component: how many machines, and what decides about their number.
type Part struct {
	Name, Machine string
	Nodes         int
	Cores         float64 // that are busy
	Disk          float64 // GB of volumes, of all nodes
	Binds         string
	More          string // what one more node buys
	Monthly       Money
	Full          float64 // share of what is planned for that is used
}

// Plan is what a load needs.
type Plan struct {
	Parts          []Part
	Rows           float64 // a second, into Druid's minutes
	Produced       float64 // MB/s into Kafka
	TaskSlots      int
	Lake           float64 // GB
	Deep           float64 // GB of Druid's deep storage
	Zones          float64 // GB a month between zones
	Storage, Total Money
}

// plan is the whole arithmetic.
func plan(l Load, m Measured, p Prices) Plan {
	cost := func(rate float64, f Figure) float64 { return rate / mega * f.Value }
	// A minute has a row for each series that has a point in it, another for each split one, and one more for each late point.
	rows := min(l.Series/60, l.Points)*(1+l.Split) + l.Points*l.Late/6
	longer := l.Series/3600 + l.Series/secondsPerDay
	produced := (l.Points*m.Bytes.PointInKafka.Value + (rows+longer)*m.Bytes.RowInKafka.Value) / mega
	out := Plan{Rows: rows, Produced: produced}

	kafka := p.kafka(l, produced)

	c := m.CoreSeconds
	ingest := p.cores(l, "platform-api: receive", cost(l.Points, c.PointsReceived), 2, "points")
	ask := p.cores(l, "platform-api: answer", cost(l.Requests, c.Queries)/3, 2, "requests")

	busy := (cost(l.Points, c.PointsRolledUp) + cost(rows+longer, c.RowsRolledUp)) * m.LivePace.Value
	rollup := p.cores(l, "Flink: rollup", busy, 1, "points")
	worker := p.Machines[l.Workers]
	if byState := int(math.Ceil(l.Series * m.Bytes.SeriesInFlink.Value / gibibyte / (worker.MemoryGiB * l.Busy))); byState > rollup.Nodes {
		rollup = p.nodes(rollup.Name, l.Workers, byState, busy, 0)
		rollup.Binds = "memory of open series"
	}
	out.TaskSlots = int(math.Ceil(busy / l.Busy))
	lake := p.cores(l, "Flink: lake", cost(l.Points, c.PointsKept)+cost(rows+longer, c.RowsKept), 1, "points")

	index := p.cores(l, "Druid: streaming indexers", cost(rows+longer, c.RowsIndexed)*l.TaskReplicas, int(l.TaskReplicas), "rows")
	batch := p.cores(l, "Druid: batch indexers", cost(rows+longer, c.RowsCompacted), 1, "rows")
	hot := p.serving(l, "Druid: hot historicals", rows*3600*l.HotHours*m.Bytes.RowInDruid.Value/giga, cost(l.Requests, c.Queries)*0.9)
	minutes := rows * secondsPerDay * l.MinutesDays * m.Bytes.RowInDruid.Value / giga
	cold := p.serving(l, "Druid: historicals", minutes*l.SegmentReplicas, cost(l.Requests, c.Queries)*0.1)
	cold.Nodes = max(cold.Nodes, int(l.SegmentReplicas))
	brokersOfDruid := p.cores(l, "Druid: brokers", cost(l.Requests, c.Queries)/3, 2, "requests")
	control := p.nodes("Druid: coordinators, ZooKeeper", "m5.xlarge", 5, 0, 0)
	control.Binds, control.More = "copies", "nothing"

	out.Parts = []Part{ingest, kafka, rollup, lake, index, batch, hot, cold, brokersOfDruid, ask, control}
	out.Deep = minutes
	out.Lake = (l.Points*m.Bytes.PointInLake.Value + rows*m.Bytes.RowInLake.Value) * secondsPerDay * l.LakeDays / giga
	out.Zones = produced * float64(l.Replication-1) * secondsPerDay * 30 / 1000
	storage := new(big.Rat).Add(price(out.Lake+out.Deep, p.ObjectStorage.GBMonth), price(out.Zones, p.ZoneTraffic.GB))
	out.Storage = Money{storage}
	total := new(big.Rat).Set(storage)
	for _, part := range out.Parts {
		total.Add(total, part.Monthly.Rat)
	}
	out.Total = Money{total}
	return out
}

// kafka sizes brokers by what they move and by what they keep.
func (p Prices) kafka(l Load, produced float64) Part {
	broker, volume := p.broker(l), p.Volumes[l.BrokerVolume]
	byRate := broker.brokersFor(produced, l.Replication, l.Groups)
	disk := produced * secondsPerDay * l.KafkaDays / 1000 * float64(l.Replication) / target
	bySpace := int(math.Ceil(disk / volume.LargestGB))
	part := p.nodes("Kafka brokers", l.Brokers, max(byRate, bySpace), 0, disk)
	planned := broker.planned(part.Nodes, l.Replication, l.Groups)
	part.Full = max(produced/planned, disk/(float64(part.Nodes)*volume.LargestGB))
	part.Binds = broker.binding(byRate, l.Replication, l.Groups).Resource
	if disk/(float64(part.Nodes)*volume.LargestGB) > produced/planned {
		part.Binds = "space on volumes"
	}
	if part.Nodes == l.Replication {
		part.Binds = "copies; then " + part.Binds
	}
	part.More = fmt.Sprintf("%.1f MB/s, %.0f GB", planned/float64(part.Nodes), volume.LargestGB)
	part.Monthly.Add(part.Monthly.Rat, price(disk, volume.GBMonth))
	return part
}

// cores sizes a part by busy cores alone.
func (p Prices) cores(l Load, name string, busy float64, least int, of string) Part {
	each := p.Machines[l.Workers].Cores * l.Busy
	part := p.nodes(name, l.Workers, max(least, int(math.Ceil(busy/each-1e-9))), busy, 0)
	part.Binds = "cores"
	if busy < each*float64(least) {
		part.Binds = "copies; then cores"
	}
	if busy > 0 {
		part.More = fmt.Sprintf("%.0f %% more %s", 100*each/busy, of)
	}
	return part
}

// serving sizes historicals: half of the memory is for segments that are read, the rest comes from the disk beside.
func (p Prices) serving(l Load, name string, gigabytes, busy float64) Part {
	machine := p.Machines[l.Historicals]
	// A segment that no query reads may lie on disk: sixteen times the memory.
	holds := machine.MemoryGiB / 2 * 16
	byDisk := int(math.Ceil(gigabytes / holds))
	byCores := int(math.Ceil(busy/(machine.Cores*l.Busy) - 1e-9))
	part := p.nodes(name, l.Historicals, max(1, byDisk, byCores), busy, gigabytes/target)
	part.Binds, part.More = "disk", fmt.Sprintf("%.0f GB", holds)
	if byCores >= byDisk {
		part.Binds, part.More = "cores", fmt.Sprintf("%.0f cores", machine.Cores*l.Busy)
	}
	part.Full = gigabytes / (float64(part.Nodes) * holds)
	part.Monthly.Add(part.Monthly.Rat, price(part.Disk, p.Volumes["gp3"].GBMonth))
	return part
}

func (p Prices) nodes(name, machine string, nodes int, busy, disk float64) Part {
	monthly := new(big.Rat).Mul(p.Machines[machine].Hour.Rat, new(big.Rat).SetInt64(int64(nodes)*p.HoursPerMonth))
	return Part{Name: name, Machine: machine, Nodes: nodes, Cores: busy, Disk: disk, Monthly: Money{monthly}}
}

// price of so many whole units.
func price(units float64, each Money) *big.Rat {
	return new(big.Rat).Mul(each.Rat, new(big.Rat).SetInt64(int64(math.Ceil(units))))
}

// first is the part that is fullest: what an increase of the load meets before anything else.
func (o Plan) first(l Load, p Prices) Part {
	fullest, part := 0.0, Part{}
	for _, one := range o.Parts {
		full := max(one.Full, one.Cores/(float64(one.Nodes)*p.Machines[one.Machine].Cores*l.Busy))
		if full > fullest {
			fullest, part = full, one
		}
	}
	return part
}

// beyond names limits of the configuration that the plan does not fit into.
func (o Plan) beyond(maxParallelism int) []string {
	var limits []string
	if o.TaskSlots > maxParallelism {
		limits = append(limits, fmt.Sprintf("%d slots for the rollup job; infra/flink/config.yaml has max-parallelism %d, and a savepoint keeps it", o.TaskSlots, maxParallelism))
	}
	return limits
}
