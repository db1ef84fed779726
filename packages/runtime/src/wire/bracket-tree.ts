import type { Decoding } from "../operations/operation.ts";
import type { Pair } from "./pairs.ts";
import { readNested } from "./delimited-text.ts";
import { decodeScalar, isScalarValue, scalarText } from "./scalar-text.ts";
import { hasMembers, isStructure, memberDecoding } from "./value-style.ts";
import { WireError } from "./wire-error.ts";

// Objects and lists whose members each have a name of their own: OpenAPI's `deepObject`, with nested objects and lists in the convention of
// Rails, PHP and qs: `filter[a][b]=1`, `expand[0]=x`, `expand[]=x`.

/** Returns pairs of `name[member]…` and text. Throws `RangeError` for a member's name that contains a bracket. */
export function writeBrackets(name: string, value: object): readonly (readonly [name: string, text: string])[] {
  const pairs: (readonly [string, string])[] = [];
  addPairs(name, value, pairs);
  return pairs;
}

/** Returns the value of the pairs below a name, decoded. Throws `WireError` for names deeper than `maximumDepth`. */
export function readBrackets(
  base: string,
  pairs: readonly Pair[],
  decoding: Decoding,
  decode: (value: string) => string,
  maximumDepth: number,
): unknown {
  const root = createBranch();
  for (const { name, value } of pairs) {
    const path = bracketPath(name.slice(base.length), maximumDepth);
    if (path === undefined) throw new WireError("malformed", "A name has brackets that do not match");
    addText(root, path, decode(value));
  }
  return branchValue(root, decoding);
}

/** A node in the tree: its texts and its children. */
interface Branch {
  readonly texts: string[];
  readonly members: Map<string, Branch>;
}

const indexText = /^(?:0|[1-9][0-9]{0,8})$/;

function createBranch(): Branch {
  return { texts: [], members: new Map() };
}

function addPairs(name: string, value: unknown, pairs: (readonly [string, string])[]): void {
  // An undefined or null value counts as absent (RFC 6570, section 2.3).
  if (value === undefined || value === null) return;
  if (isScalarValue(value)) {
    pairs.push([name, scalarText(value)]);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) addPairs(`${name}[${index}]`, element, pairs);
    return;
  }
  for (const [member, memberValue] of Object.entries(value)) {
    if (/[[\]]/.test(member)) throw new RangeError(`${name}: a member's name can't hold a bracket`);
    addPairs(`${name}[${member}]`, memberValue, pairs);
  }
}

/** Parses a path: `[a][0][]` becomes `["a", "0", ""]`. */
function bracketPath(text: string, maximumDepth: number): readonly string[] | undefined {
  if (!/^(?:\[[^[\]]*\])+$/.test(text)) return undefined;
  const path = text.slice(1, -1).split("][");
  if (path.length > maximumDepth) {
    throw new WireError("too-large", `A name is nested deeper than ${maximumDepth} levels`);
  }
  return path;
}

function addText(root: Branch, path: readonly string[], text: string): void {
  let branch = root;
  for (const [position, segment] of path.entries()) {
    const key = segment === "" ? openElement(branch, path[position + 1]) : segment;
    const next = branch.members.get(key) ?? createBranch();
    branch.members.set(key, next);
    branch = next;
  }
  branch.texts.push(text);
}

/** Returns the element of `[]`: a new one, unless it is the next member of the one before: `a[][x]=1&a[][y]=2` has one element. */
function openElement({ members }: Branch, next: string | undefined): string {
  const last = String(members.size - 1);
  const isContinued = next !== undefined && next !== "" && members.get(last)?.members.has(next) === false;
  return isContinued ? last : String(members.size);
}

function branchValue({ texts, members }: Branch, decoding: Decoding): unknown {
  if (members.size === 0) return textValue(texts, decoding);
  if (texts.length > 0) throw new WireError("malformed", "A name has both a value and members");
  const keys = [...members.keys()];
  const structure = isStructure(decoding) ? decoding : {};
  const isKnownRecord = hasMembers(structure) && structure.list === undefined;
  if (!isKnownRecord && keys.every((key) => indexText.test(key))) {
    const inOrder = keys.toSorted((left, right) => Number(left) - Number(right));
    return inOrder.map((key) => branchValue(members.get(key) ?? createBranch(), structure.list ?? "string"));
  }
  return Object.fromEntries(
    [...members].map(([key, branch]) => [key, branchValue(branch, memberDecoding(structure, key))]),
  );
}

/** Returns one text; a list where the name was repeated or a list is expected. */
function textValue(texts: readonly string[], decoding: Decoding): unknown {
  const [only = ""] = texts;
  if (isStructure(decoding) && decoding.list !== undefined && (texts.length > 1 || decoding.scalar === undefined)) {
    const element = decoding.list;
    return texts.map((text) => readNested(text, element));
  }
  if (texts.length > 1) return texts;
  return isStructure(decoding) ? readNested(only, decoding) : decodeScalar(decoding, only);
}
