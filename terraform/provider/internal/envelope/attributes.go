package envelope

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// DrawnID is the id of an object that the API draws.
func DrawnID() schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "Drawn by Tidemark.",
		Computed:            true,
		PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

// OfEnvironment is the environment of an object, which stays in it.
func OfEnvironment() schema.StringAttribute {
	return fixed("The environment.", Identifier()...)
}

// OfHolder is who limits are for: the organisation or one of its environments.
func OfHolder() schema.StringAttribute {
	return fixed("`organization`, or `environment/<id>`.", Holder())
}

// fixed is an attribute of which another value is another object.
func fixed(description string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description,
		Required:            true,
		Validators:          validators,
		PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
}
