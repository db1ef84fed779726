import { defineConfig } from "nodewright";

export default defineConfig({
  documents: [
    {
      source: "stripe.json",
      package: "stripe-api",
      artefacts: ["types", "validators", "server"],
      handlers: { directory: "src/handlers", context: "../context.ts#Context" },
    },
  ],
});
