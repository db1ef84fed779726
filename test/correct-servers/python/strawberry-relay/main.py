"""Plants of a botanical garden, with Strawberry's Relay connections."""

import os
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Iterable, Optional

import strawberry
import uvicorn
from strawberry import relay
from strawberry.asgi import GraphQL


@strawberry.enum
class Light(Enum):
    SUN = "sun"
    HALF = "half"
    SHADE = "shade"


@strawberry.type
class Plant(relay.Node):
    code: relay.NodeID[str]
    latin: str
    light: Light
    height_cm: int
    planted_at: datetime
    bed_code: strawberry.Private[str]

    @strawberry.field
    def bed(self) -> "Bed":
        return next(one for one in BEDS if one.code == self.bed_code)

    @classmethod
    def resolve_nodes(cls, *, info, node_ids: Iterable[str], required: bool = False):
        found = {one.code: one for one in PLANTS}
        return [found[one] if required else found.get(one) for one in node_ids]


@strawberry.type
class Bed(relay.Node):
    code: relay.NodeID[str]
    area: float

    @relay.connection(relay.ListConnection[Plant])
    def plants(self, light: Optional[Light] = None) -> Iterable[Plant]:
        return [one for one in PLANTS if one.bed_code == self.code and (light is None or one.light is light)]

    @classmethod
    def resolve_nodes(cls, *, info, node_ids: Iterable[str], required: bool = False):
        found = {one.code: one for one in BEDS}
        return [found[one] if required else found.get(one) for one in node_ids]


BEDS = [Bed(code=f"bed{number}", area=12.5 * number) for number in range(1, 4)]
PLANTS = [
    Plant(
        code=f"plant{number}",
        latin=f"{['Rosa', 'Acer', 'Salvia', 'Hedera'][number % 4]} {['alba', 'minor', 'nigra'][number % 3]} {number}",
        light=list(Light)[number * 2 % 3],
        height_cm=10 + number * 37 % 400,
        planted_at=datetime(2020, 3, 1, tzinfo=UTC) + timedelta(days=number * 19),
        bed_code=f"bed{1 + number % 3}",
    )
    for number in range(1, 28)
]


@strawberry.input
class IntRange:
    gte: Optional[int] = None
    lt: Optional[int] = None


@strawberry.type
class Query:
    node: Optional[relay.Node] = relay.node()
    nodes: list[Optional[relay.Node]] = relay.node()

    @relay.connection(relay.ListConnection[Plant])
    def plants(self, light: Optional[Light] = None, height: Optional[IntRange] = None) -> Iterable[Plant]:
        return [
            one
            for one in PLANTS
            if (light is None or one.light is light)
            and (height is None or height.gte is None or one.height_cm >= height.gte)
            and (height is None or height.lt is None or one.height_cm < height.lt)
        ]

    @strawberry.field
    def beds(self, min_area: float = 0) -> list[Bed]:
        return [one for one in BEDS if one.area >= min_area]

    @strawberry.field(description="Plants that were planted in a year.")
    def planted_in(self, year: int) -> list[Plant]:
        return [one for one in PLANTS if one.planted_at.year == year]

    @strawberry.field
    def plant_by_latin(self, latin: str) -> Optional[Plant]:
        return next((one for one in PLANTS if one.latin == latin), None)


schema = strawberry.Schema(query=Query)
app = GraphQL(schema)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
