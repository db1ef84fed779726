export { isRecord } from "@nodewright/api-model";
