/** The errors of SQS: the name the SDK knows, the older name it puts in `Error.Code`, and the HTTP status. */
const Known: Readonly<Record<string, readonly [code: string, status: number]>> = {
  BatchEntryIdsNotDistinct: ['AWS.SimpleQueueService.BatchEntryIdsNotDistinct', 400],
  BatchRequestTooLong: ['AWS.SimpleQueueService.BatchRequestTooLong', 400],
  EmptyBatchRequest: ['AWS.SimpleQueueService.EmptyBatchRequest', 400],
  InvalidBatchEntryId: ['AWS.SimpleQueueService.InvalidBatchEntryId', 400],
  MessageNotInflight: ['AWS.SimpleQueueService.MessageNotInflight', 400],
  QueueDoesNotExist: ['AWS.SimpleQueueService.NonExistentQueue', 400],
  QueueNameExists: ['QueueAlreadyExists', 400],
  ReceiptHandleIsInvalid: ['ReceiptHandleIsInvalid', 404],
  RequestEntityTooLarge: ['RequestEntityTooLarge', 413],
  ResourceNotFoundException: ['ResourceNotFoundException', 404],
  TooManyEntriesInBatchRequest: ['AWS.SimpleQueueService.TooManyEntriesInBatchRequest', 400],
  UnsupportedOperation: ['AWS.SimpleQueueService.UnsupportedOperation', 400],
  InternalError: ['InternalError', 500],
};

/** A refusal as SQS words it. The name is what `error.name` is in the SDK. */
export class SqsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
    const [code, status] = Known[name] ?? [name, 400];
    this.code = code;
    this.status = status;
  }

  get senderFault(): boolean {
    return this.status < 500;
  }
}

export function invalidValue(parameter: string, value: unknown, reason: string): SqsError {
  const shown = String(value).slice(0, 200);
  return new SqsError(
    'InvalidParameterValue',
    `Value ${shown} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );
}
