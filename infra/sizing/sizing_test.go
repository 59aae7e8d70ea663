package main

import (
	"bytes"
	"math"
	"math/big"
	"os"
	"regexp"
	"strings"
	"testing"
)

func prices(t *testing.T) Prices {
	t.Helper()
	var known Prices
	if err := read("prices.yaml", &known); err != nil {
		t.Fatal(err)
	}
	return known
}

// The published figures: three brokers, three copies, two consumer groups, in MB/s.
func TestKafkaIsSizedAsPublished(t *testing.T) {
	p := prices(t)
	for _, one := range []struct {
		machine, volume string
		groups, rate    int
	}{
		{"m5.large", "gp3", 2, 58},
		{"m5.xlarge", "gp3", 2, 96},
		{"m5.2xlarge", "gp3", 2, 192},
		{"m5.4xlarge", "gp3", 2, 200},
		{"m5.4xlarge", "gp3-1000", 2, 384},
		{"m5.8xlarge", "gp3-1000", 2, 680},
		{"m5.12xlarge", "gp3-1000", 2, 800},
		{"m5.2xlarge", "gp3", 0, 200},
		{"m5.2xlarge", "gp3", 4, 128},
		{"m5.2xlarge", "gp3", 6, 96},
	} {
		broker := p.broker(Load{Brokers: one.machine, BrokerVolume: one.volume})
		if got := math.Round(broker.planned(3, 3, one.groups)); int(got) != one.rate {
			t.Errorf("three %s with %s and %d groups: %.0f MB/s, published %d", one.machine, one.volume, one.groups, got, one.rate)
		}
		// Six and nine brokers scale linearly.
		for _, times := range []int{2, 3} {
			if got, wanted := broker.planned(3*times, 3, one.groups), float64(times)*broker.planned(3, 3, one.groups); math.Abs(got-wanted) > 1e-9 {
				t.Errorf("%d %s: %.0f MB/s, not %.0f", 3*times, one.machine, got, wanted)
			}
		}
	}
}

func TestWhatBindsABrokerIsTold(t *testing.T) {
	p := prices(t)
	for machine, wanted := range map[string]string{"m5.large gp3": "network", "m5.4xlarge gp3": "storage", "m5.8xlarge gp3-1000": "storage network"} {
		name, volume, _ := strings.Cut(machine, " ")
		if got := p.broker(Load{Brokers: name, BrokerVolume: volume}).binding(3, 3, 2).Resource; got != wanted {
			t.Errorf("%s is bound by %s, not by %s", machine, got, wanted)
		}
	}
}

// One copy and nobody who reads: nothing leaves a broker.
func TestABrokerThatNobodyReadsIsBoundByItsVolume(t *testing.T) {
	if got := (Broker{250, 287.5, 320}).binding(1, 1, 0); got.Resource != "storage" || got.Rate != 250 {
		t.Errorf("bound by %+v", got)
	}
}

func TestBrokersAreTheFewestThatHoldTheLoad(t *testing.T) {
	broker := Broker{250, 287.5, 320}
	for _, rate := range []float64{1, 64, 191.9, 192, 192.1, 1000} {
		n := broker.brokersFor(rate, 3, 2)
		if broker.planned(n, 3, 2) < rate-1e-6 || n > 3 && broker.planned(n-1, 3, 2) >= rate {
			t.Errorf("%v MB/s get %d brokers", rate, n)
		}
	}
}

func planned(t *testing.T, arguments ...string) (Load, Plan, Prices) {
	t.Helper()
	var load Load
	var measured Measured
	p := prices(t)
	if err := read("load.yaml", &load); err != nil {
		t.Fatal(err)
	}
	if err := read("measured.yaml", &measured); err != nil {
		t.Fatal(err)
	}
	if err := load.override(arguments); err != nil {
		t.Fatal(err)
	}
	if err := load.check(p); err != nil {
		t.Fatal(err)
	}
	return load, plan(load, measured, p), p
}

func (o Plan) part(name string) Part {
	for _, one := range o.Parts {
		if one.Name == name {
			return one
		}
	}
	return Part{}
}

