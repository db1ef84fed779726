"""A public library: its books, their authors and the loans of them."""

from datetime import date, timedelta
from enum import Enum
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Path, Query, Response
from pydantic import BaseModel, Field

app = FastAPI(title="Library", version="1.4.0", description="The catalogue of a public library.")


class Genre(str, Enum):
    novel = "novel"
    history = "history"
    science = "science"
    children = "children"


class Author(BaseModel):
    id: int
    name: str
    born: date | None = None


class Shelf(BaseModel):
    room: str
    row: int = Field(ge=1)


class BookSummary(BaseModel):
    id: int
    title: str
    genre: Genre
    pages: int = Field(gt=0)
    published: date
    available: bool


class Book(BookSummary):
    isbn: str = Field(pattern=r"^97[89]-\d{10}$", examples=["978-0000000001"])
    author: Author
    shelf: Shelf | None
    tags: list[str]
    summary: str | None = None


class BookPage(BaseModel):
    items: list[BookSummary]
    total: int = Field(description="Number of books that match, on all pages together.")
    skip: int
    limit: int


class Loan(BaseModel):
    id: int
    book_id: int
    lent: date
    due: date
    returned: date | None = None


class GenreStatistics(BaseModel):
    books: int
    pages: int
    longest: int | None


class Problem(BaseModel):
    detail: str


class BookCreate(BaseModel):
    title: str
    genre: Genre
    pages: int = Field(gt=0)


AUTHORS = [
    Author(id=1, name="Ada Brandt", born=date(1931, 4, 2)),
    Author(id=2, name="Tomas Okafor", born=date(1958, 11, 30)),
    Author(id=3, name="Collective of the North"),
    Author(id=4, name="Mei Lindqvist", born=date(1979, 1, 17)),
]
GENRES = list(Genre)


def make_book(number: int) -> Book:
    return Book(
        id=number,
        title=f"{['The', 'A', 'On the'][number % 3]} {['River', 'Garden', 'Comet', 'Bridge', 'Winter'][number % 5]} {number}",
        genre=GENRES[number * 7 % 4],
        pages=90 + number * 37 % 400,
        published=date(1960, 1, 1) + timedelta(days=number * 391),
        available=number % 4 != 0,
        isbn=f"978-{number:010d}",
        author=AUTHORS[number % 4],
        shelf=None if number % 6 == 0 else Shelf(room="ABC"[number % 3], row=1 + number % 9),
        tags=[tag for place, tag in enumerate(["award", "local", "large print"]) if number >> place & 1],
        summary=None if number % 5 == 0 else f"Book number {number} of the collection.",
    )


BOOKS = {number: make_book(number) for number in range(1, 43)}
LOANS = [
    Loan(
        id=1000 + number,
        book_id=number,
        lent=date(2025, 1, 1) + timedelta(days=number * 3),
        due=date(2025, 1, 29) + timedelta(days=number * 3),
        returned=None if number % 4 == 0 else date(2025, 1, 20) + timedelta(days=number * 3),
    )
    for number in range(1, 43)
    if number % 2 == 0
]


class SortField(str, Enum):
    title = "title"
    published = "published"
    pages = "pages"


class Direction(str, Enum):
    asc = "asc"
    desc = "desc"


class Paging:
    def __init__(
        self,
        skip: Annotated[int, Query(ge=0, description="Number of items to skip.")] = 0,
        limit: Annotated[int, Query(ge=1, le=100, description="Largest number of items to return.")] = 10,
    ):
        self.skip = skip
        self.limit = limit


books = APIRouter(prefix="/books", tags=["books"])
NOT_FOUND = {404: {"model": Problem, "description": "There is no such thing."}}


@books.get("")
def list_books(
    paging: Annotated[Paging, Depends()],
    q: Annotated[str | None, Query(min_length=2, description="Part of the title, case-insensitive.")] = None,
    genre: Annotated[list[Genre] | None, Query(description="Only books of one of these genres.")] = None,
    available: bool | None = None,
    published_after: Annotated[date | None, Query(description="Only books published on or after this day.")] = None,
    published_before: Annotated[date | None, Query(description="Only books published before this day.")] = None,
    min_pages: Annotated[int | None, Query(ge=0)] = None,
    max_pages: Annotated[int | None, Query(ge=0)] = None,
    sort: SortField = SortField.title,
    direction: Direction = Direction.asc,
) -> BookPage:
    found = [
        book
        for book in BOOKS.values()
        if (q is None or q.lower() in book.title.lower())
        and (not genre or book.genre in genre)
        and (available is None or book.available == available)
        and (published_after is None or book.published >= published_after)
        and (published_before is None or book.published < published_before)
        and (min_pages is None or book.pages >= min_pages)
        and (max_pages is None or book.pages <= max_pages)
    ]
    found.sort(key=lambda book: getattr(book, sort.value), reverse=direction is Direction.desc)
    return BookPage(
        items=[BookSummary(**book.model_dump()) for book in found[paging.skip : paging.skip + paging.limit]],
        total=len(found),
        skip=paging.skip,
        limit=paging.limit,
    )


@books.post("", status_code=201)
def create_book(book: BookCreate) -> Book:
    raise HTTPException(503, "The catalogue is read-only")


@books.get("/statistics")
def statistics() -> dict[Genre, GenreStatistics]:
    """Numbers of books and pages by genre."""
    result = {}
    for genre in Genre:
        pages = [book.pages for book in BOOKS.values() if book.genre is genre]
        result[genre] = GenreStatistics(books=len(pages), pages=sum(pages), longest=max(pages, default=None))
    return result


@books.get("/count")
def count_books(genre: Genre | None = None) -> int:
    return sum(1 for book in BOOKS.values() if genre is None or book.genre is genre)


@books.get("/{book_id}", responses=NOT_FOUND)
def read_book(book_id: Annotated[int, Path(ge=1)]) -> Book:
    if book_id not in BOOKS:
        raise HTTPException(404, "Book not found")
    return BOOKS[book_id]


@books.get("/{book_id}/loans", responses=NOT_FOUND)
def list_loans_of_book(book_id: Annotated[int, Path(ge=1)]) -> list[Loan]:
    if book_id not in BOOKS:
        raise HTTPException(404, "Book not found")
    return [loan for loan in LOANS if loan.book_id == book_id]


@app.get("/authors", tags=["authors"])
def list_authors() -> list[Author]:
    return AUTHORS


@app.get("/authors/{author_id}", tags=["authors"], responses=NOT_FOUND)
def read_author(author_id: int) -> Author:
    for author in AUTHORS:
        if author.id == author_id:
            return author
    raise HTTPException(404, "Author not found")


@app.get("/loans", tags=["loans"])
def list_loans(
    response: Response,
    paging: Annotated[Paging, Depends()],
    open_only: bool = False,
    since: Annotated[date | None, Query(description="Lent on this day or later.")] = None,
) -> list[Loan]:
    """Loans, the latest first. `X-Total-Count` has their number."""
    found = [
        loan
        for loan in reversed(LOANS)
        if (not open_only or loan.returned is None) and (since is None or loan.lent >= since)
    ]
    response.headers["X-Total-Count"] = str(len(found))
    return found[paging.skip : paging.skip + paging.limit]


@app.get("/loans/{loan_id}", tags=["loans"], responses=NOT_FOUND)
def read_loan(loan_id: int) -> Loan:
    for loan in LOANS:
        if loan.id == loan_id:
            return loan
    raise HTTPException(404, "Loan not found")


app.include_router(books)
