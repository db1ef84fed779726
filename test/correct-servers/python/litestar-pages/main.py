"""Runs and runners of a race, with Litestar's paginators and Pydantic models."""

from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Annotated, Optional

from litestar import Controller, Litestar, get
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.pagination import AbstractSyncClassicPaginator, AbstractSyncCursorPaginator, ClassicPagination, CursorPagination
from litestar.params import Parameter
from pydantic import BaseModel, Field


class Category(str, Enum):
    JUNIOR = "junior"
    OPEN = "open"
    SENIOR = "senior"


class Split(BaseModel):
    kilometre: int = Field(gt=0)
    seconds: float = Field(ge=0)


class Runner(BaseModel):
    bib: int = Field(ge=1, description="Number on the shirt.")
    name: str
    category: Category
    club: Optional[str] = None


class Run(BaseModel):
    id: str = Field(pattern="^run-[0-9]+$")
    bib: int
    started_at: datetime
    seconds: Optional[float] = Field(default=None, description="Null while the runner is on the way.")
    splits: list[Split]
    weather: dict[str, float]


RUNNERS = [
    Runner(
        bib=number,
        name=f"{['Aino', 'Ben', 'Cai', 'Dora'][number % 4]} {['Hill', 'Lund', 'Mori'][number % 3]}",
        category=list(Category)[number * 2 % 3],
        club=None if number % 3 == 0 else f"Club {number % 4}",
    )
    for number in range(1, 30)
]
RUNS = [
    Run(
        id=f"run-{number}",
        bib=1 + number * 5 % 29,
        started_at=datetime(2025, 9, 7, 8, tzinfo=UTC) + timedelta(seconds=number * 47),
        seconds=None if number % 11 == 0 else 1800 + number * 61 % 1500,
        splits=[Split(kilometre=place, seconds=290 + number + place) for place in range(1, 1 + number % 4)],
        weather={"temperature": 14.5, "wind": float(number % 5)},
    )
    for number in range(1, 52)
]


class RunnerPages(AbstractSyncClassicPaginator[Runner]):
    def get_total(self, page_size: int) -> int:
        return -(-len(RUNNERS) // page_size)

    def get_items(self, page_size: int, current_page: int) -> list[Runner]:
        return RUNNERS[(current_page - 1) * page_size : current_page * page_size]


class RunPages(AbstractSyncCursorPaginator[str, Run]):
    def get_items(self, cursor: Optional[str], results_per_page: int) -> tuple[list[Run], Optional[str]]:
        start = 0 if cursor is None else next((place for place, one in enumerate(RUNS) if one.id == cursor), len(RUNS)) + 1
        items = RUNS[start : start + results_per_page]
        return items, items[-1].id if start + results_per_page < len(RUNS) else None


class RaceController(Controller):
    path = "/race"

    @get("/runners", operation_id="listRunners", sync_to_thread=False)
    def runners(
        self,
        page_size: Annotated[int, Parameter(query="pageSize", ge=1, le=40)] = 10,
        current_page: Annotated[int, Parameter(query="currentPage", ge=1)] = 1,
    ) -> ClassicPagination[Runner]:
        return RunnerPages()(page_size=page_size, current_page=current_page)

    @get("/runners/{bib:int}", operation_id="getRunner", raises=[NotFoundException], sync_to_thread=False)
    def runner(self, bib: int) -> Runner:
        for one in RUNNERS:
            if one.bib == bib:
                return one
        raise NotFoundException("No such runner")

    @get("/runs", operation_id="listRuns", sync_to_thread=False)
    def runs(
        self,
        cursor: Optional[str] = None,
        per_page: Annotated[int, Parameter(query="perPage", ge=1, le=100)] = 20,
    ) -> CursorPagination[str, Run]:
        return RunPages()(cursor=cursor, results_per_page=per_page)

    @get("/runs/{run_id:str}", operation_id="getRun", raises=[NotFoundException], sync_to_thread=False)
    def run(self, run_id: str) -> Run:
        for one in RUNS:
            if one.id == run_id:
                return one
        raise NotFoundException("No such run")

    @get("/podium", operation_id="getPodium", sync_to_thread=False)
    def podium(self, category: Category, top: Annotated[int, Parameter(ge=1, le=10)] = 3) -> list[Run]:
        """The fastest runs of a category, the fastest first."""
        bibs = {one.bib for one in RUNNERS if one.category is category}
        finished = [one for one in RUNS if one.bib in bibs and one.seconds is not None]
        return sorted(finished, key=lambda one: one.seconds)[:top]

    @get("/count", operation_id="countRunners", sync_to_thread=False)
    def count(self, club: Annotated[Optional[str], Parameter(description="`-` for runners without one.")] = None) -> dict[str, int]:
        wanted = None if club == "-" else club
        return {"count": sum(1 for one in RUNNERS if club is None or one.club == wanted)}


app = Litestar([RaceController], openapi_config=OpenAPIConfig(title="Race", version="1.0.0"))
