export { JobLimitExceeded, type JobLimits, JobThread } from "./job-thread.js";
export { serveJobs } from "./serve-jobs.js";
