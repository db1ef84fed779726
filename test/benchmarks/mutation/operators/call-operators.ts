import type { Random } from "../random.ts";
import { isObject, kindOf } from "./json-tree.ts";
import type { Mutant, Operator } from "./operator.ts";
import type { Call, DocumentedInput, Subject, WireOutcome } from "./subject.ts";

/** A fault in what is made of a call's inputs. */
type CallFault = (call: Call) => Promise<WireOutcome>;

interface InputFault {
  readonly name: string;
  /** Faults of one input, none where it can't be so. */
  readonly faults: (
    input: DocumentedInput,
    subject: Subject,
    operation: string,
    random: Random,
  ) => readonly {
    readonly note: string;
    readonly fault: CallFault;
  }[];
}

const numberOf = (value: unknown): number | undefined =>
  value === undefined || value === null || value === "" || Number.isNaN(Number(value)) ? undefined : Number(value);

/** The value in the form in which the caller gave it: text in a URL, a number in JSON. */
const alike = (given: unknown, value: number): unknown => (typeof given === "string" ? String(value) : value);

function goodValues(subject: Subject, operation: string, name: string): readonly unknown[] {
  return subject.goodInputsOf(operation).flatMap((input) => (input[name] === undefined ? [] : [input[name]]));
}

const isPage = (input: DocumentedInput): boolean => /^(limit|count|size|first|max|pagesize|perpage)$/i.test(input.name);

const inputFaults: readonly InputFault[] = [
  {
    name: "ignore-parameter",
    faults: (input) =>
      input.required
        ? []
        : [{ note: `ignores ${input.name}`, fault: (call) => call.ask({ ...call.input, [input.name]: undefined }) }],
  },
  {
    name: "limit-off-by-one",
    faults: (input) =>
      isPage(input)
        ? [
            {
              note: `${input.name} plus one`,
              fault: (call) => {
                const given = numberOf(call.input[input.name]) ?? numberOf(input.schema["default"]);
                const most = numberOf(input.schema["maximum"]) ?? Number.POSITIVE_INFINITY;
                return given === undefined || input.broken(call.input[input.name] ?? given).length > 0
                  ? call.ask(call.input)
                  : call.ask({
                      ...call.input,
                      [input.name]: alike(call.input[input.name] ?? given, Math.min(given + 1, most)),
                    });
              },
            },
          ]
        : [],
  },
  {
    name: "offset-off-by-one",
    faults: (input) =>
      /^(offset|skip|start|page)$/i.test(input.name)
        ? [
            {
              note: `${input.name} plus one`,
              fault: (call) => {
                const given = numberOf(call.input[input.name]);
                return given === undefined || given < 1
                  ? call.ask(call.input)
                  : call.ask({ ...call.input, [input.name]: alike(call.input[input.name], given - 1) });
              },
            },
          ]
        : [],
  },
  {
    name: "invert-boolean-parameter",
    faults: (input) =>
      input.schema["type"] === "boolean"
        ? [
            {
              note: `${input.name} the other way round`,
              fault: (call) => {
                const given = call.input[input.name] ?? input.schema["default"];
                const other =
                  given === true
                    ? false
                    : given === false
                      ? true
                      : given === "true"
                        ? "false"
                        : given === "false"
                          ? "true"
                          : given;
                return call.ask({ ...call.input, [input.name]: other });
              },
            },
          ]
        : [],
  },
  {
    name: "change-default",
    faults: (input, subject, operation, random) => {
      const { default: documented } = input.schema;
      const others = [
        ...(Array.isArray(input.schema["enum"]) ? input.schema["enum"] : []),
        ...goodValues(subject, operation, input.name),
      ];
      const other = random.shuffle(
        others.filter((value) => String(value) !== String(documented) && kindOf(value) !== "object"),
      )[0];
      return documented === undefined || other === undefined
        ? []
        : [
            {
              note: `${input.name} is ${String(other)} where it is left out`,
              fault: (call) =>
                call.ask(call.input[input.name] === undefined ? { ...call.input, [input.name]: other } : call.input),
            },
          ];
    },
  },
  {
    name: "accept-bad-value",
    faults: (input, subject, operation, random) => {
      const good = goodValues(subject, operation, input.name)[0] ?? input.schema["default"];
      const keywords = keywordsOf(input.schema);
      return random.shuffle(keywords).map((keyword) => ({
        note: `does not look at ${keyword} of ${input.name}`,
        fault: (call) => {
          const value = call.input[input.name];
          const broken = value === undefined ? [] : input.broken(value);
          return broken.includes(keyword) ? call.ask({ ...call.input, [input.name]: good }) : call.ask(call.input);
        },
      }));
    },
  },
  {
    name: "accept-missing-parameter",
    faults: (input, subject, operation) =>
      input.required && !input.isInPath
        ? [
            {
              note: `does not want ${input.name}`,
              fault: (call) =>
                call.ask(
                  call.input[input.name] === undefined
                    ? { ...call.input, [input.name]: goodValues(subject, operation, input.name)[0] }
                    : call.input,
                ),
            },
          ]
        : [],
  },
  {
    name: "refuse-enumeration-value",
    faults: (input, _subject, _operation, random) => {
      const values = Array.isArray(input.schema["enum"]) ? input.schema["enum"] : [];
      return values.length === 0 ? [] : [refusing(input, String(random.pick(values)))];
    },
  },
  {
    name: "refuse-maximum",
    faults: (input) =>
      input.schema["maximum"] === undefined ? [] : [refusing(input, String(input.schema["maximum"]))],
  },
  {
    name: "refuse-minimum",
    faults: (input) =>
      input.schema["minimum"] === undefined ? [] : [refusing(input, String(input.schema["minimum"]))],
  },
  {
    name: "refuse-optional-parameter",
    faults: (input) =>
      input.required
        ? []
        : [
            {
              note: `refuses ${input.name}`,
              fault: async (call) => (call.input[input.name] === undefined ? call.ask(call.input) : call.refuse()),
            },
          ],
  },
  {
    name: "demand-optional-parameter",
    faults: (input) =>
      input.required
        ? []
        : [
            {
              note: `wants ${input.name}`,
              fault: async (call) => (call.input[input.name] === undefined ? call.refuse() : call.ask(call.input)),
            },
          ],
  },
];

