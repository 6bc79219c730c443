import type { Scenario } from '../play-scenario.ts';
import { changes } from './changes.ts';
import { fields } from './fields.ts';
import { formats } from './formats.ts';
import { ourKinds } from './our-kinds.ts';
import { rules } from './rules.ts';
import { transitions } from './transitions.ts';
import { typesAndLimits } from './types-and-limits.ts';

export const scenarios: readonly Scenario[] = [
  ...typesAndLimits,
  ...formats,
  ...fields,
  ...changes,
  ...rules,
  ...transitions,
  ...ourKinds,
];
