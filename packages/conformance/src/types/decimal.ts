export { type Decimal, decimalOf, nextMultiple, scaled } from "@nodewright/api-model";
