"""Articles, pictures and rates of a newspaper."""

import time
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Annotated, Literal

import yaml
from fastapi import FastAPI, Header, HTTPException, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

app = FastAPI(title="Newsroom", version="7.3.0")
STARTED = time.time()
PER_PAGE = 8


class Section(str, Enum):
    politics = "politics"
    sport = "sport"
    culture = "culture"


class State(str, Enum):
    published = "published"
    draft = "draft"
    all = "all"


class Teaser(BaseModel):
    id: int
    headline: str
    section: Section
    state: Literal["published", "draft"]
    text: str = Field(description="The first 40 characters.")
    words: int
    published_at: datetime | None
    height: int = Field(description="Of the picture, in pixels.")


class Article(BaseModel):
    id: int
    headline: str
    section: Section
    state: Literal["published", "draft"]
    text: str
    words: int
    published_at: datetime | None
    height: int
    authors: list[str]
    related: list[int]


class Hits(BaseModel):
    hits: list[Teaser]
    total: int = Field(description="An estimate: exact up to 20, then rounded up to the next ten.")
    page: int
    took_ms: float


class Day(BaseModel):
    day: date
    rates: dict[str, float] = Field(description="Units of the currency for one euro.")


class Status(BaseModel):
    uptime_seconds: float
    now: datetime
    requests: int
    fee_by_priority: dict[int, float] = Field(description="Fee by the number of days until it is printed.")


class Comment(BaseModel):
    id: int
    article_id: int
    likes: int
    written: datetime
    body: str


def article_of(number: int) -> Article:
    words = 30 + number * 17 % 200
    is_draft = number % 5 == 0
    return Article(
        id=number,
        headline=f"{['Mayor', 'Team', 'Opera', 'Council'][number % 4]} story {number}",
        section=list(Section)[number % 3],
        state="draft" if is_draft else "published",
        text=" ".join(f"word{(number * 7 + place) % 90}" for place in range(words)),
        words=words,
        published_at=None if is_draft else datetime(2025, 3, 1, 6, tzinfo=UTC) + timedelta(hours=number * 11),
        height=300 + number * 30,
        authors=["A. Weber", "B. Rossi", "C. Novak"][: 1 + number % 3],
        related=[one for one in (number - 3, number + 4) if 1 <= one <= 40],
    )


ARTICLES = [article_of(number) for number in range(1, 41)]
COMMENTS = [
    Comment(
        id=number,
        article_id=1 + number * 7 % 40,
        likes=number * 13 % 50,
        written=datetime(2025, 4, 1, tzinfo=UTC) + timedelta(minutes=number * 37),
        body=f"Comment {number}",
    )
    for number in range(1, 121)
]
counter = {"requests": 0}


@app.middleware("http")
async def count(request: Request, call_next):
    counter["requests"] += 1
    return await call_next(request)


def teaser_of(article: Article) -> Teaser:
    return Teaser(**{**article.model_dump(exclude={"authors", "related"}), "text": article.text[:40]})


