// Hiking trails and the huts beside them, with Hono and zod-openapi.
import { serve } from "@hono/node-server";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";

const difficulties = ["easy", "moderate", "hard"];

const Point = z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) }).openapi("Point");
const Trail = z
  .object({
    id: z.string().openapi({ example: "t-1" }),
    name: z.string(),
    difficulty: z.enum(difficulties),
    lengthKm: z.number().positive(),
    ascent: z.number().int().min(0),
    openedOn: z.iso.date(),
    isLoop: z.boolean(),
    start: Point,
    surface: z.record(z.string(), z.number().min(0).max(100)).openapi({ description: "Percent by kind of surface." }),
    closedUntil: z.iso.date().nullable(),
  })
  .openapi("Trail");
const Hut = z
  .object({
    id: z.number().int(),
    trailId: z.string(),
    name: z.string(),
    beds: z.number().int().min(0),
    contact: z.object({ phone: z.string().optional(), web: z.url().optional() }),
  })
  .openapi("Hut");
const Problem = z.object({ code: z.string(), message: z.string() }).openapi("Problem");

const kinds = ["gravel", "rock", "asphalt"];
const trails = Array.from({ length: 31 }, (_, place) => {
  const number = place + 1;
  const half = (number * 17) % 101;
  return {
    id: `t-${number}`,
    name: `${["Ridge", "Lake", "Forest", "Valley"][number % 4]} trail ${number}`,
    difficulty: difficulties[(number * 5) % 3],
    lengthKm: Math.round((3 + ((number * 29) % 170) / 10) * 10) / 10,
    ascent: (number * 83) % 1400,
    openedOn: new Date(Date.UTC(1990, number, (number * 5) % 28)).toISOString().slice(0, 10),
    isLoop: number % 3 === 0,
    start: { lat: 46 + number / 100, lon: 7 + number / 50 },
    surface: { [kinds[number % 3]]: half, [kinds[(number + 1) % 3]]: 100 - half },
    closedUntil: number % 8 === 0 ? "2026-06-15" : null,
  };
});
const huts = trails
  .filter((_, place) => place % 2 === 0)
  .map(({ id }, place) => ({
    id: place + 1,
    trailId: id,
    name: `Hut ${place + 1}`,
    beds: (place * 7) % 40,
    contact: place % 3 === 0 ? {} : { phone: `+41 79 555 ${1000 + place}`, web: `https://huts.example/${place + 1}` },
  }));

const app = new OpenAPIHono({
  defaultHook: (result, c) => {
    if (!result.success) return c.json({ code: "invalid", message: z.prettifyError(result.error) }, 400);
  },
});

const json = (schema, description) => ({ description, content: { "application/json": { schema } } });

app.openapi(
  createRoute({
    method: "get",
    path: "/trails",
    operationId: "listTrails",
    request: {
      query: z.object({
        difficulty: z.enum(difficulties).optional(),
        minLength: z.coerce.number().min(0).optional().openapi({ description: "Kilometres." }),
        maxLength: z.coerce.number().min(0).optional().openapi({ description: "Kilometres." }),
        search: z.string().min(1).optional().openapi({ description: "Text that the name contains." }),
        sort: z.enum(["name", "lengthKm", "-lengthKm", "ascent", "-ascent"]).default("name"),
        page: z.coerce.number().int().min(1).default(1),
        perPage: z.coerce.number().int().min(1).max(50).default(12),
      }),
    },
    responses: {
      200: json(
        z.object({
          data: z.array(Trail),
          meta: z.object({ page: z.int(), perPage: z.int(), total: z.int(), pages: z.int() }),
        }),
        "A page of trails",
      ),
      400: json(Problem, "Not a valid request"),
    },
  }),
  (c) => {
    const { difficulty, minLength, maxLength, search, sort, page, perPage } = c.req.valid("query");
    const key = sort.replace("-", "");
    const sign = sort.startsWith("-") ? -1 : 1;
    const found = trails
      .filter(
        (trail) =>
          (difficulty === undefined || trail.difficulty === difficulty) &&
          (minLength === undefined || trail.lengthKm >= minLength) &&
          (maxLength === undefined || trail.lengthKm <= maxLength) &&
          (search === undefined || trail.name.toLowerCase().includes(search.toLowerCase())),
      )
      .sort((a, b) => sign * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0));
    const total = found.length;
    return c.json({
      data: found.slice((page - 1) * perPage, page * perPage),
      meta: { page, perPage, total, pages: Math.ceil(total / perPage) },
    });
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: "/trails/{id}",
    operationId: "getTrail",
    request: { params: z.object({ id: z.string().openapi({ example: "t-1" }) }) },
    responses: { 200: json(Trail, "The trail"), 404: json(Problem, "No such trail") },
  }),
  (c) => {
    const trail = trails.find(({ id }) => id === c.req.valid("param").id);
    return trail === undefined ? c.json({ code: "not_found", message: "No such trail" }, 404) : c.json(trail, 200);
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: "/trails/{id}/huts",
    operationId: "listHutsOfTrail",
    request: { params: z.object({ id: z.string().openapi({ example: "t-1" }) }) },
    responses: { 200: json(z.array(Hut), "Huts beside the trail"), 404: json(Problem, "No such trail") },
  }),
  (c) => {
    const { id } = c.req.valid("param");
    if (trails.every((trail) => trail.id !== id)) return c.json({ code: "not_found", message: "No such trail" }, 404);
    return c.json(
      huts.filter(({ trailId }) => trailId === id),
      200,
    );
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: "/huts",
    operationId: "listHuts",
    request: {
      query: z.object({
        minBeds: z.coerce.number().int().min(0).default(0),
        limit: z.coerce.number().int().min(1).max(100).default(10),
        after: z.coerce.number().int().min(0).default(0).openapi({ description: "Id of the last hut of the previous page." }),
      }),
    },
    responses: {
      200: json(z.object({ huts: z.array(Hut), hasMore: z.boolean() }), "Huts in the order of their ids"),
      400: json(Problem, "Not a valid request"),
    },
  }),
  (c) => {
    const { minBeds, limit, after } = c.req.valid("query");
    const found = huts.filter(({ id, beds }) => id > after && beds >= minBeds);
    return c.json({ huts: found.slice(0, limit), hasMore: found.length > limit });
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: "/statistics",
    operationId: "getStatistics",
    responses: {
      200: json(
        z.object({
          trails: z.int(),
          byDifficulty: z.record(z.enum(difficulties), z.int()),
          longest: z.number(),
          shortest: z.number(),
        }),
        "Numbers of trails",
      ),
    },
  }),
  (c) =>
    c.json({
      trails: trails.length,
      byDifficulty: Object.fromEntries(
        difficulties.map((one) => [one, trails.filter(({ difficulty }) => difficulty === one).length]),
      ),
      longest: Math.max(...trails.map(({ lengthKm }) => lengthKm)),
      shortest: Math.min(...trails.map(({ lengthKm }) => lengthKm)),
    }),
);

app.doc31("/openapi.json", { openapi: "3.1.0", info: { title: "Trails", version: "1.0.0" } });

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT) });
