import { type PlannedCase, protocolOperation } from "../contract/planned-case.ts";
import { runRules } from "./run-rules.ts";

/** The case of an operation that is not sent. */
export function unsentCase(operation: string): PlannedCase {
  return {
    id: `${operation}/protocol/not-sent`,
    operation,
    group: "protocol",
    rule: runRules.safety,
    expected: "nothing: it is not sent",
    writes: true,
    requests: 0,
    isLive: false,
    play: async () => [],
  };
}

/** The case of all answers together: none repeats the key. */
export function keyEchoCase(): PlannedCase {
  return {
    id: `${protocolOperation}/key/not-repeated`,
    operation: protocolOperation,
    group: "key",
    rule: runRules.keyEcho,
    expected: "no answer with the key in it",
    writes: false,
    requests: 0,
    isLive: false,
    play: async () => [],
  };
}
