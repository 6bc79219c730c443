import { describe, expect, it } from 'vitest';
import { commandsToType, quoteWord } from '../../../scripts/demo/commands-to-type.ts';
import { whatNext } from '../../../scripts/demo/run-demo.ts';
import { openPaint } from '../../../scripts/ops/paint.ts';
import { welcome } from '../../../scripts/welcome.ts';
import { PromotionRun } from '../../../shared/contracts/kubernetes/promotion-run.ts';

const usual = '/home/me/stagecoach/.stagecoach';
const nothing = { real: false, data: usual };

describe('the commands that people are told to type', () => {
  it('are short where nothing is given', () => {
    const { ops, demo } = commandsToType(nothing, usual);

    expect(ops('status')).toBe('npm run ops -- status');
    expect(demo).toBe('npm start -- --demo');
  });

  it('lead operators to the data folder, where that is another one', () => {
    const { ops } = commandsToType({ ...nothing, data: '/srv/stagecoach' }, usual);

    expect(ops('trace demo/run')).toBe('npm run ops -- trace demo/run --stagecoach-folder /srv/stagecoach');
  });

  it('do not name the usual folder, however it was written', () => {
    expect(commandsToType({ ...nothing, data: `${usual}/../.stagecoach/` }, usual)).toMatchObject({
      demo: 'npm start -- --demo',
    });
    expect(commandsToType({ ...nothing, data: `${usual}/` }, usual).ops('status')).toBe('npm run ops -- status');
  });

  it('start with everything that this start was given', () => {
    const given = { real: true, port: '9000', 'sqs-endpoint': 'http://127.0.0.1:4566', data: '/srv/stagecoach' };

    expect(commandsToType(given, usual).demo).toBe(
      'npm start -- --real --port 9000 --sqs-endpoint http://127.0.0.1:4566 --data /srv/stagecoach --demo',
    );
  });

  it('have a folder in them that holds wherever they are typed', () => {
    const folder = `${process.cwd()}/elsewhere`;
    const { ops, demo } = commandsToType({ ...nothing, data: 'elsewhere' }, usual);

    expect(ops('status')).toBe(`npm run ops -- status --stagecoach-folder ${quoteWord(folder)}`);
    expect(demo).toBe(`npm start -- --data ${quoteWord(folder)} --demo`);
  });

  it('show no password', () => {
    const given = { ...nothing, 'database-url': 'postgres://stagecoach:hunter2@db.example/stagecoach' };

    expect(commandsToType(given, usual).demo).toBe(
      "npm start -- --database-url 'postgres://***@db.example/stagecoach' --demo",
    );
  });

  it.each([
    ['/srv/stagecoach-2_b', '/srv/stagecoach-2_b'],
    ['/srv/my data', "'/srv/my data'"],
    ["/srv/it's $HOME", `'/srv/it'\\''s $HOME'`],
    ['', "''"],
  ])('have %s in them as one word of a shell', (word, quoted) => {
    expect(quoteWord(word)).toBe(quoted);
  });
});

describe('with its data in a folder with a blank in its name, on a port that was chosen', () => {
  const data = '/srv/my data';
  const commands = commandsToType({ ...nothing, port: '9000', data }, usual);
  const url = 'http://127.0.0.1:9000';

  it('the first screen names commands for this Stagecoach alone', () => {
    const shown = { url, functions: [], real: [], standIns: [], data, commands, isDemo: false };

    const screen = welcome({ ...shown, kubeconfig: `${data}/kubernetes/kubeconfig` });

    expect(commandsIn(screen)).toEqual([
      "npm start -- --port 9000 --data '/srv/my data' --demo",
      "npm run ops -- onboard team-a --wait --stagecoach-folder '/srv/my data'",
      "npm run ops -- --help --stagecoach-folder '/srv/my data'",
    ]);
    expect(screen).toContain("export KUBECONFIG='/srv/my data/kubernetes/kubeconfig'\n");
    expect(commandsIn(welcome(shown))).toEqual(["npm run ops -- --help --stagecoach-folder '/srv/my data'"]);
  });

  it.each([
    [
      'Success',
      "npm run ops -- promote demo/bookshop --snapshot first --to production-eu --wait --stagecoach-folder '/srv/my data'",
    ],
    ['Failure', "npm run ops -- trace demo/run --stagecoach-folder '/srv/my data'"],
  ])('the demo does so after a %s as well', (completionResult, command) => {
    const run = PromotionRun.parse({
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'PromotionRun',
      metadata: {
        name: 'run',
        namespace: 'demo',
        uid: 'u',
        resourceVersion: '1',
        creationTimestamp: '2026-11-18T09:00:00Z',
      },
      spec: {
        snapshot: 'first',
        application: 'bookshop',
        automatedPromotion: { initialEnvironment: 'development' },
      },
      status: { state: 'Completed', completionResult },
    });

    const said = whatNext({ url, commands, paint: openPaint({}, undefined) }, run);

    expect(commandsIn(said)).toEqual([command, "npm start -- --port 9000 --data '/srv/my data' --demo"]);
  });
});

/** Without what is said beside them. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/npm .*?(?= {2}|$)/gm)].map(([command]) => command);
}