@app.get("/articles", operation_id="searchArticles")
def search(
    q: Annotated[str | None, Query(description="Words; the best match comes first.")] = None,
    state: Annotated[State, Query(description="`all` for both.")] = State.published,
    section: Section | None = None,
    size: Annotated[Literal["short", "long"] | None, Query(description="Articles below, or from, 100 words.")] = None,
    start: Annotated[date | None, Query(description="Published on this day or later (UTC).")] = None,
    end: Annotated[date | None, Query(description="Published before this day (UTC).")] = None,
    min: Annotated[int, Query(ge=0, description="Fewest words.")] = 0,
    page: Annotated[int, Query(ge=1, description="Pages have 8 articles.")] = 1,
) -> Hits:
    began = time.perf_counter()
    wanted = (q or "").lower().split()
    found = [
        article
        for article in ARTICLES
        if state in (State.all, article.state)
        and (section is None or article.section is section)
        and (size is None or (article.words < 100) == (size == "short"))
        and (start is None or article.published_at is not None and article.published_at.date() >= start)
        and (end is None or article.published_at is not None and article.published_at.date() < end)
        and article.words >= min
        and all(word in (article.headline + " " + article.text).lower() for word in wanted)
    ]
    if wanted:
        found.sort(key=lambda one: -sum(one.text.count(word) for word in wanted))
    total = len(found)
    return Hits(
        hits=[teaser_of(one) for one in found[(page - 1) * PER_PAGE : page * PER_PAGE]],
        total=total if total <= 20 else -(-total // 10) * 10,
        page=page,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
    )


@app.get("/articles/{id}", operation_id="getArticle", responses={404: {"description": "No such article"}})
def get_article(id: int, lang: Annotated[Literal["en", "de"], Query(description="Of the headline.")] = "en") -> Article:
    if not 1 <= id <= 40:
        raise HTTPException(404, "No such article")
    article = ARTICLES[id - 1]
    if lang == "de":
        return article.model_copy(update={"headline": f"Artikel {id}"})
    return article


@app.get("/articles/{id}/comments", operation_id="getComments", responses={404: {"description": "No such article"}})
def get_comments(
    id: int,
    sort: Annotated[Literal["best", "new"], Query(description="best: most likes first; new: latest first.")] = "best",
    count: Annotated[int, Query(ge=1, description="At most 50 are returned, whatever it says.")] = 20,
) -> list[Comment]:
    if not 1 <= id <= 40:
        raise HTTPException(404, "No such article")
    found = [one for one in COMMENTS if one.article_id == id]
    found.sort(key=(lambda one: -one.likes) if sort == "best" else (lambda one: -one.id))
    return found[: 50 if count > 50 else count]


@app.get("/comments/latest", operation_id="getLatestComments")
def latest(
    before: Annotated[int | None, Query(description="Comments with ids below this one.")] = None,
    limit: Annotated[int, Query(ge=1, le=60)] = 20,
) -> list[Comment]:
    """The latest comments, newest first."""
    found = [one for one in reversed(COMMENTS) if before is None or one.id < before]
    return found[:limit]


@app.get("/comments/count", operation_id="countComments")
def count_comments(since: Annotated[datetime | None, Query(description="Written after this time.")] = None) -> dict[str, int]:
    if since is not None and since.tzinfo is None:
        since = since.replace(tzinfo=UTC)
    return {"count": sum(1 for one in COMMENTS if since is None or one.written > since)}


@app.get("/rates/{day}", operation_id="getRates", responses={404: {"description": "No rates on weekends and before 2025"}})
def get_rates(day: date, base: Annotated[str, Query(pattern="^[A-Z]{3}$")] = "EUR") -> Day:
    if day.weekday() > 4 or not date(2025, 1, 1) <= day <= date(2025, 12, 31):
        raise HTTPException(404, "No rates")
    if base not in ("EUR", "USD"):
        raise HTTPException(404, "No rates of this currency")
    factor = 1 if base == "EUR" else 0.9
    number = day.toordinal() % 50
    return Day(day=day, rates={"USD": round(factor * (1.05 + number / 1000), 4), "CHF": round(factor * (0.94 + number / 2000), 4)})


@app.get("/status", operation_id="getStatus")
def status() -> Status:
    return Status(
        uptime_seconds=round(time.time() - STARTED, 3),
        now=datetime.now(UTC),
        requests=counter["requests"],
        fee_by_priority={1: 9.5 + counter["requests"] % 7, 3: 6.25, 7: 4},
    )


@app.get(
    "/feed",
    operation_id="getFeed",
    response_class=Response,
    responses={
        200: {
            "description": "The latest headlines",
            "content": {
                "application/vnd.newsroom.feed+json": {"schema": {"$ref": "#/components/schemas/Teaser"}},
                "application/vnd.newsroom.feed": {"schema": {"$ref": "#/components/schemas/Teaser"}},
                "application/yaml": {"schema": {"$ref": "#/components/schemas/Teaser"}},
            },
        },
        406: {"description": "None of these"},
    },
)
def feed(accept: Annotated[str, Header(include_in_schema=False)] = "*/*"):
    article = teaser_of(ARTICLES[38]).model_dump(mode="json")
    if "feed+json" in accept or "*/*" in accept:
        return JSONResponse(article, media_type="application/vnd.newsroom.feed+json")
    if "application/vnd.newsroom.feed" in accept:
        return Response(yaml.safe_dump(article), media_type="application/vnd.newsroom.feed")
    if "application/yaml" in accept or "application/*" in accept:
        return Response(yaml.safe_dump(article), media_type="application/yaml")
    return JSONResponse({"detail": "Not acceptable"}, status_code=406)
