export { canonicalText, isEqualJson } from "@nodewright/api-model";
