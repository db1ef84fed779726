import { describe, expect, it } from "vitest";
import type { Parameter } from "../inference/list-roles.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import { combinedFiltersProperty } from "./combined-filters.ts";
import { filterProperty } from "./filter.ts";
import type { Input, Page } from "./operation.ts";
import { rangeProperty } from "./range.ts";
import { optional, problemsOf } from "./testing/check-operation.ts";

const text: SuiteType = { kind: "string" };
const integer: SuiteType = { kind: "number", integer: true };
const day: SuiteType = { kind: "string", format: "date" };
const flag: SuiteType = { kind: "boolean" };
const states: SuiteType = { kind: "enumeration", values: ["open", "closed", "lost"] };
const colours: SuiteType = { kind: "enumeration", values: ["RED", "BLUE", "GREEN"] };

function record(members: Readonly<Record<string, SuiteType>>): SuiteType {
  return {
    kind: "record",
    members: Object.entries(members).map(([name, type]) => ({ name, type, required: false })),
  };
}

const element = record({
  id: integer,
  state: states,
  title: text,
  tags: { kind: "list", element: colours },
  note: text,
  height: integer,
  soldOn: day,
  owner: record({ id: integer, kind: { kind: "enumeration", values: ["person", "firm"] } }),
});

const parcels = Array.from({ length: 12 }, (_none, index) => ({
  id: index + 1,
  state: ["open", "closed", "lost"][index % 3] ?? "",
  title: `Parcel ${["from the north", "by sea"][index % 2]} ${index}`,
  tags: [["RED"], ["BLUE"], ["RED", "GREEN"]][index % 3] ?? [],
  note: index % 4 === 0 ? null : "fragile",
  height: 10 + index * 2,
  soldOn: `2024-0${1 + (index % 9)}-1${index % 3}`,
  owner: { id: 1 + (index % 4), kind: index % 4 < 2 ? "person" : "firm" },
}));
type Parcel = (typeof parcels)[number];

/** Returns a list that is filtered by `matches`. */
function list(
  parameters: readonly Parameter[],
  matches: (parcel: Parcel, input: Input) => boolean,
  more: (items: readonly Parcel[]) => Partial<Page> = () => ({}),
) {
  return {
    parameters,
    element,
    pages: (input: Input): readonly Page[] => {
      const items = parcels.filter((one) => matches(one, input));
      return [{ items, ...more(items) }];
    },
  };
}

/** Returns a list that can be filtered by a state or be limited, but not both. */
function either(isRight: (parcel: Parcel, wanted: unknown) => boolean) {
  const parameters = [
    optional("state", states),
    optional("limit", { kind: "number", integer: true, minimum: 1, maximum: 50 }),
  ];
  const whole = list(parameters, (one, { state }) => state === undefined || isRight(one, state));
  const pages = (input: Input) =>
    input["state"] !== undefined && input["limit"] !== undefined ? undefined : whole.pages(input);
  return { ...whole, pages };
}

const stateOf = ({ state }: Parcel, wanted: unknown): boolean => wanted === undefined || state === wanted;
const byState = [optional("state", states)];

