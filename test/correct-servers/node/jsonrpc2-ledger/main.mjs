// Accounts of a ledger and what was booked on them over JSON-RPC 2.0, with json-rpc-2.0 and Fastify. Parameters by position or by name.
import Fastify from "fastify";
import { createJSONRPCErrorResponse, JSONRPCErrorException, JSONRPCServer } from "json-rpc-2.0";

const start = Date.now();
const accounts = ["cash", "bank", "stock", "debt"].map((name, place) => ({
  number: 1000 + place * 10,
  name,
  currency: "EUR",
  limit: place === 3 ? null : 5000 * (place + 1),
}));
const bookings = Array.from({ length: 53 }, (_, place) => ({
  seq: place + 1,
  debit: accounts[(place * 3) % 4].number,
  credit: accounts[(place * 3 + 1 + (place % 2)) % 4].number,
  amount: (1 + ((place * 37) % 400) / 4).toFixed(2),
  time: 1_735_689_600 + place * 43_200,
  text: place % 4 === 0 ? null : `Booking ${place + 1}`,
}));
const cents = ({ amount }) => Math.round(Number(amount) * 100);
const balanceOf = (number, last) =>
  bookings
    .filter(({ seq }) => seq <= last)
    .reduce((sum, one) => sum + (one.debit === number ? cents(one) : 0) - (one.credit === number ? cents(one) : 0), 0);
const invalid = (message) => {
  throw new JSONRPCErrorException(message, -32602);
};
const missing = (what) => {
  throw new JSONRPCErrorException(`Unknown ${what}`, 404);
};
const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

/** Parameters of a call by their names, whichever way they were given. */
function named(params, names) {
  if (params === undefined) return {};
  if (Array.isArray(params)) {
    if (params.length > names.length) invalid("Too many parameters");
    return Object.fromEntries(params.map((value, place) => [names[place], value]));
  }
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  return unknown === undefined ? params : invalid(`Unknown parameter ${unknown}`);
}

const server = new JSONRPCServer({ errorListener: () => {} });
const method = (name, names, run) => server.addMethod(name, (params) => run(named(params, names)));

method("get_accounts", [], () => accounts);
method("get_account", ["number"], ({ number }) => {
  if (!Number.isInteger(number)) invalid("number is an integer");
  return accounts.find((one) => one.number === number) ?? missing("account");
});
method("get_balance", ["number", "confirmations"], ({ number, confirmations = 0 }) => {
  if (!Number.isInteger(number)) invalid("number is an integer");
  if (!isWhole(confirmations, 0, 1000)) invalid("confirmations is from 0 to 1000");
  if (accounts.every((one) => one.number !== number)) missing("account");
  return (balanceOf(number, bookings.length - confirmations) / 100).toFixed(2);
});
method("list_bookings", ["account", "count", "skip"], ({ account = "*", count = 10, skip = 0 }) => {
  if (typeof account !== "string") invalid("account is a string");
  if (!isWhole(count, 0, 100)) invalid("count is from 0 to 100");
  if (!isWhole(skip, 0, 10_000)) invalid("skip is from 0 to 10000");
  const own = accounts.find(({ name }) => name === account);
  if (account !== "*" && own === undefined) missing("account");
  const found = bookings.filter((one) => account === "*" || one.debit === own.number || one.credit === own.number);
  const end = Math.max(0, found.length - skip);
  return found.slice(Math.max(0, end - count), end);
});
method("get_booking", ["seq"], ({ seq }) => {
  if (!Number.isInteger(seq)) invalid("seq is an integer");
  return bookings.find((one) => one.seq === seq) ?? missing("booking");
});
method("get_booking_range", ["from_time", "to_time"], ({ from_time, to_time }) => {
  if (!isWhole(from_time, 0, 2 ** 40) || !isWhole(to_time, 0, 2 ** 40)) invalid("Times are seconds since 1970");
  if (to_time < from_time) invalid("The range ends before it starts");
  return bookings.filter(({ time }) => time >= from_time && time < to_time);
});
method("get_status", [], () => ({
  height: bookings.length,
  time: Math.floor(Date.now() / 1000),
  uptime: Math.floor((Date.now() - start) / 1000),
  pending: Math.floor(Date.now() / 700) % 5,
}));
method("estimate_fee", ["days"], ({ days = 3 }) => {
  if (!isWhole(days, 1, 30)) invalid("days is from 1 to 30");
  return { fee: Math.round(900 / days) / 100, days: Math.max(2, days) };
});

const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
app.post("/", async (request, reply) => {
  reply.type("application/json");
  let message;
  try {
    message = JSON.parse(request.body);
  } catch {
    return JSON.stringify(createJSONRPCErrorResponse(null, -32700, "Parse error"));
  }
  const isRequest = (one) =>
    typeof one === "object" &&
    one !== null &&
    one.jsonrpc === "2.0" &&
    typeof one.method === "string" &&
    ["undefined", "object"].includes(typeof one.params) &&
    one.params !== null &&
    (one.id === undefined || one.id === null || ["string", "number"].includes(typeof one.id));
  const idOf = (one) => (["string", "number"].includes(typeof one?.id) ? one.id : null);
  const answer = async (one) =>
    isRequest(one) ? await server.receive(one) : createJSONRPCErrorResponse(idOf(one), -32600, "Invalid Request");
  if (!Array.isArray(message)) {
    const response = await answer(message);
    return response === null ? reply.code(204).send() : JSON.stringify(response);
  }
  if (message.length === 0) return JSON.stringify(createJSONRPCErrorResponse(null, -32600, "Invalid Request"));
  const responses = (await Promise.all(message.map(answer))).filter((one) => one !== null);
  return responses.length === 0 ? reply.code(204).send() : JSON.stringify(responses);
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
