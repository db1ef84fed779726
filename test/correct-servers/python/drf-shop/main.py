"""Products, reviews and prices of a shop, with Django REST framework, filter sets of ranges and cursors."""

import os
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

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
            "NAME": "file:shop?mode=memory&cache=shared",
            "OPTIONS": {"uri": True},
        }
    },
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "django_filters", "drf_spectacular"],
    MIDDLEWARE=["django.middleware.http.ConditionalGetMiddleware", "django.middleware.common.CommonMiddleware"],
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
    },
    SPECTACULAR_SETTINGS={"TITLE": "Shop", "VERSION": "1.0.0", "SERVE_INCLUDE_SCHEMA": False},
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.db.models import Avg, Count  # noqa: E402
from django.urls import include, path  # noqa: E402
from django_filters import rest_framework as filters  # noqa: E402
from drf_spectacular.utils import OpenApiParameter, extend_schema  # noqa: E402
from drf_spectacular.views import SpectacularJSONAPIView  # noqa: E402
from rest_framework import pagination, serializers, viewsets  # noqa: E402
from rest_framework.decorators import action  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.routers import SimpleRouter  # noqa: E402


class Category(models.Model):
    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=60)
    parent = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="children")

    class Meta:
        app_label = "shop"
        ordering = ["slug"]


class Product(models.Model):
    class Status(models.IntegerChoices):
        PLANNED = 1, "Planned"
        ON_SALE = 2, "On sale"
        GONE = 3, "Gone"

    sku = models.CharField(max_length=12, unique=True)
    title = models.CharField(max_length=90)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    released = models.DateField(null=True)
    status = models.IntegerField(choices=Status.choices)
    stock = models.PositiveIntegerField()
    category = models.ForeignKey(Category, on_delete=models.CASCADE, related_name="products")
    attributes = models.JSONField(default=dict)

    class Meta:
        app_label = "shop"
        ordering = ["sku"]


class Review(models.Model):
    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="reviews")
    stars = models.PositiveSmallIntegerField()
    text = models.TextField(blank=True)
    created = models.DateTimeField()

    class Meta:
        app_label = "shop"
        ordering = ["-created"]


class CategorySerializer(serializers.ModelSerializer):
    parent = serializers.SlugRelatedField("slug", read_only=True, allow_null=True)
    product_count = serializers.SerializerMethodField()

    class Meta:
        model = Category
        fields = ["slug", "title", "parent", "product_count"]

    def get_product_count(self, category) -> int:
        return Product.objects.filter(category=category).count()


class ProductSerializer(serializers.ModelSerializer):
    category = serializers.SlugRelatedField("slug", read_only=True)
    is_available = serializers.SerializerMethodField()
    attributes = serializers.DictField(child=serializers.CharField())

    class Meta:
        model = Product
        fields = ["sku", "title", "price", "released", "status", "stock", "category", "attributes", "is_available"]

    def get_is_available(self, product) -> bool:
        return product.status == Product.Status.ON_SALE and product.stock > 0


class ReviewSerializer(serializers.ModelSerializer):
    product = serializers.SlugRelatedField("sku", read_only=True)

    class Meta:
        model = Review
        fields = ["id", "product", "stars", "text", "created"]


class RatingSerializer(serializers.Serializer):
    average = serializers.FloatField(allow_null=True)
    count = serializers.IntegerField()
    by_stars = serializers.DictField(child=serializers.IntegerField())


class CharInFilter(filters.BaseInFilter, filters.CharFilter):
    pass


class ProductFilter(filters.FilterSet):
    price = filters.RangeFilter()
    released = filters.DateFromToRangeFilter()
    category = filters.CharFilter(field_name="category__slug")
    sku__in = CharInFilter(field_name="sku", lookup_expr="in")
    title = filters.CharFilter(lookup_expr="icontains")
    unreleased = filters.BooleanFilter(field_name="released", lookup_expr="isnull")

    class Meta:
        model = Product
        fields = {"status": ["exact"], "stock": ["exact", "gt", "lt"]}


class ReviewFilter(filters.FilterSet):
    product = filters.CharFilter(field_name="product__sku")

    class Meta:
        model = Review
        fields = {"stars": ["exact", "gte"], "created": ["date"]}