describe("a bound", () => {
  const words: readonly string[] = ["low", "middle", "high", "top"];
  const marks: SuiteType = { kind: "enumeration", values: words };
  const graded = Array.from({ length: 8 }, (_none, id) => ({ id, mark: words[id % 4], height: 10 + id }));
  const marked = (parameters: readonly Parameter[], isIn: (one: (typeof graded)[number], input: Input) => boolean) => ({
    parameters,
    element: record({ id: integer, mark: marks, height: integer }),
    pages: (input: Input): readonly Page[] => [{ items: graded.filter((one) => isIn(one, input)) }],
  });
  const rank = (mark: unknown): number => words.indexOf(String(mark));

  it("may be a value of an enumeration, in either order", async () => {
    const least = (isIn: (own: number, wanted: number) => boolean) =>
      marked([optional("minMark", marks)], (one, { minMark }) =>
        minMark === undefined ? true : isIn(rank(one.mark), rank(minMark)),
      );
    expect(
      await problemsOf(
        least((own, wanted) => own >= wanted),
        filterProperty,
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        least((own, wanted) => own <= wanted),
        filterProperty,
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        least((own, wanted) => own === wanted),
        rangeProperty,
      ),
    ).toEqual(["elements are missing whose mark is within minMark"]);
  });

  it("may be a required member of an object", async () => {
    const span: SuiteType = {
      kind: "record",
      members: ["fromHeight", "toHeight"].map((name) => ({ name, type: integer, required: true })),
    };
    const between = (isIn: (height: number, to: number) => boolean) => ({
      ...marked([{ ...optional("span", span), required: true }], ({ height }, input) => {
        const { fromHeight, toHeight } = input["span"] as { fromHeight: number; toHeight: number };
        return height >= fromHeight && isIn(height, toHeight);
      }),
      base: { span: { fromHeight: 10, toHeight: 17 } },
    });
    expect(
      await problemsOf(
        between((height, to) => height <= to),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        between(() => true),
        rangeProperty,
      ),
    ).toEqual(["there are elements whose height is outside span.toHeight"]);
  });

  it("leaves out the bound where its name is that of an exclusive comparison", async () => {
    const below = (isIn: (height: number, bound: number) => boolean) =>
      marked([optional("height[lt]", integer)], ({ height }, input) =>
        input["height[lt]"] === undefined ? true : isIn(height, Number(input["height[lt]"])),
      );
    expect(
      await problemsOf(
        below((height, bound) => height < bound),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        below((height, bound) => height <= bound),
        rangeProperty,
      ),
    ).toEqual(["there are elements whose height is outside height[lt]"]);
  });
});

