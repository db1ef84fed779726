import { describe, expect, it } from "vitest";
import type { Rule } from "../contract/rule.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { integer } from "../run/testing/suites.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import { inspectResponse } from "./properties.ts";
import type { Input, OperationDescription, Page, Result } from "./operation.ts";
import { resultOf } from "./single-calls.ts";
import { optional } from "./testing/check-operation.ts";

/** Returns the findings of a response of an operation. */
function found(
  operation: Partial<OperationDescription>,
  result: Result,
  input: Input = {},
): readonly { readonly rule: Rule; readonly message: string }[] {
  return inspectResponse({ parameters: [], result: undefined, types: {}, ...operation }, { input, result });
}

function foundIn(page: Page, operation: Partial<OperationDescription> = {}): readonly string[] {
  return found(operation, { value: page.items, page }).map(({ rule, message }) => `${rule.id} ${message}`);
}

describe("count", () => {
  const counted = (value: object, operation: Partial<OperationDescription> = {}): readonly string[] =>
    found(operation, { value }).map(({ message, rule }) => `${message}${rule.isWeak === true ? ", perhaps" : ""}`);
  const wrong = "tx_count is not the number of elements that are listed";

  it("finds a count that is not the length of the list that it is called after", () => {
    expect(counted({ tx_count: 2, txs: ["a", "b"], outputs: [] })).toEqual([]);
    expect(counted({ tx_count: "0x1", tx_ids: ["a", "b"] })).toEqual([wrong]);
    expect(counted({ tx_count: 3, txs: ["a", "b"] })).toEqual([`${wrong}, perhaps`]);
  });

  it("is sure of a list that may be cut where the description shows whole ones", () => {
    const examples = [{ input: {}, value: { tx_count: 1, txs: ["a"] } }];
    expect(counted({ tx_count: 3, txs: ["a", "b"] }, { examples })).toEqual([wrong]);
  });

  it("takes a list for no contradiction that the description calls an excerpt", () => {
    const list: SuiteType = { kind: "list", element: { kind: "string" }, isExcerpt: true };
    const result: SuiteType = { kind: "record", members: [{ name: "recipes", required: true, type: list }] };
    expect(counted({ recipe_count: 9, recipes: ["a", "b"] }, { result })).toEqual([]);
    expect(counted({ recipe_count: 1, recipes: ["a", "b"] }, { result })).toHaveLength(1);
  });

  it("finds a count that the description says to be of the page", () => {
    const counter = { name: "count", required: true, type: integer, isOfPage: true };
    const paging: SuiteType = {
      kind: "record",
      members: [{ name: "paging", required: true, type: { kind: "record", members: [counter] } }],
    };
    const page = (count: number): readonly string[] => {
      const items = ["a", "b"];
      const operation = { result: paging, parameters: [optional("limit", integer)] };
      return found(operation, { value: { items, paging: { count } }, page: { items } }).map(({ message }) => message);
    };
    expect(page(2)).toEqual([]);
    expect(page(25)).toEqual(["count is not the number of elements that are listed"]);
  });

  it("takes no total for exact that stops at a number", () => {
    const total = (more: object): SuiteType => ({
      kind: "record",
      members: [{ name: "total", required: true, type: { ...integer, ...more }, isExactTo: 40 }],
    });
    const of = (value: object, result: SuiteType) => resultOf({ value }, { result, types: {} }).page?.total;
    expect(of({ items: [], total: 39 }, total({}))).toBe(39);
    expect(of({ items: [], total: 40 }, total({}))).toBeUndefined();
    expect(of({ items: [], total: 12 }, total({ maximum: 12 }))).toBeUndefined();
  });

  it("leaves open how many there are on other pages", () => {
    expect(counted({ tx_count: 3, txs: ["a", "b"] }, { parameters: [optional("limit", integer)] })).toEqual([]);
  });

  const parameters = [optional("limit", integer, 3), optional("offset", integer, 0)];
  const page = (input: Input, length: number, around: object): readonly string[] => {
    const items = Array.from({ length }, (_none, id) => ({ id, weight: 7 }));
    const value = { items, ...around };
    const total = "total" in around ? { total: Number(around.total) } : {};
    return found({ parameters }, { value, page: { items, ...total } }, input).map(({ message }) => message);
  };

  it("finds pages that do not have what their total and their place say", () => {
    const message = "the page has fewer or more elements than its total implies";
    expect(page({}, 3, { total: 8 })).toEqual([]);
    expect(page({ offset: 6 }, 2, { total: 8 })).toEqual([]);
    expect(page({ offset: 6 }, 1, { total: 8 })).toEqual([message]);
    expect(page({ offset: 6 }, 3, { total: 8 })).toEqual([message]);
    expect(page({}, 3, { total: 2 })).toEqual(["the total is less than the list has elements"]);
    expect(page({ offset: 9 }, 0, { total: 8 })).toEqual([]);
  });

  it("lets a server give less than is asked for, and not less than on its own", () => {
    expect(page({ limit: 20 }, 5, { total: 8 })).toEqual([]);
    expect(page({ limit: 20 }, 2, { total: 8 })).toHaveLength(1);
  });

  it("finds a wrong number of pages, and a wrong end", () => {
    const limits = { limit: 2 };
    expect(page(limits, 2, { total: 8, pages: 4, has_more: true })).toEqual([]);
    expect(page(limits, 2, { total: 8, pages: 3 })).toEqual([
      "the number of pages is not what the total and the limit make",
    ]);
    expect(page(limits, 2, { total: 8, has_more: false })).toEqual([
      "whether more elements follow contradicts the total",
    ]);
  });

  it("takes no estimate and no sum for a number of elements", () => {
    expect(page({}, 3, { total: 2, is_estimate: true })).toEqual([]);
    expect(page({}, 3, { total: 21 })).toEqual([]);
  });
});

