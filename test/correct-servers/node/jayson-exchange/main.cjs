// Rates and orders of a currency exchange over JSON-RPC 2.0, with jayson.
const jayson = require("jayson");

const currencies = ["EUR", "USD", "JPY", "CHF"];
const rates = { EUR: "1", USD: "1.0812", JPY: "161.4", CHF: "0.9431" };
const orders = Array.from({ length: 45 }, (_, place) => ({
  id: `ord_${String(place + 1).padStart(4, "0")}`,
  side: place % 3 === 0 ? "sell" : "buy",
  currency: currencies[1 + (place % 3)],
  amount: 100 + ((place * 373) % 5000),
  status: ["open", "filled", "cancelled"][(place * 5) % 3],
  createdAt: new Date(Date.UTC(2025, 6, 1) + place * 7_200_000).toISOString(),
}));

const invalid = (message) => ({ code: -32602, message: "Invalid params", data: { reason: message } });
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Wraps a method whose parameters are given by name: those of other names, and those that `check` names, are invalid. */
function byName(names, check, answer) {
  return (args, callback) => {
    const params = args ?? {};
    if (!isObject(params)) return callback(invalid("Parameters are given by name"));
    const unknown = Object.keys(params).find((name) => !names.includes(name));
    const reason = unknown === undefined ? check(params) : `${unknown} is not a parameter`;
    if (reason !== undefined) return callback(invalid(reason));
    const result = answer(params);
    return result instanceof Error ? callback({ code: result.code, message: result.message }) : callback(null, result);
  };
}

const oneOf = (params, name, values) =>
  params[name] !== undefined && !values.includes(params[name]) ? `${name} is one of ${values.join(", ")}` : undefined;

const methods = {
  get_currencies: byName([], () => undefined, () => currencies),
  get_rates: byName(
    ["base"],
    (params) => oneOf(params, "base", currencies),
    ({ base = "EUR" }) =>
      Object.fromEntries(
        currencies.filter((one) => one !== base).map((one) => [one, (Number(rates[one]) / Number(rates[base])).toFixed(6)]),
      ),
  ),
  get_order: byName(
    ["id"],
    ({ id }) => (typeof id === "string" ? undefined : "id is a string"),
    ({ id }) =>
      orders.find((one) => one.id === id) ?? Object.assign(new Error("Order not found"), { code: -32001 }),
  ),
  list_orders: byName(
    ["status", "side", "cursor", "count"],
    (params) => {
      const { cursor, count } = params;
      if (cursor !== undefined && !orders.some(({ id }) => id === cursor)) return "cursor is the id of an order";
      if (count !== undefined && !(Number.isInteger(count) && count >= 1 && count <= 30)) return "count is from 1 to 30";
      return oneOf(params, "status", ["open", "filled", "cancelled"]) ?? oneOf(params, "side", ["buy", "sell"]);
    },
    ({ status, side, cursor, count = 10 }) => {
      const start = cursor === undefined ? 0 : orders.findIndex(({ id }) => id === cursor) + 1;
      const found = orders
        .slice(start)
        .filter((one) => (status === undefined || one.status === status) && (side === undefined || one.side === side));
      const page = found.slice(0, count);
      return { orders: page, next: found.length > count ? page.at(-1).id : null };
    },
  ),
  get_volume: byName(
    ["currency"],
    (params) =>
      params.currency === undefined ? "currency is required" : oneOf(params, "currency", ["USD", "JPY", "CHF"]),
    ({ currency }) => {
      const chosen = orders.filter((one) => one.currency === currency && one.status !== "cancelled");
      const sum = (side) => chosen.filter((one) => one.side === side).reduce((total, { amount }) => total + amount, 0);
      return { currency, orders: chosen.length, bought: sum("buy"), sold: sum("sell") };
    },
  ),
};

new jayson.Server(methods).http().listen(Number(process.env.PORT), "127.0.0.1");
