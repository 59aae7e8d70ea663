// Package functions holds the functions that configurations call.
package functions

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ParseResource is provider::tidemark::parse_resource.
func ParseResource() function.Function {
	return parser{
		name:        "parse_resource",
		summary:     "Takes the name of a resource apart",
		description: "Gives `environment_id`, `type` and `name` of `<environment_id>/<type>/<name>`, the import id of `tidemark_resource`. The name may have slashes.",
		parts:       []string{"environment_id", "type", "name"},
		parse: func(text string) ([]string, string) {
			parts := strings.SplitN(text, "/", 3)
			if len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
				return nil, "does not have the form <environment_id>/<type>/<name>"
			}
			return parts, ""
		},
	}
}

var keyForm = regexp.MustCompile(`^tdm_([a-z0-9][a-z0-9-]{0,62})_([A-Z2-7]{16})_([0-9A-Za-z]{46})$`)

// ParseAPIKey is provider::tidemark::parse_api_key.
func ParseAPIKey() function.Function {
	return parser{
		name:        "parse_api_key",
		summary:     "Takes a whole API key apart",
		description: "Gives `environment_id`, `id` and `secret` of a whole key, `tdm_<environment>_<id>_<secret>`: user and password of Basic credentials.",
		parts:       []string{"environment_id", "id", "secret"},
		parse: func(text string) ([]string, string) {
			found := keyForm.FindStringSubmatch(text)
			if found == nil {
				return nil, "is not a whole API key, which looks like tdm_<environment>_<id>_<secret>"
			}
			return found[1:], ""
		},
		secret: true,
	}
}

// parser is a function of one text that gives its named parts.
type parser struct {
	name, summary, description string
	parts                      []string
	parse                      func(string) ([]string, string)
	// secret texts are not repeated in messages.
	secret bool
}

func (p parser) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = p.name
}

func (p parser) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	response.Definition = function.Definition{
		Summary:             p.summary,
		MarkdownDescription: p.description,
		Parameters:          []function.Parameter{function.StringParameter{Name: "text", MarkdownDescription: "What to take apart."}},
		Return:              function.ObjectReturn{AttributeTypes: p.types()},
	}
}

func (p parser) types() map[string]attr.Type {
	read := map[string]attr.Type{}
	for _, name := range p.parts {
		read[name] = types.StringType
	}
	return read
}

func (p parser) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var text string
	if response.Error = request.Arguments.Get(ctx, &text); response.Error != nil {
		return
	}
	found, fault := p.parse(text)
	if fault != "" {
		if !p.secret {
			fault = "\"" + text + "\" " + fault
		} else {
			fault = "The text " + fault
		}
		response.Error = function.NewArgumentFuncError(0, fault+".")
		return
	}
	values := map[string]attr.Value{}
	for i, name := range p.parts {
		values[name] = types.StringValue(found[i])
	}
	response.Error = response.Result.Set(ctx, types.ObjectValueMust(p.types(), values))
}
