package envelope

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
)

// DataDefinition is what is a data source's own. M is its model, a struct with a tfsdk tag for each attribute.
type DataDefinition[M any] struct {
	Name   string
	Schema schema.Schema
	// Read completes the configuration with what the API has.
	Read func(ctx context.Context, c *client.Client, config M) (M, error)
}

// Data gives the data source of a definition.
func Data[M any](definition DataDefinition[M]) func() datasource.DataSource {
	return func() datasource.DataSource { return &dataSource[M]{definition: definition} }
}

type dataSource[M any] struct {
	definition DataDefinition[M]
	client     *client.Client
}

func (d *dataSource[M]) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + d.definition.Name
}

func (d *dataSource[M]) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = d.definition.Schema
}

func (d *dataSource[M]) Configure(_ context.Context, request datasource.ConfigureRequest, response *datasource.ConfigureResponse) {
	d.client = clientOf(request.ProviderData, &response.Diagnostics)
}

func (d *dataSource[M]) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	var config M
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if response.Diagnostics.HasError() {
		return
	}
	read, err := d.definition.Read(ctx, d.client, config)
	if err != nil {
		attributes := map[string]bool{}
		for name := range d.definition.Schema.Attributes {
			attributes[name] = true
		}
		Diagnose(&response.Diagnostics, "Cannot read tidemark_"+d.definition.Name, err, attributes, nil)
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, &read)...)
}

// Described reads a list of the API and describes each of its objects.
func Described[T, D any](ctx context.Context, c *client.Client, list client.Operation, path client.Path, describe func(T) D) ([]D, error) {
	found, err := client.List[T](ctx, c, list, path)
	described := make([]D, len(found))
	for i, each := range found {
		described[i] = describe(each)
	}
	return described, err
}

// OfEachHolder reads limits of the organisation and then of each of its environments; those that were deleted meanwhile are left out.
func OfEachHolder[D any](ctx context.Context, c *client.Client, read func(ctx context.Context, c *client.Client, holder types.String) (D, error)) ([]D, error) {
	holders := []string{"organization"}
	environments, err := client.List[client.Environment](ctx, c, client.OpListEnvironments, nil)
	if err != nil {
		return nil, err
	}
	for _, each := range environments {
		holders = append(holders, "environment/"+each.Id)
	}
	all := []D{}
	for _, holder := range holders {
		found, err := read(ctx, c, types.StringValue(holder))
		if client.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return all, nil
}

// Moment is a time of the API, null when absent.
func Moment(moment *time.Time) types.String {
	if moment == nil {
		return types.StringNull()
	}
	return types.StringValue(moment.Format(time.RFC3339))
}

// Asked is an attribute that names what to read.
func Asked(description string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description, Required: true, Validators: validators}
}

// Told is an attribute that is read.
func Told(description string) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description, Computed: true}
}

// ToldNumber is a number that is read.
func ToldNumber(description string) schema.Int64Attribute {
	return schema.Int64Attribute{MarkdownDescription: description, Computed: true}
}

// ToldTexts are texts that are read.
func ToldTexts(description string) schema.SetAttribute {
	return schema.SetAttribute{MarkdownDescription: description, Computed: true, ElementType: types.StringType}
}

// ToldList is a list of objects that are read.
func ToldList(description string, attributes map[string]schema.Attribute) schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		MarkdownDescription: description,
		Computed:            true,
		NestedObject:        schema.NestedAttributeObject{Attributes: attributes},
	}
}

// With adds attributes to others.
func With(attributes map[string]schema.Attribute, more map[string]schema.Attribute) map[string]schema.Attribute {
	all := map[string]schema.Attribute{}
	for name, attribute := range attributes {
		all[name] = attribute
	}
	for name, attribute := range more {
		all[name] = attribute
	}
	return all
}
