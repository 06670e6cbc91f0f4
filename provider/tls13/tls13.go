// Package tls13 makes HTTPS, and all else that speaks TLS 1.3 through crypto/tls, seal and open its records with percore's
// AES-GCM: RFC 8446, section 5.2. It is imported for that effect:
//
//	import _ "percore/provider/tls13"
//
// From then on all connections of crypto/tls that agree on TLS_AES_128_GCM_SHA256 or TLS_AES_256_GCM_SHA384 run on
// percore/provider/gcm: those of net/http, HTTP/2, gRPC and database drivers, as servers and as clients. TLS 1.2, QUIC and
// golang.org/x/crypto/ssh have AES-GCM of their own and stay as they are. Without the import, so does TLS 1.3.
//
// crypto/tls has no place for that. The package changes the variable crypto/tls.cipherSuitesTLS13, which Go keeps
// accessible because widely used packages rely on it (golang/go 67401), but promises to no one. So it
// is compiled for the releases of Go that it was tested with, and there it looks at everything that it relies on
// before it changes anything. If something differs TLS is left as it was, and [Installed] says why.
package tls13

// Installed returns nil if TLS 1.3 runs on percore's AES-GCM, and otherwise an error that says why TLS was left as it was: another
// release of Go, a package that changed crypto/tls before, FIPS 140 mode, a boringcrypto toolchain, or a core for
// which percore's AES-GCM is the standard library's.
func Installed() error { return installed }

var installed = install()