// By hand: 200,000 points/s · 88 B and, of a million series, 16,667 rows · 1.2 and 1,667 late ones and 289 of hours and days · 60 B.
func TestAPlanIsTheArithmeticOfItsPage(t *testing.T) {
	_, o, _ := planned(t)
	if math.Abs(o.Rows-21666.7) > 0.1 || math.Abs(o.Produced-(17.6+1.317)) > 0.001 {
		t.Errorf("%.1f rows/s and %.3f MB/s", o.Rows, o.Produced)
	}
	// (0.2 · 0.34 + 0.021956 · 1.04) · 3.5
	if rollup := o.part("Flink: rollup"); math.Abs(rollup.Cores-0.3179) > 0.001 || o.TaskSlots != 1 {
		t.Errorf("the rollup job has %.4f busy cores, %d slots", rollup.Cores, o.TaskSlots)
	}
	// 0.021956 · 15 · 2
	if index := o.part("Druid: streaming indexers"); math.Abs(index.Cores-0.6587) > 0.001 || index.Nodes != 2 {
		t.Errorf("indexing has %+v", index)
	}
	// 21,666.7 · 86,400 · 30 · 22.4 B = 1,258 GB
	if math.Abs(o.Deep-1258) > 1 {
		t.Errorf("%.0f GB of segments", o.Deep)
	}
	total, sum := &o.Storage, o.Storage.FloatString(2)
	for _, one := range o.Parts {
		total = &Money{new(big.Rat).Add(total.Rat, one.Monthly.Rat)}
	}
	if total.Cmp(o.Total.Rat) != 0 {
		t.Errorf("the parts and %s are %s, not %s", sum, total.FloatString(2), o.Total.FloatString(2))
	}
	if kafka := o.part("Kafka brokers"); kafka.Nodes != 3 || !strings.HasPrefix(kafka.Binds, "copies; then space") {
		t.Errorf("Kafka has %+v", kafka)
	}
}

// More load never needs less.
func TestPlansGrowWithTheLoad(t *testing.T) {
	for _, name := range []string{"points", "series", "requests", "minutes-days", "lake-days"} {
		_, before, _ := planned(t)
		for _, value := range []string{"1000", "10000000", "100000000"} {
			if name != "points" && name != "series" && value == "100000000" {
				continue
			}
			_, after, _ := planned(t, name+"="+value)
			if value == "1000" {
				before = after
				continue
			}
			if after.Total.Cmp(before.Total.Rat) < 0 {
				t.Errorf("%s=%s costs %s, less of it %s", name, value, after.Total.FloatString(0), before.Total.FloatString(0))
			}
			before = after
		}
	}
}

func TestWrongLoadsAreRefused(t *testing.T) {
	for _, one := range []string{"point=1", "points=many", "points", "points=0", "busy=2", "brokers=abacus", "broker-volume=tape", "replication=0", "late=7"} {
		if err := run(&bytes.Buffer{}, ".", []string{one}); err == nil {
			t.Errorf("%s was accepted", one)
		}
	}
}

// The page shows what the program says.
func TestTheScalingPageHasTheTableOfDecades(t *testing.T) {
	page, err := os.ReadFile("../../docs/scaling/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := run(&table, ".", []string{"decades"}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), table.String()) {
		t.Errorf("docs/scaling/README.md has another table of decades than `make sizing LOAD=decades`:\n%s", table.String())
	}
}

// Every figure says where it was measured, or that it was not, and pages it names exist.
func TestFiguresSayWhereTheyComeFrom(t *testing.T) {
	content, err := os.ReadFile("measured.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, line := range strings.Split(string(content), "\n") {
		if !strings.Contains(line, "value:") {
			continue
		}
		lines++
		if !regexp.MustCompile(`(from|assumed): "`).MatchString(line) {
			t.Errorf("no source: %s", line)
		}
		for _, match := range regexp.MustCompile(`docs/[a-z/-]+\.md`).FindAllString(line, -1) {
			if _, err := os.Stat("../../" + match); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if lines != 15 {
		t.Errorf("%d figures", lines)
	}
}
