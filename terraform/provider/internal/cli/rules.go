package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
)

// rules are what export rules -o json writes and import rules reads.
type rules struct {
	AlertRules []client.AlertRuleDraft `json:"alert_rules"`
}

func exportRulesCommand(s *session) *cobra.Command {
	var environment, output string
	command := &cobra.Command{
		Use:   "rules",
		Short: "Write the alert rules of an environment as Terraform, or as JSON that import rules reads",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, environment, err := s.within(command.Context(), environment)
			if err != nil {
				return err
			}
			found, err := client.List[client.AlertRule](command.Context(), c, client.OpListAlertRules, client.Path{"environment_id": environment})
			if err != nil {
				return err
			}
			if output == "json" {
				written := rules{AlertRules: []client.AlertRuleDraft{}}
				for _, each := range found {
					written.AlertRules = append(written.AlertRules, draftOf(each))
				}
				return printJSON(command.OutOrStdout(), written)
			}
			var blocks []block
			for _, each := range found {
				blocks = append(blocks, block{object{"alert_rule", environment + "_" + each.Name, environment + "/" + each.Id},
					ruleBlock{environment, draftOf(each)}})
			}
			return configuration(command.OutOrStdout(), blocks)
		},
	}
	command.Flags().StringVar(&environment, "environment", "", "the environment (default: that of the key)")
	command.Flags().StringVarP(&output, "output", "o", "terraform", "terraform or json")
	return command
}

// ruleBlock is a rule with the environment that it belongs to.
type ruleBlock struct {
	EnvironmentID string `json:"environment_id"`
	client.AlertRuleDraft
}

func draftOf(rule client.AlertRule) client.AlertRuleDraft {
	return client.AlertRuleDraft{
		Name: rule.Name, Description: &rule.Description, Enabled: &rule.Enabled, Severity: rule.Severity, Condition: rule.Condition,
		Labels: &rule.Labels, Annotations: &rule.Annotations, RunbookUrl: rule.RunbookUrl,
	}
}

func importCommand(s *session) *cobra.Command {
	command := &cobra.Command{Use: "import", Short: "Make what was exported as JSON"}
	var environment string
	rulesOf := &cobra.Command{
		Use:   "rules FILE",
		Short: "Make alert rules; one whose name is there already is left as it is",
		Long:  "Make the alert rules of a file that export rules -o json wrote; - is the standard input. A rule whose name is there already is left as it is.",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			written, err := readRules(command, arguments[0])
			if err != nil {
				return err
			}
			c, environment, err := s.within(command.Context(), environment)
			if err != nil {
				return err
			}
			return makeRules(command.Context(), command, c, environment, written)
		},
	}
	rulesOf.Flags().StringVar(&environment, "environment", "", "the environment (default: that of the key)")
	command.AddCommand(rulesOf, importDashboardsCommand(s))
	return command
}

func readRules(command *cobra.Command, name string) (rules, error) {
	file := command.InOrStdin()
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			return rules{}, err
		}
		defer opened.Close()
		file = opened
	}
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	var written rules
	if err := decoder.Decode(&written); err != nil {
		return rules{}, fmt.Errorf("%s is not what export rules -o json writes: %w", name, err)
	}
	return written, nil
}

// makeRules goes on after a rule that the API refuses, and fails in the end.
func makeRules(ctx context.Context, command *cobra.Command, c *client.Client, environment string, written rules) error {
	path := client.Path{"environment_id": environment}
	found, err := client.List[client.AlertRule](ctx, c, client.OpListAlertRules, path)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, each := range found {
		taken[each.Name] = true
	}
	var failed []error
	for _, each := range written.AlertRules {
		if taken[each.Name] {
			fmt.Fprintf(command.ErrOrStderr(), "%s is there already\n", plain(each.Name))
			continue
		}
		made, _, err := client.Create[client.AlertRule](ctx, c, client.OpCreateAlertRule, path, each)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", each.Name, err))
			continue
		}
		taken[each.Name] = true
		fmt.Fprintf(command.OutOrStdout(), "%s  %s\n", made.Id, plain(made.Name))
	}
	return errors.Join(failed...)
}
