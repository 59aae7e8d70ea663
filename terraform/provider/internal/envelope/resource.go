package envelope

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
)

// Definition is what is a resource's own. M is its model, a struct of attr.Values with a tfsdk tag each.
type Definition[M any] struct {
	// Name is the type without the provider's prefix.
	Name   string
	Schema schema.Schema
	// ImportBy names the attributes that an import id gives, in order and separated by '/'; the last takes the rest.
	// They are the resource's identity too.
	ImportBy []string
	// MovingIdentity says that the identity can change while the object stays managed.
	MovingIdentity bool
	// Renamed maps names of the API to attributes where they differ.
	Renamed map[string]string

	// Create makes the object and gives it as it was read back. What exists before the function fails is kept by Call.Keep.
	Create func(ctx context.Context, call *Call[M], plan M) (M, error)
	// Read gives the object as it is, and sets Call.ETag; it fails with not found when there is none.
	Read func(ctx context.Context, call *Call[M], state M) (M, error)
	// Update changes the object from state to plan, for the version Call.ETag. Nil: every change but of timeouts replaces the resource.
	Update func(ctx context.Context, call *Call[M], plan, state M) (M, error)
	Delete func(ctx context.Context, call *Call[M], state M) error

	// Taken fails when what the plan would create is there already; nil asks nothing.
	Taken func(ctx context.Context, call *Call[M], plan M) error
	// Review looks at what would be made or changed before it is, and fails or warns; state is nil for what would be made.
	// Values of the plan may be unknown. Nil asks nothing.
	Review func(ctx context.Context, call *Call[M], plan M, state *M) error
	// Leaving fails when the object must not be destroyed; nil allows it. It is asked at plan and again at apply.
	Leaving func(ctx context.Context, call *Call[M], state M) error
	// Plan changes the plan of an object that exists; nil leaves it.
	Plan func(ctx context.Context, call *Call[M], plan, state M) (M, error)
	// Validate finds faults of the configuration that need more than one attribute.
	Validate func(config M) []*Fault
	// Import turns an id into attributes where ImportBy is not enough.
	Import func(id string) (map[string]string, error)
}

// Call is one operation of Terraform on one object.
type Call[M any] struct {
	Client *client.Client
	// ETag is the version of the object that was read last; empty when unknown.
	ETag string
	// Afresh reads the object itself, not a list that holds it.
	Afresh bool
	// Config is what is written, with the values that neither plan nor state hold.
	Config M

	keep func(M)
	kept bool
	warn func(summary, detail string)
}

// Keep puts the object into state now, so that it is known should the rest fail.
func (c *Call[M]) Keep(model M) {
	c.kept = true
	c.keep(model)
}

// Warn tells something that does not stop the operation.
func (c *Call[M]) Warn(summary, detail string) { c.warn(summary, detail) }

// New gives the resource of a definition.
func New[M any](definition Definition[M]) func() resource.Resource {
	return func() resource.Resource { return &defined[M]{definition: definition} }
}

type defined[M any] struct {
	definition Definition[M]
	client     *client.Client
}

const etagKey = "etag"

func (r *defined[M]) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + r.definition.Name
	response.ResourceBehavior = resource.ResourceBehavior{MutableIdentity: r.definition.MovingIdentity}
}

func (r *defined[M]) Schema(ctx context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = timed(ctx, r.definition.Schema)
}

func (r *defined[M]) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, response *resource.IdentitySchemaResponse) {
	attributes := map[string]identityschema.Attribute{}
	for _, name := range r.definition.ImportBy {
		attributes[name] = identityschema.StringAttribute{RequiredForImport: true}
	}
	response.IdentitySchema = identityschema.Schema{Attributes: attributes}
}

func (r *defined[M]) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	r.client = clientOf(request.ProviderData, &response.Diagnostics)
}

func clientOf(data any, diagnostics *diag.Diagnostics) *client.Client {
	if data == nil {
		return nil
	}
	found, ok := data.(*client.Client)
	if !ok {
		diagnostics.AddError("The provider is not configured", fmt.Sprintf("It holds a %T.", data))
	}
	return found
}

func (r *defined[M]) ValidateConfig(ctx context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	if r.definition.Validate == nil {
		return
	}
	var config M
	response.Diagnostics.Append(r.model(ctx, request.Config.Raw, &config)...)
	if response.Diagnostics.HasError() {
		return
	}
	for _, fault := range r.definition.Validate(config) {
		response.Diagnostics.AddAttributeError(at(fault.Attribute), fault.Summary, fault.Detail)
	}
}

