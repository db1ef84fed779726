"""Artists, albums and tracks, with Strawberry."""

import base64
import datetime
import os
from enum import Enum
from typing import Optional

import strawberry
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from strawberry.asgi import GraphQL



@strawberry.enum
class Format(Enum):
    VINYL = "vinyl"
    CD = "cd"
    STREAM = "stream"


@strawberry.enum
class AlbumOrder(Enum):
    TITLE = "title"
    RELEASED = "released"


@strawberry.type(description="Seconds and how often it was played.")
class Track:
    number: int
    title: str
    seconds: int
    plays: int


@strawberry.type
class Artist:
    id: strawberry.ID
    name: str
    founded: Optional[int]

    @strawberry.field(description="Albums of this artist, the oldest first.")
    def albums(self, first: Optional[int] = None) -> list["Album"]:
        found = sorted((one for one in ALBUMS if one.artist_id == self.id), key=lambda one: one.released)
        return found if first is None else found[: max(first, 0)]

    @strawberry.field
    def album_count(self) -> int:
        return sum(1 for one in ALBUMS if one.artist_id == self.id)


@strawberry.type
class Album:
    id: strawberry.ID
    title: str
    released: datetime.date
    format: Format
    rating: Optional[float]
    artist_id: strawberry.Private[str]
    track_list: strawberry.Private[list[Track]]

    @strawberry.field
    def artist(self) -> Artist:
        return next(one for one in ARTISTS if one.id == self.artist_id)

    @strawberry.field
    def tracks(self, min_seconds: Optional[int] = None) -> list[Track]:
        return [one for one in self.track_list if min_seconds is None or one.seconds >= min_seconds]

    @strawberry.field
    def duration(self) -> int:
        return sum(one.seconds for one in self.track_list)


@strawberry.type
class AlbumEdge:
    node: Album
    cursor: str


@strawberry.type
class PageInfo:
    has_next_page: bool
    has_previous_page: bool
    start_cursor: Optional[str]
    end_cursor: Optional[str]


@strawberry.type
class AlbumConnection:
    edges: list[AlbumEdge]
    page_info: PageInfo
    total_count: int


@strawberry.input
class AlbumFilter:
    format: Optional[Format] = None
    released_after: Optional[datetime.date] = strawberry.field(default=None, description="Released on this day or later.")
    title_contains: Optional[str] = None


ARTISTS = [
    Artist(id=strawberry.ID(f"ar{number}"), name=name, founded=None if number == 3 else 1960 + number * 9)
    for number, name in enumerate(["Blue Lantern", "Kite Quartet", "Moss", "The Ferrymen", "Zephyr"], start=1)
]
ALBUMS = [
    Album(
        id=strawberry.ID(f"al{number}"),
        title=f"{['Night', 'Salt', 'Echo', 'Paper'][number % 4]} {['Road', 'Hour', 'Field'][number % 3]} {number}",
        released=datetime.date(1990, 1, 5) + datetime.timedelta(days=number * 377),
        format=list(Format)[number % 3],
        rating=None if number % 6 == 0 else round(2 + number * 7 % 30 / 10, 1),
        artist_id=f"ar{1 + number % 5}",
        track_list=[
            Track(number=place, title=f"Song {number}.{place}", seconds=120 + number * place * 13 % 240, plays=number * place)
            for place in range(1, 3 + number % 5)
        ],
    )
    for number in range(1, 24)
]


def cursor_of(position: int) -> str:
    return base64.b64encode(f"album:{position}".encode()).decode()


def position_of(cursor: str) -> int:
    try:
        name, position = base64.b64decode(cursor, validate=True).decode().split(":")
        if name != "album":
            raise ValueError
        return int(position)
    except ValueError:
        raise ValueError(f"Not a cursor: {cursor}") from None


@strawberry.type
class Query:
    @strawberry.field
    def artists(self) -> list[Artist]:
        return ARTISTS

    @strawberry.field
    def artist(self, id: strawberry.ID) -> Optional[Artist]:
        return next((one for one in ARTISTS if one.id == id), None)

    @strawberry.field
    def album(self, id: strawberry.ID) -> Optional[Album]:
        return next((one for one in ALBUMS if one.id == id), None)

    @strawberry.field(description="A page of the albums that match.")
    def albums(
        self,
        first: int = 10,
        after: Optional[str] = None,
        filter: Optional[AlbumFilter] = None,
        order_by: AlbumOrder = AlbumOrder.RELEASED,
    ) -> AlbumConnection:
        if not 0 <= first <= 50:
            raise ValueError("first is from 0 to 50")
        found = [
            one
            for one in ALBUMS
            if filter is None
            or (filter.format is None or one.format is filter.format)
            and (filter.released_after is None or one.released >= filter.released_after)
            and (filter.title_contains is None or filter.title_contains.lower() in one.title.lower())
        ]
        found.sort(key=lambda one: getattr(one, order_by.value))
        start = 0 if after is None else position_of(after) + 1
        edges = [AlbumEdge(node=one, cursor=cursor_of(start + place)) for place, one in enumerate(found[start : start + first])]
        return AlbumConnection(
            edges=edges,
            page_info=PageInfo(
                has_next_page=start + first < len(found),
                has_previous_page=start > 0,
                start_cursor=edges[0].cursor if edges else None,
                end_cursor=edges[-1].cursor if edges else None,
            ),
            total_count=len(found),
        )

    @strawberry.field(description="Tracks with the most plays.")
    def charts(self, limit: int = 5) -> list[Track]:
        tracks = [track for album in ALBUMS for track in album.track_list]
        return sorted(tracks, key=lambda one: (-one.plays, one.title))[: max(0, min(limit, 20))]


@strawberry.type
class Mutation:
    @strawberry.mutation
    def rate_album(self, id: strawberry.ID, rating: float) -> Album:
        raise ValueError("Ratings are closed")


schema = strawberry.Schema(query=Query, mutation=Mutation)

app = Starlette(
    routes=[
        Route("/schema.graphql", lambda request: PlainTextResponse(schema.as_str())),
        Mount("/graphql", GraphQL(schema)),
    ]
)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
