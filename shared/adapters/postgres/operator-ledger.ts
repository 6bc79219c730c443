import type { Sql } from 'postgres';
import type { OperatorLedger, OperatorLine } from '../../ports/operator-ledger.ts';
import { asJson } from './keepable.ts';
import { asked } from './translate.ts';

export function openOperatorLedger(sql: Sql): OperatorLedger {
  return {
    async record(lines) {
      if (lines.length === 0) return;
      return asked('write', async () => {
        await sql`
          insert into ledger (actor, subject, tenant, action, details, cause, correlation)
          select l.actor, l.subject, l.tenant, l.action, l.details, l.cause, l.correlation
          from jsonb_to_recordset(${asJson(lines.map(toRow))}::text::jsonb)
            as l (actor text, subject text, tenant text, action text, details jsonb, cause text, correlation text)`;
      });
    },
  };
}

function toRow({ who, action, subject, tenant, details, cause, correlation }: OperatorLine): Record<string, unknown> {
  return { actor: who, action, subject, tenant, details, cause, correlation };
}
