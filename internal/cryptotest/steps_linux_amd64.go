package cryptotest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// steppedName is the environment variable that names the test for which a process was started to be stepped through.
const steppedName = "PERCORE_TEST_STEPPED"

// stepped starts the test's own binary again for the test at hand, where f makes its calls, and returns their traces.
//
// There a call comes between two signals that the thread sends to itself. At the first one all of the process stops, and only
// that thread is let on, so that Go's scheduler can't ask it to give way: how often it does would depend on time. If it
// already has when all stops, the call is made again.
func stepped(t *testing.T, listing Listing, f func(step func(name string, call func()))) (traces []Trace) {
	t.Helper()
	if os.Getenv(steppedName) == t.Name() {
		beStepped(f)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
	cmd.Env = append(os.Environ(), steppedName+"="+t.Name(), "GOGC=off", "GODEBUG="+os.Getenv("GODEBUG")+",asyncpreemptoff=1",
		"TMPDIR="+t.TempDir()) // it is killed, and removes nothing
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var tid int
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A thread that is traced isn't gone before it was waited for.
	defer cmd.Wait()
	defer func() {
		cmd.Process.Kill()
		for tid != 0 {
			if _, err := unix.Wait4(tid, nil, unix.WALL, nil); err != nil && err != unix.EINTR {
				break
			}
		}
	}()
	var entry uintptr
	lines := bufio.NewScanner(stdout)
	for tid == 0 && lines.Scan() {
		fmt.Sscanf(lines.Text(), "stepped thread %d %v", &tid, &entry)
	}
	if tid == 0 {
		t.Fatal("the other process doesn't say which thread to step through")
	}
	s := stepper{pid: cmd.Process.Pid, tid: tid, moved: entry - here(), listing: listing, known: map[uintptr]*code{}}

	// All of ptrace has to come from one thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.PtraceAttach(tid); err != nil {
		t.Skip("this system doesn't let a process trace another:", err)
	}
	if sig, err := s.wait(); err != nil || sig != unix.SIGSTOP {
		t.Fatal("attach:", sig, err)
	}
	if _, err := stdin.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	f(func(name string, _ func()) {
		for complete := false; err == nil && !complete; {
			var steps []Step
			if steps, complete, err = s.call(); err != nil {
				return
			}
			answer := again
			if complete {
				answer = done
				traces = append(traces, Trace{name, steps})
			}
			_, err = stdin.Write([]byte(answer))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

// What the process that is stepped through is told after each call.
const again, done = "a", "d"

// beStepped makes the calls in the process that is stepped through, and ends it.
func beStepped(f func(step func(name string, call func()))) {
	runtime.LockOSThread()
	pid, tid := unix.Getpid(), unix.Gettid()
	fmt.Printf("\nstepped thread %d %v\n", tid, here())
	os.Stdin.Read(make([]byte, 1))
	growStack(16)
	f(func(_ string, call func()) {
		call() // Whatever happens at the first time only happens here.
		for answer := []byte(again); string(answer) == again; os.Stdin.Read(answer) {
			runtime.Gosched() // all that was asked for before
			unix.Tgkill(pid, tid, unix.SIGSTOP)
			call()
			unix.Tgkill(pid, tid, unix.SIGUSR2)
		}
	})
	os.Exit(0)
}

// growStack gives the goroutine a stack that is large enough for everything, so that it never moves to other addresses between two calls: it doesn't shrink
// with the collector off. A frame is as large as Go lets it be: a larger array would be in the heap.
//
//go:noinline
func growStack(frames int) byte {
	var p [64 << 10]byte
	if frames > 1 {
		p[0] = growStack(frames - 1)
	}
	return p[len(os.Args)]
}

// here is an address in this binary, to find out by how much it has moved in another process.
func here() uintptr { return reflect.ValueOf(place).Pointer() }

// A stepper goes through the calls of a thread that it is attached to and that has stopped.
type stepper struct {
	pid, tid int
	moved    uintptr
	listing  Listing
	known    map[uintptr]*code
}

// A code is what is known of an instruction.
type code struct {
	counts   bool
	givesWay bool // Go makes the goroutine wait or moves its stack
	operands []operand
}

// An operand is displacement + base + index·scale, of which the displacement doesn't matter.
type operand struct {
	base, index string
	scale       uint64
}

// wait waits until the thread stops, and returns the signal that it stopped for. It keeps Go's scheduler out, which would
// take longer than the step does.
func (s *stepper) wait() (unix.Signal, error) {
	var status uint32
	for {
		_, _, errno := unix.RawSyscall6(unix.SYS_WAIT4, uintptr(s.tid), uintptr(unsafe.Pointer(&status)), unix.WALL, 0, 0, 0)
		switch w := unix.WaitStatus(status); {
		case errno == unix.EINTR:
		case errno != 0:
			return 0, fmt.Errorf("wait: %w", errno)
		case !w.Stopped():
			return 0, fmt.Errorf("the thread doesn't stop, but ends with status %#x", status)
		default:
			return w.StopSignal(), nil
		}
	}
}

// until lets the thread run until it stops for the signal, and takes all others away from it.
func (s *stepper) until(want unix.Signal) error {
	for {
		if err := unix.PtraceCont(s.tid, 0); err != nil {
			return fmt.Errorf("continue: %w", err)
		}
		if sig, err := s.wait(); err != nil || sig == want {
			return err
		}
	}
}

// call returns the steps from the next SIGSTOP to the next SIGUSR2 that the thread sends to itself, and whether these are
// those of the call alone.
func (s *stepper) call() (steps []Step, complete bool, err error) {
	if err := s.until(unix.SIGSTOP); err != nil {
		return nil, false, err
	}
	// Only when the thread gets its signal do all threads stop. This one can go on nevertheless.
	if err := unix.PtraceCont(s.tid, int(unix.SIGSTOP)); err != nil {
		return nil, false, fmt.Errorf("stop: %w", err)
	}
	if _, err := s.wait(); err != nil {
		return nil, false, err
	}
	for {
		if err := unix.PtraceSingleStep(s.tid); err != nil {
			return nil, false, fmt.Errorf("step: %w", err)
		}
		sig, err := s.wait()
		if err != nil {
			return nil, false, err
		}
		if sig == unix.SIGUSR2 {
			return steps, true, unix.Kill(s.pid, unix.SIGCONT)
		}
		if sig != unix.SIGTRAP {
			continue // another thread's, or one for Go's runtime, which gets on without
		}
		var regs unix.PtraceRegs
		if err := unix.PtraceGetRegs(s.tid, &regs); err != nil {
			return nil, false, fmt.Errorf("registers: %w", err)
		}
		pc := uintptr(regs.Rip) - s.moved
		c := s.code(pc)
		if c.givesWay {
			if err := unix.Kill(s.pid, unix.SIGCONT); err != nil {
				return nil, false, err
			}
			return nil, false, s.until(unix.SIGUSR2)
		}
		if c.counts {
			steps = append(steps, Step{pc, c.address(&regs)})
		}
	}
}

// code returns what is known of the instruction at pc.
func (s *stepper) code(pc uintptr) *code {
	if c, ok := s.known[pc]; ok {
		return c
	}
	c := &code{}
	s.known[pc] = c
	f := runtime.FuncForPC(pc)
	if f == nil {
		return c
	}
	c.counts = strings.HasPrefix(f.Name(), "percore") || strings.HasPrefix(f.Name(), "crypto/")
	c.givesWay = strings.HasPrefix(f.Name(), "runtime.morestack")
	at := f.Entry()
	for _, i := range s.listing[f.Name()] {
		if at == pc && !strings.HasPrefix(i.Text, "LEAQ") {
			for _, m := range memoryOperand.FindAllStringSubmatch(i.Text, -1) {
				scale, _ := strconv.ParseUint(m[3], 10, 64)
				c.operands = append(c.operands, operand{m[1], m[2], scale})
			}
		}
		at += uintptr(len(i.Code))
	}
	return c
}

// memoryOperand matches what Go's assembler writes for a place in memory at an address in registers.
var memoryOperand = regexp.MustCompile(`\(([A-Z0-9]+)\)(?:\(([A-Z0-9]+)\*([1248])\))?`)

func (c *code) address(regs *unix.PtraceRegs) (sum uintptr) {
	for _, o := range c.operands {
		sum = 31*sum + uintptr(register(regs, o.base)+o.scale*register(regs, o.index))
	}
	return sum
}

// register returns a register by its name in Go's assembly. SB, FP and PC, which are no registers, are 0, as no name is.
func register(r *unix.PtraceRegs, name string) uint64 {
	switch name {
	case "AX":
		return r.Rax
	case "BX":
		return r.Rbx
	case "CX":
		return r.Rcx
	case "DX":
		return r.Rdx
	case "SI":
		return r.Rsi
	case "DI":
		return r.Rdi
	case "BP":
		return r.Rbp
	case "SP":
		return r.Rsp
	case "R8":
		return r.R8
	case "R9":
		return r.R9
	case "R10":
		return r.R10
	case "R11":
		return r.R11
	case "R12":
		return r.R12
	case "R13":
		return r.R13
	case "R14":
		return r.R14
	case "R15":
		return r.R15
	}
	return 0
}
