import { defineConfig } from "nodewright";
import { zodEmitter } from "./emitters/zod-emitter.ts";

export default defineConfig({
  documents: [
    {
      source: "petstore.yaml",
      package: "petstore-api",
      formats: "assert",
      emitters: [{ emitter: zodEmitter, options: { file: "zod.ts" } }],
    },
  ],
});