function refusing(input: DocumentedInput, value: string): { readonly note: string; readonly fault: CallFault } {
  return {
    note: `refuses ${value} as ${input.name}`,
    fault: async (call) =>
      call.input[input.name] !== undefined && String(call.input[input.name]) === value
        ? call.refuse()
        : call.ask(call.input),
  };
}

/** The keywords that a value of the schema can break, at any depth. */
function keywordsOf(schema: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(visit);
    } else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (knownKeywords.has(key)) {
          found.add(key);
        }
        visit(item);
      }
    }
  };
  visit(schema);
  return [...found];
}

const knownKeywords = new Set([
  "type",
  "minimum",
  "maximum",
  "pattern",
  "enum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "required",
  "additionalProperties",
]);

function ofCalls(
  name: string,
  make: (
    subject: Subject,
    operation: string,
    random: Random,
  ) => readonly { readonly note: string; readonly create: () => CallFault }[],
): Operator {
  return {
    name,
    kinds: ["rest", "rpc"],
    mutants: (subject, operation, random) =>
      make(subject, operation, random).map(({ note, create }): Mutant => {
        return { note, proof: "rule", wrap: (dispatch) => subject.onCall(operation, create())(dispatch) };
      }),
  };
}

const ignoreAll = ofCalls("ignore-all-parameters", (subject, operation) => {
  const optional = subject.inputsOf(operation).filter((input) => !input.required);
  return optional.length < 2
    ? []
    : [
        {
          note: "ignores what may be left out",
          create: () => (call) =>
            call.ask({ ...call.input, ...Object.fromEntries(optional.map(({ name }) => [name, undefined])) }),
        },
      ];
});

