import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { PageConfiguration } from "../src/page-configuration.ts";
import { Workbench } from "./workbench.tsx";

const place = document.getElementById("page");
if (place === null) throw new Error("The page has no place for GraphiQL");
const configuration = JSON.parse(place.dataset["configuration"] ?? "{}") as PageConfiguration;
createRoot(place).render(
  <StrictMode>
    <Workbench configuration={configuration} />
  </StrictMode>,
);
