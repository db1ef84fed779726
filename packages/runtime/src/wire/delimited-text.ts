import type { Decoding, StructureDecoding } from "../operation.ts";
import { decodeScalar } from "./scalar-text.ts";
import { hasMembers, isStructure, memberDecoding } from "./value-style.ts";

// Lists and objects in one text, their pieces between separators (RFC 6570, section 3.2.1).

/** Where the pieces of one text end, and how they are decoded once they are apart. */
export interface Separation {
  /** Between the elements of a list, or between the members of an object. */
  readonly separator: string | RegExp;
  /** `name=value` is one piece; otherwise names and values take turns. */
  readonly isPaired: boolean;
  decode(piece: string): string;
}

/** What a text spells whose pieces are still encoded. An empty one is an empty list or object where it can't be a text. */
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

/** The value of a text inside a structure. Styles say nothing of what is deeper: that is JSON on both sides. */
export function readNested(text: string, decoding: Decoding): unknown {
  if (!isStructure(decoding)) return decodeScalar(decoding, text);
  if (!/^[[{]/.test(text)) return decodeScalar(decoding.scalar ?? "string", text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A type that takes a text as well as a list or object: one piece is the text. */
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