describe("filter", () => {
  it("takes a value that no element has for any of them where it finds several", async () => {
    const sorts = optional("state", { kind: "enumeration", values: ["open", "closed", "lost", "any"] });
    const any = list([sorts], (one, { state = "open" }) => state === "any" || one.state === state);
    expect(await problemsOf({ ...any, element: record({ id: integer, state: sorts.type }) }, filterProperty)).toEqual(
      [],
    );
  });

  it("is called without the limit where the target takes only one of both", async () => {
    expect(
      await problemsOf(
        either(({ state }, wanted) => state === wanted),
        filterProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        either(() => true),
        filterProperty,
      ),
    ).toEqual(["some elements have a state that does not match state"]);
  });

  it.each<[string, readonly Parameter[], (parcel: Parcel, input: Input) => boolean]>([
    ["one value", byState, (one, { state }) => stateOf(one, state)],
    [
      "any of several values",
      [optional("state", { kind: "list", element: states })],
      (one, { state }) => state === undefined || (state as string[]).includes(one.state),
    ],
    [
      "one of the values that elements have",
      [optional("tag", colours)],
      (one, { tag }) => tag === undefined || one.tags.includes(String(tag)),
    ],
    [
      "all of several values that elements have",
      [optional("tags", { kind: "list", element: colours })],
      (one, { tags }) => tags === undefined || (tags as string[]).every((tag) => one.tags.includes(tag)),
    ],
    [
      "a value that stands for all",
      [optional("state", { kind: "enumeration", values: ["open", "closed", "all"] }, "open")],
      (one, { state = "open" }) => state === "all" || one.state === state,
    ],
    [
      "the key of an object",
      [optional("ownerId", integer)],
      (one, { ownerId }) => ownerId === undefined || one.owner.id === ownerId,
    ],
    [
      "a search in texts",
      [optional("title", text)],
      (one, { title }) => title === undefined || one.title.toLowerCase().includes(String(title).toLowerCase()),
    ],
    [
      "whether there is a value",
      [optional("hasNote", flag)],
      (one, { hasNote }) => hasNote === undefined || (one.note !== null) === hasNote,
    ],
    [
      "members of an object",
      [
        optional(
          "filter",
          record({ state: states, owner: record({ kind: { kind: "enumeration", values: ["person", "firm"] } }) }),
        ),
      ],
      (one, { filter = {} }) => {
        const { state, owner } = filter as { state?: string; owner?: { kind?: string } };
        return stateOf(one, state) && (owner?.kind === undefined || one.owner.kind === owner.kind);
      },
    ],
  ])("finds nothing where a list is chosen from by %s", async (_name, parameters, matches) => {
    expect(await problemsOf(list(parameters, matches), filterProperty)).toEqual([]);
  });

  it("finds a boolean filter of which false chooses all, unless the description leaves that open", async () => {
    const sealed = record({ id: integer, sealed: flag });
    const items = parcels.map(({ id }) => ({ id, sealed: id % 3 === 0 }));
    const chosen = (parameter: Parameter, chooses: (value: unknown) => boolean) => ({
      parameters: [parameter],
      element: sealed,
      pages: ({ sealed: value }: Input): readonly Page[] => [
        { items: chooses(value) ? items.filter((one) => one.sealed === value) : items },
      ],
    });
    const isTrue = (value: unknown): boolean => value === true;
    expect(await problemsOf(chosen(optional("sealed", flag), isTrue), filterProperty)).toEqual([
      "some elements have a sealed that does not match sealed",
    ]);
    expect(
      await problemsOf(
        chosen(optional("sealed", flag), (value) => value !== undefined),
        filterProperty,
      ),
    ).toEqual([]);
    for (const parameter of [optional("sealed", flag, false), { ...optional("sealed", flag), isOneSided: true }])
      expect(await problemsOf(chosen(parameter, isTrue), filterProperty)).toEqual([]);
  });

  it("finds a filter that is ignored, at any depth of an object", async () => {
    const filter = [optional("filter", record({ owner: record({ id: integer }) }))];
    const message = (member: string, name: string): string =>
      `some elements have a ${member} that does not match ${name}`;
    expect(
      await problemsOf(
        list(byState, () => true),
        filterProperty,
      ),
    ).toEqual([message("state", "state")]);
    expect(
      await problemsOf(
        list(filter, () => true),
        filterProperty,
      ),
    ).toEqual([message("owner.id", "filter.owner.id")]);
    expect(
      await problemsOf(
        list([optional("hasNote", flag)], () => true),
        filterProperty,
      ),
    ).toEqual([message("note", "hasNote")]);
  });

  it("finds elements that are left out", async () => {
    const careless = list(byState, (one, { state }) => stateOf(one, state) && (state === undefined || one.id > 3));
    expect(await problemsOf(careless, filterProperty)).toEqual(["elements are missing whose state matches state"]);
  });

  it("finds elements that are not there without the filter, but for what is hidden until it is called for", async () => {
    const message = "elements that state finds are not in the list without it";
    const some = list(byState, (one, { state }) => stateOf(one, state) && (state !== undefined || one.id !== 12));
    expect(await problemsOf(some, filterProperty)).toEqual([message]);
    const all = list(byState, (one, { state = "open" }) => one.state === state);
    expect(await problemsOf(all, filterProperty)).toEqual([]);
  });

  it("finds a total that is not of what is chosen", async () => {
    const total = list(
      byState,
      (one, { state }) => stateOf(one, state),
      () => ({ total: parcels.length, more: false }),
    );
    expect(await problemsOf(total, filterProperty)).toEqual([
      "the total is not the number of elements that state chooses",
    ]);
  });

  it("finds a total of the whole list beside a part of what is chosen", async () => {
    const paged = (totalOf: (items: readonly Parcel[]) => number) => ({
      ...list(byState, (one, { state }) => stateOf(one, state)),
      parameters: [...byState, optional("limit", { kind: "number", integer: true, minimum: 1, maximum: 3 }, 2)],
      pages: ({ state, limit = 2 }: Input) => {
        const items = parcels.filter((one) => stateOf(one, state));
        return [{ items: items.slice(0, Number(limit)), total: totalOf(items), more: items.length > Number(limit) }];
      },
    });
    expect(
      await problemsOf(
        paged((items) => items.length),
        filterProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        paged(() => parcels.length),
        filterProperty,
      ),
    ).toEqual(["the total is not the number of elements that state chooses"]);
  });
});

