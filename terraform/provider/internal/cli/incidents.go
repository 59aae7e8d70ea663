package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
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
			found, _, err := incidents(command.Context(), c, environment, state)
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

func tailCommand(s *session) *cobra.Command {
	var environment, output string
	var every, length time.Duration
	command := &cobra.Command{
		Use:   "tail",
		Short: "Follow what happens to the incidents of an environment",
		Long: "Follow what happens to the incidents of an environment: one line for each event of a timeline that is written down from now on.\n" +
			"The latest " + strconv.Itoa(latest) + " incidents are looked at.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, environment, err := s.within(command.Context(), environment)
			if err != nil {
				return err
			}
			ctx := command.Context()
			if length > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, length)
				defer cancel()
			}
			return follow(ctx, c, environment, every, output, command.OutOrStdout())
		},
	}
	command.Flags().StringVar(&environment, "environment", "", "the environment (default: that of the key)")
	command.Flags().DurationVar(&every, "every", 10*time.Second, "how long to wait between two looks")
	command.Flags().DurationVar(&length, "for", 0, "how long to follow; until interrupted unless set")
	command.Flags().StringVarP(&output, "output", "o", "table", "table (a line of text) or json (a line of JSON)")
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
		return nil, "", fmt.Errorf("the key belongs to no environment; name one with --environment")
	}
	return c, *caller.EnvironmentId, nil
}

func incidents(ctx context.Context, c *client.Client, environment, state string) ([]client.Incident, http.Header, error) {
	query := url.Values{"limit": {strconv.Itoa(latest)}}
	if state != "" {
		query.Set("state", state)
	}
	var page client.IncidentPage
	meta, err := c.Call(ctx, client.Request{Operation: client.OpListIncidents, Path: client.Path{"environment_id": environment}, Query: query}, &page)
	return page.Data, meta.Header, err
}

// told is an event of an incident, as a line of JSON.
type told struct {
	At       time.Time         `json:"at"`
	Kind     string            `json:"kind"`
	Incident string            `json:"incident_id"`
	Rule     string            `json:"rule_name"`
	Severity string            `json:"severity"`
	Group    map[string]string `json:"group"`
	Value    *float64          `json:"value,omitempty"`
	Text     *string           `json:"text,omitempty"`
}

// follow looks at the incidents again and again. An incident whose version is another one has a timeline with something new:
// what was written down after the first look, by the API's clock, and was not told yet.
func follow(ctx context.Context, c *client.Client, environment string, every time.Duration, output string, to io.Writer) error {
	events := map[string]int{}
	versions := map[string]int64{}
	found, since, err := looked(ctx, c, environment)
	if err != nil {
		return orEnd(ctx, err)
	}
	for _, each := range found {
		versions[each.Id] = each.Version
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
		if found, _, err = looked(ctx, c, environment); err != nil {
			return orEnd(ctx, err)
		}
		for _, each := range found {
			if versions[each.Id] == each.Version {
				continue
			}
			whole, _, err := client.Get[client.Incident](ctx, c, client.OpGetIncident,
				client.Path{"environment_id": environment, "incident_id": each.Id})
			if err != nil {
				return orEnd(ctx, err)
			}
			var timeline []client.IncidentEvent
			if whole.Timeline != nil {
				timeline = *whole.Timeline
			}
			told := events[each.Id]
			for told < len(timeline) && timeline[told].At.Before(since) {
				told++
			}
			if err := tell(to, whole, timeline[min(told, len(timeline)):], output); err != nil {
				return err
			}
			versions[each.Id], events[each.Id] = whole.Version, len(timeline)
		}
	}
}

// looked gives the latest incidents, oldest first, and the API's time.
func looked(ctx context.Context, c *client.Client, environment string) ([]client.Incident, time.Time, error) {
	found, header, err := incidents(ctx, c, environment, "")
	slices.Reverse(found)
	when, _ := http.ParseTime(header.Get("Date"))
	return found, when, err
}

// orEnd is no error when the time to follow is over.
func orEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func tell(to io.Writer, incident client.Incident, events []client.IncidentEvent, output string) error {
	for _, each := range events {
		event := told{At: each.At, Kind: string(each.Kind), Incident: incident.Id, Rule: incident.RuleName,
			Severity: string(incident.Severity), Group: incident.Group, Value: each.Value, Text: each.Text}
		line := ""
		if output == "json" {
			text, err := oneLine(event)
			if err != nil {
				return err
			}
			line = text
		} else {
			line = fmt.Sprintf("%s  %-12s  %-8s  %s  %s", event.At.Format(time.RFC3339), event.Kind, event.Severity, event.Rule, group(event.Group))
			if event.Value != nil {
				line += "  value " + number(*event.Value)
			}
			if event.Text != nil {
				line += "  " + *event.Text
			}
			line = plain(strings.TrimRight(line, " "))
		}
		if _, err := fmt.Fprintln(to, line); err != nil {
			return err
		}
	}
	return nil
}

func group(labels map[string]string) string {
	var told []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		told = append(told, name+"="+labels[name])
	}
	return strings.Join(told, " ")
}
