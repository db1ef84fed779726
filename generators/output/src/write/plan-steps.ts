import { join } from "node:path";
import type { WriteStep } from "./transaction.ts";
import type { WritePlan } from "./write-plan.ts";

/** Returns the steps of a transaction that performs a plan. The plan's directory must be absolute. */
export function stepsOf({ directory, changes }: WritePlan): readonly WriteStep[] {
  return changes.map((change): WriteStep => {
    const path = join(directory, change.path);
    switch (change.kind) {
      case "create":
        return { kind: "write", path, text: change.text, before: undefined };
      case "update":
        return { kind: "write", path, text: change.text, before: change.before };
      case "delete":
        return { kind: "remove", path, before: change.before };
      default:
        return change satisfies never;
    }
  });
}
