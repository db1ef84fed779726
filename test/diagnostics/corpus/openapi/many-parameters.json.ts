/** Twenty thousand parameters of one operation, the last of them a second time. */
const parameters = Array.from({ length: 20_000 }, (_, index) => `{"name":"p${index}","in":"query","schema":{}}`);

export const text: string = `{"openapi":"3.0.3","info":{"title":"Many","version":"1.0.0"},"paths":{"/pets":{"get":{"operationId":"listPets","parameters":[${parameters.join()},${parameters.at(-1)}],"responses":{"204":{"description":"Done."}}}}}}`;
