// Rentals of bicycles and scooters, with controllers whose description and routes tsoa generates.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type NextFunction, type Request, type Response } from "express";
import { ValidateError } from "tsoa";
import { RegisterRoutes } from "./generated/routes";
import { HttpFailure } from "./rentals.controller";

const app = express();
const description = readFileSync(join(__dirname, "swagger.json"), "utf8");
app.get("/openapi.json", (_request, response) => {
  response.type("json").send(description);
});
RegisterRoutes(app);
app.use((reason: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (reason instanceof ValidateError) response.status(422).json({ code: "invalid", fields: reason.fields });
  else if (reason instanceof HttpFailure)
    response.status(reason.status).json({ code: reason.code, message: reason.message });
  else next(reason);
});
app.listen(Number(process.env["PORT"]), "127.0.0.1");
