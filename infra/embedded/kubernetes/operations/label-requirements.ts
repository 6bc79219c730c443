import { badRequest } from '../status-error.ts';

type Labels = Readonly<Record<string, string>>;
export type Requirement = (labels: Labels) => boolean;

const keyPattern = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const valuePattern = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;
const operators = 'in, notin, =, ==, !=, gt, lt';

/** `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1` as one requirement each. Mistakes are told in the words of the API. */
export function labelRequirements(text: string): Requirement[] {
  const tokens = text.match(/[,()!]=?|==?|[<>]|[^\s,()!=<>]+/g) ?? [];
  const requirements: Requirement[] = [];
  let at = 0;
  while (at < tokens.length) {
    requirements.push(requirement());
    if (at >= tokens.length) break;
    const found = tokens[at];
    if (found !== ',') throw badRequest(`found '${found}', expected: ',' or 'end of string'`);
    at += 1;
    if (at >= tokens.length) throw badRequest("found '', expected: identifier after ','");
  }
  return requirements;

  function requirement(): Requirement {
    const isNegated = tokens[at] === '!';
    if (isNegated) at += 1;
    const key = tokens[at] ?? '';
    if (!/^[^,()!=<>]/.test(key)) throw badRequest(`found '${key}', expected: !, identifier, or 'end of string'`);
    at += 1;
    check(keyPattern, key, 'key');
    if (isNegated) return (labels) => labels[key] === undefined;
    const operator = tokens[at];
    if (operator === undefined || operator === ',') return (labels) => labels[key] !== undefined;
    at += 1;
    switch (operator) {
      case '=':
      case '==': {
        const wanted = value();
        return (labels) => labels[key] === wanted;
      }
      case '!=': {
        const unwanted = value();
        return (labels) => labels[key] !== unwanted;
      }
      case 'in': {
        const wanted = values();
        return (labels) => labels[key] !== undefined && wanted.has(labels[key]);
      }
      case 'notin': {
        const unwanted = values();
        return (labels) => labels[key] === undefined || !unwanted.has(labels[key]);
      }
      case '>':
      case '<': {
        const limit = wholeNumber(value());
        return (labels) => {
          const given = /^-?\d+$/.test(labels[key] ?? '') ? Number(labels[key]) : Number.NaN;
          return operator === '>' ? given > limit : given < limit;
        };
      }
      default:
        throw badRequest(`unable to parse requirement: found '${operator}', expected: ${operators}`);
    }
  }

  function value(): string {
    const next = tokens[at];
    if (next === undefined || next === ',') return '';
    if (!/^[^,()!=<>]/.test(next)) {
      throw badRequest(`unable to parse requirement: found '${next}', expected: identifier`);
    }
    at += 1;
    return check(valuePattern, next, 'value');
  }

  function values(): ReadonlySet<string> {
    if (tokens[at] !== '(') throw badRequest(`unable to parse requirement: found '${tokens[at] ?? ''}' expected: '('`);
    at += 1;
    const found = new Set<string>();
    while (tokens[at] !== ')') {
      if (tokens[at] === undefined) throw badRequest("unable to parse requirement: found '', expected: ')'");
      found.add(value());
      if (tokens[at] === ',') at += 1;
    }
    at += 1;
    return found;
  }
}

function check(pattern: RegExp, text: string, what: string): string {
  if (pattern.test(text)) return text;
  throw badRequest(`unable to parse requirement: <nil>: Invalid value: "${text}": it is no ${what} of a label`);
}

function wholeNumber(text: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  throw badRequest(
    `unable to parse requirement: values[0]: Invalid value: "${text}": for 'Gt', 'Lt' operators, the value must be an integer`,
  );
}
