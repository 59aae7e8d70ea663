package cli

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
)

func usageCommand(s *session) *cobra.Command {
	var meter, by, environment, from, to, output string
	command := &cobra.Command{
		Use:   "usage",
		Short: "Show what was used, this month unless --from says otherwise",
		Long: "Show what was used: sums of one meter by what --by names. Without --from it is the month that runs, in UTC.\n\n" +
			"  tidemarkctl usage --meter points --by metric --environment production -o csv",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if !slices.Contains([]string{"table", "csv", "json"}, output) {
				return fmt.Errorf("-o is table, csv or json, not %s", output)
			}
			c, err := s.client()
			if err != nil {
				return err
			}
			query := url.Values{}
			for name, value := range map[string]string{"meter": meter, "by": by, "environment_id": environment, "from": from, "to": to} {
				if value != "" {
					query.Set(name, value)
				}
			}
			found, err := Usage(command.Context(), c, query)
			if err != nil {
				return err
			}
			if output == "json" {
				return printJSON(command.OutOrStdout(), found)
			}
			if err := printUsage(command, found, output); err != nil {
				return err
			}
			_, err = fmt.Fprintf(command.ErrOrStderr(), "%s %s in all, from %s to %s\n", found.Total, found.Unit,
				found.From.Format(time.RFC3339), found.To.Format(time.RFC3339))
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&meter, "meter", "", "points (default), bytes or another meter of the contract")
	flags.StringVar(&by, "by", "metric", "environment, resource, metric, day or hour")
	flags.StringVar(&environment, "environment", "", "only of this environment")
	flags.StringVar(&from, "from", "", "start of the first hour, as in 2026-01-01T00:00:00Z")
	flags.StringVar(&to, "to", "", "end of the last hour; now unless set")
	flags.StringVarP(&output, "output", "o", "table", "table, csv or json")
	_ = command.RegisterFlagCompletionFunc("by",
		cobra.FixedCompletions([]string{"environment", "resource", "metric", "day", "hour"}, cobra.ShellCompDirectiveNoFileComp))
	_ = command.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"table", "csv", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return command
}

// Usage reads all pages of an answer.
func Usage(ctx context.Context, c *client.Client, query url.Values) (client.UsagePage, error) {
	query.Set("limit", "200")
	var whole client.UsagePage
	for {
		var page client.UsagePage
		if _, err := c.Call(ctx, client.Request{Operation: client.OpGetUsage, Query: query}, &page); err != nil {
			return whole, err
		}
		page.Data = append(whole.Data, page.Data...)
		whole = page
		if page.Meta.NextCursor == nil || *page.Meta.NextCursor == "" {
			whole.Meta = client.PageMeta{}
			return whole, nil
		}
		query.Set("cursor", *page.Meta.NextCursor)
	}
}

func printUsage(command *cobra.Command, found client.UsagePage, output string) error {
	rows := newTable("of", "quantity")
	for _, each := range found.Data {
		of := text(each.EnvironmentId) + text(each.Metric)
		if each.ResourceType != nil || each.ResourceId != nil {
			of += text(each.ResourceType) + "/" + text(each.ResourceId)
		}
		if each.Start != nil {
			of += each.Start.Format(time.RFC3339)
		}
		rows.add(of, each.Quantity)
	}
	if output == "csv" {
		return rows.csv(command.OutOrStdout())
	}
	return rows.print(command.OutOrStdout())
}
