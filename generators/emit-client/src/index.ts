export { emitClient } from "./emit-client.ts";
