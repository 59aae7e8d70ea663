package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
)

func exportCommand(s *session) *cobra.Command {
	var output string
	command := &cobra.Command{
		Use:   "export",
		Short: "Write what the organisation has as Terraform's import blocks, or as JSON",
		Long: "Write what the organisation has as Terraform's import blocks: environments with their retention, declared metrics, confirmed\n" +
			"resources, alert rules and integrations, dashboards, and service accounts. Terraform writes the configuration itself:\n\n" +
			"  tidemarkctl export > import.tf && terraform plan -generate-config-out=generated.tf",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, err := s.client()
			if err != nil {
				return err
			}
			found, err := inventory(command.Context(), c, command.ErrOrStderr())
			if err != nil {
				return err
			}
			if output == "json" {
				return printJSON(command.OutOrStdout(), found)
			}
			return importBlocks(command.OutOrStdout(), found)
		},
	}
	command.Flags().StringVarP(&output, "output", "o", "terraform", "terraform or json")
	command.AddCommand(exportRulesCommand(s), exportDashboardsCommand(s))
	return command
}

// object is one that Terraform can manage.
type object struct {
	Type string `json:"type"`
	Name string `json:"name"`
	ID   string `json:"id"`
}

func inventory(ctx context.Context, c *client.Client, left io.Writer) ([]object, error) {
	environments, err := client.List[client.Environment](ctx, c, client.OpListEnvironments, nil)
	if err != nil {
		return nil, err
	}
	found := []object{}
	for _, environment := range environments {
		path := client.Path{"environment_id": environment.Id}
		found = append(found, object{"environment", environment.Id, environment.Id})
		retention, _, err := client.Get[client.Retention](ctx, c, client.OpGetRetention, path)
		if err != nil {
			return nil, err
		}
		if retention.UpdatedAt != nil {
			found = append(found, object{"retention_policy", environment.Id, environment.Id})
		}
		metrics, err := client.List[client.Metric](ctx, c, client.OpListMetrics, path)
		if err != nil {
			return nil, err
		}
		for _, metric := range metrics {
			if metric.Declared != nil {
				found = append(found, object{"metric", environment.Id + "_" + metric.Name, environment.Id + "/" + metric.Name})
			}
		}
		resources, err := client.List[client.Resource](ctx, c, client.OpListResources, path)
		if err != nil {
			return nil, err
		}
		for _, resource := range resources {
			if resource.State == client.ResourceStateConfirmed {
				name := resource.Type + "/" + resource.Name
				found = append(found, object{"resource", environment.Id + "_" + name, environment.Id + "/" + name})
			}
		}
		alerting, err := alertingOf(ctx, c, path)
		if client.IsForbidden(err) {
			fmt.Fprintf(left, "Not all alert rules and integrations of %s are exported: %v\n", environment.Id, err)
		} else if err != nil {
			return nil, err
		}
		found = append(found, alerting...)
	}
	dashboards, err := dashboardsOf(ctx, c)
	if client.IsForbidden(err) {
		fmt.Fprintf(left, "No dashboards are exported: %v\n", err)
	} else if err != nil {
		return nil, err
	}
	found = append(found, dashboards...)
	accounts, err := client.List[client.ServiceAccount](ctx, c, client.OpListServiceAccounts, nil)
	if err != nil {
		return nil, err
	}
	for _, account := range accounts {
		found = append(found, object{"service_account", account.DisplayName, account.Id})
	}
	return found, nil
}

func alertingOf(ctx context.Context, c *client.Client, path client.Path) ([]object, error) {
	environment := path["environment_id"]
	var found []object
	rules, err := client.List[client.AlertRule](ctx, c, client.OpListAlertRules, path)
	if err != nil {
		return nil, err
	}
	for _, rule := range rules {
		found = append(found, object{"alert_rule", environment + "_" + rule.Name, environment + "/" + rule.Id})
	}
	integrations, err := client.List[client.Integration](ctx, c, client.OpListIntegrations, path)
	if err != nil {
		return found, err
	}
	for _, integration := range integrations {
		found = append(found, object{"notification_integration", environment + "_" + integration.Name, environment + "/" + integration.Id})
	}
	return found, nil
}

var notOfNames = regexp.MustCompile(`[^a-z0-9_]+`)

// importBlocks writes a block for each object.
func importBlocks(to io.Writer, objects []object) error {
	for i, address := range addresses(objects) {
		if _, err := fmt.Fprintf(to, "import {\n  to = %s\n  id = %s\n}\n\n", address, quoted(objects[i].ID)); err != nil {
			return err
		}
	}
	return nil
}

// addresses names each object after what people call it; a name that comes twice gets a number.
func addresses(objects []object) []string {
	var found []string
	taken := map[string]int{}
	for _, each := range objects {
		name := strings.Trim(notOfNames.ReplaceAllString(strings.ToLower(each.Name), "_"), "_")
		if name == "" || (name[0] >= '0' && name[0] <= '9') {
			name = "_" + name
		}
		address := "tidemark_" + each.Type + "." + name
		taken[address]++
		if count := taken[address]; count > 1 {
			address += fmt.Sprintf("_%d", count)
		}
		found = append(found, address)
	}
	return found
}

// quoted is a text of HCL in which nothing is interpolated.
func quoted(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(fmt.Sprintf("%q", text))
}
