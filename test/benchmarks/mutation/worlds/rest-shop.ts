import type { RequestListener } from "node:http";
import { Ajv } from "ajv";
import express, { type NextFunction, type Request, type Response } from "express";
import { parse } from "yaml";
import { createRandom } from "../random.ts";
import { createInputReaders } from "./openapi-inputs.ts";
import type { Probe, World } from "./world.ts";

const categories = ["books", "garden", "kitchen", "toys"] as const;
const orderStatuses = ["placed", "paid", "shipped", "cancelled"] as const;
const words = ["amber", "birch", "cobalt", "dune", "ember", "fern", "granite", "hazel", "iris", "juniper"] as const;

interface Product {
  readonly id: number;
  readonly kind: "book" | "tool";
  readonly name: string;
  readonly category: (typeof categories)[number];
  readonly price: number;
  readonly inStock: boolean;
  readonly tags: readonly string[];
  readonly description: string | null;
  readonly isbn?: string;
  readonly pages?: number;
  readonly weight?: number;
  readonly attributes?: Readonly<Record<string, string>>;
}

interface Review {
  readonly reviewId: string;
  readonly productId: number;
  readonly customerId: string;
  readonly rating: number;
  readonly text: string;
  readonly createdAt: string;
}

interface Order {
  readonly orderId: string;
  readonly customerId: string;
  readonly status: (typeof orderStatuses)[number];
  readonly createdAt: string;
  readonly lines: readonly { readonly productId: number; readonly quantity: number; readonly unitPrice: number }[];
  readonly total: number;
  readonly coupon: string | null;
}

const random = createRandom("shop");

function uuid(): string {
  return `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`;
}

function instant(): string {
  return new Date(1_690_000_000_000 + random.below(30_000_000) * 1000).toISOString().replace(".000", "");
}

const products: readonly Product[] = Array.from({ length: 48 }, (_, index) => {
  const isBook = index % 3 === 0;
  const own = isBook
    ? { isbn: `978${String(1_000_000_000 + random.below(8_999_999_999))}`, pages: 60 + random.below(800) }
    : {
        weight: (1 + random.below(400)) / 8,
        attributes: { colour: random.pick(words), material: random.pick(words) },
      };
  return {
    id: index + 1,
    kind: isBook ? "book" : "tool",
    name: `${random.pick(words)} ${random.pick(words)} ${index + 1}`,
    category: isBook ? "books" : random.pick(categories.slice(1)),
    price: (100 + random.below(9000)) / 100,
    inStock: random.below(4) > 0,
    tags: random.shuffle(words).slice(0, random.below(4)),
    description: random.below(4) === 0 ? null : `A ${random.pick(words)} thing`,
    ...own,
  };
});

const customers = Array.from({ length: 6 }, (_, index) => ({
  customerId: uuid(),
  name: `${random.pick(words)} ${random.pick(words)}`,
  email: `${random.pick(words)}${index}@mail.example`,
  phone: index % 2 === 0 ? null : `+49${String(1_000_000 + random.below(8_999_999))}`,
  address: {
    street: `${random.pick(words)} street ${1 + random.below(90)}`,
    city: random.pick(words),
    country: random.pick(["DE", "FR", "PL"]),
  },
  preferences: { newsletter: random.below(2) === 0, darkMode: random.below(2) === 0 },
}));

const reviews: readonly Review[] = products.flatMap((product) =>
  Array.from({ length: random.below(6) + (product.id < 4 ? 3 : 0) }, () => ({
    reviewId: uuid(),
    productId: product.id,
    customerId: random.pick(customers).customerId,
    rating: 1 + random.below(5),
    text: `${random.pick(words)} and ${random.pick(words)}`,
    createdAt: instant(),
  })),
);

const orders: readonly Order[] = customers.flatMap((customer) =>
  Array.from({ length: 3 + random.below(6) }, () => {
    const lines = Array.from({ length: 1 + random.below(3) }, () => {
      const product = random.pick(products);
      return { productId: product.id, quantity: 1 + random.below(4), unitPrice: product.price };
    });
    const total = lines.reduce((sum, line) => sum + Math.round(line.unitPrice * 100) * line.quantity, 0) / 100;
    return {
      orderId: uuid(),
      customerId: customer.customerId,
      status: random.pick(orderStatuses),
      createdAt: instant(),
      lines,
      total,
      coupon: random.below(3) === 0 ? `SAVE${10 + random.below(80)}` : null,
    };
  }),
);

