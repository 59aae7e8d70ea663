package cli

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/assistant"
)

func assistantCommand(s *session) *cobra.Command {
	var writes bool
	command := &cobra.Command{
		Use:   "mcp",
		Short: "Serve metrics and catalogue to a coding assistant over the standard input and output (Model Context Protocol)",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c, err := s.client()
			if err != nil {
				return err
			}
			return assistant.New(c, s.version, writes).Run(command.Context(), &mcp.StdioTransport{})
		},
	}
	command.Flags().BoolVar(&writes, "allow-writes", false, "offer tools that change something, too")
	return command
}
