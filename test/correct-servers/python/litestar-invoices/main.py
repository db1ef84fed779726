"""Invoices of a small company."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID, uuid5

import msgspec
from litestar import Litestar, Router, get
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.pagination import OffsetPagination
from litestar.params import Parameter

NAMESPACE = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")


class Status(StrEnum):
    DRAFT = "draft"
    SENT = "sent"
    PAID = "paid"
    OVERDUE = "overdue"


@dataclass
class Address:
    street: str
    city: str
    country: Annotated[str, msgspec.Meta(pattern="^[A-Z]{2}$")]


@dataclass
class Customer:
    id: UUID
    name: str
    email: str
    address: Address
    vat_number: str | None = None


@dataclass
class Line:
    description: str
    quantity: Annotated[int, msgspec.Meta(ge=1)]
    unit_price: Decimal
    amount: Decimal


@dataclass
class Invoice:
    id: UUID
    number: int
    customer_id: UUID
    status: Status
    issued_on: date
    due_on: date
    total: Decimal
    currency: Literal["EUR", "USD"]
    lines: list[Line] = field(default_factory=list)
    paid_on: date | None = None


@dataclass
class Summary:
    count: int
    total: Decimal
    by_status: dict[str, int]


class Problem(msgspec.Struct):
    status_code: int
    detail: str


CUSTOMERS = [
    Customer(
        id=uuid5(NAMESPACE, f"customer {number}"),
        name=f"{name} Ltd",
        email=f"accounts@{name.lower()}.example",
        address=Address(street=f"{number} High Street", city=city, country=country),
        vat_number=f"{country}{number:09d}" if number % 2 else None,
    )
    for number, (name, city, country) in enumerate(
        [("Acorn", "Leeds", "GB"), ("Birch", "Lyon", "FR"), ("Cedar", "Graz", "AT"), ("Dogwood", "Turku", "FI")]
    )
]


def invoice_of(number: int) -> Invoice:
    lines = [
        Line(
            description=f"Position {position}",
            quantity=position,
            unit_price=Decimal(100 + number * position) / 4,
            amount=Decimal(100 + number * position) / 4 * position,
        )
        for position in range(1, 2 + number % 3)
    ]
    issued = date(2025, 1, 3) + timedelta(days=number * 5)
    status = list(Status)[number % 4]
    return Invoice(
        id=uuid5(NAMESPACE, f"invoice {number}"),
        number=2025000 + number,
        customer_id=CUSTOMERS[number * 3 % 4].id,
        status=status,
        issued_on=issued,
        due_on=issued + timedelta(days=30),
        total=sum((line.amount for line in lines), Decimal(0)),
        currency="EUR" if number % 3 else "USD",
        lines=lines,
        paid_on=issued + timedelta(days=9) if status is Status.PAID else None,
    )


INVOICES = [invoice_of(number) for number in range(1, 36)]


@get("/", operation_id="ListInvoices")
async def list_invoices(
    status: Status | None = None,
    customer_id: Annotated[UUID | None, Parameter(query="customerId")] = None,
    issued_from: Annotated[date | None, Parameter(query="issuedFrom", description="First day, inclusive.")] = None,
    issued_to: Annotated[date | None, Parameter(query="issuedTo", description="Last day, inclusive.")] = None,
    order: Annotated[Literal["number", "total", "dueOn"], Parameter(description="What to sort by, ascending.")] = "number",
    limit: Annotated[int, Parameter(ge=1, le=50)] = 20,
    offset: Annotated[int, Parameter(ge=0)] = 0,
) -> OffsetPagination[Invoice]:
    found = [
        invoice
        for invoice in INVOICES
        if (status is None or invoice.status == status)
        and (customer_id is None or invoice.customer_id == customer_id)
        and (issued_from is None or invoice.issued_on >= issued_from)
        and (issued_to is None or invoice.issued_on <= issued_to)
    ]
    found.sort(key=lambda invoice: {"number": invoice.number, "total": invoice.total, "dueOn": invoice.due_on}[order])
    return OffsetPagination(items=found[offset : offset + limit], total=len(found), limit=limit, offset=offset)


@get("/summary", operation_id="SummarizeInvoices")
async def summarize(currency: Literal["EUR", "USD"]) -> Summary:
    chosen = [invoice for invoice in INVOICES if invoice.currency == currency]
    return Summary(
        count=len(chosen),
        total=sum((invoice.total for invoice in chosen), Decimal(0)),
        by_status={status.value: sum(1 for one in chosen if one.status == status) for status in Status},
    )


@get(
    "/{invoice_id:uuid}",
    operation_id="GetInvoice",
    responses={404: ResponseSpec(data_container=Problem, description="No such invoice")},
)
async def get_invoice(invoice_id: UUID) -> Invoice:
    for invoice in INVOICES:
        if invoice.id == invoice_id:
            return invoice
    raise NotFoundException("No such invoice")


@get("/customers", operation_id="ListCustomers")
async def list_customers(
    country: Annotated[str | None, Parameter(pattern="^[A-Z]{2}$", description="ISO 3166 code.")] = None,
) -> list[Customer]:
    return [customer for customer in CUSTOMERS if country is None or customer.address.country == country]


@get(
    "/customers/{customer_id:uuid}",
    operation_id="GetCustomer",
    responses={404: ResponseSpec(data_container=Problem, description="No such customer")},
)
async def get_customer(customer_id: UUID) -> Customer:
    for customer in CUSTOMERS:
        if customer.id == customer_id:
            return customer
    raise NotFoundException("No such customer")


app = Litestar(
    route_handlers=[
        Router("/invoices", route_handlers=[list_invoices, summarize, get_invoice]),
        list_customers,
        get_customer,
    ],
    openapi_config=OpenAPIConfig(title="Invoices", version="2.1.0"),
)