func (r *defined[M]) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if r.client == nil {
		return
	}
	call := r.call(&response.Diagnostics, nil)
	switch {
	case request.Plan.Raw.IsNull():
		if r.definition.Leaving == nil {
			return
		}
		var state M
		response.Diagnostics.Append(r.model(ctx, request.State.Raw, &state)...)
		if !response.Diagnostics.HasError() {
			r.diagnose(&response.Diagnostics, "destroy", r.definition.Leaving(ctx, call, state))
		}
	case request.State.Raw.IsNull():
		var plan M
		response.Diagnostics.Append(r.model(ctx, request.Plan.Raw, &plan)...)
		response.Diagnostics.Append(r.model(ctx, request.Config.Raw, &call.Config)...)
		if r.definition.Review != nil && !response.Diagnostics.HasError() {
			r.diagnose(&response.Diagnostics, "create", r.definition.Review(ctx, call, plan, nil))
		}
		if r.definition.Taken != nil && r.identityIsKnown(ctx, request) && !response.Diagnostics.HasError() {
			r.diagnose(&response.Diagnostics, "create", r.definition.Taken(ctx, call, plan))
		}
	default:
		if request.Plan.Raw.Equal(request.State.Raw) && r.definition.Plan == nil {
			return
		}
		var plan, state M
		response.Diagnostics.Append(r.model(ctx, request.Plan.Raw, &plan)...)
		response.Diagnostics.Append(r.model(ctx, request.State.Raw, &state)...)
		if response.Diagnostics.HasError() {
			return
		}
		response.Diagnostics.Append(r.model(ctx, request.Config.Raw, &call.Config)...)
		if r.definition.Review != nil && !request.Plan.Raw.Equal(request.State.Raw) && !response.Diagnostics.HasError() {
			r.diagnose(&response.Diagnostics, "change", r.definition.Review(ctx, call, plan, &state))
		}
		if r.definition.Plan == nil || response.Diagnostics.HasError() {
			return
		}
		planned, err := r.definition.Plan(ctx, call, plan, state)
		if err != nil {
			r.diagnose(&response.Diagnostics, "plan", err)
			return
		}
		raw, diagnostics := r.written(ctx, planned, request.Plan.Raw)
		response.Diagnostics.Append(diagnostics...)
		response.Plan.Raw = raw
	}
}

// identityIsKnown says whether the plan knows all that names the object.
func (r *defined[M]) identityIsKnown(ctx context.Context, request resource.ModifyPlanRequest) bool {
	for _, name := range r.definition.ImportBy {
		var value types.String
		if request.Plan.GetAttribute(ctx, path.Root(name), &value).HasError() || value.IsUnknown() || value.IsNull() {
			return false
		}
	}
	return true
}

func (r *defined[M]) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var plan M
	response.Diagnostics.Append(r.model(ctx, request.Plan.Raw, &plan)...)
	if response.Diagnostics.HasError() {
		return
	}
	set := func(model M) {
		raw, diagnostics := r.written(ctx, model, request.Plan.Raw)
		response.Diagnostics.Append(diagnostics...)
		if !diagnostics.HasError() {
			response.State.Raw = raw
		}
		r.setIdentity(ctx, response.Identity, model, &response.Diagnostics)
	}
	call := r.call(&response.Diagnostics, set)
	call.Afresh = true
	response.Diagnostics.Append(r.model(ctx, request.Config.Raw, &call.Config)...)
	if response.Diagnostics.HasError() {
		return
	}
	limited, cancel := within(ctx, request.Plan.Raw, "create")
	defer cancel()
	made, err := r.definition.Create(limited, call, plan)
	err = orTimeout(limited, err)
	if call.kept && (client.IsPassing(err) || isTimeout(err)) {
		// An error would taint the object, and Terraform would replace what is as it should be.
		call.Warn("tidemark_"+r.definition.Name+" was made and not read back",
			err.Error()+"\n\nThe state has what was made. The next plan reads it again.")
		return
	}
	if err != nil {
		r.diagnose(&response.Diagnostics, "create", err)
		return
	}
	set(made)
	response.Diagnostics.Append(response.Private.SetKey(ctx, etagKey, etagValue(call.ETag))...)
}

func (r *defined[M]) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var state M
	response.Diagnostics.Append(r.model(ctx, request.State.Raw, &state)...)
	if response.Diagnostics.HasError() {
		return
	}
	call := r.call(&response.Diagnostics, nil)
	limited, cancel := within(ctx, request.State.Raw, "read")
	defer cancel()
	read, err := r.definition.Read(limited, call, state)
	err = orTimeout(limited, err)
	if client.IsNotFound(err) {
		response.State.RemoveResource(ctx)
		// The framework wants to know which object it was.
		r.setIdentity(ctx, response.Identity, state, &response.Diagnostics)
		return
	}
	if err != nil {
		r.diagnose(&response.Diagnostics, "read", err)
		return
	}
	raw, diagnostics := r.written(ctx, read, request.State.Raw)
	response.Diagnostics.Append(diagnostics...)
	if !diagnostics.HasError() {
		response.State.Raw = raw
	}
	r.setIdentity(ctx, response.Identity, read, &response.Diagnostics)
	response.Diagnostics.Append(response.Private.SetKey(ctx, etagKey, etagValue(call.ETag))...)
}

// attempts is how often a change is sent when others change the object at the same time.
const attempts = 4

