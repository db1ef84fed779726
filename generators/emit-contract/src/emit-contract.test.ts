import type { ApiModel, ArtefactUpdate, Operation, PiecedFile, TypeNode } from "@nodewright/model";
import { referencesOfType, typesOfOperation } from "@nodewright/api-model";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emitContract, emitTypesAlone } from "./emit-contract.ts";
import {
  anything,
  declaration,
  field,
  list,
  model,
  node,
  nothing,
  nullNode,
  numberNode,
  operation,
  record,
  reference,
  source,
  text,
  union,
} from "./testing/type-nodes.ts";

const amount = numberNode({ representation: "bitcoin-amount" });
const long = numberNode({ integer: true, representation: "bigint" });
const hash = node({ kind: "string", pattern: "^[0-9a-f]{4}$" });
const short = node({ kind: "string", minLength: 1, maxLength: 9 });
const kinds = node({ kind: "enumeration", values: ["a", "b", "c", "d", "e", "f", "g", "h", "i"] });
const time = node({ kind: "string", format: "date-time", assertsFormat: true });
const point = record([
  field("x", numberNode({ minimum: 0 })),
  field("y", numberNode({ maximum: 9 })),
  field("z", text),
]);
const closed = record([field("id", hash), field("name", short, false)], { additional: nothing });
const wide = record([field("i", text), field("j", text), field("k", text), field("l", text)]);
const coin = record([field("value", amount), field("script", hash)]);

const declarations = [
  declaration("Hash", hash),
  declaration("Point", point),
  declaration("Coin", coin),
  declaration("Tree", record([field("kind", kinds), field("children", list(reference("Tree")), false)])),
];

function operationOf(name: string, input: TypeNode, output: TypeNode): Operation {
  const content = { mediaType: "application/json", form: "json", type: output } as const;
  return operation(name, {
    parameters: [
      {
        name: "filter",
        property: "filter",
        location: "query",
        required: true,
        type: input,
        style: "form",
        explode: true,
        source,
      },
    ],
    successes: [{ status: 200, headers: [], description: "", source, content }],
  });
}

/** Returns a model of the operations only, with the declarations that they refer to. */
function sliceOf(whole: ApiModel, operations: readonly Operation[]): ApiModel {
  const names = new Set(operations.flatMap(typesOfOperation).flatMap((type) => [...referencesOfType(type)]));
  for (const name of names) {
    const declared = whole.declarations.find((each) => each.name === name);
    if (declared !== undefined) for (const target of referencesOfType(declared.type)) names.add(target);
  }
  return { ...whole, declarations: whole.declarations.filter(({ name }) => names.has(name)), operations };
}

function filesByPath(files: readonly PiecedFile[]): ReadonlyMap<string, PiecedFile> {
  return new Map(files.map((file) => [file.path, file]));
}

interface Outcome {
  readonly update: ArtefactUpdate;
  /** Output for the current complete document. */
  readonly whole: ReturnType<typeof emitContract.emit>;
}

/**
 * Changes operations of a document one after the other, and updates the files each time from the previous ones. Ends with the first change
 * that cannot be applied as an update.
 */
function changeInTurn(given: readonly Operation[], changes: readonly Operation[]): readonly Outcome[] {
  const packageName = "example";
  let operations = given;
  let { files, settled } = emitContract.emit({ model: model(declarations, { operations }), packageName });
  const outcomes: Outcome[] = [];
  for (const changed of changes) {
    const before = model(declarations, { operations });
    const own = operations.filter(({ name }) => name === changed.name);
    operations = operations.map((each) => (each.name === changed.name ? changed : each));
    const after = model(declarations, { operations });
    const update = emitContract.update({
      before: sliceOf(before, own),
      after: sliceOf(after, [changed]),
      packageName,
      files: filesByPath(files),
      // As it is parsed from the cache.
      settled: JSON.parse(JSON.stringify(settled)) as NonNullable<typeof settled>,
    });
    outcomes.push({ update, whole: emitContract.emit({ model: after, packageName }) });
    if ("doubt" in update) break;
    files = [...new Map([...filesByPath(files), ...filesByPath(update.files)]).values()];
    ({ settled } = update);
  }
  return outcomes;
}

/** Changes one operation of a document. */
function change(operations: readonly Operation[], changed: Operation): Outcome {
  const [outcome] = changeInTurn(operations, [changed]);
  if (outcome === undefined) throw new Error("Nothing was changed");
  return outcome;
}

