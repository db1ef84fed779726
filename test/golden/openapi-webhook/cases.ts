import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { list: () => undefined, thingAdded: () => undefined },
  calls: [{ call: ["list", {}], received: ["list", {}] }],
  webhooks: [{ call: ["thingAdded", { body: { id: 1 } }], received: ["thingAdded", { body: { id: 1 } }] }],
};
