import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  type SQSClient,
  type Message as SqsMessage,
} from '@aws-sdk/client-sqs';
import type { DeadLetters, Letter } from '../../ports/dead-letters.ts';
import { isTrouble } from '../../ports/trouble.ts';
import { translateSqs } from './client.ts';
import { deadLettersOf } from './queue.ts';
import type { QueueUrls } from './queue-urls.ts';
import { toEvent } from './wire.ts';

/** Long enough to go through some thousand letters; a look that dies half way hides them no longer than this. */
const holdSeconds = 30;

const callTimeoutMs = 10_000;

/** Receives without a letter not seen before, after which there is nothing new: what was held too long comes round again. */
const mostIdleReceives = 3;

/**
 * Dead letters through the SDK. SQS cannot list, so a look receives the letters and gives them back.
 *
 * One second is the shortest poll that asks every server of the queue; without it, an empty answer of Amazon's means
 * nothing. A queue on one server may be asked with zero.
 */
export function openDeadLetters(client: SQSClient, urls: QueueUrls, { waitSeconds = 1 } = {}): DeadLetters {
  async function receive(QueueUrl: string): Promise<readonly SqsMessage[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: holdSeconds,
        WaitTimeSeconds: waitSeconds,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['SentTimestamp'],
      }),
      limit(),
    );
    return Messages;
  }

  /** Everything in the queue once, until `visit` has had enough; what it does not want is given back at the end. */
  async function goThrough(
    QueueUrl: string,
    visit: (messages: readonly SqsMessage[]) => Promise<Visit>,
  ): Promise<void> {
    const seen = new Set<string>();
    const held = new Set<SqsMessage>();
    try {
      for (let idle = 0; idle < mostIdleReceives; ) {
        const messages = await receive(QueueUrl);
        if (messages.length === 0) return;
        for (const message of messages) held.add(message);
        const fresh = messages.filter(({ MessageId = '' }) => !seen.has(MessageId));
        for (const { MessageId = '' } of fresh) seen.add(MessageId);
        idle = fresh.length === 0 ? idle + 1 : 0;
        const { removed, enough } = await visit(fresh);
        for (const message of removed) held.delete(message);
        if (enough) return;
      }
    } finally {
      await giveBack(QueueUrl, [...held]);
    }
  }

  /** Visible at once. Where that fails they come back by themselves when the hold is over. */
  async function giveBack(QueueUrl: string, messages: readonly SqsMessage[]): Promise<void> {
    for (let from = 0; from < messages.length; from += 10) {
      const Entries = messages
        .slice(from, from + 10)
        .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle, VisibilityTimeout: 0 }));
      await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }), limit()).catch(() => undefined);
    }
  }

  /** False: the letter was dealt with and still lies there. Whoever took it says so; the others are dealt with all the same. */
  async function remove(QueueUrl: string, ReceiptHandle: string | undefined): Promise<boolean> {
    try {
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }), limit());
      return true;
    } catch {
      return false;
    }
  }

  async function count(QueueUrl: string): Promise<number> {
    const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
      limit(),
    );
    return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  }

  async function asking<T>(functionName: string, question: (queueUrl: string) => Promise<T>): Promise<T> {
    try {
      return await question(await urls.of(deadLettersOf(functionName)));
    } catch (error) {
      if (error instanceof QueueDoesNotExist) {
        throw new Error(
          `${functionName} has no queue for dead letters at this endpoint. Run npm run setup, or check QUEUE_PREFIX and AWS_ENDPOINT_URL_SQS`,
          { cause: error },
        );
      }
      throw isTrouble(error) ? error : translateSqs(error);
    }
  }

  return {
    look: (functionName, most) =>
      asking(functionName, async (queueUrl) => {
        const there = await count(queueUrl);
        const letters: Letter[] = [];
        let over = false;
        await goThrough(queueUrl, async (messages) => {
          for (const message of messages) {
            if (letters.length < most) letters.push(toLetter(functionName, message));
            else over = true;
          }
          return { removed: [], enough: letters.length >= most };
        });
        return { letters, more: over || there > letters.length };
      }),

    take: (functionName, queueIds, deal) =>
      asking(functionName, async (QueueUrl) => {
        const met = new Set<string>();
        const gone = new Set<string>();
        await goThrough(QueueUrl, async (messages) => {
          const removed: SqsMessage[] = [];
          for (const message of messages) {
            const { MessageId = '', ReceiptHandle } = message;
            if (!queueIds.has(MessageId)) continue;
            met.add(MessageId);
            if ((await deal(toLetter(functionName, message))) === 'keep') continue;
            if (!(await remove(QueueUrl, ReceiptHandle))) continue;
            removed.push(message);
            gone.add(MessageId);
          }
          return { removed, enough: met.size === queueIds.size };
        });
        return gone;
      }),
  };
}

interface Visit {
  readonly removed: readonly SqsMessage[];
  readonly enough: boolean;
}

function toLetter(functionName: string, message: SqsMessage): Letter {
  const { MessageId = '', Body = '', MessageAttributes = {}, Attributes = {} } = message;
  const event = toEvent(message);
  const id = event?.['id'];
  return {
    function: functionName,
    id: typeof id === 'string' && id !== '' ? id : MessageId,
    queueId: MessageId,
    body: Body,
    ...(event !== undefined && { event }),
    attributes: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue]),
    ),
    sentAt: Number(Attributes.SentTimestamp ?? 0),
  };
}

function limit(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(callTimeoutMs) };
}
