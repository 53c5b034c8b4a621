export * from "@photostructure/sqlite";
