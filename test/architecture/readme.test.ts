import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
  it('lists every setting there is', () => {
    const settings = [
      ...readFileSync('shared/runtime/config.ts', 'utf8').matchAll(/^ {4}(?<name>[A-Z][A-Z\d_]+):/gm),
    ].map(({ groups }) => groups?.['name'] ?? '');

    expect(settings.length).toBeGreaterThan(20);
    expect(settings.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it('documents every npm script', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

    expect(Object.keys(scripts).length).toBeLessThanOrEqual(10);
    expect(
      Object.keys(scripts).filter(
        (name) => !readme.includes(name === 'start' || name === 'test' ? `\`npm ${name}\`` : `\`npm run ${name}`),
      ),
    ).toEqual([]);
  });

  it('points only to files that are there', () => {
    const links = [...readme.matchAll(/\]\((?<path>[^)#]+)\)/g)]
      .map(({ groups }) => groups?.['path'] ?? '')
      .filter((path) => !path.startsWith('http'));

    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });
});
