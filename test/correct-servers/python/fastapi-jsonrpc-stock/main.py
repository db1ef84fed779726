"""Stock of a warehouse over JSON-RPC, whose OpenRPC document fastapi-jsonrpc generates."""

from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import List, Optional

import fastapi_jsonrpc as jsonrpc
from fastapi import Body
from pydantic import BaseModel, Field

app = jsonrpc.API(title="Warehouse", version="1.0.0")
api = jsonrpc.Entrypoint("/rpc")


class Unit(str, Enum):
    piece = "piece"
    kilogram = "kilogram"
    litre = "litre"


class Location(BaseModel):
    aisle: str
    bin: int


class Article(BaseModel):
    sku: str
    name: str
    unit: Unit
    on_hand: int = Field(ge=0)
    reorder_level: int = Field(ge=0)
    location: Optional[Location]


class Movement(BaseModel):
    id: int
    sku: str
    quantity: int
    booked_at: datetime


class ArticleNotFound(jsonrpc.BaseError):
    CODE = 4004
    MESSAGE = "Article not found"

    class DataModel(BaseModel):
        sku: str


ARTICLES = [
    Article(
        sku=f"SKU-{number:04d}",
        name=f"{['Bolt', 'Flour', 'Oil', 'Lamp'][number % 4]} {number}",
        unit=[Unit.piece, Unit.kilogram, Unit.litre][number % 3],
        on_hand=number * 17 % 90,
        reorder_level=20 + number % 10,
        location=None if number % 5 == 0 else Location(aisle="ABCD"[number % 4], bin=number),
    )
    for number in range(1, 27)
]
MOVEMENTS = [
    Movement(
        id=number,
        sku=ARTICLES[number * 3 % len(ARTICLES)].sku,
        quantity=number % 9 - 4 or 5,
        booked_at=datetime(2025, 4, 1, 6, tzinfo=timezone.utc) + timedelta(hours=number * 5),
    )
    for number in range(1, 70)
]


@api.method()
def get_articles(
    unit: Optional[Unit] = Body(None),
    below_reorder_level: bool = Body(False),
    limit: int = Body(20, ge=1, le=100),
    offset: int = Body(0, ge=0),
) -> List[Article]:
    found = [
        article
        for article in ARTICLES
        if (unit is None or article.unit is unit)
        and (not below_reorder_level or article.on_hand < article.reorder_level)
    ]
    return found[offset : offset + limit]


@api.method(errors=[ArticleNotFound])
def get_article(sku: str = Body(..., examples=["SKU-0001"])) -> Article:
    for article in ARTICLES:
        if article.sku == sku:
            return article
    raise ArticleNotFound(data={"sku": sku})


@api.method()
def get_article_count(unit: Optional[Unit] = Body(None)) -> int:
    return sum(1 for article in ARTICLES if unit is None or article.unit is unit)


@api.method(errors=[ArticleNotFound])
def get_movements(
    sku: str = Body(...),
    booked_from: Optional[datetime] = Body(None, description="At this time or later."),
) -> List[Movement]:
    if all(article.sku != sku for article in ARTICLES):
        raise ArticleNotFound(data={"sku": sku})
    if booked_from is not None and booked_from.tzinfo is None:
        booked_from = booked_from.replace(tzinfo=timezone.utc)
    return [one for one in MOVEMENTS if one.sku == sku and (booked_from is None or one.booked_at >= booked_from)]


app.bind_entrypoint(api)