describe("required filters", () => {
  const required = (name: string, type: SuiteType) => [{ ...optional(name, type), required: true }];
  const openOnly = { base: { state: "open" } };

  it("finds one that is ignored", async () => {
    const right = list(required("state", states), (one, { state }) => stateOf(one, state));
    expect(await problemsOf({ ...right, ...openOnly }, filterProperty)).toEqual([]);
    const wrong = list(required("state", states), () => true);
    expect(await problemsOf({ ...wrong, ...openOnly }, filterProperty)).toEqual([
      "some elements have a state that does not match state",
    ]);
  });

  it("says nothing of what may be called otherwise than elements are", async () => {
    // The id of the elements' parent, and a height at which a list starts.
    for (const [name, base] of [["id", 3] as const, ["height", 14] as const]) {
      const other = list(required(name, integer), () => true);
      expect(await problemsOf({ ...other, base: { [name]: base } }, filterProperty)).toEqual([]);
    }
  });
});

describe("two filters together", () => {
  const parameters = [optional("state", states), optional("ownerKind", text), optional("max_height", integer)];
  const kinds = [optional("state", states), optional("tag", colours), optional("max_height", integer)];
  const matches = ({ tags, height, ...one }: Parcel, { state, tag, max_height: most }: Input): boolean[] => [
    stateOf({ ...one, tags, height }, state),
    tag === undefined || tags.includes(String(tag)),
    most === undefined || height <= Number(most),
  ];

  it("let through what each lets through, and may exclude each other", async () => {
    const right = list(kinds, (one, input) => matches(one, input).every(Boolean));
    expect(await problemsOf(right, combinedFiltersProperty)).toEqual([]);
    const refusing = (input: Input) => (Object.keys(input).length > 1 ? undefined : right.pages(input));
    expect(await problemsOf({ ...right, pages: refusing }, combinedFiltersProperty)).toEqual([]);
    expect(
      await problemsOf(
        list(parameters, () => true),
        combinedFiltersProperty,
      ),
    ).toEqual([]);
  });

  it("are blamed where one is ignored beside another", async () => {
    const careless = list(kinds, (one, input) => {
      const [state, tag, height] = matches(one, input);
      return (state ?? true) && (tag ?? true) && (input["state"] !== undefined || (height ?? true));
    });
    expect(await problemsOf(careless, combinedFiltersProperty)).toEqual([
      "there are elements that max_height does not let through where state is given too",
    ]);
  });

  it("are given in one object where they are members of it", async () => {
    const filter = [optional("filter", record({ state: states, tag: colours }))];
    const given = ({ filter: value = {} }: Input): Input => value as Input;
    const right = list(filter, (one, input) => matches(one, given(input)).every(Boolean));
    expect(await problemsOf(right, combinedFiltersProperty)).toEqual([]);
    const either = list(filter, (one, input) => {
      const { state, tag } = given(input);
      const all = matches(one, given(input));
      return state !== undefined && tag !== undefined ? all.slice(0, 2).some(Boolean) : all.every(Boolean);
    });
    expect(await problemsOf(either, combinedFiltersProperty)).toEqual([
      "there are elements that filter.state does not let through where filter.tag is given too",
      "there are elements that filter.tag does not let through where filter.state is given too",
    ]);
  });
});