func (r *defined[M]) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var plan, state M
	response.Diagnostics.Append(r.model(ctx, request.Plan.Raw, &plan)...)
	response.Diagnostics.Append(r.model(ctx, request.State.Raw, &state)...)
	etag, diagnostics := request.Private.GetKey(ctx, etagKey)
	response.Diagnostics.Append(diagnostics...)
	if response.Diagnostics.HasError() {
		return
	}
	set := func(model M) {
		raw, diagnostics := r.written(ctx, model, request.Plan.Raw)
		response.Diagnostics.Append(diagnostics...)
		if !diagnostics.HasError() {
			response.State.Raw = raw
		}
	}
	if r.definition.Update == nil {
		// Only the timeouts can differ: any other change replaces the object.
		set(plan)
		r.setIdentity(ctx, response.Identity, plan, &response.Diagnostics)
		response.Diagnostics.Append(response.Private.SetKey(ctx, etagKey, etag)...)
		return
	}
	limited, cancel := within(ctx, request.Plan.Raw, "update")
	defer cancel()
	call := r.call(&response.Diagnostics, set)
	call.Afresh = true
	call.ETag = etagOf(etag)
	response.Diagnostics.Append(r.model(ctx, request.Config.Raw, &call.Config)...)
	if response.Diagnostics.HasError() {
		return
	}
	var changed M
	var err error
	for attempt := 1; attempt <= attempts; attempt++ {
		if call.ETag == "" {
			if err = r.rereadUnchanged(limited, call, state); err != nil {
				break
			}
		}
		changed, err = r.definition.Update(limited, call, plan, state)
		if !client.IsChanged(err) {
			break
		}
		call.ETag = ""
	}
	if err = orTimeout(limited, err); err != nil {
		r.diagnose(&response.Diagnostics, "change", err)
		return
	}
	set(changed)
	r.setIdentity(ctx, response.Identity, changed, &response.Diagnostics)
	response.Diagnostics.Append(response.Private.SetKey(ctx, etagKey, etagValue(call.ETag))...)
}

// rereadUnchanged reads the version of the object, and fails when the object is not any more what the plan was made for.
func (r *defined[M]) rereadUnchanged(ctx context.Context, call *Call[M], state M) error {
	now, err := r.definition.Read(ctx, call, state)
	if err != nil {
		return err
	}
	if names := differences(now, state); len(names) > 0 {
		return &Fault{
			Attribute: names[0],
			Summary:   "Changed since the plan",
			Detail: fmt.Sprintf("Somebody else changed %s of this %s after it was planned. Nothing was overwritten. "+
				"Run terraform plan again to see what there is now.", strings.Join(names, ", "), r.definition.Name),
		}
	}
	return nil
}

// differences names the attributes in which two models differ.
func differences[M any](a, b M) []string {
	var names []string
	left, right := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range left.NumField() {
		one, isValue := left.Field(i).Interface().(attr.Value)
		if !isValue || !one.Equal(right.Field(i).Interface().(attr.Value)) {
			names = append(names, left.Type().Field(i).Tag.Get("tfsdk"))
		}
	}
	return names
}

func (r *defined[M]) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var state M
	response.Diagnostics.Append(r.model(ctx, request.State.Raw, &state)...)
	if response.Diagnostics.HasError() {
		return
	}
	limited, cancel := within(ctx, request.State.Raw, "delete")
	defer cancel()
	call := r.call(&response.Diagnostics, nil)
	call.Afresh = true
	if r.definition.Leaving != nil {
		if err := orTimeout(limited, r.definition.Leaving(limited, call, state)); err != nil {
			r.diagnose(&response.Diagnostics, "destroy", err)
			return
		}
	}
	if err := orTimeout(limited, r.definition.Delete(limited, call, state)); err != nil && !client.IsNotFound(err) {
		r.diagnose(&response.Diagnostics, "destroy", err)
	}
}

func (r *defined[M]) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	values := map[string]string{}
	switch {
	case request.ID == "" && request.Identity != nil:
		for _, name := range r.definition.ImportBy {
			var value types.String
			response.Diagnostics.Append(request.Identity.GetAttribute(ctx, path.Root(name), &value)...)
			values[name] = value.ValueString()
		}
	case r.definition.Import != nil:
		read, err := r.definition.Import(request.ID)
		if err != nil {
			response.Diagnostics.AddError("The import id has another form", err.Error())
			return
		}
		values = read
	default:
		parts := strings.SplitN(request.ID, "/", len(r.definition.ImportBy))
		if len(parts) != len(r.definition.ImportBy) || slices.Contains(parts, "") {
			response.Diagnostics.AddError("The import id has another form",
				fmt.Sprintf("%q does not have the form %s.", request.ID, "<"+strings.Join(r.definition.ImportBy, ">/<")+">"))
			return
		}
		for i, name := range r.definition.ImportBy {
			values[name] = parts[i]
		}
	}
	for name, value := range values {
		response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	// Of an identity all or nothing is known: what a name stands for is found by the read that follows.
	if response.Identity == nil || slices.ContainsFunc(r.definition.ImportBy, func(name string) bool { return values[name] == "" }) {
		return
	}
	for _, name := range r.definition.ImportBy {
		response.Diagnostics.Append(response.Identity.SetAttribute(ctx, path.Root(name), values[name])...)
	}
}
