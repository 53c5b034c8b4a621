import { pack } from "@toolwright/engine";
import { currentTime } from "./current-time.js";
import { echo } from "./echo.js";

/** What every server should have: a way to see that it works, and a clock. */
export const basics = pack({
  name: "basics",
  prevalidated: true,
  open: () => ({ tools: [echo, currentTime] }),
});
