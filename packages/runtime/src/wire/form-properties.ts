import type { ContentFacts, PropertyFacts } from "../operations/operation.ts";
import { hasMembers, isStructure, resolveStyle, type ValueStyle } from "./value-style.ts";

/** Properties of a form or multipart body, looked up once for each content. */
export interface FormProperties {
  readonly described: readonly PropertyFacts[];
  /** Returns the encoding of a property: as described, as that of others, or as text. */
  find(name: string): PropertyFacts;
  /** Names that a described property reads from the pairs; those of others are for the rest. */
  readonly claimed: ReadonlySet<string>;
  /** Names whose brackets a described property reads. */
  readonly claimedBases: ReadonlySet<string>;
}

const propertiesOfContents = new WeakMap<ContentFacts, FormProperties>();

export function formProperties(content: ContentFacts): FormProperties {
  const known = propertiesOfContents.get(content);
  if (known !== undefined) return known;
  const properties = createProperties(content);
  propertiesOfContents.set(content, properties);
  return properties;
}

export function styleOfProperty(facts: PropertyFacts): ValueStyle {
  return resolveStyle(facts, "form");
}

/** Returns whether brackets after the name are part of the value: deep objects, and lists of other encoders. */
function readsBrackets(facts: PropertyFacts): boolean {
  const { style, decoding } = styleOfProperty(facts);
  return facts.isRepeated === true || style === "deepObject" || (isStructure(decoding) && decoding.list !== undefined);
}

function createProperties({ properties = [], additional }: ContentFacts): FormProperties {
  const byName = new Map(properties.map((facts) => [facts.name, facts]));
  const claimed = new Set(byName.keys());
  for (const facts of properties) {
    const { style, explode, decoding } = styleOfProperty(facts);
    if (style !== "deepObject" && explode && hasMembers(decoding)) {
      for (const member of Object.keys(decoding.record ?? {})) claimed.add(member);
    }
  }
  return {
    described: properties,
    find: (name) => byName.get(name) ?? { form: "text", ...additional, name },
    claimed,
    claimedBases: new Set(properties.filter(readsBrackets).map(({ name }) => name)),
  };
}
