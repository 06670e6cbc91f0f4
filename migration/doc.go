// Package migration holds programs that use another library, and the same programs after they moved to percore: before
// and after in the folder of each library. The README shows what changes between them. The test runs them.
//
// It is a module of its own, in a workspace of its own, so that nobody else downloads the libraries.
package migration
