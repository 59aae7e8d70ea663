package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// block is a resource with what the API has of it.
type block struct {
	object
	attributes any
}

// configuration writes each resource with the import block that takes it over. Left out are those of the API's names that
// the resource does not have.
func configuration(to io.Writer, blocks []block, left ...string) error {
	var objects []object
	for _, each := range blocks {
		objects = append(objects, each.object)
	}
	for i, address := range addresses(objects) {
		text, err := json.Marshal(blocks[i].attributes)
		if err != nil {
			return err
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var attributes map[string]any
		if err := decoder.Decode(&attributes); err != nil {
			return err
		}
		for _, name := range left {
			delete(attributes, name)
		}
		kind, name, _ := strings.Cut(address, ".")
		if _, err := fmt.Fprintf(to, "import {\n  to = %s\n  id = %s\n}\n\nresource %q %q %s\n\n", address, quoted(blocks[i].ID), kind, name, body(attributes, "")); err != nil {
			return err
		}
	}
	return nil
}

// body is the attributes of a block or an object, laid out as terraform fmt does; null ones are left out.
func body(attributes map[string]any, indent string) string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(attributes)), func(name string) bool { return attributes[name] == nil })
	if len(names) == 0 {
		return "{}"
	}
	var written strings.Builder
	written.WriteString("{\n")
	// Equal signs stand below each other as long as values have one line.
	for begin := 0; begin < len(names); {
		end := begin
		var lines []string
		width := 0
		for end < len(names) {
			value := expression(attributes[names[end]], indent+"  ")
			lines = append(lines, value)
			end++
			if strings.Contains(value, "\n") {
				if len(lines) > 1 {
					lines, end = lines[:len(lines)-1], end-1
				}
				break
			}
		}
		for _, name := range names[begin:end] {
			width = max(width, len(key(name)))
		}
		for i, name := range names[begin:end] {
			fmt.Fprintf(&written, "%s  %-*s = %s\n", indent, width, key(name), lines[i])
		}
		begin = end
	}
	written.WriteString(indent + "}")
	return written.String()
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func key(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return quoted(name)
}

func expression(value any, indent string) string {
	switch known := value.(type) {
	case string:
		return quoted(known)
	case map[string]any:
		return body(known, indent)
	case []any:
		if len(known) == 0 {
			return "[]"
		}
		var items []string
		isLong := false
		for _, each := range known {
			item := expression(each, indent+"  ")
			isLong = isLong || strings.Contains(item, "\n")
			items = append(items, item)
		}
		if !isLong {
			return "[" + strings.Join(items, ", ") + "]"
		}
		return "[\n" + indent + "  " + strings.Join(items, ",\n"+indent+"  ") + ",\n" + indent + "]"
	default:
		return fmt.Sprint(known)
	}
}
