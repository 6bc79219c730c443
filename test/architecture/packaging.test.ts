import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readMap } from '../../infra/map.ts';
import { root } from './source-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'stagecoach-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the Serverless Framework', { timeout: 180_000 }, () => {
  it('makes of the map one Lambda for each function, woken as the map says', async () => {
    const { functions } = readMap();

    const resources = await makePackage(root, 'serverless.yml');

    expect(
      ofType(resources, 'AWS::Lambda::Function')
        .map((lambda) => lambda['Handler'])
        .sort(),
    ).toEqual(functions.map(({ handler }) => handler).sort());
    const wokenBy = (trigger: string) => functions.filter((entry) => entry.trigger === trigger);
    expect(
      ofType(resources, 'AWS::ApiGatewayV2::Route')
        .map((route) => route['RouteKey'])
        .sort(),
    ).toEqual(
      wokenBy('http')
        .flatMap(({ name, page }) => (page === undefined ? [`POST /${name}`] : [`GET ${page}`, `GET ${page}/{proxy+}`]))
        .sort(),
    );
    expect(ofType(resources, 'AWS::Events::Rule')).toHaveLength(wokenBy('schedule').length);
    expect(ofType(resources, 'AWS::Lambda::EventSourceMapping')).toHaveLength(wokenBy('queue').length);
    expect(existsSync(join(root, '.serverless'))).toBe(false);
  });

  it('refuses a key that it does not know outside of custom', async () => {
    const text = readFileSync(join(root, 'serverless.yml'), 'utf8').replace(
      '    timeout: 10\n',
      '    timeout: 10\n    impact: Nobody suffers\n',
    );
    writeFileSync(join(folder, 'serverless.yml'), text);

    await expect(makePackage(folder, 'serverless.yml')).rejects.toThrow(/unrecognized property 'impact'/);
  });
});

type Properties = Readonly<Record<string, unknown>>;
type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties: Properties }>>;

/** Offline: whoever called home would find nobody at the proxy's address. */
async function makePackage(service: string, config: string): Promise<Resources> {
  const out = join(folder, 'package');
  const osls = join(root, 'node_modules/osls/bin/serverless.js');
  const nobody = 'http://127.0.0.1:9';
  const env = { PATH: process.env['PATH'], HOME: folder, HTTP_PROXY: nobody, HTTPS_PROXY: nobody, NO_COLOR: '1' };
  await promisify(execFile)(process.execPath, [osls, 'package', '--config', config, '--package', out], {
    cwd: service,
    env,
    timeout: 150_000,
  }).catch((error: Error & { stderr?: string; stdout?: string }) => {
    throw new Error(`osls package failed: ${error.stderr}${error.stdout}`, { cause: error });
  });
  const template = JSON.parse(readFileSync(join(out, 'cloudformation-template-update-stack.json'), 'utf8')) as {
    Resources: Resources;
  };
  return template.Resources;
}

function ofType(resources: Resources, type: string): Properties[] {
  return Object.values(resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));
}