interface ProductSearch {
  readonly category?: string;
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly inStock?: boolean;
  readonly sort: "id" | "price" | "name";
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

function findProducts(values: ProductSearch): unknown {
  const { category, minPrice, maxPrice, inStock, sort, order, limit, offset } = values;
  const found = products.filter(
    (product) =>
      (category === undefined || product.category === category) &&
      (minPrice === undefined || product.price >= minPrice) &&
      (maxPrice === undefined || product.price <= maxPrice) &&
      (inStock === undefined || product.inStock === inStock),
  );
  const direction = order === "desc" ? -1 : 1;
  found.sort((one, other) => (one[sort] < other[sort] ? -1 : one[sort] > other[sort] ? 1 : 0) * direction);
  return { total: found.length, limit, offset, items: found.slice(offset, offset + limit) };
}

function createListener(): RequestListener {
  const readers = createInputReaders(parse(text));
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", "simple");

  const allowed: Record<string, string[]> = {};
  const route = (path: string, id: string, handle: (values: never) => unknown) => {
    const reader = readers.get(id);
    allowed[path] = [...(allowed[path] ?? []), "GET", "HEAD"];
    app.get(path, (request: Request, response: Response) => {
      const inputs = reader?.(request) ?? { values: {} };
      if ("problem" in inputs) {
        response.status(400).json({ code: "INVALID", message: inputs.problem, field: inputs.parameter });
        return;
      }
      const found = handle(inputs.values as never);
      if (found === undefined) {
        response.status(404).json({ code: "NOT_FOUND", message: "nothing found" });
        return;
      }
      response.json(found);
    });
  };

  route("/products", "searchProducts", findProducts);
  route("/products/:productId", "getProduct", ({ productId }: { readonly productId: number }) =>
    products.find((product) => product.id === productId),
  );
  route(
    "/products/:productId/reviews",
    "getProductReviews",
    ({
      productId,
      minRating,
      limit,
    }: {
      readonly productId: number;
      readonly minRating?: number;
      readonly limit: number;
    }) =>
      products.some((product) => product.id === productId)
        ? reviews
            .filter((review) => review.productId === productId && review.rating >= (minRating ?? 1))
            .slice(0, limit)
        : undefined,
  );
  route("/categories", "listCategories", () =>
    categories.map((slug) => ({
      slug,
      title: slug.toUpperCase(),
      productCount: products.filter((product) => product.category === slug).length,
    })),
  );
  route("/customers/:customerId", "getCustomer", ({ customerId }: { readonly customerId: string }) =>
    customers.find((customer) => customer.customerId === customerId),
  );
  route(
    "/customers/:customerId/orders",
    "listCustomerOrders",
    ({
      customerId,
      status,
      limit,
      offset,
    }: {
      readonly customerId: string;
      readonly status?: string;
      readonly limit: number;
      readonly offset: number;
    }) =>
      customers.some((customer) => customer.customerId === customerId)
        ? orders
            .filter((order) => order.customerId === customerId && (status === undefined || order.status === status))
            .slice(offset, offset + limit)
        : undefined,
  );
  route("/orders/:orderId", "getOrder", ({ orderId }: { readonly orderId: string }) =>
    orders.find((order) => order.orderId === orderId),
  );
  app.post("/orders", express.json({ strict: false }), (request: Request, response: Response) => {
    if (!isNewOrder(request.body)) {
      response.status(400).json({ code: "INVALID", message: "no order", field: "body" });
      return;
    }
    response.status(201).json({ ...orders[0], orderId: uuid() });
  });
  allowed["/orders"] = ["POST"];
  for (const [path, methods] of Object.entries(allowed)) {
    app.all(path, (_request: Request, response: Response) => {
      response.set("Allow", methods.join(", ")).status(405).json({ code: "INVALID", message: "method not allowed" });
    });
  }
  app.use((_request: Request, response: Response) => {
    response.status(404).json({ code: "NOT_FOUND", message: "no such path" });
  });
  app.use((_error: Error, _request: Request, response: Response, _next: NextFunction) => {
    response.status(400).json({ code: "INVALID", message: "malformed request" });
  });
  return app;
}

const isNewOrder = new Ajv({
  strict: false,
  formats: { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, int64: true },
}).compile({
  type: "object",
  required: ["customerId", "lines"],
  properties: {
    customerId: { type: "string", format: "uuid" },
    lines: {
      type: "array",
      items: {
        type: "object",
        required: ["productId", "quantity", "unitPrice"],
        additionalProperties: false,
        properties: {
          productId: { type: "integer" },
          quantity: { type: "integer", minimum: 1, maximum: 99 },
          unitPrice: { type: "number", minimum: 0 },
        },
      },
    },
  },
});

const text = `openapi: 3.0.3
info:
  title: Corner Shop
  version: "1.7"
servers:
  - url: http://localhost:8080
paths:
  /products:
    get:
      operationId: searchProducts
      summary: Find products
      parameters:
        - in: query
          name: category
          schema:
            $ref: '#/components/schemas/CategorySlug'
        - in: query
          name: minPrice
          schema: { type: number, minimum: 0 }
        - in: query
          name: maxPrice
          schema: { type: number, minimum: 0 }
        - in: query
          name: inStock
          schema: { type: boolean }
        - in: query
          name: sort
          schema: { type: string, enum: [id, price, name], default: id }
        - in: query
          name: order
          schema: { type: string, enum: [asc, desc], default: asc }
        - $ref: '#/components/parameters/Limit'
        - $ref: '#/components/parameters/Offset'
      responses:
        '200':
          description: Matching products
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/ProductPage'
        '400':
          $ref: '#/components/responses/Invalid'
  /products/{productId}:
    get:
      operationId: getProduct
      summary: Product details
      parameters:
        - $ref: '#/components/parameters/ProductId'
      responses:
        '200':
          description: The product
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Product'
        '400':
          $ref: '#/components/responses/Invalid'
        '404':
          $ref: '#/components/responses/Missing'
  /products/{productId}/reviews:
    get:
      operationId: getProductReviews
      summary: What customers say
      parameters:
        - $ref: '#/components/parameters/ProductId'
        - in: query
          name: minRating
          schema: { type: integer, minimum: 1, maximum: 5 }
        - $ref: '#/components/parameters/Limit'
      responses:
        '200':
          description: Reviews
          content:
            application/json:
              schema:
                type: array
                items:
                  $ref: '#/components/schemas/Review'
        '400':
          $ref: '#/components/responses/Invalid'
        '404':
          $ref: '#/components/responses/Missing'
  /categories:
    get:
      operationId: listCategories
      responses:
        '200':
          description: All categories
          content:
            application/json:
              schema:
                type: array
                minItems: 1
                items:
                  $ref: '#/components/schemas/Category'
  /customers/{customerId}:
    get:
      operationId: getCustomer
      parameters:
        - $ref: '#/components/parameters/CustomerId'
      responses:
        '200':
          description: The customer
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Customer'
        '400':
          $ref: '#/components/responses/Invalid'
        '404':
          $ref: '#/components/responses/Missing'
  /customers/{customerId}/orders:
    get:
      operationId: listCustomerOrders
      parameters:
        - $ref: '#/components/parameters/CustomerId'
        - in: query
          name: status
          schema:
            $ref: '#/components/schemas/OrderStatus'
        - $ref: '#/components/parameters/Limit'
        - $ref: '#/components/parameters/Offset'
      responses:
        '200':
          description: Orders of the customer
          content:
            application/json:
              schema:
                type: array
                items:
                  $ref: '#/components/schemas/Order'
        '400':
          $ref: '#/components/responses/Invalid'
        '404':
          $ref: '#/components/responses/Missing'
  /orders:
    post:
      operationId: createOrder
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [customerId, lines]
              properties:
                customerId: { type: string, format: uuid }
                lines:
                  type: array
                  items:
                    $ref: '#/components/schemas/OrderLine'
      responses:
        '201':
          description: Created
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Order'
        '400':
          $ref: '#/components/responses/Invalid'
  /orders/{orderId}:
    get:
      operationId: getOrder
      parameters:
        - in: path
          name: orderId
          required: true
          schema: { $ref: '#/components/schemas/Uuid' }
          example: ${orders[4]?.orderId}
      responses:
        '200':
          description: The order
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Order'
        '400':
          $ref: '#/components/responses/Invalid'
        '404':
          $ref: '#/components/responses/Missing'
components:
  parameters:
    ProductId:
      in: path
      name: productId
      required: true
      schema: { type: integer, format: int64, minimum: 1 }
    CustomerId:
      in: path
      name: customerId
      required: true
      schema: { $ref: '#/components/schemas/Uuid' }
    Limit:
      in: query
      name: limit
      schema: { type: integer, minimum: 1, maximum: 100, default: 20 }
    Offset:
      in: query
      name: offset
      schema: { type: integer, minimum: 0, default: 0 }
  responses:
    Invalid:
      description: Something is wrong with the request
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
    Missing:
      description: Not there
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
  schemas:
    Uuid:
      type: string
      format: uuid
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    CategorySlug:
      type: string
      enum: [books, garden, kitchen, toys]
    OrderStatus:
      type: string
      enum: [placed, paid, shipped, cancelled]
    ProductBase:
      type: object
      required: [id, kind, name, category, price, inStock, tags, description]
      properties:
        id: { type: integer, format: int64, minimum: 1 }
        kind: { type: string }
        name: { type: string, minLength: 1, maxLength: 200 }
        category: { $ref: '#/components/schemas/CategorySlug' }
        price: { type: number, minimum: 0 }
        inStock: { type: boolean }
        tags:
          type: array
          uniqueItems: true
          items: { type: string }
        description:
          type: string
          nullable: true
    Book:
      allOf:
        - $ref: '#/components/schemas/ProductBase'
        - type: object
          required: [isbn, pages]
          properties:
            kind: { type: string, enum: [book] }
            isbn: { type: string, pattern: '^97[89][0-9]{10}$' }
            pages: { type: integer, minimum: 1 }
    Tool:
      allOf:
        - $ref: '#/components/schemas/ProductBase'
        - type: object
          required: [weight]
          properties:
            kind: { type: string, enum: [tool] }
            weight: { type: number, minimum: 0 }
            attributes:
              type: object
              additionalProperties: { type: string }
    Product:
      oneOf:
        - $ref: '#/components/schemas/Book'
        - $ref: '#/components/schemas/Tool'
      discriminator:
        propertyName: kind
        mapping:
          book: '#/components/schemas/Book'
          tool: '#/components/schemas/Tool'
    ProductPage:
      type: object
      additionalProperties: false
      required: [total, limit, offset, items]
      properties:
        total: { type: integer, minimum: 0 }
        limit: { type: integer }
        offset: { type: integer }
        items:
          type: array
          items:
            $ref: '#/components/schemas/Product'
    Review:
      type: object
      required: [reviewId, productId, customerId, rating, text, createdAt]
      properties:
        reviewId: { $ref: '#/components/schemas/Uuid' }
        productId: { type: integer, format: int64 }
        customerId: { $ref: '#/components/schemas/Uuid' }
        rating: { type: integer, minimum: 1, maximum: 5 }
        text: { type: string, maxLength: 2000 }
        createdAt: { type: string, format: date-time }
    Category:
      type: object
      additionalProperties: false
      required: [slug, title]
      properties:
        slug: { $ref: '#/components/schemas/CategorySlug' }
        title: { type: string }
        productCount: { type: integer, minimum: 0 }
    Customer:
      type: object
      required: [customerId, name, email, phone, address, preferences]
      properties:
        customerId: { $ref: '#/components/schemas/Uuid' }
        name: { type: string }
        email: { type: string, format: email }
        phone: { type: string, nullable: true, pattern: '^\\+[0-9]{6,15}$' }
        address:
          type: object
          required: [street, city, country]
          properties:
            street: { type: string }
            city: { type: string }
            country: { type: string, pattern: '^[A-Z]{2}$' }
        preferences:
          type: object
          additionalProperties: { type: boolean }
    OrderLine:
      type: object
      required: [productId, quantity, unitPrice]
      additionalProperties: false
      properties:
        productId: { type: integer, format: int64 }
        quantity: { type: integer, minimum: 1, maximum: 99 }
        unitPrice: { type: number, minimum: 0 }
    Order:
      type: object
      required: [orderId, customerId, status, createdAt, lines, total, coupon]
      properties:
        orderId: { $ref: '#/components/schemas/Uuid' }
        customerId: { $ref: '#/components/schemas/Uuid' }
        status: { $ref: '#/components/schemas/OrderStatus' }
        createdAt: { type: string, format: date-time }
        lines:
          type: array
          minItems: 1
          items: { $ref: '#/components/schemas/OrderLine' }
        total: { type: number, minimum: 0 }
        coupon: { type: string, nullable: true }
    Error:
      type: object
      required: [code, message]
      properties:
        code: { type: string, enum: [INVALID, NOT_FOUND] }
        message: { type: string }
        field: { type: string }
`;

function corpus(): readonly Probe[] {
  const get = (url: string): Probe => ({ kind: "rest", method: "GET", url });
  const [customer, second] = customers;
  const nobody = "00000000-0000-4000-a000-000000000000";
  return [
    ...[
      "/products",
      "/products?limit=1",
      "/products?limit=5&offset=3",
      "/products?offset=10",
      "/products?limit=100",
      "/products?category=books",
      "/products?category=toys&sort=price",
      ...categories.map((category) => `/products?category=${category}&limit=2`),
      "/products?inStock=true",
      "/products?inStock=false",
      "/products?minPrice=20&maxPrice=60",
      "/products?minPrice=50",
      "/products?maxPrice=50.5",
      "/products?sort=price&order=desc",
      "/products?sort=name",
      "/products?sort=id&order=asc&limit=20&offset=0",
      "/products?order=desc&limit=3",
      ...[1, 2, 3, 4, 5, 17].map((id) => `/products/${id}`),
      "/products/1/reviews",
      "/products/2/reviews?minRating=3",
      "/products/3/reviews?limit=1",
      "/products/3/reviews?limit=100",
      "/products/1/reviews?minRating=5",
      "/categories",
      `/customers/${customer?.customerId}`,
      `/customers/${second?.customerId}`,
      `/customers/${customer?.customerId}/orders`,
      `/customers/${customer?.customerId}/orders?limit=1`,
      `/customers/${customer?.customerId}/orders?limit=1&offset=1`,
      `/customers/${customer?.customerId}/orders?limit=100&offset=0`,
      ...orderStatuses.map((status) => `/customers/${second?.customerId}/orders?status=${status}`),
      ...orders.slice(0, 6).map((order) => `/orders/${order.orderId}`),
      "/products?limit=0",
      "/products?limit=101",
      "/products?limit=x",
      "/products?offset=-1",
      "/products?category=cars",
      "/products?minPrice=-1",
      "/products?maxPrice=-1",
      "/products?maxPrice=much",
      "/products?inStock=maybe",
      "/products?sort=colour",
      "/products?order=up",
      "/products/0",
      "/products/abc",
      "/products/9999",
      "/products/0/reviews",
      "/products/9999/reviews",
      "/products/1/reviews?minRating=0",
      "/products/1/reviews?minRating=6",
      "/products/1/reviews?limit=0",
      "/products/1/reviews?limit=101",
      "/customers/nobody",
      `/customers/${nobody}`,
      "/customers/nobody/orders",
      `/customers/${nobody}/orders`,
      `/customers/${customer?.customerId}/orders?status=lost`,
      `/customers/${customer?.customerId}/orders?limit=0`,
      `/customers/${customer?.customerId}/orders?limit=101`,
      `/customers/${customer?.customerId}/orders?offset=-1`,
      "/orders/1",
      `/orders/${nobody}`,
      "/nothing",
    ].map(get),
    { kind: "rest", method: "HEAD", url: "/products" },
    { kind: "rest", method: "HEAD", url: "/categories" },
    { kind: "rest", method: "HEAD", url: "/products/1" },
    ...["/products", "/products/1", "/categories", `/orders/${nobody}`].map(
      (url): Probe => ({ kind: "rest", method: "DELETE", url }),
    ),
  ];
}

/** A shop with filters, pages and hardly any examples: OpenAPI 3.0, Express. */
export const restShop: World = {
  name: "rest-shop",
  kind: "rest",
  isLive: false,
  document: { fileName: "shop.yaml", text },
  basePath: "",
  corpus: corpus(),
  createListener,
};
