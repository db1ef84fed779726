import type { RequestListener } from "node:http";
import { createRandom } from "../random.ts";
import { createRpcListener, RpcFailure } from "./rpc-listener.ts";
import { protocolProbes, rpcProbes } from "./rpc-probes.ts";
import type { Probe, World } from "./world.ts";

const random = createRandom("stock");
const colours = ["red", "green", "blue", "black"] as const;
const kinds = ["bolt", "nut", "washer", "screw"] as const;
const sites = ["north", "south", "harbour"] as const;

const items = Array.from({ length: 40 }, (_, index) => ({
  sku: `${String.fromCharCode(65 + random.below(26))}${String.fromCharCode(65 + random.below(26))}-${String(1000 + index)}`,
  kind: random.pick(kinds),
  title: `${random.pick(colours)} ${random.pick(kinds)} no. ${index}`,
  price: { amount: (50 + random.below(5000)) / 100, currency: "EUR" },
  dimensions: random.below(5) === 0 ? null : { length: 1 + random.below(90), width: (1 + random.below(40)) / 2 },
  colours: random.shuffle(colours).slice(0, 1 + random.below(3)),
  discontinued: random.below(5) === 0,
}));

const stock = new Map(
  items.map(({ sku }: { readonly sku: string }) => [
    sku,
    sites.map((site) => ({ site, quantity: random.below(200), reserved: random.below(20) })),
  ]),
);

const locations = sites.map((site, index) => ({
  site,
  position: { x: index * 30 + random.below(20), y: random.below(100) },
  openingHours: [
    [8, 12],
    [13, 17 + index],
  ],
}));

interface QuoteLine {
  readonly sku: string;
  readonly quantity: number;
}

function findItem(sku: string): (typeof items)[number] {
  const item = items.find((candidate) => candidate.sku === sku);
  if (item === undefined) {
    throw new RpcFailure(4004, "Unknown item");
  }
  return item;
}

interface QuoteOrder {
  readonly lines: readonly QuoteLine[];
  readonly shipping?: { readonly express?: boolean; readonly country: string };
}

interface ItemFilter {
  readonly kind?: string;
  readonly maxAmount?: number;
  readonly discontinued?: boolean;
}

interface PageChoice {
  readonly size?: number;
  readonly number?: number;
}

function estimateQuote(order: QuoteOrder): unknown {
  const lines = order.lines.map(({ sku, quantity }: { readonly sku: string; readonly quantity: number }) => {
    const cents = Math.round(findItem(sku).price.amount * 100) * quantity;
    return { sku, quantity, amount: cents / 100 };
  });
  const goods = Math.round(lines.reduce((sum, line) => sum + line.amount * 100, 0)) / 100;
  const shipping = order.shipping === undefined ? 0 : order.shipping.express === true ? 19.5 : 6.5;
  return { lines, goods, shipping, total: Math.round((goods + shipping) * 100) / 100 };
}

function createListener(): RequestListener {
  return createRpcListener(document, {
    "catalog.getItem": ({ sku }: { readonly sku: string }) => findItem(sku),
    "catalog.listItems": ({ filter, page }: { readonly filter?: ItemFilter; readonly page?: PageChoice }) => {
      const { kind, maxAmount, discontinued } = filter ?? {};
      const { size, number } = { size: 10, number: 1, ...page };
      const found = items.filter(
        (item) =>
          (kind === undefined || item.kind === kind) &&
          (maxAmount === undefined || item.price.amount <= maxAmount) &&
          (discontinued === undefined || item.discontinued === discontinued),
      );
      return {
        count: found.length,
        page: { size, number },
        items: found.slice((number - 1) * size, number * size),
      };
    },
    "stock.getLevels": ({ sku, site }: { readonly sku: string; readonly site?: string }) => {
      findItem(sku);
      return (stock.get(sku) ?? []).filter((level) => site === undefined || level.site === site);
    },
    "stock.isAvailable": ({ sku, quantity }: { readonly sku: string; readonly quantity: number }) => {
      findItem(sku);
      return (stock.get(sku) ?? []).some((level) => level.quantity - level.reserved >= quantity);
    },
    "pricing.estimateQuote": ({ order }: { readonly order: QuoteOrder }) => estimateQuote(order),
    "pricing.validateCoupon": ({ code }: { readonly code: string }) => ({
      code,
      valid: code[0] === "W",
      percent: code[0] === "W" ? 10 : null,
    }),
    "site.listLocations": () => locations,
    "math.estimateSum": ({
      numbers,
      precision,
    }: {
      readonly numbers: readonly number[];
      readonly precision: number;
    }) => {
      const sum = numbers.reduce((total, number) => total + number, 0);
      const factor = 10 ** precision;
      return Math.round(sum * factor) / factor;
    },
  });
}

