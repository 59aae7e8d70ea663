package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
)

// boards are what export dashboards -o json writes; one definition is what the console exports.
type boards struct {
	Dashboards []client.DashboardDefinition `json:"dashboards"`
}

func exportDashboardsCommand(s *session) *cobra.Command {
	var output string
	command := &cobra.Command{
		Use:   "dashboards",
		Short: "Write the dashboards of the organisation as Terraform, or as JSON that import dashboards reads",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, err := s.client()
			if err != nil {
				return err
			}
			blocks, err := dashboardsOf(command.Context(), c)
			if err != nil {
				return err
			}
			written := boards{Dashboards: []client.DashboardDefinition{}}
			for _, each := range blocks {
				found, _, err := client.Get[client.Dashboard](command.Context(), c, client.OpGetDashboard, client.Path{"dashboard_id": each.ID})
				if err != nil {
					return err
				}
				written.Dashboards = append(written.Dashboards, found.Definition)
			}
			if output != "json" {
				var resources []block
				for i, each := range blocks {
					resources = append(resources, block{each, written.Dashboards[i]})
				}
				return configuration(command.OutOrStdout(), resources, "version")
			}
			return printJSON(command.OutOrStdout(), written)
		},
	}
	command.Flags().StringVarP(&output, "output", "o", "terraform", "terraform or json")
	return command
}

func dashboardsOf(ctx context.Context, c *client.Client) ([]object, error) {
	found, err := client.List[client.DashboardSummary](ctx, c, client.OpListDashboards, nil)
	var blocks []object
	for _, each := range found {
		blocks = append(blocks, object{"dashboard", each.Title, each.Id})
	}
	return blocks, err
}

func importDashboardsCommand(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "dashboards FILE",
		Short: "Make dashboards; one whose title is there already is left as it is",
		Long: "Make the dashboards of a file that export dashboards -o json wrote, or the one that the console exported; - is the standard input.\n" +
			"A dashboard whose title is there already is left as it is.",
		Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			written, err := readDashboards(command, arguments[0])
			if err != nil {
				return err
			}
			c, err := s.client()
			if err != nil {
				return err
			}
			there, err := dashboardsOf(command.Context(), c)
			if err != nil {
				return err
			}
			taken := map[string]bool{}
			for _, each := range there {
				taken[each.Name] = true
			}
			var failed []error
			for _, each := range written.Dashboards {
				if taken[each.Title] {
					fmt.Fprintf(command.ErrOrStderr(), "%s is there already\n", plain(each.Title))
					continue
				}
				made, _, err := client.Create[client.Dashboard](command.Context(), c, client.OpCreateDashboard, nil, each)
				if err != nil {
					failed = append(failed, fmt.Errorf("%s: %w", each.Title, err))
					continue
				}
				taken[each.Title] = true
				fmt.Fprintf(command.OutOrStdout(), "%s  %s\n", made.Id, plain(each.Title))
			}
			return errors.Join(failed...)
		},
	}
}

func readDashboards(command *cobra.Command, name string) (boards, error) {
	file := command.InOrStdin()
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			return boards{}, err
		}
		defer opened.Close()
		file = opened
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return boards{}, err
	}
	var written boards
	var one client.DashboardDefinition
	if err := json.Unmarshal(text, &written); err == nil && written.Dashboards != nil {
		return written, nil
	}
	if err := json.Unmarshal(text, &one); err != nil || one.Title == "" {
		return boards{}, fmt.Errorf("%s is neither what export dashboards -o json writes nor what the console exports", name)
	}
	return boards{Dashboards: []client.DashboardDefinition{one}}, nil
}
