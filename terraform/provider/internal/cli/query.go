package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/metricsquery"
)

func queryCommand(s *session) *cobra.Command {
	var query metricsquery.Query
	var where []string
	var output string
	command := &cobra.Command{
		Use:   "query METRIC",
		Short: "Ask for a metric over time",
		Long: "Ask for a metric over time. The answer ends with how complete it is.\n\n" +
			"  tidemarkctl query kafka.message.count --by metric.topic --where resource.kafka.id=lkc-1 --last PT6H --granularity PT15M -o spark",
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(command *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return metricNames(s, command.Context(), query.Dataset, begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(command *cobra.Command, arguments []string) error {
			query.Metric = arguments[0]
			for _, condition := range where {
				field, value, isCondition := strings.Cut(condition, "=")
				if !isCondition || field == "" {
					return fmt.Errorf("--where %s is not of the form field=value", condition)
				}
				query.Where = append(query.Where, metricsquery.Condition{Field: field, Value: value})
			}
			if !slices.Contains([]string{"table", "csv", "json", "spark"}, output) {
				return fmt.Errorf("-o is table, csv, json or spark, not %s", output)
			}
			c, err := s.client()
			if err != nil {
				return err
			}
			answer, err := query.Run(command.Context(), c)
			if err != nil {
				return err
			}
			if err := printAnswer(command.OutOrStdout(), answer, query.By, output); err != nil {
				return err
			}
			if output != "json" {
				_, err = fmt.Fprintln(command.ErrOrStderr(), completeness(answer))
			}
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&query.Dataset, "dataset", "cloud", "cloud (the organisation's metrics) or self (Tidemark's own)")
	flags.StringVar(&query.Aggregation, "agg", "", "SUM, MIN, MAX, COUNT, AVG, LAST, P50, P75, P90, P95 or P99 (default: what suits the metric)")
	flags.StringSliceVar(&query.By, "by", nil, "labels to group by, as in metric.topic")
	flags.StringArrayVar(&where, "where", nil, "condition field=value; may be repeated, all hold")
	flags.StringVar(&query.Interval, "interval", "", "as in 2026-01-01T00:00:00Z/PT1H (instead of --last)")
	flags.StringVar(&query.Last, "last", "PT1H", "how far back from now, as in PT1H or P7D")
	flags.StringVar(&query.Granularity, "granularity", "PT1M", "length of a bucket: PT1M, PT5M, PT15M, PT1H, P1D, ALL, ...")
	flags.IntVar(&query.Limit, "limit", 100, "greatest number of groups")
	flags.StringVarP(&output, "output", "o", "table", "table, csv, json or spark")
	_ = command.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"table", "csv", "json", "spark"}, cobra.ShellCompDirectiveNoFileComp))
	return command
}

func printAnswer(to io.Writer, answer metricsquery.Answer, by []string, output string) error {
	switch output {
	case "json":
		return printJSON(to, answer)
	case "spark":
		return sparklines(answer, by).print(to)
	}
	rows := newTable(append(append([]string{"timestamp"}, by...), "value")...)
	for _, row := range answer.Data {
		cells := []string{fmt.Sprint(row["timestamp"])}
		for _, label := range by {
			cells = append(cells, labelText(row[label]))
		}
		rows.add(append(cells, number(row["value"]))...)
	}
	if output == "csv" {
		return rows.csv(to)
	}
	return rows.print(to)
}

