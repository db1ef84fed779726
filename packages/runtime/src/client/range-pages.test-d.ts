import { expectTypeOf } from "vitest";
import type { ItemAt, RangePagesCall } from "./range-pages.ts";

interface LogsQuery {
  readonly logs: readonly { readonly data: string }[];
}

interface NestedQuery {
  readonly block: { readonly found?: readonly (string | null)[] | null } | null;
}

declare const logs: RangePagesCall<{ readonly from: string }, LogsQuery, "logs">;

expectTypeOf<ItemAt<LogsQuery, "logs">>().toEqualTypeOf<{ readonly data: string }>();
expectTypeOf<ItemAt<NestedQuery, "block.found">>().toEqualTypeOf<string | null>();
expectTypeOf<ItemAt<NestedQuery, "block.lost">>().toEqualTypeOf<never>();

for await (const page of logs({ from: "0" }, { pageLength: 10, retries: 1 }))
  expectTypeOf(page).toEqualTypeOf<LogsQuery>();
for await (const log of logs({ from: "0" }).items) expectTypeOf(log.data).toEqualTypeOf<string>();
for await (const { from, to, data } of logs({ from: "0" }).ranges) {
  expectTypeOf([from, to]).toEqualTypeOf<bigint[]>();
  expectTypeOf(data).toEqualTypeOf<LogsQuery>();
}

// @ts-expect-error An operation has no pages without a range.
logs();
