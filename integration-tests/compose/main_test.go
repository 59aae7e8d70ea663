package compose

import (
	"io"
	"os"
	"testing"

	"github.com/sirupsen/logrus"
)

// The loader warns of each variable that a test leaves out on purpose.
func TestMain(m *testing.M) {
	logrus.SetOutput(io.Discard)
	os.Exit(m.Run())
}
