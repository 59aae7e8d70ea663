package cli

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
)

// latest is how many incidents one look takes: an environment has seldom more that are open.
const latest = 200

func incidentsCommand(s *session) *cobra.Command {
	var environment, state, output string
	command := &cobra.Command{
		Use:   "incidents",
		Short: "List the latest incidents of an environment, newest first",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, environment, err := s.within(command.Context(), environment)
			if err != nil {
				return err
			}
			found, err := incidents(command.Context(), c, environment, state)
			if err != nil {
				return err
			}
			if output == "json" {
				return printJSON(command.OutOrStdout(), found)
			}
			rows := newTable("INCIDENT", "STATE", "SEVERITY", "SINCE", "RULE", "GROUP")
			for _, each := range found {
				rows.add(each.Id, string(each.State), string(each.Severity), each.StartedAt.Format(time.RFC3339), each.RuleName, group(each.Group))
			}
			return rows.print(command.OutOrStdout())
		},
	}
	command.Flags().StringVar(&environment, "environment", "", "the environment (default: that of the key)")
	command.Flags().StringVar(&state, "state", "", "only open, resolved or retracted ones")
	command.Flags().StringVarP(&output, "output", "o", "table", "table or json")
	_ = command.RegisterFlagCompletionFunc("state",
		cobra.FixedCompletions([]string{"open", "resolved", "retracted"}, cobra.ShellCompDirectiveNoFileComp))
	return command
}

// within gives the client, and the environment of its key when none is named.
func (s *session) within(ctx context.Context, environment string) (*client.Client, string, error) {
	c, err := s.client()
	if err != nil || environment != "" {
		return c, environment, err
	}
	caller, err := c.Caller(ctx)
	if err != nil {
		return nil, "", err
	}
	if caller.EnvironmentId == nil {
		return nil, "", fmt.Errorf("you belong to no environment; name one with --environment")
	}
	return c, *caller.EnvironmentId, nil
}

func incidents(ctx context.Context, c *client.Client, environment, state string) ([]client.Incident, error) {
	query := url.Values{"limit": {strconv.Itoa(latest)}}
	if state != "" {
		query.Set("state", state)
	}
	var page client.IncidentPage
	_, err := c.Call(ctx, client.Request{Operation: client.OpListIncidents, Path: client.Path{"environment_id": environment}, Query: query}, &page)
	return page.Data, err
}

func group(labels map[string]string) string {
	var told []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		told = append(told, name+"="+labels[name])
	}
	return strings.Join(told, " ")
}
