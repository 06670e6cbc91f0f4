package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"percore/provider/gcm"
)

// selfTest prints whether percore gives the known answers. It returns whether it gives them all.
func selfTest(w io.Writer) bool {
	ok := true
	line := func(name string, err error) {
		verdict := "ok"
		if err != nil {
			ok = false
			verdict = "FAILED: " + err.Error()
		}
		fmt.Fprintf(w, "  %-12s %s\n", name, verdict)
	}
	fmt.Fprint(w, "\nself-test with known answers\n")
	for _, k := range hashAnswers {
		line(k.algorithm, k.test())
	}
	for _, k := range gcmAnswers {
		line(k.name, k.test())
	}
	return ok
}

// The messages that the hashes are tested with. The first two are those of NIST's examples of FIPS 202, and
// the last one is long enough for runs of many blocks.
var messages = []struct {
	name    string
	pattern byte
	length  int
}{
	{"the empty message", 0, 0},
	{"200 bytes a3", 0xa3, 200},
	{"a million letters a", 'a', 1_000_000},
}

// A hashAnswer is what an algorithm says to each message.
type hashAnswer struct {
	algorithm string
	digests   [3]string
}

// The answers are OpenSSL's and agree with those of NIST and Python. Those of Keccak-256 are
// golang.org/x/crypto's. Of a SHAKE they are the last 32 bytes of an output of 512.
var hashAnswers = []hashAnswer{
	{"sha3-224", [3]string{
		"6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7",
		"9376816aba503f72f96ce7eb65ac095deee3be4bf9bbc2a1cb7e11e0",
		"d69335b93325192e516a912e6d19a15cb51c6ed5c15243e7a7fd653c",
	}},
	{"sha3-256", [3]string{
		"a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
		"79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787",
		"5c8875ae474a3634ba4fd55ec85bffd661f32aca75c6d699d0cdcb6c115891c1",
	}},
	{"sha3-384", [3]string{
		"0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e058d5f004",
		"1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd76197a31fd55ee989f2d7050dd473e8f",
		"eee9e24d78c1855337983451df97c8ad9eedf256c6334f8e948d252d5e0e76847aa0774ddb90a842190d2c558b4b8340",
	}},
	{"sha3-512", [3]string{
		"a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6" +
			"15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26",
		"e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca8" +
			"1b7c13c30adf52a3659584739a2df46be589c51ca1a4a8416df6545a1ce8ba00",
		"3c3a876da14034ab60627c077bb98f7e120a2a5370212dffb3385a18d4f38859" +
			"ed311d0a9d5141ce9cc5c66ee689b266a8aa18ace8282a0e0db596c90b0a7b87",
	}},
	{"shake128", [3]string{
		"43e41b45a653f2a5c4492c1add544512dda2529833462b71a41a45be97290b6f",
		"44c9fb359fd56ac0a9a75a743cff6862f17d7259ab075216c0699511643b6439",
		"e24187e801c809561a64809450e603c4a8039525c476b58e32ce2c47b37da591",
	}},
	{"shake256", [3]string{
		"ab0bae316339894304e35877b0c28a9b1fd166c796b9cc258a064a8f57e27f2a",
		"6a1a9d7846436e4dca5728b6f760eef0ca92bf0be5615e96959d767197a0beeb",
		"1beb6553f281fa756948c438494b19b4ee69a5436b222bc988eda4ac600024c9",
	}},
	{"keccak-256", [3]string{
		"c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
		"3a57666b048777f2c953dc4456f45a2588e1cb6f2da760122d530ac2ce607d4a",
		"fadae6b49f129bbb812be8407b7b2894f34aecf6dbd1f9b0f0c7e9853098fc96",
	}},
}

// test returns an error unless percore gives the answers, however the messages are cut into writes.
func (k hashAnswer) test() error {
	a, ok := find(k.algorithm)
	if !ok {
		return errors.New("there is no such algorithm")
	}
	size, tail := a.size, 0
	if a.xof {
		size, tail = 512, 480
	}
	for i, m := range messages {
		message := bytes.Repeat([]byte{m.pattern}, m.length)
		for _, chunk := range []int{61, 4099, 1_000_000} {
			h := a.new(size)
			for rest := message; len(rest) > 0; {
				n := min(chunk, len(rest))
				h.Write(rest[:n])
				rest = rest[n:]
			}
			what := fmt.Sprintf("%s in writes of up to %d bytes", m.name, chunk)
			if err := compare(what, h.Sum(nil)[tail:], k.digests[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// A gcmAnswer is what AES-GCM with a key makes of the plaintext below, and of a hundred of it.
type gcmAnswer struct {
	name    string
	key     string
	sealed  string // the ciphertext and the tag
	longTag string // the tag alone, for a hundred plaintexts in a row
}

// Test cases 4, 10 and 16 of McGrew and Viega, "The Galois/Counter Mode of Operation", which NIST published.
// The tags of the long plaintexts are OpenSSL's.
const (
	gcmNonce     = "cafebabefacedbaddecaf888"
	gcmData      = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
	gcmPlaintext = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" +
		"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
)

var gcmAnswers = []gcmAnswer{
	{
		name: "aes-128-gcm",
		key:  "feffe9928665731c6d6a8f9467308308",
		sealed: "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e" +
			"21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091" +
			"5bc94fbc3221a5db94fae95ae7121a47",
		longTag: "59537dba88fb611cec82336cb6d56093",
	},
	{
		name: "aes-192-gcm",
		key:  "feffe9928665731c6d6a8f9467308308feffe9928665731c",
		sealed: "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c" +
			"7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710" +
			"2519498e80f1478f37ba55bd6d27618c",
		longTag: "abaaae622732afc090245216a2058b8a",
	},
	{
		name: "aes-256-gcm",
		key:  "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa" +
			"8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662" +
			"76fc6ece0f4e1768cddf8853bb2d551b",
		longTag: "1b89505a6804b75d1adc0a6036bda1af",
	},
}

// test returns an error unless percore seals to the answers, opens what it sealed, and opens nothing else.
func (k gcmAnswer) test() error {
	aead, err := gcm.New(unhex(k.key))
	if err != nil {
		return err
	}
	nonce, data, plaintext := unhex(gcmNonce), unhex(gcmData), unhex(gcmPlaintext)
	for _, c := range []struct {
		what      string
		plaintext []byte
		tail      int // where in what is sealed the answer starts
		want      string
	}{
		{"60 bytes", plaintext, 0, k.sealed},
		{"6000 bytes", bytes.Repeat(plaintext, 100), 6000, k.longTag},
	} {
		sealed := aead.Seal(nil, nonce, c.plaintext, data)
		if err := compare("sealing "+c.what, sealed[c.tail:], c.want); err != nil {
			return err
		}
		if opened, err := aead.Open(nil, nonce, sealed, data); err != nil {
			return fmt.Errorf("opening %s: %w", c.what, err)
		} else if !bytes.Equal(opened, c.plaintext) {
			return fmt.Errorf("opening %s: got another plaintext", c.what)
		}
		sealed[len(sealed)/2] ^= 1
		if _, err := aead.Open(nil, nonce, sealed, data); err == nil {
			return fmt.Errorf("opening %s: a changed ciphertext was accepted", c.what)
		}
	}
	return nil
}

// compare returns an error unless got is what want spells in hexadecimal.
func compare(what string, got []byte, want string) error {
	if hex.EncodeToString(got) != want {
		return fmt.Errorf("%s: got %x, want %s", what, got, want)
	}
	return nil
}

// unhex decodes one of the constants above.
func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}
