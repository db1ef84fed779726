"""Vehicles and trips of a delivery company, with jsonrpcserver."""

import json
import os
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from jsonrpcserver import Error, InvalidParams, Result, Success, dispatch, method

DOCUMENT = Path(__file__).with_name("openrpc.json").read_text()
KINDS = ["van", "truck", "bicycle"]
VEHICLES = [
    {
        "plate": f"FL-{100 + number * 7}",
        "kind": KINDS[number % 3],
        "capacityKg": [800, 7500, 60][number % 3] + number,
        "inService": number % 5 != 0,
        "acquired": (date(2019, 6, 1) + timedelta(days=number * 61)).isoformat(),
        "driver": None if number % 4 == 0 else {"name": f"Driver {number}", "licence": "BCA"[number % 3]},
    }
    for number in range(1, 19)
]
TRIPS = [
    {
        "id": number,
        "plate": VEHICLES[number * 5 % len(VEHICLES)]["plate"],
        "day": (date(2025, 5, 1) + timedelta(days=number // 3)).isoformat(),
        "kilometres": 12 + number * 29 % 310,
        "stops": [{"place": f"Stop {place}", "parcels": 1 + (number + place) % 6} for place in range(1, 2 + number % 4)],
    }
    for number in range(1, 61)
]
UNKNOWN_VEHICLE = 1001
UNKNOWN_TRIP = 1002


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_day(value: object) -> bool:
    if not isinstance(value, str) or len(value) != 10:
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


@method(name="fleet.listVehicles")
def list_vehicles(kind=None, inService=None) -> Result:
    if kind is not None and kind not in KINDS:
        return InvalidParams("kind is van, truck or bicycle")
    if inService is not None and not isinstance(inService, bool):
        return InvalidParams("inService is true or false")
    return Success(
        [
            vehicle
            for vehicle in VEHICLES
            if (kind is None or vehicle["kind"] == kind) and (inService is None or vehicle["inService"] is inService)
        ]
    )


@method(name="fleet.getVehicle")
def get_vehicle(plate) -> Result:
    if not isinstance(plate, str):
        return InvalidParams("plate is a string")
    for vehicle in VEHICLES:
        if vehicle["plate"] == plate:
            return Success(vehicle)
    return Error(UNKNOWN_VEHICLE, "Unknown vehicle", {"plate": plate})


@method(name="fleet.countVehicles")
def count_vehicles(kind=None) -> Result:
    if kind is not None and kind not in KINDS:
        return InvalidParams("kind is van, truck or bicycle")
    return Success(sum(1 for vehicle in VEHICLES if kind is None or vehicle["kind"] == kind))


@method(name="fleet.listTrips")
def list_trips(plate=None, fromDay=None, toDay=None, offset=0, limit=20) -> Result:
    if plate is not None and not isinstance(plate, str):
        return InvalidParams("plate is a string")
    for name, day in (("fromDay", fromDay), ("toDay", toDay)):
        if day is not None and not is_day(day):
            return InvalidParams(f"{name} is a day, such as 2025-05-01")
    if not is_whole(offset) or offset < 0:
        return InvalidParams("offset is a whole number from 0")
    if not is_whole(limit) or not 1 <= limit <= 50:
        return InvalidParams("limit is a whole number from 1 to 50")
    found = [
        trip
        for trip in TRIPS
        if (plate is None or trip["plate"] == plate)
        and (fromDay is None or trip["day"] >= fromDay)
        and (toDay is None or trip["day"] <= toDay)
    ]
    return Success({"trips": found[offset : offset + limit], "total": len(found)})


@method(name="fleet.getTrip")
def get_trip(id) -> Result:
    if not is_whole(id):
        return InvalidParams("id is a whole number")
    if not 1 <= id <= len(TRIPS):
        return Error(UNKNOWN_TRIP, "Unknown trip", {"id": id})
    return Success(TRIPS[id - 1])


@method(name="fleet.getDistances")
def get_distances(year) -> Result:
    if not is_whole(year) or year < 2000 or year > 2100:
        return InvalidParams("year is a whole number from 2000 to 2100")
    distances: dict[str, int] = {}
    for trip in TRIPS:
        if trip["day"].startswith(f"{year}-"):
            distances[trip["plate"]] = distances.get(trip["plate"], 0) + trip["kilometres"]
    return Success(distances)


@method(name="rpc.discover")
def discover() -> Result:
    return Success(json.loads(DOCUMENT))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/openrpc.json":
            self.reply(200, DOCUMENT)
        else:
            self.reply(405, "")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        response = dispatch(body.decode("utf-8", "replace"))
        self.reply(200 if response else 204, response)

    def reply(self, status: int, text: str):
        body = text.encode()
        self.send_response(status)
        if status == 405:
            self.send_header("Allow", "POST")
        if body:
            self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
