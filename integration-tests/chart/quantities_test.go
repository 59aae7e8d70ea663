package chart

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// number reads what YAML or JSON made of a number; a default stands for what is absent.
func number(t *testing.T, value any, absent ...float64) float64 {
	t.Helper()
	if value == nil && len(absent) > 0 {
		return absent[0]
	}
	parsed, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil {
		t.Fatalf("%v is not a number", value)
	}
	return parsed
}

func quantity(t *testing.T, value any) int64 {
	t.Helper()
	return amount(t, value, map[string]int64{"Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40})
}

func cores(t *testing.T, value any) float64 {
	t.Helper()
	if thousandths, is := strings.CutSuffix(fmt.Sprint(value), "m"); is {
		return number(t, thousandths) / 1000
	}
	return number(t, value)
}

func jvmBytes(t *testing.T, value any) int64 {
	t.Helper()
	return amount(t, value, map[string]int64{"m": 1 << 20, "g": 1 << 30})
}

func amount(t *testing.T, value any, units map[string]int64) int64 {
	t.Helper()
	for unit, size := range units {
		if digits, is := strings.CutSuffix(fmt.Sprint(value), unit); is {
			return int64(number(t, digits)) * size
		}
	}
	t.Fatalf("%v is no amount of bytes", value)
	return 0
}
