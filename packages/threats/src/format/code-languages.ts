/** The languages of code examples that the built-in patterns use, and their frameworks; users may have others. */
export const CODE_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  python: ["flask", "django", "fastapi", "celery", "mcp"],
  typescript: ["express", "nestjs", "next", "bullmq", "mcp"],
  go: ["net-http", "gin", "asynq"],
  java: ["spring"],
  csharp: ["aspnet-core"],
  ruby: ["rails", "sidekiq"],
  php: ["laravel"],
  rust: ["axum"],
  dockerfile: ["docker"],
  terraform: ["aws"],
  "github-actions": ["actions"],
};
