package jq

import (
	"context"
	"encoding/json"
	"sync"
	"syscall"
	"testing"
)

// One step asks for 2 GiB, one would write 2^60 brackets, one doubles a text; side by side they leave the
// watch little time.
func TestMemoryOfARunStaysBounded(t *testing.T) {
	var all sync.WaitGroup
	for _, expression := range []string{
		`"x" * 2147483646 | length`, "reduce range(60) as $i (1; [.,.]) | tojson | length",
		`reduce range(60) as $i ("x"; . + .) | length`,
	} {
		all.Go(func() { _, _ = Self().Run(context.Background(), expression, json.RawMessage("null")) })
	}
	all.Wait()
	var children syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children); err != nil {
		t.Fatal(err)
	}
	if kib := children.Maxrss; kib > 2*MaxMemory>>10 {
		t.Errorf("a run had %d KiB in memory, the kernel's bound is %d", kib, 2*MaxMemory>>10)
	}
}
