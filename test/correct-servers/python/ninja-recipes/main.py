"""Recipes of a cooking magazine, with Django Ninja."""

import os
from datetime import date, timedelta
from enum import Enum
from typing import Dict, List, Literal, Optional

import django
from django.conf import settings

settings.configure(SECRET_KEY="for a test", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, INSTALLED_APPS=["ninja"])
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import path  # noqa: E402
from ninja import NinjaAPI, Query, Schema  # noqa: E402
from ninja.pagination import LimitOffsetPagination, paginate  # noqa: E402
from pydantic import Field  # noqa: E402

api = NinjaAPI(title="Recipes", version="5.1.0", docs_url=None)


class Difficulty(str, Enum):
    easy = "easy"
    medium = "medium"
    hard = "hard"


class Ingredient(Schema):
    name: str
    amount: float
    unit: Optional[str] = None


class RecipeListItem(Schema):
    slug: str
    title: str
    difficulty: Difficulty
    minutes: int
    vegetarian: bool
    published: date


class Recipe(RecipeListItem):
    servings: int = Field(ge=1)
    ingredients: List[Ingredient]
    nutrition: Dict[str, float]
    note: Optional[str] = None


class Message(Schema):
    message: str


class RecipeFilters(Schema):
    difficulty: Optional[Difficulty] = None
    vegetarian: Optional[bool] = None
    max_minutes: Optional[int] = Field(None, ge=1, description="At most so many minutes of work.")
    ingredient: Optional[str] = Field(None, description="Name of an ingredient, in any case.")


def recipe_of(number: int) -> Recipe:
    names = ["Lentil", "Salmon", "Pumpkin", "Barley", "Chicken"]
    return Recipe(
        slug=f"{names[number % 5].lower()}-{number}",
        title=f"{names[number % 5]} {['soup', 'salad', 'pie'][number % 3]} no. {number}",
        difficulty=list(Difficulty)[number % 3],
        minutes=15 + number * 11 % 100,
        vegetarian=number % 5 in (0, 2, 3),
        published=date(2024, 2, 1) + timedelta(days=7 * number),
        servings=1 + number % 6,
        ingredients=[
            Ingredient(name=names[number % 5].lower(), amount=0.25 * number, unit="kg"),
            Ingredient(name="salt", amount=1, unit=None if number % 2 else "pinch"),
        ],
        nutrition={"energy": 200.0 + number, "protein": 5.5 + number % 7, "fat": 3.25},
        note="Rest it over night." if number % 4 == 0 else None,
    )


RECIPES = [recipe_of(number) for number in range(1, 38)]


@api.get("/recipes", response=List[RecipeListItem])
@paginate(LimitOffsetPagination)
def list_recipes(
    request,
    filters: Query[RecipeFilters],
    ordering: Literal["published", "-published", "minutes", "-minutes"] = "-published",
):
    found = [
        recipe
        for recipe in RECIPES
        if (filters.difficulty is None or recipe.difficulty == filters.difficulty)
        and (filters.vegetarian is None or recipe.vegetarian == filters.vegetarian)
        and (filters.max_minutes is None or recipe.minutes <= filters.max_minutes)
        and (
            filters.ingredient is None
            or any(one.name == filters.ingredient.lower() for one in recipe.ingredients)
        )
    ]
    return sorted(found, key=lambda one: getattr(one, ordering.lstrip("-")), reverse=ordering.startswith("-"))


@api.get("/recipes/{slug}", response={200: Recipe, 404: Message})
def get_recipe(request, slug: str):
    for recipe in RECIPES:
        if recipe.slug == slug:
            return recipe
    return 404, {"message": "No such recipe"}


@api.get("/recipes/{slug}/scaled", response={200: List[Ingredient], 404: Message})
def get_scaled_ingredients(request, slug: str, servings: int = Query(4, ge=1, le=100)):
    """Ingredients for a number of servings."""
    for recipe in RECIPES:
        if recipe.slug == slug:
            factor = servings / recipe.servings
            return [Ingredient(name=one.name, amount=round(one.amount * factor, 3), unit=one.unit) for one in recipe.ingredients]
    return 404, {"message": "No such recipe"}


@api.get("/seasons", response=Dict[str, List[str]])
def get_seasons(request):
    """Slugs of recipes by the month in which they were published."""
    seasons: Dict[str, List[str]] = {}
    for recipe in RECIPES:
        seasons.setdefault(f"{recipe.published:%Y-%m}", []).append(recipe.slug)
    return seasons


urlpatterns = [path("api/", api.urls)]

if __name__ == "__main__":
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_):
            pass

    make_server("127.0.0.1", int(os.environ["PORT"]), get_wsgi_application(), handler_class=Quiet).serve_forever()
