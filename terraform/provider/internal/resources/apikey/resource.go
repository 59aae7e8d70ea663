// Package apikey is the resource, the ephemeral resource and the data source of API keys.
package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID                   types.String `tfsdk:"id"`
	ServiceAccountID     types.String `tfsdk:"service_account_id"`
	EnvironmentID        types.String `tfsdk:"environment_id"`
	Scopes               types.Set    `tfsdk:"scopes"`
	ExpiresAt            types.String `tfsdk:"expires_at"`
	Rotation             types.String `tfsdk:"rotation"`
	RotationOverlap      types.String `tfsdk:"rotation_overlap"`
	RotatedAt            types.String `tfsdk:"rotated_at"`
	PreviousID           types.String `tfsdk:"previous_id"`
	PublicKey            types.String `tfsdk:"public_key"`
	SecretWO             types.String `tfsdk:"secret_wo"`
	Secret               types.String `tfsdk:"secret"`
	BearerToken          types.String `tfsdk:"bearer_token"`
	EncryptedBearerToken types.String `tfsdk:"encrypted_bearer_token"`
}

// clock is what the overlap of a rotation is measured with.
var clock = time.Now

// Resource is tidemark_api_key.
var Resource = envelope.New(definition)

var definition = envelope.Definition[model]{
	Name:     "api_key",
	ImportBy: []string{"service_account_id", "id"},
	// A rotation changes the id.
	MovingIdentity: true,
	// What the API is given as the secret.
	Renamed: map[string]string{"secret": "secret_wo"},
	Schema: schema.Schema{
		MarkdownDescription: "A key of a service account in one environment.\n\n" +
			"Tidemark shows the secret once. It is kept in the state, unless `secret_wo` or `public_key` is set. With `secret_wo` the secret is " +
			"yours: neither plan nor state has it, and the function `format_api_key` gives the whole key for where it is kept. With `public_key` " +
			"the state has the key encrypted for the holder of the private key only. For a key that lives no longer than one run use the " +
			"ephemeral resource of the same name.\n\n" +
			"A change of `rotation` makes a new key. The key before it stays live for `rotation_overlap`; the first apply after that " +
			"revokes it. A service account has two live keys in an environment at most.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Public id of the key: `TIDEMARK_API_KEY`, the user of Basic credentials.",
				Computed:            true,
			},
			"service_account_id": schema.StringAttribute{
				MarkdownDescription: "Whose key it is.",
				Required:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"environment_id": schema.StringAttribute{
				MarkdownDescription: "The environment that the key belongs to; what it sends becomes that environment's.",
				Required:            true,
				Validators:          envelope.Identifier(),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"scopes": schema.SetAttribute{
				MarkdownDescription: "One or more permissions, within those of the service account's role, as in `metrics:write`.",
				ElementType:         types.StringType,
				Required:            true,
				Validators:          []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(envelope.Permission())},
				PlanModifiers:       []planmodifier.Set{setplanmodifier.RequiresReplace()},
			},
			"expires_at": schema.StringAttribute{
				MarkdownDescription: "When the key stops working, RFC 3339; never when absent.",
				Optional:            true,
				Validators:          []validator.String{envelope.Time()},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"rotation": schema.StringAttribute{
				MarkdownDescription: "Any text, as in `2026-Q4`. A change makes a new key.",
				Optional:            true,
			},
			"rotation_overlap": schema.StringAttribute{
				MarkdownDescription: "How long the key before stays live after a rotation, as in `24h`, which it is unless set.",
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString("24h"),
				Validators:          []validator.String{envelope.Duration()},
			},
			"rotated_at": schema.StringAttribute{
				MarkdownDescription: "When the key was last rotated.",
				Computed:            true,
			},
			"previous_id": schema.StringAttribute{
				MarkdownDescription: "The key before, while it is live.",
				Computed:            true,
			},
			"public_key": schema.StringAttribute{
				MarkdownDescription: "An RSA public key in PEM form, 2048 bits or more. With it the state has only `encrypted_bearer_token`.",
				Optional:            true,
				Validators:          []validator.String{publicKey{}},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"secret_wo": schema.StringAttribute{
				MarkdownDescription: "The secret of the key, 40 random characters of 0-9, A-Z and a-z, as the ephemeral `tidemark_api_key_secret` draws " +
					"them. It is sent when the key is made and when `rotation` changes, and is in neither plan nor state.",
				Optional:   true,
				Sensitive:  true,
				WriteOnly:  true,
				Validators: []validator.String{secretForm{}},
			},
			"secret": schema.StringAttribute{
				MarkdownDescription: "`TIDEMARK_API_SECRET`, the password of Basic credentials. Absent after an import and with `secret_wo` or `public_key`.",
				Computed:            true,
				Sensitive:           true,
			},
			"bearer_token": schema.StringAttribute{
				MarkdownDescription: "The whole key, for Bearer. Absent after an import and with `secret_wo` or `public_key`.",
				Computed:            true,
				Sensitive:           true,
			},
			"encrypted_bearer_token": schema.StringAttribute{
				MarkdownDescription: "The whole key, RSA-OAEP with SHA-256 for `public_key`, in Base64.",
				Computed:            true,
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: remove,
	Plan:   plan,
	Validate: func(config model) []*envelope.Fault {
		if config.SecretWO.IsNull() || config.PublicKey.IsNull() {
			return nil
		}
		return []*envelope.Fault{{Attribute: "public_key", Summary: "There is nothing to encrypt",
			Detail: "With secret_wo the state has no secret. Leave public_key out."}}
	},
}

func path(state model, id types.String) client.Path {
	return client.Path{"service_account_id": state.ServiceAccountID.ValueString(), "api_key_id": id.ValueString()}
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	made, err := issue(ctx, call, plan)
	if err != nil {
		return plan, err
	}
	made.RotatedAt, made.PreviousID = types.StringNull(), types.StringNull()
	call.Keep(made)
	return read(ctx, call, made)
}

// issue makes a key that the plan describes. A key whose secret was lost on the way is revoked and made anew.
func issue(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft := client.ApiKeyDraft{EnvironmentId: plan.EnvironmentID.ValueString()}
	if diagnostics := plan.Scopes.ElementsAs(ctx, &draft.Scopes, false); diagnostics.HasError() {
		return plan, errors.New(diagnostics[0].Detail())
	}
	if !plan.ExpiresAt.IsNull() {
		when, err := time.Parse(time.RFC3339, plan.ExpiresAt.ValueString())
		if err != nil {
			return plan, err
		}
		draft.ExpiresAt = &when
	}
	if !call.Config.SecretWO.IsNull() {
		return withSecret(ctx, call, plan, draft)
	}
	created, err := Issue(ctx, call.Client, plan.ServiceAccountID.ValueString(), draft)
	if err != nil {
		return plan, err
	}
	made := plan
	made.ID = types.StringValue(created.ApiKey.Id)
	if plan.PublicKey.IsNull() {
		made.BearerToken = types.StringValue(*created.Secret)
		made.Secret = types.StringValue(SecretOf(*created.Secret))
		made.EncryptedBearerToken = types.StringNull()
		return made, nil
	}
	made.BearerToken, made.Secret = types.StringNull(), types.StringNull()
	text, err := encrypt(plan.PublicKey.ValueString(), *created.Secret)
	made.EncryptedBearerToken = types.StringValue(text)
	return made, err
}

// withSecret makes a key with the secret of the configuration, which nobody gives back.
func withSecret(ctx context.Context, call *envelope.Call[model], plan model, draft client.ApiKeyDraft) (model, error) {
	draft.Secret = call.Config.SecretWO.ValueStringPointer()
	created, _, err := client.Create[client.CreatedApiKey](ctx, call.Client, client.OpCreateApiKey,
		client.Path{"service_account_id": plan.ServiceAccountID.ValueString()}, draft)
	if err != nil {
		return plan, err
	}
	plan.ID = types.StringValue(created.ApiKey.Id)
	plan.Secret, plan.BearerToken, plan.EncryptedBearerToken = types.StringNull(), types.StringNull(), types.StringNull()
	return plan, nil
}

// Issue makes a key and gives it with its secret.
func Issue(ctx context.Context, c *client.Client, serviceAccount string, draft client.ApiKeyDraft) (client.CreatedApiKey, error) {
	for range 2 {
		created, _, err := client.Create[client.CreatedApiKey](ctx, c, client.OpCreateApiKey,
			client.Path{"service_account_id": serviceAccount}, draft)
		if err != nil || created.Secret != nil {
			return created, err
		}
		// The answer was lost and the request repeated: nobody will ever know the secret of that key.
		lost := client.Path{"service_account_id": serviceAccount, "api_key_id": created.ApiKey.Id}
		if err := client.Remove(ctx, c, client.OpRevokeApiKey, lost); err != nil {
			return created, err
		}
	}
	return client.CreatedApiKey{}, errors.New("the answer with the secret was lost twice; the keys without it are revoked")
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	found, err := lookUp(ctx, call, state, state.ID)
	if err != nil {
		return state, err
	}
	if found.State != client.ApiKeyStateLive {
		return state, client.NotFound(fmt.Sprintf("The key %s is %s.", found.Id, found.State))
	}
	scopes, diagnostics := types.SetValueFrom(ctx, types.StringType, found.Scopes)
	if diagnostics.HasError() {
		return state, errors.New(diagnostics[0].Detail())
	}
	state.EnvironmentID = types.StringValue(found.EnvironmentId)
	state.Scopes = scopes
	state.ExpiresAt = envelope.SameTime(state.ExpiresAt, found.ExpiresAt)
	if state.RotationOverlap.IsNull() {
		state.RotationOverlap = types.StringValue("24h")
	}
	if !state.PreviousID.IsNull() {
		previous, err := lookUp(ctx, call, state, state.PreviousID)
		if err != nil && !client.IsNotFound(err) {
			return state, err
		}
		if err != nil || previous.State != client.ApiKeyStateLive {
			state.PreviousID = types.StringNull()
		}
	}
	return state, nil
}

func lookUp(ctx context.Context, call *envelope.Call[model], state model, id types.String) (client.ApiKey, error) {
	return envelope.Object(ctx, call, envelope.Source[client.ApiKey]{
		Get: client.OpGetApiKey, List: client.OpListApiKeys, Path: path(state, id),
		ID: func(each client.ApiKey) string { return each.Id }, Wanted: id.ValueString(),
	})
}

// plan says what a rotation changes, and ends the overlap of one when its time is over.
func plan(_ context.Context, _ *envelope.Call[model], plan, state model) (model, error) {
	if !plan.ServiceAccountID.Equal(state.ServiceAccountID) || !plan.EnvironmentID.Equal(state.EnvironmentID) ||
		!plan.Scopes.Equal(state.Scopes) || !plan.ExpiresAt.Equal(state.ExpiresAt) || !plan.PublicKey.Equal(state.PublicKey) {
		return plan, nil
	}
	plan.ID, plan.RotatedAt, plan.PreviousID = state.ID, state.RotatedAt, state.PreviousID
	plan.Secret, plan.BearerToken, plan.EncryptedBearerToken = state.Secret, state.BearerToken, state.EncryptedBearerToken
	if !plan.Rotation.Equal(state.Rotation) {
		plan.ID, plan.RotatedAt, plan.PreviousID = types.StringUnknown(), types.StringUnknown(), state.ID
		plan.Secret, plan.BearerToken, plan.EncryptedBearerToken = types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
		return plan, nil
	}
	if overlapIsOver(plan) {
		plan.PreviousID = types.StringNull()
	}
	return plan, nil
}

func overlapIsOver(key model) bool {
	if key.PreviousID.IsNull() || key.RotationOverlap.IsUnknown() {
		return false
	}
	overlap, _ := time.ParseDuration(key.RotationOverlap.ValueString())
	rotated, err := time.Parse(time.RFC3339, key.RotatedAt.ValueString())
	return err != nil || !clock().Before(rotated.Add(overlap))
}

func update(ctx context.Context, call *envelope.Call[model], plan, state model) (model, error) {
	if plan.Rotation.Equal(state.Rotation) {
		if !state.PreviousID.IsNull() && plan.PreviousID.IsNull() {
			if err := revoke(ctx, call, state, state.PreviousID); err != nil {
				return plan, err
			}
		}
		return read(ctx, call, plan)
	}
	if !state.PreviousID.IsNull() {
		if err := revoke(ctx, call, state, state.PreviousID); err != nil {
			return plan, err
		}
		state.PreviousID = types.StringNull()
		call.Keep(state)
	}
	made, err := issue(ctx, call, plan)
	if err != nil {
		return plan, err
	}
	made.PreviousID = state.ID
	made.RotatedAt = types.StringValue(clock().UTC().Format(time.RFC3339))
	call.Keep(made)
	if overlapIsOver(made) {
		if err := revoke(ctx, call, state, state.ID); err != nil {
			return made, err
		}
	}
	read, err := read(ctx, call, made)
	// The plan names the key before; that it is gone shows in the next refresh.
	read.PreviousID = state.ID
	return read, err
}

func revoke(ctx context.Context, call *envelope.Call[model], state model, id types.String) error {
	return client.Remove(ctx, call.Client, client.OpRevokeApiKey, path(state, id))
}

func remove(ctx context.Context, call *envelope.Call[model], state model) error {
	if !state.PreviousID.IsNull() {
		if err := revoke(ctx, call, state, state.PreviousID); err != nil {
			return err
		}
	}
	return revoke(ctx, call, state, state.ID)
}
