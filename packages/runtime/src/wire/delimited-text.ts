import type { Decoding, StructureDecoding } from "../operations/operation.ts";
import { decodeScalar } from "./scalar-text.ts";
import { hasMembers, isStructure, memberDecoding } from "./value-style.ts";

// Lists and objects in one text, with separators between their pieces (RFC 6570, section 3.2.1).

/** Separation of the pieces of one text, and their decoding afterwards. */
export interface Separation {
  /** Separator between the elements of a list, or between the members of an object. */
  readonly separator: string | RegExp;
  /** Whether `name=value` is one piece; otherwise names and values alternate. */
  readonly isPaired: boolean;
  decode(piece: string): string;
}

/** Returns the value of a text whose pieces are still encoded. An empty one is an empty list or object where it can't be a string. */
export function readDelimited(text: string, decoding: Decoding, separation: Separation): unknown {
  if (!isStructure(decoding)) return decodeScalar(decoding, separation.decode(text));
  if (text === "" && decoding.scalar !== "string") return decoding.list === undefined ? {} : [];
  const pieces = text.split(separation.separator);
  if (decoding.list !== undefined && !isLoneScalar(pieces, decoding)) {
    const element = decoding.list;
    return pieces.map((piece) => readNested(separation.decode(piece), element));
  }
  if (hasMembers(decoding) && !isLoneScalar(pieces, decoding)) return readMembers(pieces, decoding, separation);
  return decodeScalar(decoding.scalar ?? "string", separation.decode(text));
}

/** Returns the value of a text inside a structure. Styles do not define deeper levels: they are JSON on both sides. */
export function readNested(text: string, decoding: Decoding): unknown {
  if (!isStructure(decoding)) return decodeScalar(decoding, text);
  if (!/^[[{]/.test(text)) return decodeScalar(decoding.scalar ?? "string", text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns whether the value is a single string of a type that also allows a list or object: one piece is the string. */
function isLoneScalar(pieces: readonly string[], decoding: StructureDecoding): boolean {
  return decoding.scalar !== undefined && pieces.length === 1;
}

function readMembers(pieces: readonly string[], decoding: StructureDecoding, separation: Separation): unknown {
  const entries = separation.isPaired ? pairedEntries(pieces) : alternatingEntries(pieces);
  // `fromEntries` defines members, so that a name such as `__proto__` is one like any other.
  return Object.fromEntries(
    entries.map(([encodedName, encodedText]) => {
      const name = separation.decode(encodedName);
      return [name, readNested(separation.decode(encodedText), memberDecoding(decoding, name))];
    }),
  );
}

function alternatingEntries(pieces: readonly string[]): readonly (readonly [string, string])[] {
  return pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1] ?? ""] as const] : []));
}

function pairedEntries(pieces: readonly string[]): readonly (readonly [string, string])[] {
  return pieces.map((piece) => {
    const equals = piece.indexOf("=");
    return equals < 0 ? [piece, ""] : [piece.slice(0, equals), piece.slice(equals + 1)];
  });
}
