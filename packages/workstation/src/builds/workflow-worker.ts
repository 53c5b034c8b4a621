import { serveJobs } from "@toolwright/kit/threads";
import { readWorkflow } from "./workflows.js";

serveJobs(readWorkflow);
