package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
)

func receiptsCommand(s *session) *cobra.Command {
	var output string
	command := &cobra.Command{
		Use:     "receipts ID...",
		Aliases: []string{"receipt"},
		Short:   "Show what became of batches: by the header Tidemark-Receipt, or by their Idempotency-Key",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			c, err := s.client()
			if err != nil {
				return err
			}
			found := []client.Receipt{}
			for _, id := range arguments {
				receipt, _, err := client.Get[client.Receipt](command.Context(), c, client.OpGetReceipt, client.Path{"receipt_id": id})
				if err != nil {
					return fmt.Errorf("%s: %w", id, err)
				}
				found = append(found, receipt)
			}
			if output == "json" {
				return printJSON(command.OutOrStdout(), found)
			}
			rows := newTable("RECEIPT", "STATE", "RECEIVED", "ACCEPTED", "REJECTED", "DUPLICATES")
			for _, each := range found {
				rejected := ""
				for _, part := range each.Rejected {
					rejected += fmt.Sprintf("%d %s (%s) ", part.Points, part.Reason, part.At)
				}
				rows.add(each.ReceiptId[:min(12, len(each.ReceiptId))], string(each.State), each.ReceivedAt.Format(time.RFC3339),
					fmt.Sprint(each.AcceptedPoints), rejected, fmt.Sprint(each.Duplicates))
			}
			return rows.print(command.OutOrStdout())
		},
	}
	command.Flags().StringVarP(&output, "output", "o", "table", "table or json")
	return command
}
