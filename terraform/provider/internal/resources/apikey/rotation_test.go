package apikey

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func at(t *testing.T, moment time.Time) {
	t.Helper()
	before := clock
	clock = func() time.Time { return moment }
	t.Cleanup(func() { clock = before })
}

func key(rotation, overlap string) model {
	return model{
		ID: types.StringValue("NEW"), PreviousID: types.StringValue("OLD"), RotatedAt: types.StringValue(noon.Format(time.RFC3339)),
		Rotation: types.StringValue(rotation), RotationOverlap: types.StringValue(overlap), Scopes: types.SetNull(types.StringType),
	}
}

func TestTheKeyBeforeStaysForTheOverlap(t *testing.T) {
	for _, each := range []struct {
		after time.Duration
		kept  bool
	}{{0, true}, {24*time.Hour - time.Second, true}, {24 * time.Hour, false}, {48 * time.Hour, false}} {
		at(t, noon.Add(each.after))
		planned, err := plan(t.Context(), nil, key("a", "24h"), key("a", "24h"))
		if err != nil {
			t.Fatal(err)
		}
		if kept := !planned.PreviousID.IsNull(); kept != each.kept {
			t.Errorf("after %s it is kept: %t", each.after, kept)
		}
		if planned.ID.ValueString() != "NEW" {
			t.Errorf("the key becomes %s", planned.ID)
		}
	}
}

func TestARotationMakesTheKeyTheOneBefore(t *testing.T) {
	at(t, noon)
	planned, err := plan(t.Context(), nil, key("b", "24h"), key("a", "24h"))
	if err != nil {
		t.Fatal(err)
	}
	if !planned.ID.IsUnknown() || !planned.BearerToken.IsUnknown() || planned.PreviousID.ValueString() != "NEW" {
		t.Errorf("%+v", planned)
	}
}

func TestATokenIsReadableWithThePrivateKeyOnly(t *testing.T) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	text, err := encrypt(string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), "tdm_env_ID_secret")
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := rsa.DecryptOAEP(sha256.New(), nil, private, sealed, nil)
	if err != nil || string(opened) != "tdm_env_ID_secret" {
		t.Fatalf("%s %v", opened, err)
	}
}

func TestAPublicKeyOfAnotherKindIsRefused(t *testing.T) {
	for _, text := range []string{"", "ssh-rsa AAAA", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
