package tls13_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	_ "percore/provider/tls13"
)

// A server and a client of net/http as they always were: the import is all.
func Example() {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "hello over TLS 1.3")
	}))
	defer server.Close()

	resp, err := server.Client().Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	fmt.Println(string(body), err)
	// Output: hello over TLS 1.3 <nil>
}
