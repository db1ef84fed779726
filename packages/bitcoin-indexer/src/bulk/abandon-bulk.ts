import { rmSync } from "node:fs";
import type { Environment } from "../store/environment.ts";
import { allTables, emptyTip, tips } from "../store/layout.ts";
import type { BulkTarget } from "./bulk-target.ts";
import { bulkTables } from "./bulk-tables.ts";

/** Empties an index of which a part was filled in bulk. No transaction may be open. */
export function abandonBulk({ environment, bulkDirectory }: Pick<BulkTarget, "environment" | "bulkDirectory">): void {
  for (const table of bulkTables) environment.addTable(table);
  environment.write(() => {
    for (const table of allTables) if (table !== tips) environment.clearTable(table);
    for (const table of bulkTables) environment.clearTable(table);
    environment.put(tips, [], emptyTip);
  });
  dropBulkTables(environment);
  rmSync(bulkDirectory, { recursive: true, force: true });
}

/** Drops the tables that only a bulk index has. */
export function dropBulkTables(environment: Environment): void {
  for (const table of bulkTables) {
    environment.addTable(table);
    environment.dropTable(table);
  }
}
