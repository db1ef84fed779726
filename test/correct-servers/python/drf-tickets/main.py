"""Tickets of a help desk, with Django REST framework, django-filter and drf-spectacular."""

import os
from datetime import UTC, datetime, timedelta

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="for a test",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    TIME_ZONE="UTC",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": "file:tickets?mode=memory&cache=shared",
            "OPTIONS": {"uri": True},
        }
    },
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "django_filters", "drf_spectacular"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    REST_FRAMEWORK={
        "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_FILTER_BACKENDS": [
            "django_filters.rest_framework.DjangoFilterBackend",
            "rest_framework.filters.OrderingFilter",
            "rest_framework.filters.SearchFilter",
        ],
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
        "PAGE_SIZE": 10,
    },
    SPECTACULAR_SETTINGS={"TITLE": "Help desk", "VERSION": "3.0.0", "SERVE_INCLUDE_SCHEMA": False},
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.db.models import Count  # noqa: E402
from django.urls import include, path  # noqa: E402
from django_filters import rest_framework as filters  # noqa: E402
from drf_spectacular.utils import extend_schema, inline_serializer  # noqa: E402
from drf_spectacular.views import SpectacularJSONAPIView  # noqa: E402
from rest_framework import pagination, serializers, viewsets  # noqa: E402
from rest_framework.decorators import action  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.routers import DefaultRouter  # noqa: E402


class Agent(models.Model):
    name = models.CharField(max_length=80)
    email = models.EmailField()
    is_active = models.BooleanField(default=True)

    class Meta:
        app_label = "tickets"
        ordering = ["id"]


class Ticket(models.Model):
    class Priority(models.TextChoices):
        LOW = "low", "Low"
        NORMAL = "normal", "Normal"
        URGENT = "urgent", "Urgent"

    subject = models.CharField(max_length=120)
    body = models.TextField(blank=True)
    priority = models.CharField(max_length=10, choices=Priority.choices, default=Priority.NORMAL)
    is_closed = models.BooleanField(default=False)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    effort = models.DecimalField(max_digits=6, decimal_places=2, null=True, help_text="Hours spent.")
    agent = models.ForeignKey(Agent, null=True, on_delete=models.SET_NULL, related_name="tickets")

    class Meta:
        app_label = "tickets"
        ordering = ["-opened_at"]


class AgentSerializer(serializers.ModelSerializer):
    class Meta:
        model = Agent
        fields = ["id", "name", "email", "is_active"]


class TicketSerializer(serializers.ModelSerializer):
    class Meta:
        model = Ticket
        fields = ["id", "subject", "priority", "is_closed", "opened_at", "closed_at", "effort", "agent"]


class TicketDetailSerializer(TicketSerializer):
    agent = AgentSerializer(read_only=True)

    class Meta(TicketSerializer.Meta):
        fields = [*TicketSerializer.Meta.fields, "body"]


class TicketFilter(filters.FilterSet):
    opened_after = filters.IsoDateTimeFilter(field_name="opened_at", lookup_expr="gte", help_text="Opened at this time or later.")
    opened_before = filters.IsoDateTimeFilter(field_name="opened_at", lookup_expr="lt", help_text="Opened before this time.")
    min_effort = filters.NumberFilter(field_name="effort", lookup_expr="gte")
    priority = filters.ChoiceFilter(choices=Ticket.Priority.choices)

    class Meta:
        model = Ticket
        fields = ["priority", "is_closed", "agent"]


class LimitedPages(pagination.PageNumberPagination):
    page_size = 10
    page_size_query_param = "page_size"
    max_page_size = 50


class TicketViewSet(viewsets.ModelViewSet):
    queryset = Ticket.objects.select_related("agent")
    filterset_class = TicketFilter
    pagination_class = LimitedPages
    search_fields = ["subject", "body"]
    ordering_fields = ["opened_at", "effort", "id"]

    def get_serializer_class(self):
        return TicketDetailSerializer if self.action == "retrieve" else TicketSerializer

    @extend_schema(
        responses=inline_serializer(
            "TicketCounts",
            {"total": serializers.IntegerField(), "by_priority": serializers.DictField(child=serializers.IntegerField())},
        ),
        filters=False,
    )
    @action(detail=False, pagination_class=None, filter_backends=[])
    def counts(self, request):
        rows = Ticket.objects.order_by().values("priority").annotate(number=Count("id"))
        by_priority = {row["priority"]: row["number"] for row in rows}
        return Response({"total": sum(by_priority.values()), "by_priority": by_priority})


class AgentViewSet(viewsets.ReadOnlyModelViewSet):
    queryset = Agent.objects.all()
    serializer_class = AgentSerializer
    filterset_fields = ["is_active"]
    pagination_class = pagination.LimitOffsetPagination


router = DefaultRouter()
router.include_root_view = False
router.register("tickets", TicketViewSet)
router.register("agents", AgentViewSet)
urlpatterns = [path("api/", include(router.urls)), path("schema/", SpectacularJSONAPIView.as_view())]


def fill() -> None:
    with connection.schema_editor() as editor:
        editor.create_model(Agent)
        editor.create_model(Ticket)
    agents = [
        Agent.objects.create(name=name, email=f"{name.lower()}@desk.example", is_active=name != "Nils")
        for name in ["Aiko", "Bela", "Nils", "Olga"]
    ]
    start = datetime(2025, 2, 1, 8, tzinfo=UTC)
    for number in range(1, 34):
        is_closed = number % 3 == 0
        opened = start + timedelta(hours=number * 7, minutes=number)
        Ticket.objects.create(
            subject=f"{['Printer', 'Password', 'Screen'][number % 3]} trouble {number}",
            body="" if number % 4 == 0 else f"It began on day {number}.",
            priority=Ticket.Priority.values[number * 5 % 3],
            is_closed=is_closed,
            opened_at=opened,
            closed_at=opened + timedelta(hours=30) if is_closed else None,
            effort=None if number % 5 == 0 else f"{number * 0.75:.2f}",
            agent=None if number % 7 == 0 else agents[number % 4],
        )


if __name__ == "__main__":
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_):
            pass

    kept = connection  # The database lives as long as one connection to it.
    fill()
    make_server("127.0.0.1", int(os.environ["PORT"]), get_wsgi_application(), handler_class=Quiet).serve_forever()
