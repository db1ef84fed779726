/** Two hundred references that lead nowhere. */
const schemas = Array.from({ length: 200 }, (_, index) => `"S${index}":{"$ref":"#/components/schemas/Missing${index}"}`);

export const text: string = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{${schemas.join()}}}}`;
