import type { JsonValue } from "@nodewright/api-model";
import type { RpcSuite, SuiteExample } from "../../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../../suite/suite-type.ts";
import { MethodFailure, type MethodInput, type Methods } from "./described-server.ts";
import { describedMethod, describedSuite, failure, optional, required } from "./described-suite.ts";

const modes = ["road", "rail", "sea"];
const states = ["waiting", "moving", "there"];

const depots = Array.from({ length: 7 }, (_none, index) => ({
  depotId: `DP-${310 + index}`,
  open: index % 3 !== 1,
  modes: [modes[index % 3], ...(index % 2 === 0 ? [modes[(index + 1) % 3]] : [])],
}));

const parcels = Array.from({ length: 23 }, (_none, index) => ({
  parcelId: `PC-${String(5000 + index * 7)}`,
  label: `LB-${String(700_000 + ((index * 7919) % 90_000))}`,
  depotId: depots[(index * 3) % 7]?.depotId,
  state: states[index % 3],
  bookedOn: `2026-03-${String(1 + ((index * 5) % 28)).padStart(2, "0")}`,
}));

const owner = `0x${"5a".repeat(20)}`;
const others = ["71", "c3"].map((pair) => `0x${pair.repeat(20)}`);
const transfers = Array.from({ length: 9 }, (_none, index) => ({
  id: `0x${String(index + 1).repeat(64)}`,
  from: index % 3 === 0 ? owner : others[0],
  to: index % 3 === 0 ? others[index % 2] : index % 3 === 1 ? owner : others[1],
  amount: 40_000 + index * 1717,
}));
const head = 21;

function hashAt(height: number): string {
  return `0x${(0xabc0_0000 + height).toString(16).repeat(8)}`;
}

function chosen({ depotId, bookedFrom }: MethodInput): typeof parcels {
  return parcels
    .filter((parcel) => depotId === undefined || parcel.depotId === depotId)
    .filter(({ bookedOn }) => bookedFrom === undefined || bookedOn >= String(bookedFrom));
}

function transfersOf(address: unknown): typeof transfers {
  return transfers.filter(({ from, to }) => from === address || to === address);
}

function accountOf(address: unknown, confirmations: unknown): unknown {
  const own = transfersOf(address).filter((_transfer, index) => index + 1 >= Number(confirmations ?? 1));
  const sumOf = (some: typeof transfers): number => some.reduce((sum, { amount }) => sum + amount, 0);
  const received = 900_001 + sumOf(own.filter(({ to }) => to === address));
  const sent = sumOf(own.filter(({ from }) => from === address));
  return { address, balance: received - sent, received, sent, transferCount: own.length };
}

function chosenDepots({ open, mode }: Readonly<Record<string, unknown>>): typeof depots {
  return depots
    .filter((depot) => open === undefined || depot.open === open)
    .filter((depot) => mode === undefined || depot.modes.includes(String(mode)));
}

/** Methods of a conforming target. */
export const rightDepots: Methods = {
  "depots.list": chosenDepots,
  "depots.count": (input) => chosenDepots(input).length,
  "parcels.list": ({ limit = 10, ...input }) => ({
    items: chosen(input).slice(0, Number(limit)),
    total: chosen(input).length,
  }),
  "parcels.get": ({ parcelId }) => {
    const parcel = parcels.find((one) => one.parcelId === parcelId);
    if (parcel === undefined) throw new MethodFailure(4, "No such parcel");
    return { ...parcel, weight: 12 };
  },
  "parcels.getSummary": (input) => ({
    count: chosen(input).length,
    byState: Object.fromEntries(
      states.map((state) => [state, chosen(input).filter((one) => one.state === state).length]),
    ),
    firstBookedOn: chosen(input)[0]?.bookedOn ?? null,
  }),
  "labels.validate": ({ label }) => {
    const parcel = parcels.find((one) => one.label === label);
    const isLabel = /^LB-\d{6}$/.test(String(label));
    return {
      valid: isLabel,
      normalized: isLabel ? label : null,
      ...(parcel === undefined ? {} : { parcelId: parcel.parcelId }),
    };
  },
  "rates.getQuote": ({ mode, weight }) => ({ mode, weight, price: 10 + Number(weight) * 3 }),
  "chain.getHeight": () => head,
  "chain.getHash": ({ height }) => {
    if (Number(height) > head) throw new MethodFailure(5, "No such block");
    return hashAt(Number(height));
  },
  "chain.listTransfers": ({ address, limit = 20 }) => transfersOf(address).slice(0, Number(limit)),
  "chain.getAccount": ({ address, minConfirmations }) => accountOf(address, minConfirmations),
};

