// Package cli holds the commands of tidemarkctl.
package cli

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/contexts"
)

// session is what every command needs: which context, and the client of it.
type session struct {
	version string
	context string
}

func (s *session) client() (*client.Client, error) {
	file, err := contexts.Read()
	if err != nil {
		return nil, err
	}
	found, err := file.Resolve(s.context)
	if err != nil {
		return nil, err
	}
	return client.New(client.Settings{
		URL: found.URL, APIKey: found.APIKey, APISecret: found.APISecret, Session: found.Session, Organization: found.Organization,
		UserAgent: "tidemarkctl/" + s.version, RetryFor: 20 * time.Second,
	})
}

// New gives the whole command.
func New(version string) *cobra.Command {
	s := &session{version: version}
	root := &cobra.Command{
		Use:           "tidemarkctl",
		Short:         "Ask Tidemark from a terminal",
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().StringVar(&s.context, "context", "", "context to use (default: TIDEMARK_URL of the environment, else the current one)")
	_ = root.RegisterFlagCompletionFunc("context", names)
	root.AddCommand(loginCommand(s), logoutCommand(s), contextCommand(), callerCommand(s), queryCommand(s), metricsCommand(s), environmentsCommand(s),
		receiptsCommand(s), deadLettersCommand(s), usageCommand(s), incidentsCommand(s), tailCommand(s), exportCommand(s), importCommand(s), assistantCommand(s))
	return root
}

// names completes the names of contexts.
func names(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	file, err := contexts.Read()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var found []string
	for name := range file.Contexts {
		found = append(found, name)
	}
	slices.Sort(found)
	return found, cobra.ShellCompDirectiveNoFileComp
}

func contextCommand() *cobra.Command {
	command := &cobra.Command{Use: "context", Short: "Addresses and keys to sign in with"}
	var url, key string
	set := &cobra.Command{
		Use:   "set NAME",
		Short: "Make or change a context, and use it; the secret is read from the standard input",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			return keepKey(command, arguments[0], url, key)
		},
	}
	set.Flags().StringVar(&url, "url", "", "address of platform-api, as in https://tidemark.example")
	set.Flags().StringVar(&key, "api-key", "", "id of an API key; not needed when the whole key is given")
	_ = set.MarkFlagRequired("url")
	use := &cobra.Command{
		Use: "use NAME", Short: "Make a context the current one", Args: cobra.ExactArgs(1), ValidArgsFunction: names,
		RunE: func(_ *cobra.Command, arguments []string) error {
			file, err := contexts.Read()
			if err != nil {
				return err
			}
			if _, err := file.Resolve(arguments[0]); err != nil {
				return err
			}
			file.Current = arguments[0]
			return file.Write()
		},
	}
	remove := &cobra.Command{
		Use: "remove NAME", Short: "Remove a context and its key from this machine", Args: cobra.ExactArgs(1), ValidArgsFunction: names,
		RunE: func(_ *cobra.Command, arguments []string) error {
			file, err := contexts.Read()
			if err != nil {
				return err
			}
			if _, err := file.Resolve(arguments[0]); err != nil {
				return err
			}
			delete(file.Contexts, arguments[0])
			if file.Current == arguments[0] {
				file.Current = ""
			}
			return file.Write()
		},
	}
	list := &cobra.Command{
		Use: "list", Short: "Show the contexts, never their secrets", Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			file, err := contexts.Read()
			if err != nil {
				return err
			}
			table := newTable("", "NAME", "URL", "KEY")
			for name, each := range file.Contexts {
				mark, key := "", each.APIKey
				if each.Session != "" {
					key = "a person"
				}
				if name == file.Current {
					mark = "*"
				}
				if parts := strings.Split(key, "_"); len(parts) == 4 {
					key = parts[2]
				}
				table.add(mark, name, each.URL, key)
			}
			table.sort(1)
			return table.print(command.OutOrStdout())
		},
	}
	command.AddCommand(set, use, remove, list)
	return command
}

// keepKey reads the secret of a key from the standard input and keeps both as a context.
func keepKey(command *cobra.Command, name, url, key string) error {
	file, err := contexts.Read()
	if err != nil {
		return err
	}
	fmt.Fprint(command.ErrOrStderr(), "Secret of the key (or the whole key): ")
	secret, err := bufio.NewReader(command.InOrStdin()).ReadString('\n')
	if secret = strings.TrimSpace(secret); secret == "" {
		return errors.Join(errors.New("there is no secret on the standard input"), err)
	}
	next := contexts.Context{URL: url, APIKey: key, APISecret: secret}
	if strings.HasPrefix(secret, "tdm_") {
		next.APIKey, next.APISecret = secret, ""
	}
	if _, err := client.New(client.Settings{URL: next.URL, APIKey: next.APIKey}); err != nil {
		return err
	}
	file.Contexts[name] = next
	file.Current = name
	return file.Write()
}

func callerCommand(s *session) *cobra.Command {
	return &cobra.Command{
		Use: "whoami", Short: "Show who the key is and what it may do", Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, err := s.client()
			if err != nil {
				return err
			}
			caller, err := c.Caller(command.Context())
			if err != nil {
				return err
			}
			if caller.Organizations != nil {
				return printBelongings(command, caller)
			}
			table := newTable("ORGANISATION", "ENVIRONMENT", "KEY", "PERMISSIONS")
			table.add(text(caller.OrganizationId), text(caller.EnvironmentId), text(caller.ApiKeyId), strings.Join(caller.Permissions, " "))
			return table.print(command.OutOrStdout())
		},
	}
}

// printBelongings shows what a person belongs to.
func printBelongings(command *cobra.Command, caller client.CallerDescription) error {
	table := newTable("PERSON", "ORGANISATION", "PERMISSIONS")
	name := ""
	if caller.Person != nil {
		name = caller.Person.DisplayName
	}
	for _, each := range *caller.Organizations {
		table.add(name, each.OrganizationId, strings.Join(each.Permissions, " "))
	}
	return table.print(command.OutOrStdout())
}

func text(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}