describe("unique", () => {
  const twice = "P007 the id of an element is that of another one in the same list";

  it("finds an element that stands in a list twice", () => {
    expect(foundIn({ items: [{ id: 1 }, { id: 2 }, { id: 3 }] })).toEqual([]);
    expect(foundIn({ items: [{ id: 1 }, { id: 2 }, { id: 1 }] })).toEqual([twice]);
  });

  it("tells things of several kinds apart", () => {
    const kinds = (second: string) => [
      { id: 1, type: "user" },
      { id: 1, type: second },
    ];
    expect(foundIn({ items: kinds("group") })).toEqual([]);
    expect(foundIn({ items: kinds("user") })).toEqual([twice]);
  });

  it("takes a hash for the name of what is listed where the operation lists such things", () => {
    const items = [{ hash: "0xa" }, { hash: "0xa" }];
    expect(foundIn({ items }, { typeNames: "outputs" })).toEqual([]);
    expect(foundIn({ items }, { typeNames: "blocks" })).toHaveLength(1);
  });

  it("lets a list within an object name one thing twice, unless its type says that it does not", () => {
    const duplicated = [{ id: 1 }, { id: 1 }];
    const within = (uniqueItems: boolean) => ({
      isWithin: true,
      result: { kind: "list", element: { kind: "any" }, uniqueItems } as const,
    });
    expect(foundIn({ items: duplicated }, within(false))).toEqual([]);
    expect(foundIn({ items: duplicated }, within(true))).toEqual([twice]);
    const member = (name: string, operation: Partial<OperationDescription>) =>
      found(operation, { value: { [name]: duplicated }, page: { items: duplicated } });
    expect(member("related", { isOfOne: true })).toEqual([]);
    expect(member("items", { isOfOne: true })).toHaveLength(1);
    expect(member("related", {})).toHaveLength(1);
  });

  it("tells long texts apart by themselves, and lets words repeat", () => {
    expect(foundIn({ items: ["red", "red"] })).toEqual([]);
    expect(foundIn({ items: ["a".repeat(64), "a".repeat(64)] })).toHaveLength(1);
  });
});

