"""Measurements of weather stations."""

import math
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID, uuid5

from fastapi import FastAPI, HTTPException, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel, Field

NAMESPACE = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
START = datetime(2025, 3, 1, tzinfo=UTC)

app = FastAPI(title="Weather stations", version="0.9.2", root_path="")

Quantity = Literal["temperature", "humidity", "pressure"]


class Position(BaseModel):
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    altitude: float | None = Field(default=None, description="Metres above sea level.")


class Station(BaseModel):
    id: UUID
    code: str = Field(pattern="^[A-Z]{3}[0-9]{2}$")
    name: str
    position: Position
    installed_at: datetime
    quantities: list[Quantity]
    labels: dict[str, str]


class Reading(BaseModel):
    id: int
    station: str
    quantity: Quantity
    value: float
    taken_at: datetime
    quality: Literal["good", "suspect"] = "good"


class ReadingPage(BaseModel):
    data: list[Reading]
    next_cursor: str | None = Field(default=None, description="Pass it as `cursor` for the next page; null on the last.")


class Aggregate(BaseModel):
    count: int
    minimum: float
    maximum: float
    mean: float


class ProblemDetails(BaseModel):
    type: str = "about:blank"
    title: str
    status: int
    detail: str | None = None


def station_of(number: int) -> Station:
    code = f"{['OSL', 'BER', 'NYC', 'TYO', 'LIS'][number % 5]}{number:02d}"
    return Station(
        id=uuid5(NAMESPACE, code),
        code=code,
        name=f"Station {code.title()}",
        position=Position(
            latitude=round(60 - number * 7.5, 4),
            longitude=round(-120 + number * 24.25, 4),
            altitude=None if number % 3 == 0 else number * 15.5,
        ),
        installed_at=START - timedelta(days=100 * number),
        quantities=["temperature", "humidity"] if number % 2 else ["temperature", "humidity", "pressure"],
        labels={"owner": "met office", "class": "ABC"[number % 3]} if number % 4 else {},
    )


STATIONS = [station_of(number) for number in range(1, 8)]
READINGS: list[Reading] = []
for hour in range(0, 20):
    for station in STATIONS:
        for quantity in station.quantities:
            number = len(READINGS) + 1
            READINGS.append(
                Reading(
                    id=number,
                    station=station.code,
                    quantity=quantity,
                    value=round({"temperature": 12, "humidity": 60, "pressure": 1013}[quantity] + 8 * math.sin(number), 2),
                    taken_at=START + timedelta(hours=hour, minutes=number % 50),
                    quality="suspect" if number % 17 == 0 else "good",
                )
            )


class Problem(HTTPException):
    pass


@app.exception_handler(Problem)
async def render_problem(_: Request, problem: Problem) -> JSONResponse:
    return JSONResponse(
        ProblemDetails(title="Not found", status=problem.status_code, detail=problem.detail).model_dump(),
        status_code=problem.status_code,
        media_type="application/problem+json",
    )


PROBLEM = {404: {"description": "Not found", "content": {"application/problem+json": {"schema": ProblemDetails.model_json_schema()}}}}


@app.get("/api/stations", operation_id="getStations")
async def get_stations(
    quantity: Annotated[Quantity | None, Query(description="Only stations that measure this.")] = None,
    order_by: Literal["code", "-code", "installed_at", "-installed_at"] = "code",
) -> list[Station]:
    found = [station for station in STATIONS if quantity is None or quantity in station.quantities]
    return sorted(found, key=lambda station: getattr(station, order_by.removeprefix("-")), reverse=order_by.startswith("-"))


@app.get("/api/stations/{station_id}", operation_id="getStation", responses=PROBLEM)
async def get_station(station_id: UUID) -> Station:
    for station in STATIONS:
        if station.id == station_id:
            return station
    raise Problem(404, f"No station {station_id}")


@app.get("/api/readings", operation_id="getReadings")
async def get_readings(
    station: str | None = None,
    quantity: Quantity | None = None,
    quality: Literal["good", "suspect"] | None = None,
    from_: Annotated[datetime | None, Query(alias="from", description="Taken at or after this time.")] = None,
    to: Annotated[datetime | None, Query(description="Taken before this time.")] = None,
    cursor: Annotated[str | None, Query(description="From `next_cursor` of the previous page.")] = None,
    page_size: Annotated[int, Query(ge=1, le=200)] = 25,
) -> ReadingPage:
    after = 0
    if cursor is not None:
        if not cursor.isdecimal() or not cursor.isascii():
            raise HTTPException(422, [{"loc": ["query", "cursor"], "msg": "Not a cursor", "type": "value_error"}])
        after = int(cursor)

    def aware(time: datetime | None) -> datetime | None:
        return time.replace(tzinfo=UTC) if time is not None and time.tzinfo is None else time

    since, until = aware(from_), aware(to)
    found = [
        reading
        for reading in READINGS
        if reading.id > after
        and (station is None or reading.station == station)
        and (quantity is None or reading.quantity == quantity)
        and (quality is None or reading.quality == quality)
        and (since is None or reading.taken_at >= since)
        and (until is None or reading.taken_at < until)
    ]
    page = found[:page_size]
    return ReadingPage(data=page, next_cursor=str(page[-1].id) if len(found) > page_size else None)


@app.get("/api/readings/{reading_id}", operation_id="getReading", responses=PROBLEM)
async def get_reading(reading_id: int) -> Reading:
    if not 1 <= reading_id <= len(READINGS):
        raise Problem(404, f"No reading {reading_id}")
    return READINGS[reading_id - 1]


@app.get("/api/aggregates", operation_id="getAggregates")
async def get_aggregates(quantity: Quantity) -> dict[str, Aggregate]:
    """Extremes and means of one quantity, by the code of the station."""
    result = {}
    for station in STATIONS:
        values = [one.value for one in READINGS if one.station == station.code and one.quantity == quantity]
        if values:
            result[station.code] = Aggregate(
                count=len(values), minimum=min(values), maximum=max(values), mean=round(sum(values) / len(values), 4)
            )
    return result


@app.get("/api/forecast", operation_id="getForecast")
async def get_forecast(days: Annotated[int, Query(ge=1, le=7)] = 3) -> dict[int, float]:
    """Expected temperature by the number of days from now."""
    return {day: round(12 + 3 * math.cos(day), 1) for day in range(1, days + 1)}


@app.get("/healthz", response_class=PlainTextResponse)
async def healthz() -> str:
    return "ok"
