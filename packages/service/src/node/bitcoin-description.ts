import { documentText } from "@nodewright/bitcoin-api/document";
import { type CommandReference, createCommandReference, type OpenRpcDocument } from "@nodewright/bitcoin-node";
import type { AccessMarks, MarkedMethods } from "../gate/method-access.ts";

/** Facts about the Bitcoin interface from its document. */
export interface BitcoinDescription {
  readonly commands: CommandReference;
  readonly marks: MarkedMethods;
}

interface MarkedMethod {
  readonly name: string;
  readonly "x-disabled-by-default"?: boolean;
  readonly "x-node-control"?: boolean;
}

/** Reads the document, which the generator has checked. */
export function readBitcoinDescription(): BitcoinDescription {
  const document = JSON.parse(documentText) as OpenRpcDocument & {
    readonly methods: readonly MarkedMethod[];
  };
  return {
    commands: createCommandReference(document),
    marks: new Map(document.methods.map((method) => [method.name, marksOf(method)])),
  };
}

function marksOf(method: MarkedMethod): AccessMarks {
  return {
    disabledByDefault: method["x-disabled-by-default"] === true,
    nodeControl: method["x-node-control"] === true,
  };
}
