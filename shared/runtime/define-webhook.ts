import type { IncomingMessage } from 'node:http';
import { http, type Request, type Response } from '@google-cloud/functions-framework';
import type { z } from 'zod';
import { isTrouble } from '../ports/trouble.ts';
import { isKnown } from './callers.ts';
import { type Machine, theMachine } from './machine.ts';

/** A door that answers: HTTP in, an answer out. */
export interface WebhookDefinition<Body extends z.ZodType> {
  readonly name: string;
  readonly emits: readonly { readonly type: string }[];
  readonly Body: Body;
  /** How to send it right, for whoever sent it wrong. */
  readonly expects: string;
  /** `path` is where the request was sent to. */
  answer(body: z.output<Body>, machine: Machine, path: string): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface StagecoachWebhook {
  readonly name: string;
  readonly emits: readonly string[];
  /** Answers one request whose body has been read. Never throws. */
  handle(body: unknown, machine?: Machine, path?: string): Promise<Answer>;
}

export function defineWebhook<Body extends z.ZodType>(definition: WebhookDefinition<Body>): StagecoachWebhook {
  const { name } = definition;

  async function handle(body: unknown, machine: Machine = theMachine(), path = `/${name}`): Promise<Answer> {
    const parsed = definition.Body.safeParse(body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refusal(
        400,
        `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'malformed'}. ${definition.expects}`,
      );
    }
    try {
      return await definition.answer(parsed.data, machine, path);
    } catch (error) {
      const away = isTrouble(error) && (error.kind === 'transient' || error.kind === 'uncertain');
      machine.log[away ? 'warn' : 'error']('webhook failed', {
        fn: name,
        error: String(error),
        ...(!away && error instanceof Error && { stack: error.stack }),
      });
      return away
        ? refusal(503, 'A part of Stagecoach is away. Send the same request again in a few seconds.')
        : refusal(500, 'A defect of ours; it is in the log.');
    }
  }

  http(name, async (request: Request, response: Response) => {
    const machine = theMachine();
    const answer =
      request.method !== 'POST'
        ? refusal(405, 'Send a POST.')
        : isWelcome(request, name, machine)
          ? await handle(request.body, machine, request.path)
          : unknownCaller;
    if (answer.status >= 400) machine.metrics.webhookRefusals.inc({ fn: name, status: String(answer.status) });
    response.status(answer.status).json(answer.body);
  });

  return { name, emits: definition.emits.map(({ type }) => type), handle };
}

export function refusal(status: number, message: string): Answer {
  return { status, body: { error: message } };
}

export const unknownCaller = refusal(
  401,
  'Unknown caller. Send "Authorization: Bearer <token>" with the token of WEBHOOK_TOKEN_FILE, or use a client certificate that TLS_CLIENT_CA_FILE has signed.',
);

/** A caller we know, or a function that answers anybody. */
export function isWelcome(
  request: IncomingMessage,
  name: string,
  { tokens, openFunctions = [] }: Pick<Machine, 'tokens' | 'openFunctions'>,
): boolean {
  return openFunctions.includes(name) || isKnown(request, tokens);
}
