import { type Fragment, partsOf } from "./fragment.ts";
import { type FragmentRule, fragmentRules } from "./fragment-rules.ts";
import { combineTimelocks, type TimelockUse, timelocksOfLeaf } from "./timelocks.ts";

/** Type of a fragment (BIP 379). */
export interface FragmentType extends TimelockUse {
  /** Base, verify, key or wrapped expression. */
  readonly basic: BasicType;
  /** Properties z, o, n, d and u, and of fragments that are not malleable s, f and e. */
  readonly properties: ReadonlySet<string>;
  /** Whether third parties may change a satisfaction into another one. */
  readonly isMalleable: boolean;
}

type BasicType = "B" | "V" | "K" | "W";

/** Returns the type; `undefined` for a fragment whose parts do not have the types that BIP 379 requires. */
export function fragmentType(fragment: Fragment): FragmentType | undefined {
  const parts: FragmentType[] = [];
  for (const part of partsOf(fragment)) {
    const type = fragmentType(part);
    if (type === undefined) return undefined;
    parts.push(type);
  }
  const verdict = typeByTables(fragment, parts);
  if (verdict === undefined) return undefined;
  const isMalleable = !verdict.isUnmalleable || parts.some((part) => part.isMalleable);
  return {
    basic: verdict.basic,
    properties: new Set(isMalleable ? verdict.correctness : [...verdict.correctness, ...verdict.malleability]),
    isMalleable,
    ...(parts.length === 0 ? timelocksOfLeaf(fragment) : combineTimelocks(fragment, parts)),
  };
}

/** Result of a table row for a fragment with these parts. */
interface Verdict {
  readonly basic: BasicType;
  readonly correctness: readonly string[];
  readonly malleability: readonly string[];
  readonly isUnmalleable: boolean;
}

function typeByTables(fragment: Fragment, parts: readonly FragmentType[]): Verdict | undefined {
  if (fragment.kind === "thresh") return thresholdVerdict(fragment.required, parts);
  if (fragment.kind === "multi") {
    return { basic: "B", correctness: ["n", "d", "u"], malleability: ["s", "e"], isUnmalleable: true };
  }
  const row = compiledRules[fragment.kind];
  if (!row.requires.every((required, position) => meets(parts[position], required))) return undefined;
  const alike = new Set(parts.filter((_, position) => row.requires[position] === "same").map(({ basic }) => basic));
  if (alike.size > 1) return undefined;
  const [same] = alike;
  const basic = row.type === "same" ? same : row.type;
  return (
    basic && {
      basic,
      correctness: row.correctness.flatMap((property) => (isSatisfied(property.when, parts) ? property.name : [])),
      malleability: row.malleability.flatMap((property) => (isSatisfied(property.when, parts) ? property.name : [])),
      isUnmalleable: isSatisfied(row.unmalleable, parts),
    }
  );
}

function thresholdVerdict(required: number, parts: readonly FragmentType[]): Verdict | undefined {
  if (!parts.every((part, position) => meets(part, position === 0 ? "Bdu" : "Wdu"))) return undefined;
  const without = (letter: string): number => parts.filter(({ properties }) => !properties.has(letter)).length;
  const [unsigned, takers] = [without("s"), parts.filter(({ properties }) => !properties.has("z"))];
  return {
    basic: "B",
    correctness: [
      "d",
      "u",
      ...(takers.length === 0 ? ["z"] : []),
      ...(takers.length === 1 && takers[0]?.properties.has("o") === true ? ["o"] : []),
    ],
    malleability: [...(unsigned < required ? ["s"] : []), ...(unsigned === 0 ? ["e"] : [])],
    isUnmalleable: without("e") === 0 && unsigned <= required,
  };
}

function meets(part: FragmentType | undefined, required: string): boolean {
  if (part === undefined) return false;
  if (required === "same") return part.basic !== "W";
  const [basic, ...properties] = required;
  return part.basic === basic && properties.every((property) => part.properties.has(property));
}

/** A property of one part. */
interface Term {
  readonly property: string;
  readonly position: number;
}

/** Condition that holds when all terms of one of the lists hold. */
type Condition = readonly (readonly Term[])[];

const always: Condition = [[]];

function isSatisfied(condition: Condition, parts: readonly FragmentType[]): boolean {
  return condition.some((terms) =>
    terms.every(({ property, position }) => parts[position]?.properties.has(property) === true),
  );
}

interface CompiledProperty {
  readonly name: string;
  readonly when: Condition;
}

interface CompiledRule {
  readonly requires: readonly string[];
  readonly type: FragmentRule["type"];
  readonly correctness: readonly CompiledProperty[];
  readonly malleability: readonly CompiledProperty[];
  readonly unmalleable: Condition;
}

function compileRule(rule: FragmentRule): CompiledRule {
  const names = Object.keys(rule.requires);
  const condition = (text: string): Condition =>
    text
      .split("+")
      .map((product) =>
        product.split(".").map((term) => ({ property: term.slice(0, 1), position: names.indexOf(term.slice(1)) })),
      );
  const properties = (text: string): CompiledProperty[] =>
    text
      .split(" ")
      .filter((item) => item !== "")
      .map((item) => {
        const [name = "", when] = item.split("=");
        return { name, when: when === undefined ? always : condition(when) };
      });
  return {
    requires: Object.values(rule.requires),
    type: rule.type,
    correctness: properties(rule.correctness),
    malleability: properties(rule.malleability),
    unmalleable: rule.unmalleable === undefined ? always : condition(rule.unmalleable),
  };
}

const compiledRules = Object.fromEntries(
  Object.entries(fragmentRules).map(([kind, rule]) => [kind, compileRule(rule)]),
) as Readonly<Record<keyof typeof fragmentRules, CompiledRule>>;
