package commands

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// exactFloats rewrites the numbers in a value that the engine's own parser would read as a neighbour of
// what they say (it multiplies by powers of ten in double precision): they travel with their bits, as
// {"$type":"float","value":"...","bits":"..."}. Nearly all values come back as they are.
func exactFloats(value json.RawMessage) json.RawMessage {
	var out []byte
	done := 0
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			i = stringEnd(value, i)
		case c == '-' || c >= '0' && c <= '9':
			end := numberEnd(value, i)
			if token := string(value[i:end]); isInexact(token) {
				out = append(append(out, value[done:i]...), withBits(token)...)
				done = end
			}
			i = end
		default:
			i++
		}
	}
	if done == 0 {
		return value
	}
	return append(out, value[done:]...)
}

func stringEnd(text []byte, begin int) int {
	for i := begin + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func numberEnd(text []byte, begin int) int {
	end := begin
	for end < len(text) && strings.IndexByte("+-.eE0123456789", text[end]) >= 0 {
		end++
	}
	return end
}

// isInexact is true for a float with more digits or a larger exponent than one rounding can get right: a
// 15-digit number times or through a power of ten up to 22 is exact before that rounding.
func isInexact(token string) bool {
	if !strings.ContainsAny(token, ".eE") {
		return false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(token), "e")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	digits := strings.Trim(whole+fraction, "0")
	exp, _ := strconv.Atoi(exponent)
	exp -= len(fraction)
	return len(digits) > 15 || digits != "" && (exp < -22 || exp > 22-len(digits))
}

func withBits(token string) []byte {
	number, _ := strconv.ParseFloat(token, 64) // too large ones were refused before
	var bits [8]byte
	binary.LittleEndian.PutUint64(bits[:], math.Float64bits(number))
	return []byte(`{"$type":"float","value":"` + token + `","bits":"` + hex.EncodeToString(bits[:]) + `"}`)
}
