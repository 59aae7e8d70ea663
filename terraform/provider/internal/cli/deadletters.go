package cli

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
)

func deadLettersCommand(s *session) *cobra.Command {
	var environment, reason, output string
	var limit int
	command := &cobra.Command{
		Use:   "dead-letters [ID]",
		Short: "List what was accepted and then set aside, newest first; with an id show what was found, and points of it",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			if !slices.Contains([]string{"table", "json"}, output) {
				return fmt.Errorf("-o is table or json, not %s", output)
			}
			c, environment, err := s.within(command.Context(), environment)
			if err != nil {
				return err
			}
			path := client.Path{"environment_id": environment}
			if len(arguments) == 1 {
				path["dead_letter_id"] = arguments[0]
				found, _, err := client.Get[client.DeadLetter](command.Context(), c, client.OpGetDeadLetter, path)
				if err != nil {
					return err
				}
				return printDeadLetter(command, found, output)
			}
			query := url.Values{"limit": {strconv.Itoa(limit)}}
			if reason != "" {
				query.Set("reason", reason)
			}
			var page client.DeadLetterPage
			if _, err := c.Call(command.Context(), client.Request{Operation: client.OpListDeadLetters, Path: path, Query: query}, &page); err != nil {
				return err
			}
			if output == "json" {
				return printJSON(command.OutOrStdout(), page.Data)
			}
			rows := newTable("ID", "RECEIVED", "REASON", "POINTS", "RECEIPT")
			for _, each := range page.Data {
				rows.add(each.Id, each.ReceivedAt.Format(time.RFC3339), each.Reason, fmt.Sprint(each.Points), each.BatchId)
			}
			if err := rows.print(command.OutOrStdout()); err != nil {
				return err
			}
			if page.Meta.NextCursor != nil {
				_, err = fmt.Fprintln(command.ErrOrStderr(), "There are more: raise --limit, at most 200, or name a --reason.")
			}
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&environment, "environment", "", "the environment (default: that of the key)")
	flags.StringVar(&reason, "reason", "", "only of this reason, as in LABEL_INVALID")
	flags.IntVar(&limit, "limit", 50, "how many, at most 200")
	flags.StringVarP(&output, "output", "o", "table", "table or json")
	return command
}

func printDeadLetter(command *cobra.Command, found client.DeadLetter, output string) error {
	if output == "json" {
		return printJSON(command.OutOrStdout(), found)
	}
	rows := newTable("OF", "")
	rows.add("id", found.Id)
	rows.add("receipt", found.BatchId)
	rows.add("received", found.ReceivedAt.Format(time.RFC3339))
	rows.add("reason", found.Reason)
	rows.add("step", found.Stage)
	rows.add("points", fmt.Sprint(found.Points))
	rows.add("found", found.Detail)
	if err := rows.print(command.OutOrStdout()); err != nil {
		return err
	}
	sample := found.Sample
	var points any
	if json.Unmarshal([]byte(sample), &points) == nil {
		if laidOut, err := json.MarshalIndent(points, "", "  "); err == nil {
			sample = string(laidOut)
		}
	}
	_, err := fmt.Fprintf(command.OutOrStdout(), "\n%s\n", plainLines(sample))
	return err
}
