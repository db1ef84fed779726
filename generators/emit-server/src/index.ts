export { emitOperations, emitServer } from "./emit-server.ts";