function expectSame({ update, whole }: Outcome): void {
  if ("doubt" in update) throw new Error(`doubted: ${update.doubt}`);
  const texts = (files: readonly PiecedFile[]) =>
    Object.fromEntries(files.map(({ path, text: written }) => [path, written]));
  // Unchanged files need not be among those that are returned.
  expect(texts(whole.files)).toMatchObject(texts(update.files));
}

interface Settled {
  readonly validators: { readonly types: readonly object[] };
  readonly codecs: object;
}

function changeTypes({ validators, ...others }: Settled, facts: object): unknown {
  return { ...others, validators: { ...validators, types: validators.types.map((type) => ({ ...type, ...facts })) } };
}

const ping = operationOf("ping", text, text);
const getPoint = operationOf("getPoint", hash, list(point));
const getCoin = operationOf("getCoin", hash, record([field("coins", list(coin))]));
const getTree = operationOf("getTree", kinds, reference("Tree"));

describe("the files of a document one of whose operations changes", () => {
  it.each<[string, readonly Operation[], Operation]>([
    ["nothing", [ping, getPoint, getCoin], getPoint],
    ["a bound of what it takes", [ping, getPoint], operationOf("getPoint", short, list(point))],
    [
      "a bound of what it gives",
      [ping, getPoint, getTree],
      operationOf("ping", text, node({ kind: "string", minLength: 7 })),
    ],
    ["a member that nobody else has", [getTree, ping], operationOf("ping", text, record([field("only", hash)]))],
    [
      "a structure that nobody else has",
      [ping, getPoint],
      operationOf("ping", text, record([field("a", list(record([field("b", closed)])))])),
    ],
    [
      "a structure in place of one of its own",
      [operationOf("own", text, list(closed)), ping],
      operationOf("own", text, list(record([field("other", short)], { additional: nothing }))),
    ],
    [
      "a choice that nobody else has",
      [ping, operationOf("own", short, text)],
      operationOf("own", node({ kind: "enumeration", values: [..."klmnopqrstuvw"] }), text),
    ],
    [
      "a bound beside amounts",
      [ping, getCoin, operationOf("own", short, list(coin))],
      operationOf("own", hash, list(coin)),
    ],
    [
      "the members beside an amount",
      [ping, getCoin, operationOf("own", text, record([field("fee", amount)]))],
      operationOf("own", text, record([field("fee", amount), field("feeRate", amount), field("note", short, false)])),
    ],
    [
      "a list of amounts",
      [operationOf("own", text, list(amount)), ping, getCoin],
      operationOf("own", text, list(amount, { maxItems: 3 })),
    ],
  ])("are those of the whole document where it is changed: %s", (_, operations, changed) => {
    expectSame(change(operations, changed));
  });

  it("are written again and again, each from those before", () => {
    const operations = [ping, getPoint, getCoin, operationOf("own", text, record([field("a", amount)]))];
    const outcomes = changeInTurn(operations, [
      operationOf("own", short, record([field("a", amount), field("b", amount)])),
      operationOf("getPoint", short, list(point)),
      operationOf("own", text, record([field("b", amount), field("c", list(closed))])),
    ]);
    expect(outcomes).toHaveLength(3);
    for (const outcome of outcomes) expectSame(outcome);
  });

  it.each<[string, readonly Operation[], Operation, string]>([
    [
      "shares a structure of another operation from now on",
      [ping, operationOf("other", text, list(wide))],
      operationOf("ping", text, record([field("a", list(wide))])),
      "validators.ts: a part is shared with others in another way",
    ],
    [
      "shares a structure of another operation no longer",
      [operationOf("own", text, record([field("a", list(wide))])), operationOf("other", text, list(wide))],
      operationOf("own", text, text),
      "validators.ts: a part is shared with others in another way",
    ],
    [
      "is the first to name what another operation has too",
      [ping, operationOf("other", text, list(closed))],
      operationOf("ping", text, record([field("a", list(closed))])),
      "validators.ts: pingOutputAItemNames would not be what it is called",
    ],
    [
      "no longer names what another operation has too",
      [operationOf("own", text, record([field("a", list(closed))])), operationOf("other", text, list(closed))],
      operationOf("own", text, text),
      "validators.ts: otherOutputItemNames would not be what it is called",
    ],
    [
      "has another choice of a name that is taken",
      [ping, operationOf("own", kinds, text)],
      operationOf("own", node({ kind: "enumeration", values: [1, 2, "x", null, { a: 1 }, [2], "y"] }), text),
      "validators.ts: something new is called like something else",
    ],
    [
      "leads to another declaration",
      [ping, getPoint],
      operationOf("ping", text, reference("Point")),
      "types.ts: what stands around the operation changes",
    ],
    [
      "checks another format",
      [ping, getPoint],
      operationOf("ping", time, text),
      "validators.ts: other formats are checked",
    ],
    [
      "checks a format no longer",
      [operationOf("own", time, text), ping],
      operationOf("own", text, text),
      "validators.ts: other formats are checked",
    ],
    [
      "looks at what others have left over",
      [ping, getPoint],
      operationOf("ping", text, node({ kind: "unevaluated", base: union(point, closed), members: nothing })),
      "validators.ts: the requirements of other types on alternatives are not known",
    ],
    [
      "has amounts from now on",
      [ping, getCoin],
      operationOf("ping", text, amount),
      "codecs.ts: the operation has other types that are converted",
    ],
    [
      "has amounts no longer",
      [operationOf("own", text, amount), getCoin],
      operationOf("own", text, text),
      "codecs.ts: the operation has other types that are converted",
    ],
    [
      "has the first amounts",
      [operationOf("own", text, text)],
      operationOf("own", text, amount),
      "codecs.ts: the operation has other types that are converted",
    ],
  ])("are in doubt where it %s", (_, operations, changed, doubt) => {
    expect(change(operations, changed).update).toEqual({ doubt });
  });

  it("are in doubt where those before are not known, or are not those that were remembered", () => {
    const before = model(declarations, { operations: [ping, getCoin] });
    const { files, settled } = emitContract.emit({ model: before, packageName: "example" });
    const slice = sliceOf(before, [getCoin]);
    const request = { before: slice, after: slice, packageName: "example" };
    const update = (changed: Readonly<Record<string, (file: PiecedFile) => PiecedFile | undefined>>) =>
      emitContract.update({
        ...request,
        ...(settled === undefined ? {} : { settled }),
        files: filesByPath(files.flatMap((file) => changed[file.path]?.(file) ?? (file.path in changed ? [] : [file]))),
      });
    const without = () => undefined;
    const shorter = (file: PiecedFile): PiecedFile => ({ ...file, text: file.text.slice(-300) });
    const other = (file: PiecedFile): PiecedFile => ({
      ...file,
      text: file.text.replaceAll("0-9a-f", "0-9A-F").replaceAll("GetCoin", "GotCoin"),
    });
    expect(update({})).toHaveProperty("files");
    expect(emitContract.update({ ...request, files: filesByPath(files) })).toEqual({
      doubt: "validators.ts was not written before",
    });
    expect(update({ "validators.ts": without })).toEqual({ doubt: "validators.ts was not written before" });
    expect(update({ "types.ts": without })).toEqual({ doubt: "types.ts was not written before" });
    expect(update({ "codecs.ts": without })).toEqual({ doubt: "codecs.ts: it was not written before" });
    expect(update({ "types.ts": other })).toEqual({ doubt: "types.ts: getCoin comes out otherwise" });
    expect(update({ "validators.ts": other })).toEqual({
      doubt: "validators.ts: the functions of GetCoinInput come out otherwise",
    });
    expect(update({ "codecs.ts": other })).toEqual({
      doubt: "codecs.ts: the functions of GetCoinOutput come out otherwise",
    });
    for (const path of ["validators.ts", "codecs.ts"]) {
      expect(update({ [path]: shorter })).toEqual({ doubt: `${path}: the file is not as long as was remembered` });
    }
  });

  it.each<[string, (settled: Settled) => unknown, string]>([
    [
      "functions that several share are forgotten",
      (settled) => ({ ...settled, codecs: { ...settled.codecs, decode: [], encode: [] } }),
      "codecs.ts: the operation shares what was not remembered",
    ],
    [
      "the types of the operation are forgotten",
      (settled) => ({ ...settled, codecs: { ...settled.codecs, types: [] } }),
      "codecs.ts: the functions of GetCoinOutput come out otherwise",
    ],
    ["codecs are forgotten", (settled) => ({ validators: settled.validators }), "codecs.ts: it was not written before"],
    [
      "types are forgotten",
      (settled) => ({ ...settled, validators: { ...settled.validators, types: [] } }),
      "validators.ts: the types of the operation are not as they were remembered",
    ],
    [
      "a type was deep",
      (settled) => changeTypes(settled, { isDeep: true }),
      "validators.ts: the types of the operation are not as they were remembered",
    ],
    [
      "a type was read without loss",
      (settled) => changeTypes(settled, { isLossless: true }),
      "validators.ts: the types of the operation are not as they were remembered",
    ],
    [
      "what is left over was looked at",
      (settled) => ({ ...settled, validators: { ...settled.validators, mindsEvaluation: true } }),
      "validators.ts: the requirements of other types on alternatives are not known",
    ],
    [
      "constants and parts are forgotten",
      (settled) => ({ ...settled, validators: { ...settled.validators, constants: [], parts: [] } }),
      "validators.ts: the operation shares what was not remembered",
    ],
    [
      "what functions ask for is forgotten",
      (settled) => ({ ...settled, validators: { ...settled.validators, requests: [] } }),
      "validators.ts: GetCoinInput needs other parts",
    ],
  ])("are in doubt where %s", (_, forget, doubt) => {
    const before = model(declarations, { operations: [ping, getCoin] });
    const { files, settled } = emitContract.emit({ model: before, packageName: "example" });
    const slice = sliceOf(before, [getCoin]);
    const changed = forget(settled as unknown as Settled) as NonNullable<typeof settled>;
    const request = { before: slice, after: slice, packageName: "example", files: filesByPath(files) };
    expect(emitContract.update({ ...request, settled: changed })).toEqual({ doubt });
  });

  it("are those of the complete document, or in doubt, whatever the operations have", () => {
    const leaves = fc.constantFrom<TypeNode>(text, hash, short, kinds, amount, long, nullNode, anything, numberNode());
    const inner = fc.oneof(leaves, fc.constantFrom<TypeNode>(point, closed, coin, wide));
    const types = fc.oneof(
      inner,
      inner.map((element) => list(element)),
      fc.tuple(inner, inner).map(([a, b]) => record([field("a", a), field("b", list(b), false)])),
      fc.tuple(inner, inner).map(([a, b]) => union(a, b)),
    );
    const pairs = fc.tuple(types, types);
    const named = (index: number, [taken, given]: readonly [TypeNode, TypeNode]) =>
      operationOf(
        `do${index}`,
        record([field(`in${index}`, taken)]),
        record([field("v", amount), field(`out${index}`, given)]),
      );
    let sure = 0;
    fc.assert(
      fc.property(
        fc.array(pairs, { minLength: 2, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(3), pairs), { minLength: 2, maxLength: 3 }),
        (before, steps) => {
          const changes = steps.map(([index, pair]) => named(index % before.length, pair));
          const operations = before.map((pair, index) => named(index, pair));
          const outcomes = changeInTurn(operations, changes).filter(({ update }) => !("doubt" in update));
          for (const outcome of outcomes) expectSame(outcome);
          sure += outcomes.length;
        },
      ),
      { numRuns: 40, seed: 20_261_101 },
    );
    expect(sure).toBeGreaterThan(10);
  });
});

