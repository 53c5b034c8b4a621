package library

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

type Book struct {
	Title  string
	Author string
	Year   int
	Copies int
	Tags   []string
}

type Shelf struct {
	books map[string]*Book
	limit int
}

var errFull = errors.New("the shelf is full")

func NewShelf(limit int) *Shelf {
	return &Shelf{books: map[string]*Book{}, limit: limit}
}

func (s *Shelf) Add(book *Book) error {
	if book == nil || book.Title == "" {
		return errors.New("a book needs a title")
	}
	if known, ok := s.books[book.Title]; ok {
		known.Copies += book.Copies
		return nil
	}
	if len(s.books) >= s.limit {
		return errFull
	}
	s.books[book.Title] = book
	return nil
}

func (s *Shelf) Lend(title string, reader string) (*Book, error) {
	book, ok := s.books[title]
	if !ok {
		return nil, fmt.Errorf("%s: no such book", title)
	} else if book.Copies == 0 {
		return nil, fmt.Errorf("%s: all copies are out", title)
	} else {
		book.Copies--
	}
	return book, nil
}

func (s Shelf) Titles() []string {
	titles := make([]string, 0, len(s.books))
	for title := range s.books {
		titles = append(titles, title)
	}
	sort.Strings(titles)
	return titles
}

func (s *Shelf) ByAuthor(author string) []*Book {
	var found []*Book
	for _, book := range s.books {
		if strings.EqualFold(book.Author, author) {
			found = append(found, book)
		}
	}
	sort.Slice(found, func(i, j int) bool {
		if found[i].Year != found[j].Year {
			return found[i].Year < found[j].Year
		}
		return found[i].Title < found[j].Title
	})
	return found
}

func (s *Shelf) CountTags() map[string]int {
	counts := map[string]int{}
	for _, book := range s.books {
		for _, tag := range book.Tags {
			counts[strings.ToLower(tag)]++
		}
	}
	return counts
}

func (s *Shelf) Oldest() *Book {
	var oldest *Book
	for _, book := range s.books {
		if oldest == nil || book.Year < oldest.Year || book.Year == oldest.Year && book.Title < oldest.Title {
			oldest = book
		}
	}
	return oldest
}

func era(year int) string {
	switch {
	case year < 1500:
		return "early"
	case year >= 1500 && year < 1800:
		return "old"
	case year < 1950:
		return "modern"
	default:
		return "new"
	}
}

func isLoanable(book *Book, isMember bool, open int) bool {
	return book != nil && book.Copies > 0 && (isMember || open == 0) && !(book.Year < 1800 && !isMember)
}

func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "nothing"
	case *Book, Book:
		return "a book"
	case []*Book:
		if len(v) == 1 {
			return "one book"
		}
		return fmt.Sprintf("%d books", len(v))
	case error:
		return v.Error()
	}
	return "something else"
}