describe("sum", () => {
  const summed = (value: object, operation: Partial<OperationDescription> = {}): readonly string[] =>
    found(operation, { value }).map(({ rule, message }) => `${rule.id} ${message}`);
  const member = (name: string, type: SuiteType) => ({ name, type, required: true });
  const kinds: SuiteType = { kind: "enumeration", values: ["a", "b"] };
  const result: SuiteType = {
    kind: "record",
    members: [
      member("total", integer),
      member("byKind", { kind: "record", members: [member("a", integer), member("b", integer)] }),
      member("fees_by_kind", {
        kind: "list",
        element: { kind: "record", members: [member("kind", kinds), member("total", integer)] },
      }),
    ],
  };

  it("finds a whole that is not what its groups come to", () => {
    const description = { result, types: { Kind: kinds } };
    expect(summed({ total: 5, byKind: { a: 2, b: 3 } }, description)).toEqual([]);
    expect(summed({ total: 6, byKind: { a: 2, b: 3 } }, description)).toEqual([
      "P008 total is not the sum of the values in byKind",
    ]);
    const groups = [
      { kind: "a", total: 4 },
      { kind: "b", total: 3 },
    ];
    expect(summed({ total: 6, fees_by_kind: groups }, description)).toEqual([
      "P008 total is not the sum of the values in fees_by_kind",
    ]);
    expect(summed({ total: 6, fees_by_kind: groups.slice(0, 1) }, description)).toEqual([]);
  });

  it("knows the whole by the things that each have one value of what groups are called after", () => {
    const loan = (status: SuiteType): SuiteType => ({ kind: "record", members: [member("status", status)] });
    const stats = (returned: number) => ({ loans: 5, by_status: { open: 2, returned } });
    const types = { Loan: loan({ kind: "string" }) };
    expect(summed(stats(3), { types })).toEqual([]);
    expect(summed({ data: stats(4) }, { types })).toEqual(["P008 loans is not the sum of the values in by_status"]);
    expect(summed(stats(4), { types: { Loan: loan({ kind: "list", element: { kind: "string" } }) } })).toEqual([]);
    expect(summed(stats(4))).toEqual([]);
  });
});

describe("echo of a list", () => {
  const line: SuiteType = {
    kind: "record",
    members: [
      { name: "sku", required: true, type: { kind: "string" } },
      { name: "quantity", required: true, type: integer },
    ],
  };
  const order: SuiteType = {
    kind: "record",
    members: [{ name: "lines", required: true, type: { kind: "list", element: line } }],
  };
  const lines = (...skus: readonly string[]) => ({ lines: skus.map((sku) => ({ sku, quantity: 1 })) });
  const echoed = (value: object): readonly string[] =>
    found({ parameters: [optional("order", order)] }, { value }, { order: lines("AA-1", "BB-2") }).map(
      ({ rule, message }) => `${rule.id} ${message}`,
    );

  it("finds that the elements of a repeated list are about other things", () => {
    expect(echoed(lines("BB-2", "AA-1"))).toEqual([]);
    expect(echoed(lines("AA-1", "CC-3"))).toEqual(["P022 /lines/*/sku is not among those in the order of the call"]);
  });

  it("says nothing of a list of another length", () => {
    expect(echoed(lines("CC-3"))).toEqual([]);
  });
});

describe("identity", () => {
  const hash = { ...optional("block_hash", { kind: "string" }), required: true };
  const operation: Partial<OperationDescription> = { parameters: [hash], typeNames: "blocks", key: "block_hash" };
  const reported = (input: Input, value: object, more: Partial<OperationDescription> = {}): readonly string[] =>
    found({ ...operation, ...more }, { value }, input).map(({ rule, message }) => `${rule.id} ${message}`);

  it("finds an object that has another identifier than the one that was called for", () => {
    expect(reported({ block_hash: "0xab" }, { hash: "0xab" })).toEqual([]);
    expect(reported({ block_hash: "0xAB" }, { hash: "ab" })).toEqual([]);
    expect(reported({ block_hash: "0xab" }, { hash: "0xcd" })).toEqual(["P020 hash is not the block_hash of the call"]);
  });

  it("is sure of the member that a declared link takes", () => {
    const linked = { block_hash: "seal" };
    expect(reported({ block_hash: "ab" }, { seal: "cd" }, { linked })).toEqual([
      "P021 seal is not the block_hash of the call",
    ]);
  });

  it("says nothing where an example shows another one, or where the identifier may be of another kind", () => {
    const examples = [{ input: { block_hash: "ab" }, value: { hash: "cd" } }];
    expect(reported({ block_hash: "ab" }, { hash: "ef" }, { examples })).toEqual([]);
    expect(reported({ block_hash: 7 }, { hash: `0x${"cd".repeat(32)}` })).toEqual([]);
  });
});