const sku = { type: "string", pattern: "^[A-Z]{2}-[0-9]{4}$" };
const site = { type: "string", enum: sites };
const money = {
  type: "object",
  required: ["amount", "currency"],
  additionalProperties: false,
  properties: { amount: { type: "number", minimum: 0 }, currency: { type: "string", enum: ["EUR", "USD"] } },
};
const unknownItem = { code: 4004, message: "Unknown item" };

const document = {
  openrpc: "1.2.6",
  info: { title: "Stock service", version: "3.0.0" },
  methods: [
    {
      name: "catalog.getItem",
      params: [{ name: "sku", required: true, schema: sku }],
      result: { name: "item", schema: { $ref: "#/components/schemas/Item" } },
      errors: [unknownItem],
      examples: [
        { name: "first", params: [{ name: "sku", value: items[0]?.sku }], result: { name: "item", value: items[0] } },
      ],
    },
    {
      name: "catalog.listItems",
      params: [
        {
          name: "filter",
          schema: {
            type: "object",
            additionalProperties: false,
            properties: {
              kind: { type: "string", enum: kinds },
              maxAmount: { type: "number", minimum: 0 },
              discontinued: { type: "boolean" },
            },
          },
        },
        {
          name: "page",
          schema: {
            type: "object",
            additionalProperties: false,
            properties: {
              size: { type: "integer", minimum: 1, maximum: 50, default: 10 },
              number: { type: "integer", minimum: 1, default: 1 },
            },
          },
        },
      ],
      result: {
        name: "items",
        schema: {
          type: "object",
          required: ["count", "page", "items"],
          additionalProperties: false,
          properties: {
            count: { type: "integer", minimum: 0 },
            page: {
              type: "object",
              required: ["size", "number"],
              properties: { size: { type: "integer" }, number: { type: "integer" } },
            },
            items: { type: "array", maxItems: 50, items: { $ref: "#/components/schemas/Item" } },
          },
        },
      },
    },
    {
      name: "stock.getLevels",
      params: [
        { name: "sku", required: true, schema: sku },
        { name: "site", schema: site },
      ],
      result: {
        name: "levels",
        schema: {
          type: "array",
          items: {
            type: "object",
            required: ["site", "quantity", "reserved"],
            additionalProperties: false,
            properties: {
              site,
              quantity: { type: "integer", minimum: 0 },
              reserved: { type: "integer", minimum: 0 },
            },
          },
        },
      },
      errors: [unknownItem],
    },
    {
      name: "stock.isAvailable",
      params: [
        { name: "sku", required: true, schema: sku },
        { name: "quantity", schema: { type: "integer", minimum: 1, maximum: 10000, default: 1 } },
      ],
      result: { name: "available", schema: { type: "boolean" } },
      errors: [unknownItem],
    },
    {
      name: "pricing.estimateQuote",
      params: [
        {
          name: "order",
          required: true,
          schema: {
            type: "object",
            required: ["lines"],
            additionalProperties: false,
            properties: {
              lines: {
                type: "array",
                minItems: 1,
                maxItems: 20,
                items: {
                  type: "object",
                  required: ["sku", "quantity"],
                  additionalProperties: false,
                  properties: { sku, quantity: { type: "integer", minimum: 1, maximum: 1000 } },
                },
              },
              shipping: {
                type: "object",
                required: ["country"],
                properties: {
                  country: { type: "string", minLength: 2, maxLength: 2 },
                  express: { type: "boolean", default: false },
                },
              },
            },
          },
        },
      ],
      result: {
        name: "quote",
        schema: {
          type: "object",
          required: ["lines", "goods", "shipping", "total"],
          properties: {
            lines: {
              type: "array",
              items: {
                type: "object",
                required: ["sku", "quantity", "amount"],
                properties: {
                  sku,
                  quantity: { type: "integer", minimum: 1 },
                  amount: { type: "number", minimum: 0 },
                },
              },
            },
            goods: { type: "number", minimum: 0 },
            shipping: { type: "number", minimum: 0 },
            total: { type: "number", minimum: 0 },
          },
        },
      },
      errors: [unknownItem],
    },
    {
      name: "pricing.validateCoupon",
      params: [
        {
          name: "code",
          required: true,
          schema: { type: "string", minLength: 4, maxLength: 12, examples: ["WELCOME10"] },
        },
      ],
      result: {
        name: "verdict",
        schema: {
          type: "object",
          required: ["code", "valid", "percent"],
          properties: {
            code: { type: "string" },
            valid: { type: "boolean" },
            percent: { oneOf: [{ type: "integer", minimum: 1, maximum: 100 }, { type: "null" }] },
          },
        },
      },
    },
    {
      name: "site.listLocations",
      params: [],
      result: {
        name: "locations",
        schema: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            required: ["site", "position", "openingHours"],
            properties: {
              site,
              position: {
                type: "object",
                required: ["x", "y"],
                additionalProperties: false,
                properties: { x: { type: "integer" }, y: { type: "integer" } },
              },
              openingHours: {
                type: "array",
                items: {
                  type: "array",
                  minItems: 2,
                  maxItems: 2,
                  items: { type: "integer", minimum: 0, maximum: 24 },
                },
              },
            },
          },
        },
      },
    },
    {
      name: "math.estimateSum",
      params: [
        { name: "numbers", required: true, schema: { type: "array", maxItems: 100, items: { type: "number" } } },
        { name: "precision", schema: { type: "integer", minimum: 0, maximum: 6, default: 2 } },
      ],
      result: { name: "sum", schema: { type: "number" } },
      examples: [
        {
          name: "three",
          params: [
            { name: "numbers", value: [1.5, 2.25, 3] },
            { name: "precision", value: 1 },
          ],
          result: { name: "sum", value: 6.8 },
        },
      ],
    },
  ],
  components: {
    schemas: {
      Item: {
        type: "object",
        required: ["sku", "kind", "title", "price", "dimensions", "colours", "discontinued"],
        properties: {
          sku,
          kind: { type: "string", enum: kinds },
          title: { type: "string", maxLength: 80 },
          price: money,
          dimensions: {
            oneOf: [
              { type: "null" },
              {
                type: "object",
                required: ["length", "width"],
                properties: {
                  length: { type: "integer", minimum: 1 },
                  width: { type: "number", exclusiveMinimum: 0 },
                },
              },
            ],
          },
          colours: { type: "array", minItems: 1, uniqueItems: true, items: { type: "string", enum: colours } },
          discontinued: { type: "boolean" },
        },
      },
    },
  },
};

