package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// decades are the loads of docs/scaling: points a second, with 60 points of a series in ten minutes.
var decades = []float64{1e4, 1e5, 1e6, 1e7, 1e8}

func main() {
	if err := run(os.Stdout, ".", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sizing:", err)
		os.Exit(1)
	}
}

// run reads the files of a folder; arguments are name=value, or the word decades.
func run(out io.Writer, folder string, arguments []string) error {
	var load Load
	var measured Measured
	var prices Prices
	for path, into := range map[string]any{"load.yaml": &load, "measured.yaml": &measured, "prices.yaml": &prices} {
		if err := read(filepath.Join(folder, path), into); err != nil {
			return err
		}
	}
	flink, err := os.ReadFile(filepath.Join(folder, "../flink/config.yaml"))
	if err != nil {
		return err
	}
	var maxParallelism int
	if _, err := fmt.Sscanf(string(regexp.MustCompile(`max-parallelism: \d+`).Find(flink)), "max-parallelism: %d", &maxParallelism); err != nil {
		return fmt.Errorf("infra/flink/config.yaml has no max-parallelism: %w", err)
	}
	if len(arguments) == 1 && arguments[0] == "decades" {
		return everyDecade(out, load, measured, prices)
	}
	if err := load.override(arguments); err != nil {
		return err
	}
	if err := load.check(prices); err != nil {
		return err
	}
	o := plan(load, measured, prices)
	report(out, load, o, prices)
	for _, limit := range o.beyond(maxParallelism) {
		fmt.Fprintln(out, "Does not fit: "+limit+".")
	}
	return nil
}

func report(out io.Writer, l Load, o Plan, p Prices) {
	fmt.Fprintf(out, "%.0f points a second of %.0f series; %.0f rows a second; %.1f MB/s into Kafka; %d slots of Flink\n\n", l.Points, l.Series, o.Rows, o.Produced, o.TaskSlots)
	fmt.Fprintf(out, "%-31s %-11s %5s %7s %9s %12s  %-40s %s\n", "PART", "MACHINE", "NODES", "BUSY", "DISK GB", p.Currency+"/MONTH", "BINDS", "ONE MORE BUYS")
	for _, one := range o.Parts {
		fmt.Fprintf(out, "%-31s %-11s %5d %7.1f %9.0f %12s  %-40s %s\n", one.Name, one.Machine, one.Nodes, one.Cores, one.Disk, one.Monthly.FloatString(2), one.Binds, one.More)
	}
	fmt.Fprintf(out, "\nObject storage: %.0f GB of the lake, %.0f GB of segments; %.0f GB a month between zones: %s %s\n", o.Lake, o.Deep, o.Zones, o.Storage.FloatString(2), p.Currency)
	fmt.Fprintf(out, "In all %s %s a month. First to bind: %s.\n", o.Total.FloatString(2), p.Currency, o.first(l, p).Name)
}

// everyDecade writes the table of docs/scaling.
func everyDecade(out io.Writer, l Load, m Measured, p Prices) error {
	fmt.Fprintln(out, "| points/s | series | MB/s into Kafka | brokers | rollup nodes | slots | streaming indexers | hot, default historicals | lake, TB | "+p.Currency+" a month | binds first |")
	fmt.Fprintln(out, "|"+strings.Repeat("---|", 11))
	for _, points := range decades {
		l.Points, l.Series = points, points*10
		o := plan(l, m, p)
		nodes := map[string]int{}
		for _, one := range o.Parts {
			nodes[one.Name] = one.Nodes
		}
		fmt.Fprintf(out, "| %.0f | %.0f | %.0f | %d | %d | %d | %d | %d, %d | %.1f | %s | %s |\n", l.Points, l.Series, o.Produced,
			nodes["Kafka brokers"], nodes["Flink: rollup"], o.TaskSlots, nodes["Druid: streaming indexers"],
			nodes["Druid: hot historicals"], nodes["Druid: historicals"], o.Lake/1000, o.Total.FloatString(0), o.first(l, p).Name)
	}
	return nil
}
