package release

import (
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

var architectures = []string{"amd64", "arm64"}

// serveRegistry answers on loopback until the test ends, and returns its address as host:port.
func serveRegistry(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// base is an image that others stand on, with a layer of its own for each architecture.
type base struct {
	reference string
	// layers holds the digest of the layer's content by architecture.
	layers map[string]v1.Hash
}

func pushBase(t *testing.T, reference string) base {
	t.Helper()
	made := base{reference, map[string]v1.Hash{}}
	var index v1.ImageIndex = empty.Index
	for _, architecture := range architectures {
		layer, err := random.Layer(64, types.DockerLayer)
		check(t, err)
		image, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
			OS:           "linux",
			Architecture: architecture,
			Config:       v1.Config{Entrypoint: []string{"/entrypoint-of-the-base"}},
		})
		check(t, err)
		image, err = mutate.AppendLayers(image, layer)
		check(t, err)
		made.layers[architecture], err = layer.DiffID()
		check(t, err)
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        plain{image},
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}},
		})
	}
	check(t, remote.WriteIndex(parsed(t, reference), index))
	return made
}

// plain is listed as images of public registries are: Jib cannot read a list that names types of artifacts.
type plain struct{ v1.Image }

func (plain) ArtifactType() (string, error) { return "", nil }

// pulled returns the images behind one name, by operating system and architecture.
func pulled(t *testing.T, reference string) map[string]*v1.ConfigFile {
	t.Helper()
	index, err := remote.Index(parsed(t, reference))
	if err != nil {
		t.Fatalf("%s is no image for several architectures: %v", reference, err)
	}
	manifest, err := index.IndexManifest()
	check(t, err)
	found := map[string]*v1.ConfigFile{}
	for _, entry := range manifest.Manifests {
		image, err := index.Image(entry.Digest)
		check(t, err)
		config, err := image.ConfigFile()
		check(t, err)
		platform := fmt.Sprintf("%s/%s", config.OS, config.Architecture)
		if entry.Platform == nil || entry.Platform.String() != platform {
			t.Errorf("%s: the image of %s is listed as %v", reference, platform, entry.Platform)
		}
		found[platform] = config
	}
	return found
}

func parsed(t *testing.T, reference string) name.Reference {
	t.Helper()
	found, err := name.ParseReference(reference, name.Insecure)
	check(t, err)
	return found
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
