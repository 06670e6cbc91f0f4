package percore

import (
	"crypto/fips140"
	"fmt"
	"os"
	"strings"
	"sync"

	"percore/internal/cpu"
)

// Host returns the core that the program runs on, as seen: what GODEBUG turns off is still there, but on arm64.
// Where cores differ it stands for all of them.
func Host() CPU { return cpu.Host() }

// Selected returns what this process runs: the policy for the core that it runs on, without what GODEBUG turns
// off (cpu.avx2=off and the like), and with the environment variable PERCORE obeyed.
//
// PERCORE names kernels, as in PERCORE=sha3=gpr,gcm=vaes256. It is read once. The kernel named for sha3 hashes batches too, one
// message after the other, unless there is an entry for batch. An entry that can't be obeyed counts for nothing, and gets a line on
// standard error that says why and what runs instead.
//
// With FIPS 140 mode on (see crypto/fips140) and with a boringcrypto toolchain, percore steps
// aside: the kernels are the standard library's.
func Selected() Choice {
	c := selected()
	c.Registry = registry()
	return c
}

var selected = sync.OnceValue(func() Choice {
	c, warnings := choose(Host().Obey(os.Getenv("GODEBUG")), stepAside(), os.Getenv("PERCORE"))
	for _, w := range warnings {
		fmt.Fprintln(os.Stderr, "percore: "+w)
	}
	return c
})

// stepAside says why the standard library has to do everything, or returns "".
func stepAside() string {
	switch {
	case fips140.Enabled():
		return "FIPS 140 mode is on"
	case boringcrypto:
		return "the toolchain has boringcrypto"
	}
	return ""
}

// choose is Selected without its surroundings: aside is why percore steps aside, if it does, and
// env is the value of PERCORE.
func choose(c CPU, aside, env string) (choice Choice, warnings []string) {
	choice = Default(c)
	if aside != "" {
		std := Decision{Kernel: "std", Reason: aside + ": percore steps aside", Source: "crypto/fips140, crypto/boring"}
		single := std
		single.Kernel = "single"
		choice = Choice{SHA3: std, Batch: single, GCM: std, Aside: aside}
	}
	type refusal struct {
		entry, problem string
		instead        *Decision // or nil
	}
	var refused []refusal
	forced := map[string]bool{}
	for entry := range strings.SplitSeq(env, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		algorithm, name, isPair := strings.Cut(entry, "=")
		if !isPair {
			refused = append(refused, refusal{entry, "this names no kernel; write it as in PERCORE=sha3=std,gcm=std", nil})
			continue
		}
		var d *Decision
		switch algorithm {
		case "sha3":
			d = &choice.SHA3
		case "batch":
			d = &choice.Batch
		case "gcm":
			d = &choice.GCM
		default:
			refused = append(refused, refusal{entry, fmt.Sprintf("there is no algorithm %q, only sha3, batch and gcm", algorithm), nil})
			continue
		}
		var problem string
		k := find(algorithm, name)
		if aside != "" && name != d.Kernel {
			problem = aside
		} else if k == nil {
			problem = fmt.Sprintf("there is no kernel %q for %s, and this core can run %s", name, algorithm, strings.Join(runnable(c, algorithm), ", "))
		} else {
			problem = k.lacks(c)
		}
		if problem != "" {
			refused = append(refused, refusal{entry, problem, d})
			continue
		}
		*d = Decision{Kernel: name, Reason: "PERCORE=" + entry, Source: "the environment", From: k.from}
		forced[algorithm] = true
	}
	if forced["sha3"] && !forced["batch"] {
		choice.Batch = choice.SHA3
		choice.Batch.Kernel = "single"
	}
	// What runs instead is known once all entries are.
	for _, r := range refused {
		warning := fmt.Sprintf("PERCORE=%s: %s", r.entry, r.problem)
		if r.instead != nil {
			warning += fmt.Sprintf("; %s runs instead", r.instead.Kernel)
		}
		warnings = append(warnings, warning)
	}
	return choice, warnings
}

// Kernels returns the names of the kernels of an algorithm, "sha3", "batch" or "gcm", that this core can
// run in this build, whatever the policy says: those that PERCORE can name.
func Kernels(algorithm string) []string {
	return runnable(Host().Obey(os.Getenv("GODEBUG")), algorithm)
}

// runnable is Kernels for any core.
func runnable(c CPU, algorithm string) []string {
	var names []string
	for _, k := range kernels {
		if k.algorithm == algorithm && k.lacks(c) == "" {
			names = append(names, k.name)
		}
	}
	return names
}
