/** A child that ends by itself while it watches its parent. */
import { endWithParent } from "../process/end-with-parent.ts";

endWithParent();
process.exit(7);
