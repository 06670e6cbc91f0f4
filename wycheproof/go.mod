module percore/wycheproof

go 1.26.4

require (
	github.com/c2sp/wycheproof v0.0.0-20260902155932-3fa63dd0344a
	percore v0.0.0
)

require (
	github.com/dsnet/compress v0.0.1 // indirect
	github.com/geomys/acvp-testdata v0.0.0-20251201200548-d893de8b8b1c // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace percore => ..

// The tests read the files of this module through the go command: it has no package to import. This
// program of its own, which nothing runs, is what keeps go mod tidy from dropping it.
tool github.com/geomys/acvp-testdata/cmd/trim