const text = (pattern?: string): SuiteType => ({ kind: "string", ...(pattern === undefined ? {} : { pattern }) });
const integer = (minimum: number, maximum?: number): SuiteType => ({
  kind: "number",
  integer: true,
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
const day: SuiteType = { kind: "string", format: "date" };
const choice: SuiteType = { kind: "enumeration", values: states };
const mode: SuiteType = { kind: "enumeration", values: modes };
const depotId = text("^DP-[0-9]{3}$");
const parcelId = text("^PC-[0-9]{4}$");
const address = text("^0x[0-9a-f]{40}$");
const listOf = (element: SuiteType): SuiteType => ({ kind: "list", element });
const orNull = (type: SuiteType): SuiteType => ({ kind: "union", mode: "any-of", members: [type, { kind: "null" }] });

function record(members: Readonly<Record<string, SuiteType>>, optional: readonly string[] = []): SuiteType {
  return {
    kind: "record",
    members: Object.entries(members).map(([name, type]) => ({ name, type, required: !optional.includes(name) })),
  };
}

const types: SuiteTypes = {
  Depot: record({ depotId, open: { kind: "boolean" }, modes: listOf(mode) }),
  Parcel: record({ parcelId, label: text("^LB-[0-9]{6}$"), depotId, state: choice, bookedOn: day }),
  FullParcel: {
    kind: "intersection",
    members: [{ kind: "reference", target: "Parcel" }, record({ weight: integer(1) })],
  },
  Transfer: record({ id: text("^0x[0-9a-f]{64}$"), from: address, to: address, amount: integer(0) }),
};
const reference = (target: string): SuiteType => ({ kind: "reference", target });

function shown(name: string, input: MethodInput): readonly SuiteExample[] {
  const value = rightDepots[name]?.(input) as JsonValue;
  return [{ name: "shown", input: input as SuiteExample["input"], outcome: { kind: "success", status: 200, value } }];
}

const counts = record(Object.fromEntries(states.map((state) => [state, integer(0)])));

const methods = [
  describedMethod("depots.list", listOf(reference("Depot")), [
    optional("open", { kind: "boolean" }),
    optional("mode", mode),
  ]),
  describedMethod("depots.count", integer(0), [optional("open", { kind: "boolean" }), optional("mode", mode)]),
  describedMethod("parcels.list", record({ items: listOf(reference("Parcel")), total: integer(0) }), [
    optional("depotId", depotId),
    optional("bookedFrom", day),
    optional("limit", integer(1, 50), { default: 10 }),
  ]),
  describedMethod("parcels.get", reference("FullParcel"), [required("parcelId", parcelId)], {
    failures: [failure(4, "No such parcel")],
  }),
  describedMethod("parcels.getSummary", record({ count: integer(0), byState: counts, firstBookedOn: orNull(day) }), [
    optional("depotId", depotId),
    optional("bookedFrom", day),
  ]),
  describedMethod(
    "labels.validate",
    record({ valid: { kind: "boolean" }, normalized: orNull(text()), parcelId }, ["parcelId"]),
    [required("label", { kind: "string", maxLength: 20 })],
  ),
  describedMethod("rates.getQuote", record({ mode, weight: integer(1), price: integer(0) }), [
    required("mode", mode),
    required("weight", integer(1, 900)),
  ]),
  describedMethod("chain.getHeight", integer(0), []),
  describedMethod("chain.getHash", text("^0x[0-9a-f]{64}$"), [required("height", integer(0))], {
    failures: [failure(5, "No such block")],
    examples: shown("chain.getHash", { height: 4 }),
  }),
  describedMethod(
    "chain.listTransfers",
    listOf(reference("Transfer")),
    [required("address", address), optional("limit", integer(1, 40), { default: 20 })],
    { examples: shown("chain.listTransfers", { address: owner }) },
  ),
  describedMethod(
    "chain.getAccount",
    record({ address, balance: integer(0), received: integer(0), sent: integer(0), transferCount: integer(0) }),
    [required("address", address), optional("minConfirmations", integer(1), { default: 1 })],
    { examples: shown("chain.getAccount", { address: owner }) },
  ),
];

/** Suite of depots, parcels and a chain of blocks. */
export const depotSuite: RpcSuite = describedSuite("depots", methods, types);
