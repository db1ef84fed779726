// Car parks and how full they were, with Fastify and @fastify/swagger.
import swagger from "@fastify/swagger";
import Fastify from "fastify";

const app = Fastify({ ajv: { customOptions: { coerceTypes: "array" } } });
await app.register(swagger, { openapi: { openapi: "3.0.3", info: { title: "Car parks", version: "0.4.0" } } });

app.addSchema({
  $id: "CarPark",
  type: "object",
  required: ["id", "name", "spaces", "district", "kind", "tariff", "opened"],
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    spaces: { type: "integer", minimum: 1 },
    district: { type: "string" },
    kind: { type: "string", enum: ["garage", "open-air", "underground"] },
    opened: { type: "string", format: "date" },
    tariff: {
      type: "object",
      required: ["perHour", "currency"],
      properties: {
        perHour: { type: "number", minimum: 0 },
        currency: { type: "string", enum: ["CHF"] },
        dayMaximum: { type: "number", nullable: true },
      },
    },
  },
});
app.addSchema({
  $id: "Occupancy",
  type: "object",
  required: ["at", "free"],
  properties: { at: { type: "string", format: "date-time" }, free: { type: "integer", minimum: 0 } },
});
app.addSchema({
  $id: "Problem",
  type: "object",
  required: ["statusCode", "error", "message"],
  properties: { statusCode: { type: "integer" }, code: { type: "string" }, error: { type: "string" }, message: { type: "string" } },
});

const districts = ["Altstadt", "Hafen", "Nord"];
const carParks = Array.from({ length: 23 }, (_, place) => ({
  id: place + 1,
  name: `Car park ${String.fromCharCode(65 + ((place * 7) % 23))}`,
  spaces: 40 + ((place * 53) % 600),
  district: districts[place % 3],
  kind: ["garage", "open-air", "underground"][(place * 2) % 3],
  opened: new Date(Date.UTC(1985 + place, place % 12, 1 + place)).toISOString().slice(0, 10),
  tariff: { perHour: 1 + (place % 5) / 2, currency: "CHF", dayMaximum: place % 4 === 0 ? null : 18 + place },
}));
const first = Date.UTC(2025, 8, 1);
const occupancyOf = ({ id, spaces }) =>
  Array.from({ length: 48 }, (_, hour) => ({
    at: new Date(first + hour * 3_600_000).toISOString(),
    free: (id * 31 + hour * 17) % (spaces + 1),
  }));

app.get(
  "/openapi.json",
  { schema: { hide: true } },
  () => app.swagger(),
);

app.get(
  "/car-parks",
  {
    schema: {
      operationId: "listCarParks",
      querystring: {
        type: "object",
        properties: {
          district: { type: "string", description: "Only those of this district." },
          kind: { type: "array", items: { type: "string", enum: ["garage", "open-air", "underground"] } },
          minSpaces: { type: "integer", minimum: 0 },
          openedSince: { type: "string", format: "date" },
          sortBy: { type: "string", enum: ["id", "name", "spaces"], default: "id" },
          order: { type: "string", enum: ["asc", "desc"], default: "asc" },
          offset: { type: "integer", minimum: 0, default: 0 },
          limit: { type: "integer", minimum: 1, maximum: 40, default: 20 },
        },
      },
      response: {
        200: {
          description: "Car parks",
          type: "object",
          required: ["items", "total"],
          properties: { items: { type: "array", items: { $ref: "CarPark#" } }, total: { type: "integer" } },
        },
        400: { description: "Not a valid request", $ref: "Problem#" },
      },
    },
  },
  ({ query: { district, kind, minSpaces = 0, openedSince = "", sortBy, order, offset, limit } }) => {
    const found = carParks
      .filter(
        (one) =>
          (district === undefined || one.district === district) &&
          (kind === undefined || kind.includes(one.kind)) &&
          one.spaces >= minSpaces &&
          one.opened >= openedSince,
      )
      .sort((a, b) => (a[sortBy] < b[sortBy] ? -1 : a[sortBy] > b[sortBy] ? 1 : 0));
    if (order === "desc") found.reverse();
    return { items: found.slice(offset, offset + limit), total: found.length };
  },
);

const params = { type: "object", required: ["id"], properties: { id: { type: "integer", minimum: 1 } } };
const notFound = (reply) =>
  reply.code(404).send({ statusCode: 404, error: "Not Found", message: "No such car park" });

app.get(
  "/car-parks/:id",
  {
    schema: {
      operationId: "getCarPark",
      params,
      response: {
        200: { description: "The car park", $ref: "CarPark#" },
        400: { description: "Not a valid request", $ref: "Problem#" },
        404: { description: "No such car park", $ref: "Problem#" },
      },
    },
  },
  ({ params: { id } }, reply) => carParks.find((one) => one.id === id) ?? notFound(reply),
);

app.get(
  "/car-parks/:id/occupancy",
  {
    schema: {
      operationId: "getOccupancy",
      description: "Free spaces at each full hour.",
      params,
      querystring: {
        type: "object",
        properties: {
          from: { type: "string", format: "date-time", description: "Inclusive." },
          until: { type: "string", format: "date-time", description: "Exclusive." },
        },
      },
      response: {
        200: { description: "In the order of time", type: "array", items: { $ref: "Occupancy#" } },
        400: { description: "Not a valid request", $ref: "Problem#" },
        404: { description: "No such car park", $ref: "Problem#" },
      },
    },
  },
  ({ params: { id }, query: { from, until } }, reply) => {
    const carPark = carParks.find((one) => one.id === id);
    if (carPark === undefined) return notFound(reply);
    const [start, end] = [from === undefined ? 0 : Date.parse(from), until === undefined ? Infinity : Date.parse(until)];
    return occupancyOf(carPark).filter(({ at }) => Date.parse(at) >= start && Date.parse(at) < end);
  },
);

app.get(
  "/districts",
  {
    schema: {
      operationId: "getDistricts",
      description: "Spaces by district.",
      response: {
        200: { description: "Spaces", type: "object", additionalProperties: { type: "integer" } },
      },
    },
  },
  () =>
    Object.fromEntries(
      districts.map((name) => [
        name,
        carParks.filter(({ district }) => district === name).reduce((sum, { spaces }) => sum + spaces, 0),
      ]),
    ),
);

await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
