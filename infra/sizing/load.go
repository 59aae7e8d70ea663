package main

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Load is what is sent, asked and kept.
type Load struct {
	Points          float64 `yaml:"points"`
	Series          float64 `yaml:"series"`
	Late            float64 `yaml:"late"`
	Split           float64 `yaml:"split"`
	Requests        float64 `yaml:"requests"`
	Replication     int     `yaml:"replication"`
	Groups          int     `yaml:"groups"`
	SegmentReplicas float64 `yaml:"segment-replicas"`
	TaskReplicas    float64 `yaml:"task-replicas"`
	KafkaDays       float64 `yaml:"kafka-days"`
	MinutesDays     float64 `yaml:"minutes-days"`
	HotHours        float64 `yaml:"hot-hours"`
	LakeDays        float64 `yaml:"lake-days"`
	Busy            float64 `yaml:"busy"`
	Brokers         string  `yaml:"brokers"`
	BrokerVolume    string  `yaml:"broker-volume"`
	Workers         string  `yaml:"workers"`
	Historicals     string  `yaml:"historicals"`
}

// check names everything that is wrong with a load.
func (l Load) check(prices Prices) error {
	var wrong []string
	refuse := func(is bool, what string) {
		if is {
			wrong = append(wrong, what)
		}
	}
	refuse(l.Points <= 0 || l.Series <= 0, "points and series are more than 0")
	refuse(l.Late < 0 || l.Late > 1 || l.Split < 0 || l.Split > 1, "late and split are shares from 0 to 1")
	refuse(l.Requests < 0 || l.Groups < 0, "requests and groups are 0 or more")
	refuse(l.Replication < 1 || l.SegmentReplicas < 1 || l.TaskReplicas < 1, "copies are 1 or more")
	refuse(l.KafkaDays <= 0 || l.MinutesDays <= 0 || l.HotHours <= 0 || l.LakeDays <= 0, "what is kept is kept for more than 0")
	refuse(l.Busy <= 0 || l.Busy > 1, "busy is a share, more than 0 and at most 1")
	for _, name := range []string{l.Brokers, l.Workers, l.Historicals} {
		_, known := prices.Machines[name]
		refuse(!known, "prices.yaml has no machine "+name)
	}
	_, known := prices.Volumes[l.BrokerVolume]
	refuse(!known, "prices.yaml has no volume "+l.BrokerVolume)
	if len(wrong) > 0 {
		return fmt.Errorf("%s", strings.Join(wrong, "; "))
	}
	return nil
}

// Figure is one number with where it comes from.
type Figure struct {
	Value   float64 `yaml:"value"`
	From    string  `yaml:"from"`
	Assumed string  `yaml:"assumed"`
}

// Measured is what things cost and weigh.
type Measured struct {
	CoreSeconds struct {
		PointsReceived Figure `yaml:"points_received"`
		PointsRolledUp Figure `yaml:"points_rolled_up"`
		RowsRolledUp   Figure `yaml:"rows_rolled_up"`
		PointsKept     Figure `yaml:"points_kept"`
		RowsKept       Figure `yaml:"rows_kept"`
		RowsIndexed    Figure `yaml:"rows_indexed"`
		RowsCompacted  Figure `yaml:"rows_compacted"`
		Queries        Figure `yaml:"queries"`
	} `yaml:"core_seconds_per_million"`
	LivePace Figure `yaml:"live_pace"`
	Bytes    struct {
		PointInKafka  Figure `yaml:"point_in_kafka"`
		RowInKafka    Figure `yaml:"row_in_kafka"`
		RowInDruid    Figure `yaml:"row_in_druid"`
		PointInLake   Figure `yaml:"point_in_lake"`
		RowInLake     Figure `yaml:"row_in_lake"`
		SeriesInFlink Figure `yaml:"series_in_flink"`
	} `yaml:"bytes"`
}

// Money is an exact amount.
type Money struct{ *big.Rat }

func (m *Money) UnmarshalYAML(node *yaml.Node) error {
	amount, ok := new(big.Rat).SetString(node.Value)
	if !ok {
		return fmt.Errorf("line %d: %q is no amount", node.Line, node.Value)
	}
	m.Rat = amount
	return nil
}

// Machine is a kind of machine; throughput in MB/s.
type Machine struct {
	Cores          float64 `yaml:"cores"`
	MemoryGiB      float64 `yaml:"memory_gib"`
	Hour           Money   `yaml:"hour"`
	Network        float64 `yaml:"network"`
	StorageNetwork float64 `yaml:"storage_network"`
}

// Prices are machines, volumes and what they cost.
type Prices struct {
	Currency      string             `yaml:"currency"`
	HoursPerMonth int64              `yaml:"hours_per_month"`
	Machines      map[string]Machine `yaml:"machines"`
	Volumes       map[string]struct {
		GBMonth    Money   `yaml:"gb_month"`
		Throughput float64 `yaml:"throughput"`
		LargestGB  float64 `yaml:"largest_gb"`
	} `yaml:"volumes"`
	ObjectStorage struct {
		GBMonth Money `yaml:"gb_month"`
	} `yaml:"object_storage"`
	ZoneTraffic struct {
		GB Money `yaml:"gb"`
	} `yaml:"zone_traffic"`
}

func (p Prices) broker(l Load) Broker {
	machine := p.Machines[l.Brokers]
	return Broker{p.Volumes[l.BrokerVolume].Throughput, machine.StorageNetwork, machine.Network}
}

// read fills a value from a YAML file and refuses names that it does not know.
func read(path string, into any) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return strict(path, content, into)
}

func strict(name string, content []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// override puts name=value over a load.
func (l *Load) override(pairs []string) error {
	for _, pair := range pairs {
		name, value, is := strings.Cut(pair, "=")
		if !is {
			return fmt.Errorf("%q is not name=value", pair)
		}
		if err := strict(pair, []byte(name+": "+value+"\n"), l); err != nil {
			return fmt.Errorf("%s: load.yaml has no such name, or the value is of another kind", pair)
		}
	}
	return nil
}
