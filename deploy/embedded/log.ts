/** What the embedded servers tell the operator. A pino logger is one. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
