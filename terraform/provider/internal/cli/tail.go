package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
)

// waits is how long one request of a tail waits for something to come, in seconds.
const waits = "20"

// pause is before a tail asks again after a failure that passes.
var pause = 2 * time.Second

func tailCommand(s *session) *cobra.Command {
	var environment, rule, since, output string
	var length time.Duration
	command := &cobra.Command{
		Use:   "tail",
		Short: "Follow the transitions of alerts of an environment",
		Long: "Follow the transitions of alerts of an environment: one line for each that is written down from now on, or since --since, at most 30 days\n" +
			"ago. Silenced ones are shown too. After a failure it goes on where it was.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if !slices.Contains([]string{"table", "json"}, output) {
				return fmt.Errorf("-o is table or json, not %s", output)
			}
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
			f := &follower{client: c, path: client.Path{"environment_id": environment}, json: output == "json", to: command.OutOrStdout(), told: command.ErrOrStderr()}
			return f.follow(ctx, rule, since)
		},
	}
	flags := command.Flags()
	flags.StringVar(&environment, "environment", "", "the environment (default: that of the key)")
	flags.StringVar(&rule, "rule", "", "only of the rule of this id")
	flags.StringVar(&since, "since", "", "from when, as in 2026-01-01T00:00:00Z; now unless set")
	flags.DurationVar(&length, "for", 0, "how long to follow; until interrupted unless set")
	flags.StringVarP(&output, "output", "o", "table", "table (a line of text) or json (a line of JSON)")
	return command
}

// follower tells the transitions of an environment in the order in which they were written down.
type follower struct {
	client *client.Client
	path   client.Path
	json   bool
	to     io.Writer
	told   io.Writer
	rules  map[string]client.AlertRule
	// seen are the latest transitions that were told: after a failure the same ones may come again.
	seen []string
}

const mostSeen = 1000

func (f *follower) follow(ctx context.Context, rule, since string) error {
	if err := f.readRules(ctx); err != nil {
		return orEnd(ctx, err)
	}
	query := url.Values{"limit": {"200"}, "wait_seconds": {waits}}
	if rule != "" {
		query.Set("rule_id", rule)
	}
	if since == "" {
		now, err := f.now(ctx)
		if err != nil {
			return orEnd(ctx, err)
		}
		since = now
	}
	query.Set("since", since)
	for ctx.Err() == nil {
		var page client.AlertTransitionPage
		_, err := f.client.Call(ctx, client.Request{Operation: client.OpListAlertTransitions, Path: f.path, Query: query}, &page)
		if client.IsPassing(err) && ctx.Err() == nil {
			fmt.Fprintf(f.told, "%v\nTrying again.\n", err)
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
			continue
		}
		if err != nil {
			return orEnd(ctx, err)
		}
		for _, each := range page.Data {
			if err := f.tell(ctx, each); err != nil {
				return err
			}
		}
		if page.Meta.NextCursor == nil || *page.Meta.NextCursor == "" {
			return fmt.Errorf("the API gave no cursor to go on with")
		}
		query.Set("cursor", *page.Meta.NextCursor)
	}
	return nil
}

// now is the time of the API's clock.
func (f *follower) now(ctx context.Context) (string, error) {
	meta, err := f.client.Call(ctx, client.Request{Operation: client.OpGetCaller}, nil)
	if err != nil {
		return "", err
	}
	when, err := http.ParseTime(meta.Header.Get("Date"))
	if err != nil {
		when = time.Now()
	}
	return when.UTC().Format(time.RFC3339), nil
}

func (f *follower) readRules(ctx context.Context) error {
	found, err := client.List[client.AlertRule](ctx, f.client, client.OpListAlertRules, f.path)
	if err != nil {
		return err
	}
	f.rules = map[string]client.AlertRule{}
	for _, each := range found {
		f.rules[each.Id] = each
	}
	return nil
}

// told is a transition as a line of JSON: that of the API with the name of its rule.
type told struct {
	client.AlertTransition
	RuleName string `json:"rule_name,omitempty"`
	Severity string `json:"severity,omitempty"`
}

func (f *follower) tell(ctx context.Context, transition client.AlertTransition) error {
	if slices.Contains(f.seen, transition.Id) {
		return nil
	}
	if f.seen = append(f.seen, transition.Id); len(f.seen) > mostSeen {
		f.seen = f.seen[len(f.seen)-mostSeen:]
	}
	rule, known := f.rules[transition.RuleId]
	if !known {
		if err := f.readRules(ctx); err != nil {
			return orEnd(ctx, err)
		}
		if rule, known = f.rules[transition.RuleId]; !known {
			// A deleted one is not asked for again.
			rule = client.AlertRule{Name: transition.RuleId}
			f.rules[transition.RuleId] = rule
		}
	}
	if f.json {
		line, err := oneLine(told{transition, rule.Name, string(rule.Severity)})
		if err == nil {
			_, err = fmt.Fprintln(f.to, line)
		}
		return err
	}
	line := fmt.Sprintf("%s  %-9s  %-7s  %-8s  %s  %s", transition.RecordedAt.Format(time.RFC3339), transition.Kind, transition.State,
		rule.Severity, rule.Name, group(transition.Group))
	if transition.Value != nil {
		line += "  value " + number(*transition.Value)
	}
	line += "  since " + transition.Since.Format(time.RFC3339)
	if transition.Reason != nil {
		line += "  " + *transition.Reason
	}
	if transition.Revised {
		line += "  (late data)"
	}
	_, err := fmt.Fprintln(f.to, plain(strings.TrimRight(line, " ")))
	return err
}

// orEnd is no error when the time to follow is over.
func orEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
