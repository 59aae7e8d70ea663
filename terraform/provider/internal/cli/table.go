package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// table is rows of texts below a head.
type table struct {
	head []string
	rows [][]string
}

func newTable(head ...string) *table { return &table{head: head} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) sort(column int) {
	slices.SortFunc(t.rows, func(a, b []string) int { return strings.Compare(a[column], b[column]) })
}

// print lays the columns out for people. Control characters in texts of senders do not reach the terminal.
func (t *table) print(to io.Writer) error {
	widths := make([]int, len(t.head))
	rows := append([][]string{t.head}, t.rows...)
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(plain(cell)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			cell = plain(cell)
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		if _, err := fmt.Fprintln(to, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || (r >= 0x7f && r < 0xa0) {
			return '?'
		}
		return r
	}, text)
}

func (t *table) csv(to io.Writer) error {
	writer := csv.NewWriter(to)
	if err := writer.WriteAll(append([][]string{t.head}, t.rows...)); err != nil {
		return err
	}
	return writer.Error()
}

func printJSON(to io.Writer, value any) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func oneLine(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

// plainLines is plain for a text of several lines.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	return strings.Join(lines, "\n")
}
