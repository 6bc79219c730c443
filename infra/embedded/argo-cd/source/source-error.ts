/**
 * The source cannot be had or rendered. The message stands in the Application's condition, so it names no secret and no path
 * of ours; the code is that of the repo server's answer, which Argo CD puts before it.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: 'Unknown' | 'FailedPrecondition';

  constructor(message: string, code: SourceError['code'] = 'Unknown') {
    super(message);
    this.code = code;
  }
}
