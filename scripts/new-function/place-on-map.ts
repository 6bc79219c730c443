import { type Document, isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml';
import type { NewFunction } from './read-name.ts';

/** Writes a function into the text of serverless.yml: its two entries, and one line less in the list of the unclaimed. */
export function placeOnMap(text: string, { name, exported, thing, noun, consumes }: NewFunction): string {
  const document = parseDocument(text);
  add(document, ['functions'], name, {
    handler: `functions/${name}/index.${exported}`,
    description: `Looks after a changed ${thing}`,
    timeout: 30,
    events: [{ sqs: { arn: queueArn(document, name), batchSize: 1 } }],
  });
  add(document, ['custom', 'map'], name, {
    impact: `A changed ${thing} is not looked at`,
    consumes: inline(document, [consumes]),
    emits: inline(document, []),
    needs: inline(document, ['database', 'queues']),
    serial: `${noun}:{namespace}/{name}`,
  });
  claim(document, consumes);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, singleQuote: true });
}

/** At the end, with a blank line before it where its neighbours have one. */
function add(document: Document, path: string[], name: string, entry: unknown): void {
  const entries = document.getIn(path);
  if (!isMap(entries)) throw new Error(`serverless.yml has no ${path.join('.')}`);
  const pair = document.createPair(name, entry);
  const last = entries.items.at(-1)?.key;
  if (isScalar(last) && isScalar(pair.key) && last.spaceBefore === true) pair.key.spaceBefore = true;
  entries.add(pair);
}

/** The queue that `npm run setup` makes for the function, in whatever account the stack is put. */
function queueArn(document: Document, name: string): unknown {
  const parts = ['arn', 'aws', 'sqs', { Ref: 'AWS::Region' }, { Ref: 'AWS::AccountId' }, `stagecoach-${name}`];
  return { 'Fn::Join': inline(document, [':', parts]) };
}

function inline(document: Document, values: unknown[]): unknown {
  const node = document.createNode(values);
  node.flow = true;
  return node;
}

/** Takes a type out of the list of those that nobody consumes. */
function claim(document: Document, type: string): void {
  const custom = document.get('custom');
  const pair = isMap(custom) ? custom.items.find(({ key }) => isScalar(key) && key.value === 'unclaimed') : undefined;
  if (!isPair(pair)) return;
  // The list may be another one by reference, which must keep the type.
  if (isAlias(pair.value)) pair.value = document.createNode(pair.value.resolve(document)?.toJSON());
  if (isSeq(pair.value)) pair.value.items = pair.value.items.filter((item) => !isScalar(item) || item.value !== type);
}
