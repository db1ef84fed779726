/** An element of a parsed XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Parses XML as far as reports use it, and throws for what is not well-formed (XML 1.0, section 2.1). */
export function parseXml(xml: string): Element {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(xml))
    throw new Error("a forbidden character");
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
  if (!xml.startsWith(declaration)) throw new Error("no declaration");
  const roots: Element[] = [];
  const open: { name: string; attributes: Record<string, string>; children: Element[]; text: string }[] = [];
  const token = /<\/([\w-]+)\s*>|<([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  token.lastIndex = declaration.length;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 60)}`);
    const [, closing, opening, attributes = "", isEmpty, text] = match;
    const parent = open.at(-1);
    if (text !== undefined) {
      const read = unescapeXml(text);
      if (parent !== undefined) parent.text += read;
      else if (read.trim() !== "") throw new Error("text outside of the root");
    } else if (opening !== undefined) {
      const element = { name: opening, attributes: readAttributes(attributes), children: [], text: "" };
      (parent?.children ?? roots).push(element);
      if (isEmpty === "") open.push(element);
    } else if (open.pop()?.name !== closing) throw new Error(`${closing} is closed and not open`);
  }
  const [root, ...others] = roots;
  if (root === undefined || others.length > 0 || open.length > 0) throw new Error("not one root");
  return root;
}

function readAttributes(text: string): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [, name = "", value = ""] of text.matchAll(/([\w-]+)="([^"]*)"/g)) {
    if (name in read) throw new Error(`${name} stands twice`);
    // A line feed that is not escaped is read as a space (XML 1.0, section 3.3.3).
    read[name] = unescapeXml(value.replaceAll(/[\n\r\t]/g, " "));
  }
  return read;
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|([a-z]+));|&/g, (_, code: string | undefined, name: string | undefined) => {
    const read = code !== undefined ? String.fromCodePoint(Number(code)) : entities[name ?? ""];
    if (read === undefined) throw new Error("an ampersand that is not escaped");
    return read;
  });
}
