package apikey

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// SecretOf gives the part of a whole key that Basic credentials have as password.
func SecretOf(whole string) string { return whole[strings.LastIndex(whole, "_")+1:] }

func encrypt(publicKey, text string) (string, error) {
	recipient, err := parse(publicKey)
	if err != nil {
		return "", err
	}
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, recipient, []byte(text), nil)
	return base64.StdEncoding.EncodeToString(sealed), err
}

func parse(text string) (*rsa.PublicKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("is not in PEM form: it begins with -----BEGIN PUBLIC KEY-----")
	}
	read, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("is not a public key: %w", err)
	}
	key, isRSA := read.(*rsa.PublicKey)
	if !isRSA || key.N.BitLen() < 2048 {
		return nil, errors.New("must be an RSA key of 2048 bits or more")
	}
	return key, nil
}

// alphabet are the characters of secrets.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const secretLength = 40

// draw gives a secret: 238 random bits.
func draw() (string, error) {
	var drawn strings.Builder
	for range secretLength {
		index, err := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet))))
		if err != nil {
			return "", err
		}
		drawn.WriteByte(alphabet[index.Int64()])
	}
	return drawn.String(), nil
}

type secretForm struct{}

const secretRule = "must be 40 random characters of 0-9, A-Z and a-z"

func (secretForm) Description(context.Context) string         { return secretRule }
func (secretForm) MarkdownDescription(context.Context) string { return secretRule }

// ValidateString does not repeat the secret.
func (secretForm) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	text := request.ConfigValue.ValueString()
	if len(text) != secretLength || strings.Trim(text, alphabet) != "" {
		response.Diagnostics.AddAttributeError(request.Path, "Invalid Attribute Value", request.Path.String()+" "+secretRule+".")
	}
}

type publicKey struct{}

func (publicKey) Description(context.Context) string { return "must be an RSA public key in PEM form" }
func (publicKey) MarkdownDescription(context.Context) string {
	return "must be an RSA public key in PEM form"
}

func (publicKey) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	if _, err := parse(request.ConfigValue.ValueString()); err != nil {
		response.Diagnostics.AddAttributeError(request.Path, "Invalid Attribute Value", request.Path.String()+" "+err.Error()+".")
	}
}
