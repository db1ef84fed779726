import type { Random } from "../random.ts";
import { copyJson, dropSlot, isObject, kindOf, type Slot, setSlot } from "./json-tree.ts";
import type { Mutant, Operator, Proof } from "./operator.ts";
import type { Occurrence, Site, Subject } from "./subject.ts";

/** Changes one place of an answer; false: it can't be changed so. */
type Edit = (slot: Slot, random: Random) => void;

interface ValueFault {
  readonly name: string;
  readonly proof: Proof;
  /** Whether it can be done where such values are. */
  readonly fits: (site: Site) => boolean;
  readonly edit: Edit;
}

const every = (site: Site, kind: ReturnType<typeof kindOf>): boolean =>
  site.values.length > 0 && site.values.every((value) => kindOf(value) === kind);

const some = (site: Site, kind: ReturnType<typeof kindOf>): boolean =>
  site.values.some((value) => kindOf(value) === kind);

const isMember = (site: Site): boolean => !site.name.endsWith("*") && !site.name.endsWith("[]") && site.name !== "";

const changeText = (text: string): string => (/^[0-9.]+$/.test(text) ? `${text}1` : `${text} and more`);

/** The value with a digit changed, other hexadecimal digits for text that has them. */
function otherDigit(text: string, random: Random): string {
  const places = [...text.matchAll(/[0-9a-f]/g)].map(({ index }) => index).slice(text.startsWith("0x") ? 1 : 0);
  const place = places.length === 0 ? 0 : random.pick(places.slice(-12));
  const other = text[place] === "7" ? "3" : "7";
  return `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
}

function otherKind(value: unknown): unknown {
  switch (kindOf(value)) {
    case "number":
      return [value];
    case "string":
      return { value };
    case "boolean":
      return String(value);
    case "null":
      return {};
    case "list":
      return { items: value };
    default:
      return JSON.stringify(value);
  }
}

const onList =
  (edit: (list: unknown[]) => unknown[]): Edit =>
  (slot) => {
    if (Array.isArray(slot.value)) {
      setSlot(slot, edit([...slot.value]));
    }
  };

const faults: readonly ValueFault[] = [
  { name: "drop-required-member", proof: "shape", fits: isMember, edit: dropSlot },
  { name: "drop-optional-member", proof: "value", fits: isMember, edit: dropSlot },
  {
    name: "add-undeclared-member",
    proof: "shape",
    fits: (site) => some(site, "object"),
    edit: (slot) => {
      if (isObject(slot.value)) {
        slot.value["debugInfo"] = "x";
      }
    },
  },
  { name: "change-json-type", proof: "shape", fits: () => true, edit: (slot) => setSlot(slot, otherKind(slot.value)) },
  { name: "null-value", proof: "shape", fits: () => true, edit: (slot) => setSlot(slot, null) },
  {
    name: "number-as-string",
    proof: "shape",
    fits: (site) => some(site, "number"),
    edit: (slot) => typeof slot.value === "number" && setSlot(slot, String(slot.value)),
  },
  {
    name: "string-as-number",
    proof: "shape",
    fits: (site) => some(site, "string"),
    edit: (slot) => typeof slot.value === "string" && setSlot(slot, slot.value.length),
  },
  {
    name: "float-for-integer",
    proof: "shape",
    fits: (site) => every(site, "number"),
    edit: (slot) => typeof slot.value === "number" && setSlot(slot, slot.value + 0.5),
  },
  {
    name: "boolean-as-number",
    proof: "shape",
    fits: (site) => some(site, "boolean"),
    edit: (slot) => typeof slot.value === "boolean" && setSlot(slot, Number(slot.value)),
  },
  {
    name: "wrong-enumeration-value",
    proof: "shape",
    fits: (site) => some(site, "string"),
    edit: (slot) => typeof slot.value === "string" && setSlot(slot, "UNLISTED"),
  },
  {
    name: "value-below-minimum",
    proof: "shape",
    fits: (site) => some(site, "number"),
    edit: (slot) => typeof slot.value === "number" && setSlot(slot, -1),
  },
  {
    name: "value-above-maximum",
    proof: "shape",
    fits: (site) => some(site, "number"),
    edit: (slot) => typeof slot.value === "number" && setSlot(slot, 3_000_000_000_000_000),
  },
  {
    name: "break-pattern",
    proof: "shape",
    fits: (site) => some(site, "string"),
    edit: (slot, random) => {
      if (typeof slot.value === "string") {
        const ways = [slot.value.toUpperCase(), slot.value.slice(0, -1), `${slot.value} `, `${slot.value}g`, ""];
        setSlot(slot, random.pick(ways.filter((way) => way !== slot.value)));
      }
    },
  },
  {
    name: "list-as-single",
    proof: "shape",
    fits: (site) => some(site, "list"),
    edit: (slot) => Array.isArray(slot.value) && setSlot(slot, slot.value[0] ?? null),
  },
  {
    name: "single-as-list",
    proof: "shape",
    fits: (site) => site.name !== "",
    edit: (slot) => setSlot(slot, [slot.value]),
  },
  {
    name: "empty-object",
    proof: "shape",
    fits: (site) => some(site, "object"),
    edit: (slot) => isObject(slot.value) && setSlot(slot, {}),
  },
  {
    name: "change-number",
    proof: "value",
    fits: (site) => every(site, "number"),
    edit: (slot, random) =>
      typeof slot.value === "number" && setSlot(slot, slot.value + (random.below(2) === 0 ? 1 : -1)),
  },
  {
    name: "change-digit",
    proof: "value",
    fits: (site) => site.values.some((value) => typeof value === "string" && /[0-9a-f]{8}/.test(value)),
    edit: (slot, random) => typeof slot.value === "string" && setSlot(slot, otherDigit(slot.value, random)),
  },
  {
    name: "change-text",
    proof: "value",
    fits: (site) => some(site, "string"),
    edit: (slot) => typeof slot.value === "string" && setSlot(slot, changeText(slot.value)),
  },
  {
    name: "invert-boolean",
    proof: "value",
    fits: (site) => some(site, "boolean"),
    edit: (slot) => typeof slot.value === "boolean" && setSlot(slot, !slot.value),
  },
  { name: "reorder-list", proof: "value", fits: (site) => some(site, "list"), edit: onList((list) => list.reverse()) },
  {
    name: "truncate-list",
    proof: "value",
    fits: (site) => some(site, "list"),
    edit: onList((list) => list.slice(0, -1)),
  },
  {
    name: "repeat-list-item",
    proof: "value",
    fits: (site) => some(site, "list"),
    edit: onList((list) => (list.length === 0 ? list : [...list, copyJson(list.at(-1))])),
  },
  { name: "empty-list", proof: "value", fits: (site) => some(site, "list"), edit: onList(() => []) },
  {
    name: "swap-list-items",
    proof: "value",
    fits: (site) => some(site, "list"),
    edit: onList((list) => (list.length < 2 ? list : [list[1], list[0], ...list.slice(2)])),
  },
  {
    name: "wrong-list-item",
    proof: "shape",
    fits: (site) => some(site, "list"),
    edit: onList((list) => (list.length === 0 ? list : [...list.slice(0, -1), null])),
  },
];

/** How many of the places of an operation are tried for one mutant. */
const mostCandidates = 14;

function candidatesOf(fault: ValueFault, subject: Subject, operation: string, random: Random): readonly Mutant[] {
  const sites = (subject.sites.get(operation) ?? []).filter((site) => fault.fits(site));
  return random
    .shuffle(sites)
    .slice(0, mostCandidates)
    .map((site) => {
      const occurrence: Occurrence = random.below(4) === 0 ? "last" : "all";
      const seed = random.hex(8);
      return {
        note: `${fault.name} at ${site.name === "" ? "the whole" : site.name} (${occurrence})`,
        proof: fault.proof,
        wrap: (dispatch) =>
          subject.atSite(operation, site.name, occurrence, (slot) => fault.edit(slot, seeded(seed)))(dispatch),
      };
    });
}

/** The same for every answer: a fault does not change while it runs. */
function seeded(seed: string): Random {
  const number = Number.parseInt(seed, 16);
  return {
    next: () => number / 2 ** 32,
    below: (bound) => number % bound,
    pick: (values) => values[number % values.length] as never,
    shuffle: (values) => [...values],
    hex: (digits) => seed.slice(0, digits),
  };
}

const swapMembers: Operator = {
  name: "swap-members",
  kinds: ["rest", "rpc", "graphql"],
  mutants: (subject, operation, random) => {
    const sites = (subject.sites.get(operation) ?? []).filter(isMember);
    const pairs = sites.flatMap((site, index) =>
      sites.slice(index + 1).flatMap((other) => {
        const [parent, parentOfOther] = [site, other].map(({ name }) =>
          name.slice(0, Math.max(name.lastIndexOf("/"), name.lastIndexOf("."))),
        );
        const isLike = kindOf(site.values[0]) === kindOf(other.values[0]) && !isObject(site.values[0]);
        return parent === parentOfOther && isLike ? [[site, other] as const] : [];
      }),
    );
    return random
      .shuffle(pairs)
      .slice(0, mostCandidates)
      .map(([site, other]) => ({
        note: `swap ${site.name} and ${other.name}`,
        proof: "value",
        wrap: subject.atSite(operation, site.name, "all", (slot) => {
          const key = other.name.slice(Math.max(other.name.lastIndexOf("/"), other.name.lastIndexOf(".")) + 1);
          const { parent } = slot;
          if (isObject(parent) && key in parent) {
            const value = parent[slot.key];
            parent[slot.key] = parent[key];
            parent[key] = value;
          }
        }),
      }));
  },
};

/** Faults of single values in answers that should be good. */
export const valueOperators: readonly Operator[] = [
  ...faults.map(
    (fault): Operator => ({
      name: fault.name,
      kinds: ["rest", "rpc", "graphql"],
      mutants: (subject, operation, random) => candidatesOf(fault, subject, operation, random),
    }),
  ),
  swapMembers,
];