func labelText(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func number(value any) string {
	if float, isNumber := value.(float64); isNumber {
		return strconv.FormatFloat(float, 'f', -1, 64)
	}
	return labelText(value)
}

// completeness is the answer's own word on how far it is complete.
func completeness(answer metricsquery.Answer) string {
	if answer.Meta.Completeness == nil {
		return "How complete the answer is, is not known."
	}
	told := answer.Meta.Completeness.State
	if answer.Meta.Completeness.CompleteUntil != "" {
		told += ", complete until " + answer.Meta.Completeness.CompleteUntil
	}
	if answer.Meta.Completeness.IsBehind {
		since := answer.Meta.Completeness.ReadUntil
		if since == "" {
			since = "an unknown time"
		}
		told += "; points received since " + since + " may be missing: the pipeline is reading a backlog or does not run"
	}
	for _, cut := range answer.Meta.Truncated {
		told += "; cut: " + cut.Detail
	}
	return told
}

const bars = "▁▂▃▄▅▆▇█"

// sparklines draws one line for each group; a bucket without rows is a dot.
func sparklines(answer metricsquery.Answer, by []string) *table {
	var times []string
	groups := map[string]map[string]float64{}
	labels := map[string][]string{}
	var order []string
	for _, row := range answer.Data {
		when := fmt.Sprint(row["timestamp"])
		if !slices.Contains(times, when) {
			times = append(times, when)
		}
		var cells []string
		for _, label := range by {
			cells = append(cells, labelText(row[label]))
		}
		key := strings.Join(cells, "\x00")
		if groups[key] == nil {
			groups[key], labels[key] = map[string]float64{}, cells
			order = append(order, key)
		}
		if value, isNumber := row["value"].(float64); isNumber {
			groups[key][when] = value
		}
	}
	slices.Sort(times)
	drawn := newTable(append(slices.Clone(by), "last", "min", "max", "")...)
	for _, key := range order {
		least, most, last := math.Inf(1), math.Inf(-1), ""
		for _, when := range times {
			if value, there := groups[key][when]; there {
				least, most, last = min(least, value), max(most, value), number(value)
			}
		}
		var line strings.Builder
		for _, when := range times {
			value, there := groups[key][when]
			line.WriteRune(bar(value, there, least, most))
		}
		drawn.add(append(slices.Clone(labels[key]), last, number(least), number(most), line.String())...)
	}
	return drawn
}

func bar(value float64, there bool, least, most float64) rune {
	if !there {
		return '·'
	}
	level := 0
	if most > least {
		level = int((value - least) / (most - least) * float64(utf8.RuneCountInString(bars)-1))
	}
	return []rune(bars)[level]
}

func metricNames(s *session, ctx context.Context, dataset, begun string) []string {
	c, err := s.client()
	if err != nil {
		return nil
	}
	found, err := metricsquery.Metrics(ctx, c, dataset, "")
	if err != nil {
		return nil
	}
	var names []string
	for _, metric := range found {
		if strings.HasPrefix(metric.Name, begun) {
			names = append(names, metric.Name)
		}
	}
	return names
}

func metricsCommand(s *session) *cobra.Command {
	var dataset, resource, output string
	command := &cobra.Command{
		Use: "metrics", Short: "List the metrics that can be asked for", Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, err := s.client()
			if err != nil {
				return err
			}
			found, err := metricsquery.Metrics(command.Context(), c, dataset, resource)
			if err != nil {
				return err
			}
			if output == "json" {
				return printJSON(command.OutOrStdout(), found)
			}
			rows := newTable("NAME", "TYPE", "UNIT", "LABELS")
			for _, metric := range found {
				var labels []string
				for _, label := range metric.Labels {
					labels = append(labels, label.Key)
				}
				rows.add(metric.Name, metric.Type, metric.Unit, strings.Join(labels, " "))
			}
			return rows.print(command.OutOrStdout())
		},
	}
	command.Flags().StringVar(&dataset, "dataset", "cloud", "cloud or self")
	command.Flags().StringVar(&resource, "resource-type", "", "only metrics of resources of this type")
	command.Flags().StringVarP(&output, "output", "o", "table", "table or json")
	return command
}

func environmentsCommand(s *session) *cobra.Command {
	return &cobra.Command{
		Use: "environments", Short: "List the environments of the organisation", Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, err := s.client()
			if err != nil {
				return err
			}
			found, err := client.List[client.Environment](command.Context(), c, client.OpListEnvironments, nil)
			if err != nil {
				return err
			}
			rows := newTable("ID", "NAME", "STATE")
			for _, each := range found {
				rows.add(each.Id, each.DisplayName, string(each.State))
			}
			return rows.print(command.OutOrStdout())
		},
	}
}