describe("echo", () => {
  const echoed = (parameter: Parameter, input: Input, value: unknown, more: Partial<OperationDescription> = {}) =>
    found({ parameters: [parameter], ...more }, { value }, input).map(({ rule, message }) => `${rule.id} ${message}`);
  const unit = optional("unit", { kind: "enumeration", values: ["sat", "btc"] }, "sat");

  it("finds a value of the call that is another one in the result", () => {
    expect(echoed(unit, { unit: "btc" }, { unit: "btc" })).toEqual([]);
    expect(echoed(unit, { unit: "btc" }, { unit: "sat" })).toEqual(["P022 unit is not the unit of the call"]);
    expect(echoed(unit, {}, { unit: "btc" })).toEqual(["P022 unit is not the unit of the call"]);
  });

  it("finds a page that repeats another offset, and lets a limit be what there is", () => {
    const page = (input: Input, value: object) =>
      echoed(optional(Object.keys(input)[0] ?? "", integer), input, { items: [1, 2], ...value });
    expect(page({ offset: 2 }, { offset: 3 })).toEqual(["P022 offset is not the offset of the call"]);
    expect(page({ limit: 2 }, { limit: 3 })).toEqual(["P022 limit is not the limit of the call"]);
    expect(page({ limit: 5 }, { limit: 2 })).toEqual([]);
  });

  it("lets elements of the object that was called for have identifiers of their own", () => {
    const block = { hash: "0xaa", transactions: [{ hash: "0xbb" }, { hash: "0xcc" }] };
    const hash = { ...optional("hash", { kind: "string" }), required: true };
    expect(
      found(
        { parameters: [hash], key: "hash", typeNames: "blocks" },
        resultOf({ value: block }, { result: undefined, types: {} }),
        { hash: "0xaa" },
      ),
    ).toEqual([]);
  });

  it("finds an element of another owner than the one that was called for", () => {
    const owner = { ...optional("shopId", integer), required: true };
    const items = (last: number) => [1, 1, last].map((shopId, id) => ({ id, shopId }));
    expect(echoed(owner, { shopId: 1 }, items(1), { typeNames: "orders" })).toEqual([]);
    expect(echoed(owner, { shopId: 1 }, items(2), { typeNames: "orders" })).toEqual([
      "P022 shopId of an element is not the shopId of the call",
    ]);
    expect(echoed(owner, { shopId: 1 }, items(2), { typeNames: "followers" })).toEqual([]);
  });
});

describe("order", () => {
  const days = ["2026-03-04", "2026-03-02", "2026-03-01"];
  const message = "the elements are not in the order that the description states";
  const listed = (
    order: OperationDescription["order"],
    items: readonly object[],
    operation: Partial<OperationDescription> = {},
    input: Input = {},
  ): readonly string[] =>
    found({ ...(order === undefined ? {} : { order }), ...operation }, { value: items, page: { items } }, input).map(
      (one) => one.message,
    );
  const newest = { by: "time", sign: -1 } as const;

  it("finds a list that is not in the order that the description states", () => {
    const rows = days.map((createdOn, index) => ({ createdOn, size: [5, 9, 7][index] }));
    expect(listed(newest, rows)).toEqual([]);
    expect(listed(newest, rows.toReversed())).toEqual([`${message}: descending by time`]);
    expect(
      listed(
        newest,
        [rows[1], rows[0], rows[2]].filter((row) => row !== undefined),
      ),
    ).toHaveLength(1);
    expect(listed(undefined, rows.toReversed())).toEqual([]);
    const bids = ["120.50", "99.00", "7.25"].map((amount, index) => ({ paddle: [4, 4, 9][index], amount }));
    expect(listed({ by: "highest", sign: -1 }, bids)).toEqual([]);
    expect(listed({ by: "lowest", sign: 1 }, bids)).toEqual([]);
    expect(listed({ by: "highest", sign: -1 }, bids.map(({ amount }) => ({ amount })).toReversed())).toHaveLength(1);
  });

  it("leaves open by which member elements are ordered, and orders that the call chooses", () => {
    // The newest elements have the greatest numbers: the days are unrelated to the order.
    expect(
      listed(
        newest,
        days.toReversed().map((day, index) => ({ seq: 9 - index, day })),
      ),
    ).toEqual([]);
    expect(
      listed(
        newest,
        days.toReversed().map((expires) => ({ expires })),
      ),
    ).toEqual([]);
    const sorting = { parameters: [optional("sort", { kind: "string" })] };
    const rows = days.toReversed().map((createdOn) => ({ createdOn }));
    expect(listed(newest, rows, sorting, { sort: "createdOn" })).toEqual([]);
    expect(listed(newest, rows, sorting)).toHaveLength(1);
  });
});
