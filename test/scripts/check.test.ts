import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { check } from '../../scripts/check.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run check', () => {
  it('passes when every tool does, with a line for each and nothing of what they said', async () => {
    const said: string[] = [];

    const ok = await check(root, [aTool('types', 'console.log("fine")'), aTool('lint', '')], (text) => said.push(text));

    expect(ok).toBe(true);
    expect(said.sort()).toEqual([
      expect.stringMatching(/^ok {6}lint {2}\d+\.\d s$/),
      expect.stringMatching(/^ok {6}types {2}\d+\.\d s$/),
    ]);
  });

  it('fails when one does, and says what that one said on either stream', async () => {
    const said: string[] = [];

    const ok = await check(
      root,
      [aTool('types', ''), aTool('lint', 'console.log("one"); console.error("two"); process.exitCode = 1')],
      (text) => said.push(text),
    );

    expect(ok).toBe(false);
    expect(said).toContainEqual(expect.stringMatching(/^FAILED {2}lint/));
    expect(said.at(-1)).toMatch(/^\nlint \(node -e .*\):\n/);
    expect(said.at(-1)?.split('\n').slice(-2).sort()).toEqual(['one', 'two']);
  });

  it('fails when a tool is not there, and says what to do', async () => {
    const said: string[] = [];

    const ok = await check(root, [{ name: 'types', command: ['no-such-tool'] }], (text) => said.push(text));

    expect(ok).toBe(false);
    expect(said.at(-1)).toMatch(/no-such-tool cannot be run: .*\. Run npm ci first\.$/);
  });
});

function aTool(name: string, code: string): { name: string; command: [string, ...string[]] } {
  return { name, command: ['node', '-e', code] };
}
