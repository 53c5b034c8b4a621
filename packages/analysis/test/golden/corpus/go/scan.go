package scan

import (
	"errors"
	"strconv"
	"unicode"
)

type Kind int

const (
	Word Kind = iota
	Number
	Text
	Mark
)

type Token struct {
	Kind Kind
	Text string
}

func scan(text string) ([]Token, error) {
	var tokens []Token
	runes := []rune(text)
	for at := 0; at < len(runes); {
		start := at
		switch letter := runes[at]; {
		case unicode.IsSpace(letter):
			at++
		case unicode.IsLetter(letter) || letter == '_':
			for at < len(runes) && (unicode.IsLetter(runes[at]) || unicode.IsDigit(runes[at]) || runes[at] == '_') {
				at++
			}
			tokens = append(tokens, Token{Word, string(runes[start:at])})
		case unicode.IsDigit(letter):
			for at < len(runes) && unicode.IsDigit(runes[at]) {
				at++
			}
			tokens = append(tokens, Token{Number, string(runes[start:at])})
		case letter == '"':
			for at++; at < len(runes) && runes[at] != '"'; at++ {
				if runes[at] == '\\' {
					at++
				}
			}
			if at >= len(runes) {
				return nil, errors.New("a text has no end")
			}
			at++
			tokens = append(tokens, Token{Text, string(runes[start:at])})
		default:
			at++
			tokens = append(tokens, Token{Mark, string(letter)})
		}
	}
	return tokens, nil
}

func firstPair(rows [][]int, sum int) (int, int) {
search:
	for _, row := range rows {
		for i, one := range row {
			if one > sum {
				continue search
			}
			for _, other := range row[i+1:] {
				if one+other == sum {
					return one, other
				}
				if other < 0 {
					break search
				}
			}
		}
	}
	return 0, 0
}

func readNumber(text string) (value int, err error) {
	if text == "" {
		goto empty
	}
	value, err = strconv.Atoi(text)
	if err != nil {
		goto failed
	}
	return value, nil
empty:
	return 0, errors.New("nothing to read")
failed:
	return 0, errors.New("no number: " + text)
}

func factorial(n int) int {
	if n <= 1 {
		return 1
	}
	return n * factorial(n-1)
}

func gcd[T int | int64](a, b T) T {
	if b == 0 {
		return a
	}
	return gcd[T](b, a%b)
}

type Tree struct {
	Left, Right *Tree
	Value       int
}

func (t *Tree) Insert(value int) *Tree {
	if t == nil {
		return &Tree{Value: value}
	}
	if value < t.Value {
		t.Left = t.Left.Insert(value)
	} else if value > t.Value {
		t.Right = t.Right.Insert(value)
	}
	return t
}

func (t *Tree) Settle(turns int) int {
	if turns == 0 || t == nil {
		return 0
	}
	return 1 + t.Settle(turns-1)
}

func (t *Tree) Walk(visit func(int)) {
	var walk func(*Tree)
	walk = func(node *Tree) {
		if node == nil {
			return
		}
		walk(node.Left)
		visit(node.Value)
		walk(node.Right)
	}
	walk(t)
}

func collatz(n uint64) (steps int) {
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	return
}

func weekday(day int) (name string, isFree bool) {
	switch day {
	case 1, 2, 3, 4:
		name = "work"
	case 5:
		name = "nearly done"
		fallthrough
	case 6, 7:
		isFree = day > 5
	}
	return
}

func sign(value int) int {
	if value > 0 {
		return 1
	} else {
		if value < 0 {
			return -1
		} else {
			return 0
		}
	}
}

func isLeap(year int) bool {
	return year%4 == 0 && year%100 != 0 || year%400 == 0
}

func nothing() {}

func pick(_ int, text string, rest ...string) string {
	if len(rest) == 0 {
		return text
	}
	return rest[0]
}
