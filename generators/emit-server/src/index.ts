export { emitServer } from "./emit-server.ts";
