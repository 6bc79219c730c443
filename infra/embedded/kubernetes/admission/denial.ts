import { type StatusDetails, StatusError } from '../status-error.ts';

/** A refusal may carry warnings that the client is to see as well. */
export class AdmissionDenied extends StatusError {
  readonly warnings: readonly string[];

  constructor(
    status: { code: number; reason: string; message: string },
    details: unknown,
    warnings: readonly string[],
  ) {
    const known = typeof details === 'object' && details !== null ? (details as StatusDetails) : undefined;
    super(status.code, status.reason, status.message, known);
    this.warnings = warnings;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What the client is told when a webhook says no: its message, else its reason; its code where that is one of refusal. */
export function denial(
  webhook: string,
  status: Readonly<Record<string, unknown>>,
  warnings: readonly string[],
): AdmissionDenied {
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const reason = text(status['reason']);
  const why = text(status['message']) || reason;
  const code = typeof status['code'] === 'number' ? status['code'] : 0;
  return new AdmissionDenied(
    {
      code: code >= 400 && code < 600 ? code : 400,
      reason,
      message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    },
    status['details'],
    warnings,
  );
}