function corpus(): readonly Probe[] {
  const [first, second, third] = items;
  const order = (lines: unknown, shipping?: unknown) => ({ order: { lines, ...(shipping ? { shipping } : {}) } });
  return [
    ...rpcProbes([
      ...items.slice(0, 6).map((item) => ["catalog.getItem", [item.sku]] as const),
      ["catalog.getItem", { sku: second?.sku }],
      ["catalog.listItems"],
      ["catalog.listItems", [{ kind: "bolt" }]],
      ["catalog.listItems", [{ kind: "nut", maxAmount: 30 }, { size: 2 }]],
      ["catalog.listItems", { page: { size: 3, number: 2 } }],
      ["catalog.listItems", { filter: { discontinued: true } }],
      ["catalog.listItems", { filter: { discontinued: false }, page: { size: 50 } }],
      ["catalog.listItems", { filter: {}, page: { size: 10, number: 1 } }],
      ["stock.getLevels", [first?.sku]],
      ["stock.getLevels", [second?.sku, "north"]],
      ["stock.getLevels", { sku: third?.sku, site: "harbour" }],
      ["stock.isAvailable", [first?.sku]],
      ["stock.isAvailable", [first?.sku, 10000]],
      ["stock.isAvailable", { sku: second?.sku, quantity: 50 }],
      ["pricing.estimateQuote", order([{ sku: first?.sku, quantity: 2 }])],
      [
        "pricing.estimateQuote",
        order(
          [
            { sku: first?.sku, quantity: 1 },
            { sku: second?.sku, quantity: 3 },
          ],
          { country: "DE", express: true },
        ),
      ],
      ["pricing.estimateQuote", [order([{ sku: third?.sku, quantity: 9 }], { country: "FR" }).order]],
      ["pricing.validateCoupon", ["WELCOME"]],
      ["pricing.validateCoupon", { code: "OTHER" }],
      ["site.listLocations", []],
      ["site.listLocations"],
      ["math.estimateSum", [[1.5, 2.25, 3]]],
      ["math.estimateSum", [[1.234, 2.345], 1]],
      ["math.estimateSum", { numbers: [], precision: 6 }],
      ["catalog.getItem", ["zz"]],
      ["catalog.getItem", ["ZZ-0000"]],
      ["catalog.getItem", []],
      ["catalog.getItem", [first?.sku, 1]],
      ["catalog.listItems", [{ kind: "gear" }]],
      ["catalog.listItems", [{ maxAmount: -1 }]],
      ["catalog.listItems", [{ colour: 1 }]],
      ["catalog.listItems", [{}, { size: 0 }]],
      ["catalog.listItems", [{}, { size: 51 }]],
      ["catalog.listItems", [{}, { number: 0 }]],
      ["stock.getLevels", [first?.sku, "east"]],
      ["stock.getLevels", ["ZZ-0000"]],
      ["stock.isAvailable", [first?.sku, 0]],
      ["stock.isAvailable", [first?.sku, 10001]],
      ["stock.isAvailable", ["ZZ-0000"]],
      ["pricing.estimateQuote", order([])],
      ["pricing.estimateQuote", order([{ sku: first?.sku }])],
      ["pricing.estimateQuote", order([{ sku: first?.sku, quantity: 0 }])],
      ["pricing.estimateQuote", order([{ sku: first?.sku, quantity: 1001 }])],
      ["pricing.estimateQuote", order([{ sku: "ZZ-0000", quantity: 1 }])],
      ["pricing.estimateQuote", order([{ sku: first?.sku, quantity: 1 }], { country: "D" })],
      ["pricing.estimateQuote", order([{ sku: first?.sku, quantity: 1, gift: true }])],
      ["pricing.validateCoupon", ["W"]],
      ["pricing.validateCoupon", ["W".repeat(13)]],
      ["pricing.validateCoupon", [5]],
      ["site.listLocations", [1]],
      ["math.estimateSum", [["one"]]],
      ["math.estimateSum", [[1], 7]],
      ["math.estimateSum", [[1], -1]],
      ["math.estimateSum", [Array.from({ length: 101 }, () => 1)]],
      ["no.such", []],
    ]),
    ...protocolProbes("site.listLocations"),
  ];
}

/** A still service with nested parameters and hardly any examples: OpenRPC, json-rpc-2.0. */
export const rpcStock: World = {
  name: "rpc-stock",
  kind: "rpc",
  isLive: false,
  document: { fileName: "stock.json", text: `${JSON.stringify(document, undefined, 2)}\n` },
  basePath: "",
  corpus: corpus(),
  createListener,
};