describe("types alone", () => {
  it("are written again for a changed operation", () => {
    const before = model(declarations, { operations: [ping, getPoint] });
    const changed = operationOf("ping", text, record([field("a", hash)]));
    const after = { ...before, operations: [changed, getPoint] };
    const { files } = emitTypesAlone.emit({ model: before, packageName: "example" });
    const update = emitTypesAlone.update({
      before: sliceOf(before, [ping]),
      after: sliceOf(after, [changed]),
      packageName: "example",
      files: filesByPath(files),
    });
    expect("files" in update ? update.files : update.doubt).toEqual(
      emitTypesAlone.emit({ model: after, packageName: "example" }).files,
    );
    expect(files.map(({ path }) => path)).toEqual(["types.ts"]);
  });

  it("are next to validators, and codecs where there are amounts", () => {
    const pathsOf = (operations: readonly Operation[], declared = declarations.slice(0, 2)) =>
      emitContract
        .emit({ model: model(declared, { operations }), packageName: "example" })
        .files.map(({ path }) => path);
    expect(pathsOf([ping])).toEqual(["types.ts", "validators.ts"]);
    expect(pathsOf([operationOf("own", text, amount)])).toEqual(["types.ts", "validators.ts", "codecs.ts"]);
    expect(pathsOf([ping], declarations)).toEqual(["types.ts", "validators.ts", "codecs.ts"]);
  });
});
