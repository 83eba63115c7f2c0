export interface SystemPart {
  readonly name: string;
  readonly purpose: string;
  readonly packages: readonly string[];
  readonly elsewhere: string;
  readonly required: boolean;
  isPresent(env: Readonly<Record<string, string | undefined>>): boolean | Promise<boolean>;
  beforeInstall?(): void;
}
export const natsServer: SystemPart;
export const dockerEngine: SystemPart;
export const staticBusybox: SystemPart;
export const nativePostgres: SystemPart;
export const imageRegistry: SystemPart;
export const openSsl: SystemPart;
