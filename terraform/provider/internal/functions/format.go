package functions

import (
	"context"
	"hash/crc32"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

var (
	environmentForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)
	idForm          = regexp.MustCompile(`^[A-Z2-7]{16}$`)
	secretForm      = regexp.MustCompile(`^[0-9A-Za-z]{40}$`)
)

// FormatAPIKey is provider::tidemark::format_api_key.
func FormatAPIKey() function.Function { return formatter{} }

type formatter struct{}

func (formatter) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = "format_api_key"
}

func (formatter) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	response.Definition = function.Definition{
		Summary: "Puts a whole API key together",
		MarkdownDescription: "Gives the whole key of a `tidemark_api_key` that was made with `secret_wo`: `tdm_<environment>_<id>_<secret><checksum>`. Password of " +
			"Basic credentials is what comes after the last `_`.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "environment_id", MarkdownDescription: "The environment that the key belongs to."},
			function.StringParameter{Name: "id", MarkdownDescription: "Public id of the key."},
			function.StringParameter{Name: "secret", MarkdownDescription: "The 40 characters that `secret_wo` has."},
		},
		Return: function.StringReturn{},
	}
}

func (formatter) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var environment, id, secret string
	if response.Error = request.Arguments.Get(ctx, &environment, &id, &secret); response.Error != nil {
		return
	}
	switch {
	case !environmentForm.MatchString(environment):
		response.Error = function.NewArgumentFuncError(0, "The text is not the identifier of an environment.")
	case !idForm.MatchString(id):
		response.Error = function.NewArgumentFuncError(1, "The text is not the id of an API key: 16 of A-Z and 2-7.")
	case !secretForm.MatchString(secret):
		response.Error = function.NewArgumentFuncError(2, "The text is not a secret: 40 of 0-9, A-Z and a-z.")
	default:
		before := "tdm_" + environment + "_" + id + "_" + secret
		response.Error = response.Result.Set(ctx, before+checksum(before))
	}
}

// checksum is the CRC-32 of a text as six base-62 digits.
func checksum(text string) string {
	rest := crc32.ChecksumIEEE([]byte(text))
	var written [6]byte
	for i := range written {
		written[len(written)-1-i] = digits[rest%62]
		rest /= 62
	}
	return string(written[:])
}
