/** The package has no types; these are of what is used here. */
declare module "@20minutes/s3rver" {
  export default class S3rver {
    constructor(options: object);
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