const wrongObject = ofCalls("wrong-object", (subject, operation, random) => {
  const required = subject.inputsOf(operation).filter((input) => input.required);
  const [other] = random.shuffle(subject.goodInputsOf(operation));
  return required.length === 0 || other === undefined
    ? []
    : [
        {
          note: "answers about another object",
          create: () => async (call) => {
            const isGood = required.every((input) => input.broken(call.input[input.name] ?? "").length === 0);
            const right = await call.ask(call.input);
            return isGood && isWell(right)
              ? call.ask({ ...call.input, ...Object.fromEntries(required.map(({ name }) => [name, other[name]])) })
              : right;
          },
        },
      ];
});

const foundWhatIsNot = ofCalls("find-what-is-not-there", (subject, operation, random) => {
  const required = subject.inputsOf(operation).filter((input) => input.required);
  const [other] = random.shuffle(subject.goodInputsOf(operation));
  return required.length === 0 || other === undefined
    ? []
    : [
        {
          note: "answers about another object where there is none",
          create: () => async (call) => {
            const isGood = required.every((input) => input.broken(call.input[input.name] ?? "").length === 0);
            const right = await call.ask(call.input);
            return isGood && !isWell(right) && !isInvalid(right)
              ? call.ask({ ...call.input, ...Object.fromEntries(required.map(({ name }) => [name, other[name]])) })
              : right;
          },
        },
      ];
});

const stale = ofCalls("stale-answer", (subject, operation) =>
  subject.inputsOf(operation).length === 0
    ? []
    : [
        {
          note: "answers what was asked before",
          create: () => {
            let before: Readonly<Record<string, unknown>> | undefined;
            return async (call) => {
              const asked = before ?? call.input;
              const own = await call.ask(call.input);
              if (!isWell(own)) {
                return own;
              }
              before = call.input;
              return asked === call.input ? own : call.ask(asked);
            };
          },
        },
      ],
);

function isWell(outcome: WireOutcome): boolean {
  return "answer" in outcome
    ? outcome.answer.status === 200
    : isObject(outcome.response) && outcome.response["error"] === undefined;
}

function isInvalid(outcome: WireOutcome): boolean {
  return "answer" in outcome
    ? outcome.answer.status === 400
    : isObject(outcome.response) && isObject(outcome.response["error"]) && outcome.response["error"]["code"] === -32602;
}

/** Every so many answers something else. */
function drifting(name: string, period: number, proof: Mutant["proof"], edit: (value: unknown) => unknown): Operator {
  return {
    name,
    kinds: ["rest", "rpc"],
    mutants: (subject, operation) => [
      {
        note: `${name}: every ${period} answers`,
        proof,
        wrap: (dispatch) => {
          let calls = 0;
          return subject.onValue(operation, (value) => {
            calls += 1;
            return calls % period === 0 ? edit(value) : value;
          })(dispatch);
        },
      },
    ],
  };
}

/** The value with its first number or text changed. */
function nudged(value: unknown): unknown {
  if (typeof value === "number") {
    return value + 1;
  }
  if (typeof value === "string") {
    return value.replace(/[0-9a-z](?=[^0-9a-z]*$)/, (last) => (last === "4" ? "5" : "4"));
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === 0 ? nudged(item) : item));
  }
  if (isObject(value)) {
    const stable = Object.entries(value).find(
      ([key, item]) => ["number", "string"].includes(typeof item) && !/confirm|nextblock/i.test(key),
    );
    return stable === undefined ? value : { ...value, [stable[0]]: nudged(stable[1]) };
  }
  return typeof value === "boolean" ? !value : value;
}

function withoutFirst(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutFirst);
  }
  return isObject(value) ? Object.fromEntries(Object.entries(value).slice(1)) : null;
}

/** Faults in what is made of parameters, and answers that depend on earlier ones. */
export const callOperators: readonly Operator[] = [
  ...inputFaults.map(({ name, faults }) =>
    ofCalls(name, (subject, operation, random) =>
      random
        .shuffle(subject.inputsOf(operation))
        .flatMap((input) => faults(input, subject, operation, random))
        .map(({ note, fault }) => ({ note, create: () => fault })),
    ),
  ),
  ignoreAll,
  wrongObject,
  foundWhatIsNot,
  stale,
  drifting("drift-value", 2, "value", nudged),
  drifting("drift-value-rarely", 3, "value", nudged),
  drifting("drift-shape", 3, "shape", withoutFirst),
];
