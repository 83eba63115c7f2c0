export * from "../../kernel/logs/logSource.ts";
