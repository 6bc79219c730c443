import { catalog } from '../../shared/contracts/catalog.ts';
import { z } from 'zod';
import { defineWebhook } from '../../shared/runtime/define-webhook.ts';
export const ingestAudit = defineWebhook({ name: 'ingest-audit', emits: catalog, Body: z.object({}), expects: '', async answer() { return { status: 200, body: {} }; } });