class ProductPages(pagination.LimitOffsetPagination):
    default_limit = 12
    max_limit = 40


class ReviewPages(pagination.CursorPagination):
    page_size = 15
    ordering = "-created"


class CategoryViewSet(viewsets.ReadOnlyModelViewSet):
    queryset = Category.objects.select_related("parent")
    serializer_class = CategorySerializer
    lookup_field = "slug"
    filter_backends = []


class ProductViewSet(viewsets.ReadOnlyModelViewSet):
    queryset = Product.objects.select_related("category")
    serializer_class = ProductSerializer
    lookup_field = "sku"
    pagination_class = ProductPages
    filterset_class = ProductFilter
    search_fields = ["title", "category__title"]
    ordering_fields = ["price", "released", "title"]

    @extend_schema(responses=RatingSerializer, filters=False)
    @action(detail=True, filter_backends=[], pagination_class=None)
    def rating(self, request, sku=None):
        reviews = Review.objects.filter(product=self.get_object()).order_by()
        by_stars = {str(row["stars"]): row["n"] for row in reviews.values("stars").annotate(n=Count("id"))}
        average = reviews.aggregate(average=Avg("stars"))["average"]
        return Response({"average": average, "count": sum(by_stars.values()), "by_stars": by_stars})

    @extend_schema(
        parameters=[OpenApiParameter("limit", int, description="Largest number of products; 5 when it is left out.")],
        responses=ProductSerializer(many=True),
        filters=False,
    )
    @action(detail=False, filter_backends=[], pagination_class=None)
    def cheapest(self, request):
        """Products on sale with the lowest prices, the cheapest first."""
        limit = serializers.IntegerField(min_value=1, max_value=50).run_validation(request.query_params.get("limit", 5))
        products = self.get_queryset().filter(status=Product.Status.ON_SALE).order_by("price", "sku")
        return Response(ProductSerializer(products[:limit], many=True).data)


class ReviewViewSet(viewsets.ReadOnlyModelViewSet):
    queryset = Review.objects.select_related("product")
    serializer_class = ReviewSerializer
    pagination_class = ReviewPages
    filterset_class = ReviewFilter
    filter_backends = [filters.DjangoFilterBackend]


router = SimpleRouter()
router.register("categories", CategoryViewSet)
router.register("products", ProductViewSet)
router.register("reviews", ReviewViewSet)
urlpatterns = [path("", include(router.urls)), path("schema/", SpectacularJSONAPIView.as_view())]


def fill() -> None:
    with connection.schema_editor() as editor:
        for model in (Category, Product, Review):
            editor.create_model(model)
    home = Category.objects.create(slug="home", title="Home")
    categories = [
        home,
        Category.objects.create(slug="kitchen", title="Kitchen", parent=home),
        Category.objects.create(slug="garden", title="Garden"),
        Category.objects.create(slug="empty", title="Nothing yet"),
    ]
    for number in range(1, 46):
        product = Product.objects.create(
            sku=f"P-{number:04d}",
            title=f"{['Lamp', 'Pot', 'Spade', 'Rug'][number % 4]} {['oak', 'steel', 'linen'][number % 3]} {number}",
            price=Decimal(199 + number * 731 % 9000) / 100,
            released=None if number % 6 == 0 else date(2024, 1, 1) + timedelta(days=number * 11),
            status=1 + number * 2 % 3,
            stock=number * 7 % 13,
            category=categories[number % 3],
            attributes={"colour": ["red", "grey"][number % 2], **({"size": str(number)} if number % 4 else {})},
        )
        for place in range(number % 4):
            Review.objects.create(
                product=product,
                stars=1 + (number + place) % 5,
                text="" if place else f"About {product.title}",
                created=datetime(2025, 1, 1, tzinfo=UTC) + timedelta(hours=number * 9 + place * 100, minutes=number),
            )


if __name__ == "__main__":
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_):
            pass

    kept = connection  # The database lives as long as one connection to it.
    fill()
    make_server("127.0.0.1", int(os.environ["PORT"]), get_wsgi_application(), handler_class=Quiet).serve_forever()
