"""A small library: books, readers and loans."""
import functools
from dataclasses import dataclass, field


@dataclass
class Book:
    title: str
    year: int
    tags: list = field(default_factory=list)

    def is_old(self, now, /, *, limit=50):
        return now - self.year > limit

    @property
    def label(self):
        return f"{self.title} ({self.year})" if self.year else self.title

    @staticmethod
    def parse(line, separator=";"):
        parts = line.split(separator)
        if len(parts) != 2:
            raise ValueError(line)
        try:
            return Book(parts[0], int(parts[1]))
        except ValueError:
            if parts[1].strip() == "":
                return Book(parts[0], 0)
            raise

    @classmethod
    def read(cls, lines):
        return [cls.parse(line) for line in lines if line and not line.startswith("#")]


class Library:
    def __init__(self, books=(), *, name: str = "library", **options):
        self.books = list(books)
        self.name = name
        self.loans = {}
        for key, value in options.items():
            setattr(self, key, value)

    def find(self, title, *tags):
        for book in self.books:
            if book.title == title and all(tag in book.tags for tag in tags):
                return book
        else:
            return None

    def lend(self, title, reader):
        book = self.find(title)
        if book is None:
            return "unknown"
        elif title in self.loans:
            if self.loans[title] == reader:
                return "yours already"
            else:
                return "taken"
        else:
            self.loans[title] = reader
            return "lent"

    def give_back(self, title):
        try:
            del self.loans[title]
        except KeyError:
            print("was not lent")
        else:
            print("thank you")
        finally:
            self.save()

    def save(self):
        with open(self.name, "w") as target, open("log", "a") as log:
            for title, reader in self.loans.items():
                target.write(f"{title};{reader}\n")
                log.write("saved\n")

    def close(self):
        close(self)

    def count(self, tags):
        if not tags:
            return 0
        first, *rest = tags
        return sum(first in book.tags for book in self.books) + self.count(rest)


def close(library):
    assert library.loans == {}, "books are out"


def years(books):
    return {book.year: [other.title for other in books if other.year == book.year] for book in books}


def pairs(books):
    return {(a.title, b.title) for a in books for b in books if a is not b if a.year == b.year}


def oldest(books):
    return min(books, key=lambda book: book.year or 9999, default=None)


def by_size(shelves):
    sizes = []
    for shelf in shelves:
        sizes.append(sorted(shelf, key=lambda book: (1 if book.tags else 0, book.title)))
    return sizes


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if function.__name__ != "save":
            print("calling", function.__name__)
        return function(*args, **kwargs)

    return wrapper


def repeated(times):
    """Runs a function again and again."""

    def decorate(function):
        def run(*args):
            for _ in range(times):
                if function(*args):
                    return True
            return False

        return run

    return decorate


def counter(start):
    value = start

    def step(by=1):
        nonlocal value
        if by > 0:
            value += by
        return value

    return step
