package ledger

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

type Entry struct {
	Account string
	Cents   int64
	Note    string
}

type Ledger struct {
	entries []Entry
	closed  bool
}

type Sink interface {
	Write(Entry) error
}

func parseEntry(line string, number int) (Entry, error) {
	parts := strings.SplitN(line, ";", 3)
	if len(parts) < 2 {
		return Entry{}, fmt.Errorf("line %d: an account and an amount are needed", number)
	}
	var entry Entry
	entry.Account = strings.TrimSpace(parts[0])
	if _, err := fmt.Sscanf(parts[1], "%d", &entry.Cents); err != nil {
		return Entry{}, fmt.Errorf("line %d: %w", number, err)
	}
	if len(parts) == 3 {
		entry.Note = strings.TrimSpace(parts[2])
	}
	return entry, nil
}

func Read(source io.Reader) (*Ledger, error) {
	ledger := &Ledger{}
	lines := bufio.NewScanner(source)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		entry, err := parseEntry(line, number)
		if err != nil {
			return nil, err
		}
		ledger.entries = append(ledger.entries, entry)
	}
	return ledger, lines.Err()
}

func ReadFile(name string) (ledger *Ledger, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := file.Close(); err == nil {
			err = closing
		}
	}()
	return Read(file)
}

func (l *Ledger) Balance(account string) (cents int64) {
	for _, entry := range l.entries {
		if entry.Account == account {
			cents += entry.Cents
		}
	}
	return cents
}

func (l *Ledger) Transfer(from, to string, cents int64, note string) error {
	switch {
	case l.closed:
		return fmt.Errorf("the ledger is closed")
	case cents <= 0:
		return fmt.Errorf("an amount must be above 0, not %d", cents)
	case from == to:
		return nil
	}
	if have := l.Balance(from); have < cents {
		return fmt.Errorf("%s has %d, not %d", from, have, cents)
	}
	l.entries = append(l.entries, Entry{from, -cents, note}, Entry{to, cents, note})
	return nil
}

func (l *Ledger) Export(sinks ...Sink) (failed int) {
	for _, sink := range sinks {
		for i := range l.entries {
			if err := sink.Write(l.entries[i]); err != nil {
				failed++
				if failed > 10 {
					return failed
				}
				break
			}
		}
	}
	return failed
}

func (l *Ledger) Audit() []string {
	var faults []string
	report := func(format string, values ...any) {
		faults = append(faults, fmt.Sprintf(format, values...))
	}
	var total int64
	for i, entry := range l.entries {
		total += entry.Cents
		switch {
		case entry.Account == "":
			report("entry %d has no account", i)
		case entry.Cents == 0 && entry.Note == "":
			report("entry %d says nothing", i)
		}
	}
	if total != 0 {
		report("the sum is %d", total)
	}
	return faults
}

func money(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

func group(entries []Entry, by func(Entry) string) map[string][]Entry {
	groups := make(map[string][]Entry)
	for _, entry := range entries {
		key := by(entry)
		groups[key] = append(groups[key], entry)
	}
	return groups
}

func compare(one, other []Entry) bool {
	if len(one) != len(other) {
		return false
	}
	for i := range one {
		if one[i].Account != other[i].Account || one[i].Cents != other[i].Cents {
			return false
		}
	}
	return true
}

func init() {
	if os.Getenv("LEDGER_DEBUG") != "" {
		fmt.Fprintln(os.Stderr, "ledger: debugging")
	}
}