describe("range", () => {
  const heights = (matches: (height: number, bound: number) => boolean, includesBound?: boolean) => {
    const bound = { ...optional("min_height", integer), ...(includesBound === undefined ? {} : { includesBound }) };
    return list([bound], ({ height }, input) => {
      const least = input["min_height"];
      return least === undefined || matches(height, Number(least));
    });
  };

  it("finds nothing where bounds hold, with what is at them or without", async () => {
    expect(
      await problemsOf(
        heights((height, bound) => height >= bound, true),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        heights((height, bound) => height >= bound),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        heights((height, bound) => height > bound),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        heights((height, bound) => height > bound, false),
        rangeProperty,
      ),
    ).toEqual([]);
  });

  it("finds a bound that is ignored, is the other one or leaves elements out", async () => {
    const outside = "there are elements whose height is outside min_height";
    expect(
      await problemsOf(
        heights(() => true),
        rangeProperty,
      ),
    ).toEqual([outside]);
    expect(
      await problemsOf(
        heights((height, bound) => height <= bound),
        rangeProperty,
      ),
    ).toEqual([outside]);
    expect(
      await problemsOf(
        heights((height, bound) => height > bound + 2),
        rangeProperty,
      ),
    ).toEqual(["elements are missing whose height is within min_height"]);
  });

  it("checks what is at a bound where the description says whether it is within", async () => {
    expect(
      await problemsOf(
        heights((height, bound) => height > bound, true),
        rangeProperty,
      ),
    ).toEqual(["elements are missing whose height is at the bound of min_height"]);
    expect(
      await problemsOf(
        heights((height, bound) => height >= bound, false),
        rangeProperty,
      ),
    ).toEqual(["there are elements whose height is outside min_height"]);
  });

  it("takes no moment for one at its bound that may have been cut off when it was shown", async () => {
    const moment: SuiteType = { kind: "string", format: "date-time" };
    const later = (seconds: string, isAfter: (left: string, right: string) => boolean) => ({
      parameters: [{ ...optional("sentAfter", moment), includesBound: false }],
      element: record({ id: integer, sentAt: moment }),
      pages: ({ sentAfter: after }: Input) => [
        {
          items: Array.from({ length: 8 }, (_none, id) => ({
            id,
            sentAt: `2024-05-0${1 + id}T08:00:${seconds}Z`,
          })).filter(({ sentAt }) => after === undefined || isAfter(sentAt, String(after))),
        },
      ],
    });
    expect(
      await problemsOf(
        later("00", (left, right) => left > right),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        later("00", (left, right) => left >= right),
        rangeProperty,
      ),
    ).toEqual(["there are elements whose sentAt is outside sentAfter"]);
    expect(
      await problemsOf(
        later("17", (left, right) => left >= right),
        rangeProperty,
      ),
    ).toEqual([]);
  });

  it("compares moments with days that are called for", async () => {
    const moments = Array.from({ length: 8 }, (_none, id) => ({ id, sentAt: `2024-05-0${1 + id}T22:00:00Z` }));
    const sent = (name: string, isWithin: (sentAt: string, bound: string) => boolean) => ({
      parameters: [{ ...optional(name, day), includesBound: true }],
      element: record({ id: integer, sentAt: { kind: "string", format: "date-time" } }),
      pages: ({ [name]: bound }: Input) => [
        { items: moments.filter(({ sentAt }) => bound === undefined || isWithin(sentAt, String(bound))) },
      ],
    });
    expect(
      await problemsOf(
        sent("sentFrom", (sentAt, bound) => sentAt >= bound),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        sent("sentTo", (sentAt, bound) => sentAt <= bound),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        sent("sentTo", () => true),
        rangeProperty,
      ),
    ).toEqual(["there are elements whose sentAt is outside sentTo"]);
  });

  it("knows bounds of moments by the act that they are called after, and in Unix time", async () => {
    const moment: SuiteType = { kind: "string", format: "date-time" };
    const start = Date.parse("2026-03-01T08:00:00Z") / 1000;
    const trips = Array.from({ length: 8 }, (_none, id) => start + id * 3600).map((startedAt, id) => {
      return { id, startedAt, departure: new Date(startedAt * 1000).toISOString().replace(".000Z", "Z") };
    });
    const bounded = (
      parameter: Parameter,
      element: SuiteType,
      lets: (startedAt: number, bound: number) => boolean,
    ) => ({
      parameters: [parameter],
      element,
      pages: ({ [parameter.property]: bound }: Input): readonly Page[] => {
        const seconds = typeof bound === "string" ? Date.parse(bound) / 1000 : Number(bound);
        return [{ items: trips.filter(({ startedAt }) => bound === undefined || lets(startedAt, seconds)) }];
      },
    });
    const isAfter = (startedAt: number, bound: number): boolean => startedAt > bound;
    const isFrom = (startedAt: number, bound: number): boolean => startedAt >= bound;
    const departing = record({ id: integer, departure: moment });
    const after: Parameter = { ...optional("departs_after", moment), includesBound: false };
    expect(await problemsOf(bounded(after, departing, isAfter), rangeProperty)).toEqual([]);
    expect(await problemsOf(bounded(after, departing, isFrom), rangeProperty)).toHaveLength(1);
    const since: Parameter = { ...optional("since", integer), includesBound: true };
    const started = record({ id: integer, startedAt: integer });
    expect(await problemsOf(bounded(since, started, isFrom), rangeProperty)).toEqual([]);
    expect(await problemsOf(bounded(since, started, isAfter), rangeProperty)).toHaveLength(1);
    const unix: Parameter = { ...after, type: integer, examples: [start] };
    expect(await problemsOf(bounded(unix, departing, isAfter), rangeProperty)).toEqual([]);
    expect(
      await problemsOf(
        bounded(unix, departing, () => true),
        rangeProperty,
      ),
    ).toHaveLength(1);
    // Without a time in the description, a number may be a year.
    expect(
      await problemsOf(
        bounded({ ...unix, examples: [] }, departing, () => true),
        rangeProperty,
      ),
    ).toEqual([]);
  });

  it("checks both ends of a range that is an object, of a member with its unit", async () => {
    const bound = (name: string) => ({ name, type: integer, required: false, includesBound: true });
    const length = { kind: "record", members: [bound("from"), bound("to")] } as const satisfies SuiteType;
    const slopes = Array.from({ length: 8 }, (_none, id) => ({ id, lengthM: 100 + id * 10 }));
    const between = (isTo: (value: number, to: number) => boolean) => ({
      parameters: [optional("filter", record({ length }))],
      element: record({ id: integer, lengthM: integer }),
      pages: ({ filter }: Input): readonly Page[] => {
        const { from = 0, to = 1000 } =
          (filter as { length?: { from?: number; to?: number } } | undefined)?.length ?? {};
        return [{ items: slopes.filter(({ lengthM }) => lengthM >= from && isTo(lengthM, to)) }];
      },
    });
    expect(
      await problemsOf(
        between((value, to) => value <= to),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        between((value, to) => value < to),
        rangeProperty,
      ),
    ).toEqual(["elements are missing whose lengthM is at the bound of filter.length.to"]);
  });

  it("checks both ends of a range whose bounds are required", async () => {
    const bounds = ["from_height", "to_height"].map((name) => ({
      ...optional(name, integer),
      includesBound: true,
      required: true,
    }));
    const between = (isWithin: (height: number, from: number, to: number) => boolean) => ({
      ...list(bounds, ({ height }, { from_height: from, to_height: to }) => isWithin(height, Number(from), Number(to))),
      base: { from_height: 12, to_height: 30 },
    });
    const found = async (isWithin: Parameters<typeof between>[0]) => await problemsOf(between(isWithin), rangeProperty);
    const missing = "elements are missing whose height is at the bound of";
    expect(await found((height, from, to) => height >= from && height <= to)).toEqual([]);
    expect(await found((height, from, to) => height >= from && height < to)).toEqual([`${missing} to_height`]);
    expect(await found((height, from, to) => height > from && height <= to)).toEqual([`${missing} from_height`]);
  });

  it("compares days, and lets a list go down from where it starts", async () => {
    const sold = (matches: (soldOn: string, bound: string) => boolean) =>
      list(
        [optional("sold_after", day)],
        ({ soldOn }, { sold_after: bound }) => bound === undefined || matches(soldOn, String(bound)),
      );
    expect(
      await problemsOf(
        sold((soldOn, bound) => soldOn > bound),
        rangeProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        sold(() => true),
        rangeProperty,
      ),
    ).toEqual(["there are elements whose soldOn is outside sold_after"]);
    const down = list(
      [optional("start_height", integer)],
      ({ height }, { start_height: start }) => start === undefined || height <= Number(start),
    );
    expect(await problemsOf(down, rangeProperty)).toEqual([]);
  });
});
